#include "weighted_residual/device/device_shares.cuh"

#include <algorithm>

#include "core/errors.hpp"

namespace gwrm::cuda {
namespace {

int first_modal_axis(const Model& model) {
  int axis = 0;
  while (!model.is_modal(axis)) ++axis;
  return axis;
}

// Of the parts of a vector whose tensors have these extents.
Index add_part(std::vector<DeviceShares::Part>& parts, const Shape& extents, std::size_t z, Index whole_offset,
               Index offset, const DeviceTeam& team) {
  DeviceShares::Part part;
  part.n_lines = extents.front() * extents[z];
  part.columns = Shares::even(element_count(Shape(extents.begin() + static_cast<std::ptrdiff_t>(z) + 1, extents.end())),
                              team.size());
  part.own_columns = part.columns.count(team.rank());
  part.whole_offset = whole_offset;
  part.offset = offset;
  parts.push_back(std::move(part));
  return parts.back().n_own();
}

// Rows of `width` numbers that lie so far apart.
void copy_rows(DeviceTools& tools, const double* from, Index from_width, double* to, Index to_width, Index width,
               Index rows) {
  if (width == 0 || rows == 0) return;
  GWRM_DEVICE(cudaMemcpy2DAsync(to, static_cast<std::size_t>(to_width) * sizeof(double), from,
                                static_cast<std::size_t>(from_width) * sizeof(double),
                                static_cast<std::size_t>(width) * sizeof(double), static_cast<std::size_t>(rows),
                                cudaMemcpyDeviceToDevice, tools.handles.stream));
}

}  // namespace

DeviceShares::DeviceShares(const WindowSystem& system, DeviceTeam& team)
    : team_(team),
      z_(at(first_modal_axis(system.model()))),
      n_times_(system.discretisation().n_points(0)),
      n_points_(system.discretisation().n_points(static_cast<int>(z_))),
      planes_(Shares::even(n_times_ * n_points_, team.size())),
      edges_(Shares::even(n_times_, team.size())) {
  for (const FieldLayout& layout : system.layouts())
    n_unknowns_ += add_part(unknowns_, layout.extents, z_, layout.offset, n_unknowns_, team);
  n_all_ = system.size();
  for (const RowBlock& row : system.rows()) {
    n_rows_ += add_part(rows_, row.extents, z_, row.offset, n_rows_, team);
    row_at_edge_.push_back(row.kind == RowBlock::Kind::condition &&
                           system.model().conditions[row.index].axis == static_cast<int>(z_));
  }
}

Shape DeviceShares::in_planes(Shape extents, bool at_edge) const {
  extents.front() = 1;
  extents[z_] = n_own(at_edge);
  return extents;
}

Array DeviceShares::at_lines(const Array& data, bool at_edge) const {
  const bool in_time = data.shape.front() > 1, along_z = data.shape[z_] > 1;
  if (!in_time && (!along_z || at_edge)) {
    // What varies along z has no value at an edge of it, and is not asked for there.
    if (!along_z) return data;
    return Array(Shape(data.shape.size(), 1), 0.0);
  }
  Shape extents = in_planes(data.shape, at_edge);
  const Index width = element_count(extents) / std::max<Index>(1, extents[z_]), begin = lines(at_edge).begin(rank());
  Array result(extents);
  for (Index i = 0; i < extents[z_]; ++i) {
    const Index line = begin + i, time = at_edge ? line : line / n_points_, point = at_edge ? 0 : line % n_points_;
    const Index from = (in_time ? time : 0) * data.shape[z_] + (along_z ? point : 0);
    std::copy_n(data.data.data() + from * width, width, result.data.data() + i * width);
  }
  return result;
}

std::vector<double> DeviceShares::own_columns(std::size_t field, const Array& coefficients) const {
  const Part& part = unknowns_[field];
  const Index n = part.columns.size(), n_z = part.n_lines / n_times_;
  std::vector<double> own(static_cast<std::size_t>(n_z * part.own_columns));
  for (Index line = 0; line < n_z; ++line)
    std::copy_n(coefficients.data.data() + line * n + part.columns.begin(rank()), part.own_columns,
                own.data() + line * part.own_columns);
  return own;
}

template <class Body>
void DeviceShares::for_parts(int rank, const Body& body) const {
  for (const Part& part : unknowns_) body(part, part.whole_offset + part.columns.begin(rank), part.columns.count(rank));
}

void DeviceShares::deal_out(DeviceTools& tools, const double* whole, double* own) const {
  std::vector<DeviceTeam::Message> sent, received;
  DeviceArray packed;
  if (rank() != 0) {
    for (const Part& part : unknowns_)
      received.push_back({own + part.offset, static_cast<std::size_t>(part.n_own()), 0});
  } else {
    packed = tools.pool.take(static_cast<std::size_t>(n_all_));
    double* next = packed.data();
    for (int r = 0; r < team_.size(); ++r)
      for_parts(r, [&](const Part& part, Index begin, Index width) {
        double* to = r == 0 ? own + part.offset : next;
        copy_rows(tools, whole + begin, part.columns.size(), to, width, width, part.n_lines);
        if (r == 0) return;
        sent.push_back({next, static_cast<std::size_t>(width * part.n_lines), r});
        next += width * part.n_lines;
      });
  }
  team_.exchange(sent, received);
}

void DeviceShares::collect(DeviceTools& tools, const double* own, double* whole) const {
  std::vector<DeviceTeam::Message> sent, received;
  if (rank() != 0) {
    for (const Part& part : unknowns_)
      sent.push_back({const_cast<double*>(own) + part.offset, static_cast<std::size_t>(part.n_own()), 0});
    return team_.exchange(sent, received);
  }
  const DeviceArray packed = tools.pool.take(static_cast<std::size_t>(n_all_));
  double* next = packed.data();
  for (int r = 1; r < team_.size(); ++r)
    for_parts(r, [&](const Part& part, Index, Index width) {
      received.push_back({next, static_cast<std::size_t>(width * part.n_lines), r});
      next += width * part.n_lines;
    });
  team_.exchange(sent, received);
  std::size_t message = 0;
  for (int r = 0; r < team_.size(); ++r)
    for_parts(r, [&](const Part& part, Index begin, Index width) {
      const double* from = r == 0 ? own + part.offset : received[message++].data;
      copy_rows(tools, from, width, whole + begin, part.columns.size(), width, part.n_lines);
    });
}

DeviceExchange::DeviceExchange(DeviceTools& tools, DeviceTeam& team, std::vector<SharedTable> tables)
    : tools_(tools), team_(team), exchange_(std::move(tables)) {}

void DeviceExchange::to_lines(const double* by_columns, double* by_lines) {
  const int own = team_.rank();
  const std::vector<SharedTable>& tables = exchange_.tables();
  const DeviceArray staged = tools_.pool.take(std::max<std::size_t>(1, n_by_lines()));
  std::vector<DeviceTeam::Message> sent, received;
  double* next = staged.data();
  for (std::size_t t = 0; t < tables.size(); ++t)
    for (int other = 0; other < team_.size(); ++other) {
      if (other == own) continue;
      const SharedTable& table = tables[t];
      double* slab =
          const_cast<double*>(by_columns) + by_columns_before(t) + table.lines.begin(other) * table.columns.count(own);
      sent.push_back({slab, static_cast<std::size_t>(between(table, own, other)), other});
      received.push_back({next, static_cast<std::size_t>(between(table, other, own)), other});
      next += between(table, other, own);
    }
  team_.exchange(sent, received);
  std::size_t message = 0;
  for (std::size_t t = 0; t < tables.size(); ++t)
    for (int holder = 0; holder < team_.size(); ++holder) {
      const SharedTable& table = tables[t];
      const Index width = table.columns.count(holder);
      const double* from =
          holder == own ? by_columns + by_columns_before(t) + table.lines.begin(own) * width : received[message++].data;
      copy_rows(tools_, from, width, by_lines + by_lines_before(t) + table.columns.begin(holder), table.columns.size(),
                width, table.lines.count(own));
    }
}

void DeviceExchange::to_columns(const double* by_lines, double* by_columns) {
  const int own = team_.rank();
  const std::vector<SharedTable>& tables = exchange_.tables();
  const DeviceArray staged = tools_.pool.take(std::max<std::size_t>(1, n_by_lines()));
  std::vector<DeviceTeam::Message> sent, received;
  double* next = staged.data();
  for (std::size_t t = 0; t < tables.size(); ++t)
    for (int holder = 0; holder < team_.size(); ++holder) {
      const SharedTable& table = tables[t];
      const Index width = table.columns.count(holder), rows = table.lines.count(own);
      const double* from = by_lines + by_lines_before(t) + table.columns.begin(holder);
      if (holder == own) {
        copy_rows(tools_, from, table.columns.size(),
                  by_columns + by_columns_before(t) + table.lines.begin(own) * width, width, width, rows);
        continue;
      }
      copy_rows(tools_, from, table.columns.size(), next, width, width, rows);
      sent.push_back({next, static_cast<std::size_t>(width * rows), holder});
      next += width * rows;
      const Index own_width = table.columns.count(own);
      received.push_back({by_columns + by_columns_before(t) + table.lines.begin(holder) * own_width,
                          static_cast<std::size_t>(between(table, own, holder)), holder});
    }
  team_.exchange(sent, received);
}

}  // namespace gwrm::cuda
