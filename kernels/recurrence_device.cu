#include "kernels/recurrence_device.cuh"

#include <algorithm>

namespace gwrm::cuda {
namespace {

using recurrence::DeviceClosure;
using recurrence::FillConstants;
using recurrence::Moments;

// Enough blocks to fill the largest devices several times, so that the last ones do not run alone; few enough that
// every block can add up the moments of all.
constexpr Index kMostBlocks = 2112;  // 132 multiprocessors x 4 blocks x 4

template <class Value>
struct StoredValues {
  static constexpr bool kStored = true;
  const Value* values;
  double shift;
  __device__ double operator()(long long i, double) const { return static_cast<double>(values[i]) + shift; }
};

template <class Source>
__global__ void __launch_bounds__(recurrence::kThreads)
    moments_kernel(Source source, long long n_points, long long tiles_per_warp, Moments* of_warps, Moments* of_blocks) {
  recurrence::moments_of_block(source, n_points, tiles_per_warp, of_warps, of_blocks);
}

template <bool kCorrected, class Source, class Value>
__global__ void __launch_bounds__(recurrence::kThreads)
    fill_kernel(Source source, long long n_points, long long tiles_per_warp, const Moments* of_warps,
                const Moments* of_blocks, int n_blocks, DeviceClosure closure, FillConstants constants, Value* u) {
  recurrence::fill_block<kCorrected>(source, n_points, tiles_per_warp, of_warps, of_blocks, n_blocks, closure,
                                     constants, u);
}

template <class Value>
class StoredSource : public DeviceSource {
 public:
  explicit StoredSource(const Value* values) : values_(values) {}

  void launch_moments(cudaStream_t stream, const RecurrenceGrid& grid, Index, double shift,
                      Moments* moments) const override {
    moments_kernel<<<grid.n_blocks, recurrence::kThreads, 0, stream>>>(
        StoredValues<Value>{values_, shift}, grid.n_points, grid.tiles_per_warp, moments + grid.n_blocks, moments);
    GWRM_LAUNCHED(moments_kernel);
  }
  void launch_fill(cudaStream_t stream, const RecurrenceGrid& grid, Index, double shift, const Moments* moments,
                   const DeviceClosure& closure, const FillConstants& constants, double* u) const override {
    fill(stream, grid, shift, moments, closure, constants, u);
  }
  void launch_fill(cudaStream_t stream, const RecurrenceGrid& grid, Index, double shift, const Moments* moments,
                   const DeviceClosure& closure, const FillConstants& constants, float* u) const override {
    fill(stream, grid, shift, moments, closure, constants, u);
  }

 private:
  template <class Result>
  void fill(cudaStream_t stream, const RecurrenceGrid& grid, double shift, const Moments* moments,
            const DeviceClosure& closure, const FillConstants& constants, Result* u) const {
    const StoredValues<Value> source{values_, shift};
    const auto kernel = constants.correction != 0.0 ? fill_kernel<true, StoredValues<Value>, Result>
                                                    : fill_kernel<false, StoredValues<Value>, Result>;
    kernel<<<grid.n_blocks, recurrence::kThreads, 0, stream>>>(source, grid.n_points, grid.tiles_per_warp,
                                                               moments + grid.n_blocks, moments, grid.n_blocks, closure,
                                                               constants, u);
    GWRM_LAUNCHED(fill_kernel);
  }

  const Value* values_;
};

}  // namespace

RecurrenceGrid recurrence_grid(Index n_points) {
  const Index n_tiles = (n_points + recurrence::kTile - 1) / recurrence::kTile;
  const Index tiles_per_warp =
      std::max<Index>(1, (n_tiles + kMostBlocks * recurrence::kWarps - 1) / (kMostBlocks * recurrence::kWarps));
  const Index per_block = tiles_per_warp * recurrence::kWarps;
  return {n_points, tiles_per_warp, static_cast<int>((n_tiles + per_block - 1) / per_block)};
}

std::size_t recurrence_moments(const RecurrenceGrid& grid) {
  return static_cast<std::size_t>(grid.n_blocks) * (1 + recurrence::kWarps);
}

std::unique_ptr<DeviceSource> stored_source(const double* values) {
  return std::make_unique<StoredSource<double>>(values);
}

std::unique_ptr<DeviceSource> stored_source(const float* values) {
  return std::make_unique<StoredSource<float>>(values);
}

}  // namespace gwrm::cuda
