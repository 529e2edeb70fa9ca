// Right-hand sides that are compiled into the kernels at run time.
#include "kernels/recurrence_device.cuh"
//
#include <array>
#include <string>

#include "kernels/recurrence_program.hpp"
#include "kernels/recurrence_text.hpp"
#include "kernels/run_time_compiler.cuh"

namespace gwrm::cuda {
namespace {

using recurrence::DeviceClosure;
using recurrence::FillConstants;
using recurrence::Moments;

// What the compiled kernels take by value, as ExpressionValues below.
struct ExpressionParameters {
  double lower, step, upper, shift, offset;
  long long until_last;  // index of the last point of all
};

// with_source() replaces the upper-case words. Affine calls are evaluated at the first of 16 points and follow at the
// others by the addition theorem, with the values of the steps between from a table.
constexpr const char* kProgram = R"code(
namespace gwrm {
namespace recurrence {
struct ExpressionValues {
  static constexpr int kUnrolled = UNROLLED;
  double lower, step, upper, shift, offset;
  long long until_last;
  struct Near {
    long long i;
    double index, first[CALLS + 1], second[CALLS + 1];
  };
  static __device__ double* table() {
    __shared__ double steps[2 * CALLS + 1][kItems];
    return steps[0];
  }
  __device__ void prepare() const {
    if (CALLS == 0) return;
    if (threadIdx.x < kItems) {
      const int m = threadIdx.x;
      const double distance = step * (m * kLanes);
      double* const steps = table() + m;
TABLES    }
    __syncthreads();
  }
  __device__ Near near(long long i) const {
    Near result;
    result.i = i;
    result.index = static_cast<double>(i) + offset;
    const double x = lower + step * result.index;
FIRSTS    return result;
  }
  __device__ double operator()(const Near& near, int m) const {
    const double x = near.i + m * kLanes == until_last ? upper : lower + step * (near.index + m * kLanes);
    return value(x, near, table() + m) + shift;
  }
  static __device__ double value(double COORDINATE_, const Near& near, const double* steps) {
STATEMENTS
  }
};
}
}
using namespace gwrm;
using namespace gwrm::recurrence;
extern "C" __global__ void __launch_bounds__(kThreads, kResident) moments_kernel(ExpressionValues f, long long n,
    long long tiles, Moments* of_warps, Moments* of_blocks) {
  moments_of_block(f, n, tiles, of_warps, of_blocks);
}
#define GWRM_FILL(NAME, CORRECTED, VALUE) \
extern "C" __global__ void __launch_bounds__(kThreads, kResident) NAME(ExpressionValues f, long long n, long long tiles, \
    const Moments* of_warps, const Moments* of_blocks, int n_blocks, DeviceClosure closure, FillConstants constants, \
    VALUE* u) { \
  fill_block<CORRECTED>(f, n, tiles, of_warps, of_blocks, n_blocks, closure, constants, u); \
}
extern "C" __global__ void __launch_bounds__(kThreads, kResident) solve_kernel(ExpressionValues f, long long n,
    Moments* of_blocks, unsigned* barrier, DeviceClosure closure, FillConstants constants, double* u) {
  solve_on_chip<false>(f, n, of_blocks, barrier, closure, constants, u);
}
GWRM_FILL(fill_double, false, double)
GWRM_FILL(fill_double_corrected, true, double)
GWRM_FILL(fill_single, false, float)
GWRM_FILL(fill_single_corrected, true, float)
)code";

std::string program_text(const DeviceExpression& expression) {
  return std::string("#define GWRM_BOTH_SIDES __device__\n") + kDoubleDoubleText + kRecurrenceKernelsText +
         with_source(kProgram, expression);
}

class ExpressionSource : public DeviceSource {
 public:
  explicit ExpressionSource(const DeviceExpression& expression)
      : expression_(expression), program_(program_text(expression), "the source") {}

  void launch_moments(cudaStream_t stream, const RecurrenceGrid& grid, Index first, double shift,
                      Moments* moments) const override {
    ExpressionParameters f = parameters(first, shift);
    long long n = grid.n_points, tiles = grid.tiles_per_warp;
    Moments *of_warps = moments + grid.n_blocks, *of_blocks = moments;
    std::array<void*, 5> arguments = {&f, &n, &tiles, &of_warps, &of_blocks};
    launch("moments_kernel", grid, arguments.data(), stream);
  }
  void launch_fill(cudaStream_t stream, const RecurrenceGrid& grid, Index first, double shift, const Moments* moments,
                   const DeviceClosure& closure, const FillConstants& constants, double* u) const override {
    fill("fill_double", stream, grid, first, shift, moments, closure, constants, u);
  }
  void launch_fill(cudaStream_t stream, const RecurrenceGrid& grid, Index first, double shift, const Moments* moments,
                   const DeviceClosure& closure, const FillConstants& constants, float* u) const override {
    fill("fill_single", stream, grid, first, shift, moments, closure, constants, u);
  }
  void launch_solve(cudaStream_t stream, const RecurrenceGrid& grid, Moments* moments, unsigned* barrier,
                    const DeviceClosure& closure, const FillConstants& constants, double* u) const override {
    ExpressionParameters f = parameters(0, 0.0);
    long long n = grid.n_points;
    DeviceClosure start = closure;
    FillConstants numbers = constants;
    std::array<void*, 7> arguments = {&f, &n, &moments, &barrier, &start, &numbers, &u};
    launch_together(kernel("solve_kernel"), grid.n_blocks, arguments.data(), stream);
  }
  bool fits_on_chip(const RecurrenceGrid& grid) const override {
    return grid.tiles_per_warp == 1 && grid.n_blocks <= most_blocks_together(kernel("solve_kernel"));
  }

 private:
  const void* kernel(const char* name) const { return program_.kernel(name); }

  ExpressionParameters parameters(Index first, double shift) const {
    return {expression_.lower,          expression_.step,        expression_.upper, shift,
            static_cast<double>(first), expression_.last - first};
  }

  template <class Value>
  void fill(std::string name, cudaStream_t stream, const RecurrenceGrid& grid, Index first, double shift,
            const Moments* moments, DeviceClosure closure, FillConstants constants, Value* u) const {
    ExpressionParameters f = parameters(first, shift);
    long long n = grid.n_points, tiles = grid.tiles_per_warp;
    int n_blocks = grid.n_blocks;
    const Moments *of_warps = moments + grid.n_blocks, *of_blocks = moments;
    if (constants.correction != 0.0) name += "_corrected";
    std::array<void*, 9> arguments = {&f, &n, &tiles, &of_warps, &of_blocks, &n_blocks, &closure, &constants, &u};
    launch(name.c_str(), grid, arguments.data(), stream);
  }

  void launch(const char* name, const RecurrenceGrid& grid, void** arguments, cudaStream_t stream) const {
    GWRM_DEVICE(cudaLaunchKernel(kernel(name), dim3(static_cast<unsigned>(grid.n_blocks)), dim3(recurrence::kThreads),
                                 arguments, 0, stream));
  }

  DeviceExpression expression_;
  DeviceProgram program_;
};

}  // namespace

std::unique_ptr<DeviceSource> expression_source(const DeviceExpression& expression) {
  return std::make_unique<ExpressionSource>(expression);
}

}  // namespace gwrm::cuda
