// The residual of a window and J v on several ranks, each of which holds its columns of unknowns and rows.
//
// Way       Of every pair (derivative in time, what is done along the first modal axis z) that the equations read of a
//           field, in blocks of columns:    c_zt = Z (T x + the initial state's share)
//           to planes; in each plane (t, point in z), or (t) for a condition at an edge of z: the other transforms, the
//           tape, the tests along the other axes;
//           rows back to columns; the test along z. Two exchanges (window_layouts.hpp).
// Bits      depend neither on the number of ranks nor on their threads: a product is one of a block of columns or of a
//           plane, whoever has it. They are not those of WindowSystem, which multiplies with all columns at once; both
//           agree to rounding.
// Steady    problems have one point in time.
// Serves    shared_unsupported_reason() says what not.
// Memory    of a rank: its share of everything, but for `system`.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/buffer.hpp"
#include "weighted_residual/window/shared_vectors.hpp"
#include "weighted_residual/window/window_system.hpp"

namespace gwrm {

// Why the window cannot be shared; empty if it can.
std::string shared_unsupported_reason(const WindowSystem& system);

// The coefficients of the linearised rows at one iterate, in the planes of a rank.
struct SharedLinearisation {
  std::vector<std::vector<Array>> coefficients;  // per plane
};

class SharedWindow {
 public:
  // By all ranks. The system, which has no shared_unsupported_reason(), and the ranks outlive it.
  SharedWindow(const WindowSystem& system, Communicator& ranks);
  ~SharedWindow();

  // What a rank holds of unknowns and of rows.
  const SharedVectors& unknowns() const { return unknowns_; }
  const SharedVectors& rows() const { return rows_; }

  // By all ranks, as every operation: x of unknowns(), f and the result of rows().
  void residual(std::span<const double> x, std::span<double> f);
  void linearise(std::span<const double> x, SharedLinearisation& at_x);
  void apply_jacobian(const SharedLinearisation& at_x, std::span<const double> v, std::span<double> result);

  // The planes (t, point along the first modal axis) and (t) that each rank has, in this order those of a
  // SharedLinearisation.
  const Shares& planes() const { return planes_; }
  const Shares& edges() const { return edges_; }
  // The first modal axis, and whether a block of rows is formed at an edge of it.
  int first_axis() const { return static_cast<int>(z_); }
  bool row_at_edge(std::size_t row) const;

  // Bytes sent to other ranks by all of them so far, in exchanges.
  std::size_t bytes_off_rank() const { return bytes_off_rank_; }

 private:
  struct Plane {
    bool at_edge = false;  // of z: there is one for each point in time
    Index time = 0, point = 0;
    Index line = 0;  // among all of its kind
  };
  struct PlaneNode;  // what is done in a plane: a tree as AtomValues', without time and z
  struct Source {    // one table of the exchange to planes
    int root = -1;
    bool at_edge = false;
    BlockMatrix along_z;
    std::unique_ptr<PlaneNode> tree;
  };
  // Atoms by way of sources; one for the values of fields, one for those of directions.
  struct Atoms {
    const AtomValues* values = nullptr;
    std::vector<Source> sources;
    std::vector<bool> at_edge;                // per atom
    std::vector<std::vector<double>> states;  // per root: the state's share in the rank's columns, empty for none
    std::unique_ptr<WindowExchange> exchange;
    std::vector<double> by_columns, by_lines;
    std::size_t n_nodes = 0;
  };

  void prepare(Atoms& atoms, const AtomValues& values, bool with_state) const;
  void add_atom(Atoms& atoms, int output, int root, const std::vector<const AtomValues::Node*>& chain) const;
  void add_state(Atoms& atoms, int root) const;
  // Atoms of x go to the planes, body(plane number, plane, value of each atom) in each, and what it has put into the
  // rows goes to f.
  void to_planes(Atoms& atoms, std::span<const double> x);
  template <class Body>
  void for_each_plane(const Atoms& atoms, const Body& body);
  void put_row(std::size_t row, const ArrayView& values);
  void put_rows(const Shares& lines, Index first, Index n_lines);
  void test_row(std::size_t row, ArrayView values, double* target);
  void from_planes(std::span<double> f);
  std::vector<ArrayView> leaf_values(const std::vector<WindowSystem::Leaf>& leaves,
                                     const std::vector<ArrayView>& values, const Plane& plane) const;

  const WindowSystem& system_;
  Communicator& ranks_;
  std::size_t z_ = 0;
  Index n_times_ = 1, n_points_ = 1;  // in time, along z
  Shares planes_, edges_;             // (t, point in z) and (t)
  SharedVectors unknowns_, rows_;
  Atoms values_, directions_;
  std::unique_ptr<WindowExchange> row_exchange_;
  std::vector<double> rows_by_lines_, rows_by_columns_;
  std::vector<Array> formed_;  // of each block of rows, the values in the planes that are transformed together
  Buffer rooms_[2];
  ArrayView nothing_;  // an atom that this kind of planes does not have
  std::size_t bytes_off_rank_ = 0;
};

}  // namespace gwrm
