// The rows of a shared window on their way: formed in planes, tested along the axes of those, brought to their columns
// and tested along the first modal axis.
#include <algorithm>

#include "kernels/transform/tensor_transform.hpp"
#include "weighted_residual/window/shared_planes.hpp"
#include "weighted_residual/window/shared_window.hpp"

namespace gwrm {

// Kept until the planes that are transformed together have theirs.
void SharedWindow::put_row(std::size_t row, const Planes& planes, const ArrayView& values) {
  formed_[row].shape = values.shape;
  std::vector<double>& formed = formed_[row].data;
  const Index n_copies = planes.n / values.shape.front();
  for (Index copy = 0; copy < n_copies; ++copy) formed.insert(formed.end(), values.data, values.data + values.size());
}

void SharedWindow::add_to_row(std::size_t row, const Planes& planes, const ArrayView& values) {
  const Index size = values.size(), n = planes.n / values.shape.front() * size;
  double* sum = formed_[row].data.data() + std::ssize(formed_[row].data) - n;
  for (Index i = 0; i < n; ++i) sum[i] += values.data[i % size];
}

void SharedWindow::put_rows(const Shares& lines, Index first, Index n_lines) {
  for (std::size_t row = 0; row < formed_.size(); ++row) {
    Array& formed = formed_[row];
    if (formed.data.empty()) continue;
    formed.shape.front() = n_lines;
    test_row(row, formed,
             rooms_->rows.reserve(0) + row_exchange_->by_lines_before(row, ranks_.rank()) +
                 (first - lines.begin(ranks_.rank())) * row_exchange_->tables()[row].columns.size());
    formed.data.clear();
  }
}

// The tests along the axes behind z; what does not vary along one is tested as a constant.
void SharedWindow::test_row(std::size_t row, ArrayView values, double* target) {
  const RowBlock& block = system_.rows()[row];
  Buffer* const rooms = turns_;
  int turn = 0;
  for (std::size_t axis = z_ + 1; axis < block.tests.size(); ++axis) {
    const bool is_constant = values.shape[axis] == 1 && block.tests[axis].cols > 1;
    if (!is_constant && block.tests[axis].identity) continue;
    const BlockMatrix test = is_constant ? BlockMatrix(block.tests[axis].row_sums()) : block.tests[axis];
    Shape shape = values.shape;
    shape[axis] = test.rows;
    double* y = rooms[turn].reserve(element_count(shape));
    transform_planes(values.data, values.shape, axis, test, y);
    values = {std::move(shape), y};
    turn = 1 - turn;
  }
  std::copy_n(values.data, values.size(), target);
}

void SharedWindow::from_planes(std::span<double> f) {
  const int rank = ranks_.rank();
  double* by_columns = rooms_->columns.reserve(row_exchange_->room(rank));
  row_exchange_->move_to_columns(ranks_, rooms_->rows.reserve(0), by_columns);
  bytes_off_rank_ += sizeof(double) * static_cast<std::size_t>(row_exchange_->n_off_rank());
  for (std::size_t row = 0; row < system_.rows().size(); ++row) {
    const RowBlock& block = system_.rows()[row];
    const double* from = by_columns + row_exchange_->by_columns_before(row, rank);
    if (block.kind == RowBlock::Kind::mean) {
      put_mean(row, from, f);
      continue;
    }
    const Index n_lines = rows_.parts()[row].n_lines, n_points = kinds_[row_kinds_[row]].n_points;
    rows_.for_each_block(row, rank, [&](Index, Index place, Index width) {
      double* to = f.data() + place;
      if (block.tests[z_].identity)
        std::copy_n(from, n_lines * width, to);
      else
        cpu::block_transform(from, {n_times_, n_points, width}, 1, block.tests[z_], to);
      for (Index i = 0; block.scale != 1.0 && i < n_lines * width; ++i) to[i] *= block.scale;
      from += n_times_ * n_points * width;
    });
  }
}

// Over rows of its equation, which have been put: equations come first.
void SharedWindow::put_mean(std::size_t row, const double* by_columns, std::span<double> f) const {
  const int rank = ranks_.rank();
  const RowBlock& block = system_.rows()[row];
  const auto equation = at(block.equation);
  const Shares& columns = row_exchange_->tables()[row].columns;
  const Index n_points = kinds_[row_kinds_[row]].n_points, n_modes = block.extents[z_];
  const Index n_lines = rows_.parts()[equation].n_lines / n_times_, width = rows_.parts()[equation].n_columns;
  std::vector<double> tested(static_cast<std::size_t>(n_times_ * n_modes));
  for (Index column = columns.begin(rank); column < columns.end(rank); ++column) {
    if (block.tests[z_].identity)
      std::copy_n(by_columns, tested.size(), tested.begin());
    else
      cpu::block_transform(by_columns, {n_times_, n_points, 1}, 1, block.tests[z_], tested.data());
    by_columns += n_times_ * n_points;
    for (Index i = 0; i < n_times_ * n_modes; ++i) {
      const Index place = block.places[static_cast<std::size_t>(i % n_modes * columns.size() + column)];
      const Index line = i / n_modes * n_lines + place / width;
      f[static_cast<std::size_t>(rows_.place_of(equation, rank, line, place % width))] =
          block.scale * tested[static_cast<std::size_t>(i)];
    }
  }
}

// A column of a mean is at the rank that has this column of its equation.
std::vector<SharedTable> SharedWindow::tables_of_rows() const {
  std::vector<SharedTable> tables;
  for (std::size_t row = 0; row < system_.rows().size(); ++row) {
    const RowBlock& block = system_.rows()[row];
    const Index n_points = kinds_[row_kinds_[row]].n_points;
    if (block.kind != RowBlock::Kind::mean) {
      tables.push_back(table_of_planes(n_times_, n_points, rows_.parts()[row].n_columns, ranks_.size()));
      continue;
    }
    const Shares& columns = rows_.columns(at(block.equation));
    const auto first = block.places.begin(), last = first + std::ssize(block.places) / block.extents[z_];
    std::vector<Index> begins;
    for (int rank = 0; rank <= ranks_.size(); ++rank)
      begins.push_back(
          std::count_if(first, last, [&](Index place) { return place % columns.size() < columns.begin(rank); }));
    tables.push_back({Shares::even(n_times_ * n_points, ranks_.size()), Shares(begins), 1});
  }
  return tables;
}

}  // namespace gwrm
