// The residual of a window and J v on several ranks, each of which holds its columns of unknowns and rows.
//
// Way       Of every pair (derivative in time, what is done along the first modal axis z) that the equations read of a
//           field, in blocks of columns:    c_zt = Z (T x + the initial state's share)
//           to planes; in each plane (t, point in z), or (t, n) for rows that have n numbers along z in place of points
//           (shared_rows.hpp): the other transforms, the tape, the tests along the other axes;
//           rows back to columns; the test along z. Two exchanges (window_layouts.hpp).
// Means     a row that has lost z by an integral is formed in one plane for each t. There an unknown stands for its
// mean
//           along z, which the integral multiplies by the length: what is linear in the unknowns, with coefficients
//           that do not vary along z, has the same integral. Rows of a mean go to the rank that has the row they
//           replace.
// Bits      depend neither on the number of ranks nor on their threads: a product is one of a block of columns or of a
//           plane, whoever has it. They are not those of WindowSystem, which multiplies with all columns at once; both
//           agree to rounding.
// J v       where a second system of the same window is given, on fewer points (Discretisation::Points), of that one;
//           so are the means of coefficients.
// Steady    problems have one point in time.
// Serves    shared_unsupported_reason() says what not.
// Memory    of a rank: its share of everything; of `system` the axes' matrices and the state. Exchanges and
//           preconditioners take turns in the same rooms (SharedRooms).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/buffer.hpp"
#include "weighted_residual/window/plane_data.hpp"
#include "weighted_residual/window/plane_trees.hpp"
#include "weighted_residual/window/shared_vectors.hpp"
#include "weighted_residual/window/window_system.hpp"

namespace gwrm {

// Why the window cannot be shared; empty if it can.
std::string shared_unsupported_reason(const WindowSystem& system);

// The coefficients of the linearised rows at one iterate, in the planes of a rank.
struct SharedLinearisation {
  // Per planes that are evaluated together, which the first dimension counts; empty where no row of such planes holds
  // it.
  std::vector<std::vector<Array>> coefficients;
};

// Where an exchange has its numbers: what is in them lasts until the next operation.
struct SharedRooms {
  Buffer columns, lines, rows;
};

class SharedWindow {
 public:
  // By all ranks. The systems, which have no shared_unsupported_reason(), and the ranks outlive it.
  // fewer_points: the same window on fewer points, or null.
  SharedWindow(const WindowSystem& system, Communicator& ranks, const WindowSystem* fewer_points = nullptr);
  ~SharedWindow();

  // What a rank holds of unknowns and of rows.
  const SharedVectors& unknowns() const { return unknowns_; }
  const SharedVectors& rows() const { return rows_; }

  // By all ranks, as every operation: x of unknowns(), f and the result of rows().
  void residual(std::span<const double> x, std::span<double> f);
  void linearise(std::span<const double> x, SharedLinearisation& at_x);
  void apply_jacobian(const SharedLinearisation& at_x, std::span<const double> v, std::span<double> result);

  // What J v and the means below are of.
  const WindowSystem& linearised() const { return fewer_ ? fewer_->system_ : system_; }
  // Whether all coefficients are finite, on all ranks.
  bool is_finite(const SharedLinearisation& at_x) const;
  // Mean of a coefficient over the window and over all axes but one (-1: all), as coefficient_means() of
  // time_averages() (tensor_operators.hpp) to rounding, and one number where it does not vary along the axis. Sums
  // of planes, added up in their order.
  Vector coefficient_mean(const SharedLinearisation& at_x, int coefficient, int axis) const;
  // The first modal axis.
  int first_axis() const { return static_cast<int>(z_); }

  // Bytes sent to other ranks by all of them so far, in exchanges.
  std::size_t bytes_off_rank() const { return bytes_off_rank_ + (fewer_ ? fewer_->bytes_off_rank_ : 0); }
  SharedRooms& rooms() { return *rooms_; }

 private:
  // Planes of rows with equally many numbers along z: at its points, at an edge (one), of jumps or highest modes.
  struct Kind {
    Index n_points = 1;
    Shares lines;                               // (t, point)
    bool evaluates = false;                     // the tapes, for some of its rows
    std::vector<bool> coefficients, integrals;  // that its rows hold
  };
  // Those of a rank that are evaluated together, one for each index of the first dimension.
  struct Planes {
    std::size_t number = 0;  // among all such
    std::size_t kind = 0;
    Index first = 0, n = 1;  // lines of the kind
  };
  // Atoms by way of planes: those that the residual, the coefficients, the directions read.
  struct Source {  // one table of the exchange to planes, beside PlaneTrees::sources
    std::size_t kind = 0;
    BlockMatrix along_z;  // to the points of the kind; of a mean to one
  };
  struct Atoms {
    const AtomValues* values = nullptr;
    PlaneTrees trees;
    std::vector<Source> sources;
    bool with_state = false;
    std::unique_ptr<WindowExchange> exchange;  // a table for each source
  };
  struct Leaf {
    int value = -1;  // as WindowSystem::Leaf's
    Array fixed;
    std::unique_ptr<PlaneData> data;
    Array gathered;  // of several planes
  };

  SharedWindow(const WindowSystem& system, Communicator& ranks, std::shared_ptr<SharedRooms> rooms);
  std::size_t kind_with(Index n_points);
  void find_kinds();
  void note(PlaneReads& reads, int output, const expression::Atom& atom, int line_axis, std::size_t row) const;
  PlaneReads read_by_residual() const;
  PlaneReads read_by_coefficients() const;
  PlaneReads read_by_directions() const;
  void prepare(Atoms& atoms, const AtomValues& values, const PlaneReads& reads, bool with_state);
  void take_state();
  void add_state(const AtomValues::Root& root, Index place, Index width, double* in_time) const;
  std::vector<Leaf> make_leaves(const std::vector<WindowSystem::Leaf>& sources) const;
  std::vector<SharedTable> tables_of_rows() const;
  // Atoms of x go to the planes, body(planes, value of each atom) in those that are evaluated together, and what it has
  // put into the rows goes to f.
  void to_planes(Atoms& atoms, std::span<const double> x);
  template <class Body>
  void for_each_planes(const Atoms& atoms, const Body& body);
  // Values may be the same in all planes.
  void put_row(std::size_t row, const Planes& planes, const ArrayView& values);
  void add_to_row(std::size_t row, const Planes& planes, const ArrayView& values);
  void put_rows(const Shares& lines, Index first, Index n_lines);
  void test_row(std::size_t row, ArrayView values, double* target);
  void from_planes(std::span<double> f);
  void put_mean(std::size_t row, const double* by_columns, std::span<double> f) const;
  // sum of coefficient * direction over the terms.
  ArrayView linear_form(const std::vector<RowTerm>& terms, const std::vector<Array>& coefficients,
                        const std::vector<ArrayView>& directions, const std::vector<Array>& integrals,
                        Buffer& room) const;
  std::vector<ArrayView> leaf_values(std::vector<Leaf>& leaves, const std::vector<ArrayView>& values,
                                     const Planes& planes) const;
  // Of all kinds before this one.
  std::size_t n_planes_before(std::size_t kind) const;
  // As if there were no system on fewer points.
  void linearise_own(std::span<const double> x, SharedLinearisation& at_x);
  void apply_own(const SharedLinearisation& at_x, std::span<const double> v, std::span<double> result);
  bool is_finite_own(const SharedLinearisation& at_x) const;
  Vector mean_of_own(const SharedLinearisation& at_x, int coefficient, int axis) const;

  const WindowSystem& system_;
  Communicator& ranks_;
  std::size_t z_ = 0;
  Index n_times_ = 1, n_points_ = 1;  // in time, along z
  std::vector<Kind> kinds_;           // the first: at the points of z
  Index n_together_ = 1;              // planes that are evaluated together
  std::vector<std::size_t> row_kinds_;
  SharedVectors unknowns_, rows_;  // rows of a mean are those of their equation
  std::vector<Leaf> residual_leaves_, jacobian_leaves_;
  Atoms values_, coefficients_, directions_;
  std::vector<std::vector<std::vector<double>>> states_;  // per field and order: the rank's columns, block after block
  std::unique_ptr<WindowExchange> row_exchange_;
  std::shared_ptr<SharedRooms> rooms_;
  std::vector<Array> formed_;  // of each block of rows, the values in the planes that are transformed together
  Buffer turns_[2];
  ArrayView nothing_;  // an atom that this kind of planes does not have
  Array one_;
  std::size_t bytes_off_rank_ = 0;
  std::unique_ptr<SharedWindow> fewer_;
};

}  // namespace gwrm
