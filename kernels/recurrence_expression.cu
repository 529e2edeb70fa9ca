// Right-hand sides that are compiled into the kernels at run time.
#include "kernels/recurrence_device.cuh"
//
#include <array>
#include <string>

#include "kernels/recurrence_program.hpp"
#include "kernels/run_time_compiler.cuh"

namespace gwrm::cuda {
namespace {

using recurrence::DeviceClosure;
using recurrence::FillConstants;
using recurrence::Moments;

// What the compiled kernels take by value, as ExpressionValues of recurrence_program.cpp.
struct ExpressionParameters {
  double lower, step, upper, shift, offset;
  long long until_last;  // index of the last point of all
};

class ExpressionSource : public DeviceSource {
 public:
  explicit ExpressionSource(const DeviceExpression& expression)
      : expression_(expression), program_(recurrence_program(expression), "the source") {}

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
