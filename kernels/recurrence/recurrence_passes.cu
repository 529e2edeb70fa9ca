#include "kernels/recurrence/recurrence_device.cuh"
//
#include <vector>

#include "kernels/recurrence/recurrence_tables.hpp"

namespace gwrm::cuda {
namespace {

using recurrence::DeviceClosure;
using recurrence::FillConstants;
using recurrence::Moments;
using recurrence::Pair;
using recurrence::ReactionConstants;
using recurrence::ReactionLayout;

// Waits for the stream.
template <class T>
std::vector<T> downloaded(cudaStream_t stream, const DeviceBuffer& buffer, int count) {
  std::vector<T> host(static_cast<std::size_t>(count));
  GWRM_DEVICE(cudaMemcpyAsync(host.data(), buffer.as<T>(), host.size() * sizeof(T), cudaMemcpyDeviceToHost, stream));
  GWRM_DEVICE(cudaStreamSynchronize(stream));
  return host;
}

template <class T>
T* uploaded(cudaStream_t stream, DeviceBuffer& buffer, const T* host, std::size_t count) {
  T* const device = buffer.reserve<T>(count);
  GWRM_DEVICE(cudaMemcpyAsync(device, host, count * sizeof(T), cudaMemcpyHostToDevice, stream));
  GWRM_DEVICE(cudaStreamSynchronize(stream));  // `host` may go
  return device;
}

class PoissonPasses : public DevicePasses {
 public:
  explicit PoissonPasses(const RecurrenceOperator& op) : op_(op) {}

  void launch_totals(cudaStream_t stream, const DeviceSource& source, Index first, Index count) override {
    first_ = first;
    grid_ = recurrence_grid(count);
    Moments* const moments = moments_.reserve<Moments>(recurrence_moments(grid_));
    DoubleDouble* const squares =
        op_.with_sum ? squares_.reserve<DoubleDouble>(static_cast<std::size_t>(grid_.n_blocks)) : nullptr;
    source.launch_moments(stream, grid_, first, 0.0, moments, squares);
  }

  bool launch_solve(cudaStream_t stream, const DeviceSource& source, Index count, const StartOfTotals& start,
                    double* u) override {
    const RecurrenceGrid grid = recurrence_grid(count);
    if (op_.with_sum || !source.fits_on_chip(grid, op_.correction != 0.0)) return false;
    first_ = 0;
    grid_ = grid;
    Moments* const moments = moments_.reserve<Moments>(recurrence_moments(grid));
    unsigned* const barrier = barrier_.reserve<unsigned>(1);
    GWRM_DEVICE(cudaMemsetAsync(barrier, 0, sizeof(unsigned), stream));
    source.launch_solve(stream, grid, moments, barrier, closure_of(start), {op_.scale, op_.correction}, u);
    return true;
  }

  RecurrenceState totals(cudaStream_t stream) const override {
    DoubleDouble zero, one, square;
    for (const Moments& own : downloaded<Moments>(stream, moments_, grid_.n_blocks)) {
      zero = zero + own.zero;
      one = one + own.one;
    }
    if (op_.with_sum)
      for (const DoubleDouble& own : downloaded<DoubleDouble>(stream, squares_, grid_.n_blocks)) square = square + own;
    return recurrence::totals_of_moments(op_, grid_.n_points, zero, one, square);
  }

  void launch_fill(cudaStream_t stream, const DeviceSource& source, const RecurrenceState& start, double shift,
                   double* u) const override {
    fill(stream, source, start, shift, u);
  }
  void launch_fill(cudaStream_t stream, const DeviceSource& source, const RecurrenceState& start, double shift,
                   float* u) const override {
    fill(stream, source, start, shift, u);
  }

 private:
  // `start` of the totals -F (N Z0 - Z1) and -Z0, as a function of Z0 and Z1.
  DeviceClosure closure_of(const StartOfTotals& start) const {
    const DoubleDouble one{1.0, 0.0};
    const RecurrenceState constant = start({}), by_first = start({one, {}, {}}), by_second = start({{}, one, {}});
    const double n = static_cast<double>(grid_.n_points);
    const auto by_zero = [&](DoubleDouble first, DoubleDouble second) { return -(op_.scale * first * n) - second; };
    const auto by_one = [&](DoubleDouble first) { return op_.scale * first; };
    const DoubleDouble first[2] = {by_first.first - constant.first, by_first.second - constant.second};
    const DoubleDouble second[2] = {by_second.first - constant.first, by_second.second - constant.second};
    return {{constant.first, constant.second},
            {by_zero(first[0], second[0]), by_zero(first[1], second[1])},
            {by_one(first[0]), by_one(first[1])}};
  }

  template <class Value>
  void fill(cudaStream_t stream, const DeviceSource& source, const RecurrenceState& start, double shift,
            Value* u) const {
    DeviceClosure closure{};
    closure.constant[0] = start.first;
    closure.constant[1] = start.second;
    source.launch_fill(stream, grid_, first_, shift, moments_.as<Moments>(), closure,
                       FillConstants{op_.scale, op_.correction, shift}, u);
  }

  RecurrenceOperator op_;
  Index first_ = 0;
  RecurrenceGrid grid_;
  DeviceBuffer moments_, squares_, barrier_;
};

class ReactionPasses : public DevicePasses {
 public:
  explicit ReactionPasses(const RecurrenceOperator& op) : op_(op), constants_(recurrence::reaction_constants(op)) {}

  void launch_totals(cudaStream_t stream, const DeviceSource& source, Index first, Index count) override {
    first_ = first;
    if (count != layout_.n_points) make_tables(stream, count);
    source.launch_reaction_totals(stream, layout_, first_, sums_);
  }

  bool launch_solve(cudaStream_t, const DeviceSource&, Index, const StartOfTotals&, double*) override { return false; }

  RecurrenceState totals(cudaStream_t stream) const override {
    return recurrence::totals_of_blocks(op_, layout_, downloaded<Pair>(stream, of_blocks_, layout_.n_blocks),
                                        propagators_);
  }

  void launch_fill(cudaStream_t stream, const DeviceSource& source, const RecurrenceState& start, double,
                   double* u) const override {
    source.launch_reaction_fill(stream, layout_, first_, sums_, {start.first, start.second}, constants_, u);
  }
  void launch_fill(cudaStream_t stream, const DeviceSource& source, const RecurrenceState& start, double,
                   float* u) const override {
    source.launch_reaction_fill(stream, layout_, first_, sums_, {start.first, start.second}, constants_, u);
  }

 private:
  void make_tables(cudaStream_t stream, Index count) {
    const RecurrenceGrid grid = recurrence_grid(count, op_.kind);
    const Index block = grid.tiles_per_warp * recurrence::kTile * recurrence::kWarps;
    layout_ = recurrence::reaction_layout(op_, count, grid.tiles_per_warp, grid.n_blocks);
    const recurrence::ReactionTables tables = recurrence::reaction_tables(op_);
    layout_.tables = uploaded(stream, tables_, &tables, 1);
    propagators_ = recurrence::propagators(op_, block, grid.n_blocks);
    layout_.blocks = uploaded(stream, blocks_, propagators_.data(), propagators_.size());
    const std::size_t n_blocks = propagators_.size(), n_warps = n_blocks * recurrence::kWarps;
    sums_.of_warps = of_warps_.reserve<Pair>(n_warps);
    sums_.of_blocks = of_blocks_.reserve<Pair>(n_blocks);
    if (op_.kind != RecurrenceKind::two_sided) return;
    const auto powers = recurrence::backward_powers(op_, recurrence::kTile, grid.tiles_per_warp);
    layout_.tiles = uploaded(stream, tiles_, powers.data(), powers.size());
    sums_.behind_tiles = behind_tiles_.reserve<DoubleDouble>(n_warps * static_cast<std::size_t>(grid.tiles_per_warp));
  }

  RecurrenceOperator op_;
  ReactionConstants constants_;
  Index first_ = 0;
  ReactionLayout layout_{};
  ReactionSums sums_;
  std::vector<recurrence::Propagator> propagators_;  // of 0, 1, .. blocks
  DeviceBuffer tables_, blocks_, tiles_, of_warps_, of_blocks_, behind_tiles_;
};

}  // namespace

std::unique_ptr<DevicePasses> make_device_passes(const RecurrenceOperator& op) {
  if (op.kind == RecurrenceKind::poisson) return std::make_unique<PoissonPasses>(op);
  return std::make_unique<ReactionPasses>(op);
}

}  // namespace gwrm::cuda
