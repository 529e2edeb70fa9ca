#include "kernels/recurrence_device.cuh"

#include <algorithm>
#include <array>

namespace gwrm::cuda {
namespace {

using recurrence::DeviceClosure;
using recurrence::FillConstants;
using recurrence::Moments;

// As many blocks as the largest devices run at once: every block adds up the moments of all, so that more of them cost
// more than they balance.
constexpr Index kMostBlocks = 528;  // 132 multiprocessors x kResident

template <class Value>
struct StoredValues {
  static constexpr int kUnrolled = recurrence::kItems;
  const Value* values;
  double shift;
  __device__ void prepare() const {}
  __device__ const Value* near(long long i) const { return values + i; }
  __device__ double operator()(const Value* near, int m) const {
    return static_cast<double>(near[m * recurrence::kLanes]) + shift;
  }
};

template <class Source>
__global__ void __launch_bounds__(recurrence::kThreads, recurrence::kResident)
    moments_kernel(Source source, long long n_points, long long tiles_per_warp, Moments* of_warps, Moments* of_blocks) {
  recurrence::moments_of_block(source, n_points, tiles_per_warp, of_warps, of_blocks);
}

template <bool kCorrected, class Source, class Value>
__global__ void __launch_bounds__(recurrence::kThreads, recurrence::kResident)
    fill_kernel(Source source, long long n_points, long long tiles_per_warp, const Moments* of_warps,
                const Moments* of_blocks, int n_blocks, DeviceClosure closure, FillConstants constants, Value* u) {
  recurrence::fill_block<kCorrected>(source, n_points, tiles_per_warp, of_warps, of_blocks, n_blocks, closure,
                                     constants, u);
}

template <class Source>
__global__ void __launch_bounds__(recurrence::kThreads, recurrence::kResident)
    solve_kernel(Source source, long long n_points, Moments* of_blocks, unsigned* barrier, DeviceClosure closure,
                 FillConstants constants, double* u) {
  recurrence::solve_on_chip<false>(source, n_points, of_blocks, barrier, closure, constants, u);
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
  void launch_solve(cudaStream_t stream, const RecurrenceGrid& grid, Moments* moments, unsigned* barrier,
                    const DeviceClosure& closure, const FillConstants& constants, double* u) const override {
    StoredValues<Value> source{values_, 0.0};
    long long n_points = grid.n_points;
    DeviceClosure start = closure;
    FillConstants numbers = constants;
    std::array<void*, 7> arguments = {&source, &n_points, &moments, &barrier, &start, &numbers, &u};
    launch_together(reinterpret_cast<const void*>(solve_kernel<StoredValues<Value>>), grid.n_blocks, arguments.data(),
                    stream);
  }
  bool fits_on_chip(const RecurrenceGrid& grid) const override {
    return grid.tiles_per_warp == 1 &&
           grid.n_blocks <= most_blocks_together(reinterpret_cast<const void*>(solve_kernel<StoredValues<Value>>));
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

void launch_together(const void* kernel, int n_blocks, void** arguments, cudaStream_t stream) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(n_blocks));
  config.blockDim = dim3(recurrence::kThreads);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  GWRM_DEVICE(cudaLaunchKernelExC(&config, kernel, arguments));
}

int most_blocks_together(const void* kernel) {
  int device = 0, multiprocessors = 0, per_multiprocessor = 0;
  GWRM_DEVICE(cudaGetDevice(&device));
  GWRM_DEVICE(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  GWRM_DEVICE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel, recurrence::kThreads, 0));
  return multiprocessors * per_multiprocessor;
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
