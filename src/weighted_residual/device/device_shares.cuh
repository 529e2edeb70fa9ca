// What the GPU of a rank holds of a window that several ranks share, and how it goes from layout to layout.
//
// Contract: src/weighted_residual/window/window_layouts.hpp
//
// The layouts are those of the CPU, but a rank's columns are one block: a table by columns is (lines, own columns), so
// that what goes to a rank is a slab of lines as it lies there, and what comes from one is put beside the others by one
// copy of rows. Tensors in planes are (1, own lines, y, x): what depends on t or z is told line by line.
#pragma once

#include "weighted_residual/device/device_atoms.cuh"
//
#include <memory>
#include <vector>

#include "kernels/device/device_team.cuh"
#include "weighted_residual/window/shared_window.hpp"

namespace gwrm::cuda {

class DeviceShares {
 public:
  // Of a system without shared_unsupported_reason(); at most as many ranks as there are points in time.
  DeviceShares(const WindowSystem& system, DeviceTeam& team);

  struct Part {  // of unknowns or rows: a field, a block of rows
    Index n_lines = 0;
    Shares columns{{0}};
    Index whole_offset = 0, offset = 0;  // in the vectors of one process, and in the rank's own
    Index n_own() const { return own_columns * n_lines; }
    Index own_columns = 0;
  };
  DeviceTeam& team() const { return team_; }
  int rank() const { return team_.rank(); }
  std::size_t z() const { return z_; }
  Index n_times() const { return n_times_; }
  Index n_points() const { return n_points_; }
  const std::vector<Part>& unknowns() const { return unknowns_; }
  const std::vector<Part>& rows() const { return rows_; }
  std::size_t n_unknowns() const { return static_cast<std::size_t>(n_unknowns_); }
  std::size_t n_rows() const { return static_cast<std::size_t>(n_rows_); }
  bool row_at_edge(std::size_t row) const { return row_at_edge_[row]; }

  // Lines of planes, or of edges of z: all of them, and how many are the rank's own.
  const Shares& lines(bool at_edge) const { return at_edge ? edges_ : planes_; }
  Index n_own(bool at_edge) const { return lines(at_edge).count(rank()); }
  // Of tensors (n_times, n_points or 1, columns).
  SharedTable table(bool at_edge, const Shares& columns) const { return {lines(at_edge), columns, columns.size()}; }
  // The extents of a field's values in planes when they were `extents`.
  Shape in_planes(Shape extents, bool at_edge) const;
  // Data at the points of a window, at those of the rank's lines.
  Array at_lines(const Array& data, bool at_edge) const;
  // The rank's columns of a field's coefficients in space, (n_z, columns).
  std::vector<double> own_columns(std::size_t field, const Array& coefficients) const;

  // Unknowns, whole on rank 0 (null elsewhere), to what each rank holds of them, and back.
  void deal_out(DeviceTools& tools, const double* whole, double* own) const;
  void collect(DeviceTools& tools, const double* own, double* whole) const;

 private:
  // Calls body(of the rank's part, where its columns begin among the whole) for the parts of a rank.
  template <class Body>
  void for_parts(int rank, const Body& body) const;

  DeviceTeam& team_;
  std::size_t z_ = 0;
  Index n_times_ = 1, n_points_ = 1;
  Shares planes_, edges_;
  std::vector<Part> unknowns_, rows_;
  std::vector<bool> row_at_edge_;
  Index n_unknowns_ = 0, n_rows_ = 0, n_all_ = 0;  // of the rank, and of all
};

// All tables of a step at once, as WindowExchange.
class DeviceExchange {
 public:
  DeviceExchange(DeviceTools& tools, DeviceTeam& team, std::vector<SharedTable> tables);

  std::size_t n_by_columns() const { return static_cast<std::size_t>(exchange_.n_by_columns(team_.rank())); }
  std::size_t n_by_lines() const { return static_cast<std::size_t>(exchange_.n_by_lines(team_.rank())); }
  Index by_columns_before(std::size_t table) const { return exchange_.by_columns_before(table, team_.rank()); }
  Index by_lines_before(std::size_t table) const { return exchange_.by_lines_before(table, team_.rank()); }

  void to_lines(const double* by_columns, double* by_lines);
  void to_columns(const double* by_lines, double* by_columns);

 private:
  // What `holder` has by columns and `user` by lines of a table, one after another.
  Index between(const SharedTable& table, int holder, int user) const {
    return table.columns.count(holder) * table.lines.count(user);
  }
  DeviceTools& tools_;
  DeviceTeam& team_;
  WindowExchange exchange_;
};

}  // namespace gwrm::cuda
