// What a window does otherwise where several ranks share it.
#include "weighted_residual/device/device_window.cuh"
//
#include <algorithm>

#include "kernels/linear_algebra/device_vectors.cuh"

namespace gwrm::cuda {

// In planes a row is tested along the axes behind z, line by line; along z once it is in columns.
void DeviceWindow::share_rows() {
  std::vector<SharedTable> tables;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    Row& row = rows_[i];
    const DeviceShares::Part& part = shares_->rows()[i];
    const std::size_t z = shares_->z();
    row.offset = part.offset;
    row.at_edge = shares_->row_at_edge(i);
    row.columns = {shares_->n_times(), row.at_edge ? 1 : shares_->n_points(), part.own_columns};
    row.along_z = std::move(row.tests[z]);
    const Index n_lines = shares_->n_own(row.at_edge);
    const std::vector<double> ones(static_cast<std::size_t>(n_lines), 1.0);
    for (const auto& [axis, n] : {std::pair<std::size_t, Index>{0, 1}, {z, n_lines}}) {
      row.tests[axis] = DeviceBlockMatrix();
      row.tests[axis].rows = row.tests[axis].cols = n;
      row.tests[axis].identity = true;
      row.sums[axis] = matrices_.add(ones.data(), static_cast<std::size_t>(n));
    }
    tables.push_back(shares_->table(row.at_edge, part.columns));
  }
  const Vector &in_time = system_.discretisation().weights().front(),
               &along_z = system_.discretisation().weights()[shares_->z()];
  std::vector<double> line_weights;
  const Shares& lines = shares_->lines(false);
  for (Index line = lines.begin(shares_->rank()); line < lines.end(shares_->rank()); ++line)
    line_weights.push_back(in_time[line / shares_->n_points()] / in_time.sum() * along_z[line % shares_->n_points()] /
                           along_z.sum());
  line_weights_ = matrices_.add(line_weights.data(), line_weights.size());
  const Shares& edges = shares_->lines(true);
  std::vector<double> edge_weights;
  for (Index time = edges.begin(shares_->rank()); time < edges.end(shares_->rank()); ++time)
    edge_weights.push_back(in_time[time] / in_time.sum());
  edge_weights_ = matrices_.add(edge_weights.data(), edge_weights.size());
  row_exchange_ = std::make_unique<DeviceExchange>(tools_, shares_->team(), std::move(tables));
  rows_by_lines_ = tools_.pool.take(std::max<std::size_t>(1, row_exchange_->n_by_lines()));
}

// Its number of lines does not say so: a rank may have one.
bool DeviceWindow::varies_by_line(int coefficient) const {
  for (const int leaf : system_.plan().jacobian_tape.steps_around_integrals(coefficient).leaves) {
    const WindowSystem::Leaf& source = system_.jacobian_leaves()[at(leaf)];
    if (source.value >= 0 || source.fixed.shape.front() > 1 || source.fixed.shape[shares_->z()] > 1) return true;
  }
  return false;
}

// Along z the means of all lines are gathered, and averaged in time; else the shares of the ranks are added in their
// order.
Vector DeviceWindow::shared_mean(int coefficient, int axis) {
  const std::size_t z = shares_->z();
  const bool at_edge = coefficients_[at(coefficient)].data == nullptr;  // of conditions at an edge of z alone
  DeviceTensor a = (at_edge ? edge_coefficients_ : coefficients_)[at(coefficient)];
  DeviceArray last;
  const auto contract = [&](std::size_t along, const double* weights) {
    const AroundDimension around(a.shape, along);
    DeviceArray next =
        tools_.pool.take(std::max<std::size_t>(1, static_cast<std::size_t>(around.outer * around.inner)));
    multiply_along(tools_.handles, weights, {1, a.shape[along], around.outer, around.inner, a.shape[along], 1}, 1.0,
                   a.data, false, next.data());
    a.shape[along] = 1;
    a.data = next.data();
    last = std::move(next);
  };
  for (std::size_t other = z + 1; other < a.shape.size(); ++other)
    if (static_cast<int>(other) != axis && a.shape[other] > 1) contract(other, weights_[other]);
  Communicator& ranks = shares_->team().ranks();
  const auto download = [&] {
    shares_->team().wait();
    Vector values(element_count(a.shape));
    tools_.profile.download(values.data(), a.data, static_cast<std::size_t>(values.size()));
    return values;
  };
  if (!varies_by_line(coefficient)) return download();  // the same on all ranks
  const Shares& lines = shares_->lines(at_edge);
  const bool along_z = axis == static_cast<int>(z);
  if (!along_z) contract(z, at_edge ? edge_weights_ : line_weights_);
  const Vector own = download();
  std::vector<std::size_t> counts;
  for (int r = 0; r < ranks.size(); ++r)
    counts.push_back(static_cast<std::size_t>(along_z ? lines.count(r) : own.size()));
  std::size_t n_all = 0;
  for (std::size_t n : counts) n_all += n;
  std::vector<double> all(n_all);
  ranks.all_gather<double>({own.data(), static_cast<std::size_t>(own.size())}, counts, all);
  const Index n = !along_z ? own.size() : at_edge ? 1 : shares_->n_points(), n_terms = static_cast<Index>(n_all) / n;
  const Vector& in_time = system_.discretisation().weights().front();
  Vector mean = Vector::Zero(n);
  for (Index term = 0; term < n_terms; ++term)
    for (Index i = 0; i < n; ++i)
      mean[i] += (along_z ? in_time[term] / in_time.sum() : 1.0) * all[static_cast<std::size_t>(term * n + i)];
  // What varies in time alone was told line by line.
  if (along_z && (mean.array() == mean[0]).all()) return mean.head(1);
  return mean;
}

}  // namespace gwrm::cuda
