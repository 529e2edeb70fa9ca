// The kernels of the block recurrences for right-hand sides in memory.
#include "kernels/recurrence/recurrence_device.cuh"
//
#include <algorithm>
#include <cstring>

#include "core/errors.hpp"

namespace gwrm::cuda {
namespace {

using recurrence::DeviceClosure;
using recurrence::FillConstants;
using recurrence::kReactionResident;
using recurrence::kResident;
using recurrence::kThreads;
using recurrence::Moments;
using recurrence::Pair;
using recurrence::ReactionConstants;
using recurrence::ReactionLayout;

template <class Value>
struct StoredValues {
  static constexpr int kUnrolled = recurrence::kItems;
  static constexpr bool kSummed = false;
  const Value* values;
  double shift;
  __device__ void prepare() const {}
  __device__ const Value* near(long long i) const { return values + i; }
  __device__ double operator()(const Value* near, int m) const {
    return static_cast<double>(near[m * recurrence::kLanes]) + shift;
  }
};

template <bool kSquares, class Source>
__global__ void __launch_bounds__(kThreads, kResident)
    moments_kernel(Source source, long long n_points, long long tiles_per_warp, Moments* of_warps, Moments* of_blocks,
                   DoubleDouble* squares) {
  recurrence::moments_of_block<kSquares>(source, n_points, tiles_per_warp, of_warps, of_blocks, squares);
}

template <bool kCorrected, class Source, class Value>
__global__ void __launch_bounds__(kThreads, kResident)
    fill_kernel(Source source, long long n_points, long long tiles_per_warp, const Moments* of_warps,
                const Moments* of_blocks, int n_blocks, DeviceClosure closure, FillConstants constants, Value* u) {
  recurrence::fill_block<kCorrected>(source, n_points, tiles_per_warp, of_warps, of_blocks, n_blocks, closure,
                                     constants, u);
}

template <bool kCorrected, class Source>
__global__ void __launch_bounds__(kThreads, kResident)
    solve_kernel(Source source, long long n_points, Moments* of_blocks, unsigned* barrier, DeviceClosure closure,
                 FillConstants constants, double* u) {
  recurrence::solve_on_chip<kCorrected>(source, n_points, of_blocks, barrier, closure, constants, u);
}

template <bool kTwoSided, class Source>
__global__ void __launch_bounds__(kThreads, kReactionResident)
    reaction_totals_kernel(Source source, ReactionLayout layout, Pair* of_warps, Pair* of_blocks,
                           DoubleDouble* behind_tiles) {
  recurrence::reaction_totals<kTwoSided>(source, layout, of_warps, of_blocks, behind_tiles);
}

template <bool kTwoSided, class Source, class Value>
__global__ void __launch_bounds__(kThreads, kReactionResident)
    reaction_fill_kernel(Source source, ReactionLayout layout, const Pair* of_warps, const Pair* of_blocks,
                         const DoubleDouble* behind_tiles, Pair start, ReactionConstants constants, Value* u) {
  recurrence::reaction_fill<kTwoSided>(source, layout, of_warps, of_blocks, behind_tiles, start, constants, u);
}

struct NamedKernel {
  const char* name;
  const void* kernel;
};

template <class Kernel>
const void* address(Kernel* kernel) {
  return reinterpret_cast<const void*>(kernel);
}

template <class Value>
class StoredSource : public DeviceSource {
 public:
  StoredSource(const Value* values, RecurrenceKind kind)
      : values_(values),
        kernels_(kind == RecurrenceKind::poisson    ? poisson_kernels()
                 : kind == RecurrenceKind::shooting ? reaction_kernels<false>()
                                                    : reaction_kernels<true>()) {}

 private:
  using Source = StoredValues<Value>;

  static std::vector<NamedKernel> poisson_kernels() {
    return {{"moments", address(moments_kernel<false, Source>)},
            {"moments_squares", address(moments_kernel<true, Source>)},
            {"fill_double", address(fill_kernel<false, Source, double>)},
            {"fill_double_corrected", address(fill_kernel<true, Source, double>)},
            {"fill_single", address(fill_kernel<false, Source, float>)},
            {"fill_single_corrected", address(fill_kernel<true, Source, float>)},
            {"solve", address(solve_kernel<false, Source>)},
            {"solve_corrected", address(solve_kernel<true, Source>)}};
  }
  template <bool kTwoSided>
  static std::vector<NamedKernel> reaction_kernels() {
    return {{"reaction_totals", address(reaction_totals_kernel<kTwoSided, Source>)},
            {"reaction_fill_double", address(reaction_fill_kernel<kTwoSided, Source, double>)},
            {"reaction_fill_single", address(reaction_fill_kernel<kTwoSided, Source, float>)}};
  }

  Argument argument(Index, double shift) const override {
    const Source source{values_, shift};
    Argument result{};
    static_assert(sizeof source <= sizeof result.bytes);
    std::memcpy(result.bytes.data(), &source, sizeof source);
    return result;
  }

  const void* kernel(const std::string& name) const override {
    for (const NamedKernel& own : kernels_)
      if (name == own.name) return own.kernel;
    throw ShapeError("no kernel `" + name + "` for this kind of recurrence");
  }

  const Value* values_;
  std::vector<NamedKernel> kernels_;
};

}  // namespace

std::unique_ptr<DeviceSource> stored_source(const double* values, RecurrenceKind kind) {
  return std::make_unique<StoredSource<double>>(values, kind);
}

std::unique_ptr<DeviceSource> stored_source(const float* values, RecurrenceKind kind) {
  return std::make_unique<StoredSource<float>>(values, kind);
}

}  // namespace gwrm::cuda
