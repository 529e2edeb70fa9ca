// Launches of the Poisson block recurrence on the device, for right-hand sides in memory and for expressions.
#pragma once

#include "core/device_handles.cuh"

#define GWRM_BOTH_SIDES __host__ __device__
#include "kernels/double_double.hpp"
//
#include "kernels/recurrence_kernels.cuh"
//
#include <memory>
#include <string>

#include "core/array.hpp"
#include "kernels/recurrence_source.hpp"

namespace gwrm::cuda {

// How the points are shared among blocks and warps.
struct RecurrenceGrid {
  Index n_points = 0;
  Index tiles_per_warp = 1;
  int n_blocks = 1;
};
RecurrenceGrid recurrence_grid(Index n_points);

// Launches a kernel all of whose blocks are resident at once, and says how many can be.
void launch_together(const void* kernel, int n_blocks, void** arguments, cudaStream_t stream);
int most_blocks_together(const void* kernel);

// The scratch space of both passes: moments of all warps and blocks.
std::size_t recurrence_moments(const RecurrenceGrid& grid);  // elements of `moments`

// Where the values of the right-hand side come from: the points `first` .. first + n_points - 1 of a longer list.
class DeviceSource {
 public:
  virtual ~DeviceSource() = default;
  virtual void launch_moments(cudaStream_t stream, const RecurrenceGrid& grid, Index first, double shift,
                              recurrence::Moments* moments) const = 0;
  virtual void launch_fill(cudaStream_t stream, const RecurrenceGrid& grid, Index first, double shift,
                           const recurrence::Moments* moments, const recurrence::DeviceClosure& closure,
                           const recurrence::FillConstants& constants, double* u) const = 0;
  virtual void launch_fill(cudaStream_t stream, const RecurrenceGrid& grid, Index first, double shift,
                           const recurrence::Moments* moments, const recurrence::DeviceClosure& closure,
                           const recurrence::FillConstants& constants, float* u) const = 0;
  // Both passes in one launch, without a correction and from point 0 on: only if the grid fits_on_chip().
  // `barrier`: two counters, 0 before the first launch.
  virtual void launch_solve(cudaStream_t stream, const RecurrenceGrid& grid, recurrence::Moments* moments,
                            unsigned* barrier, const recurrence::DeviceClosure& closure,
                            const recurrence::FillConstants& constants, double* u) const = 0;
  virtual bool fits_on_chip(const RecurrenceGrid& grid) const = 0;
};

// Values on the device; value 0 is that of point `first`.
std::unique_ptr<DeviceSource> stored_source(const double* values);
std::unique_ptr<DeviceSource> stored_source(const float* values);
// Compiles the kernels with the expression in them; DeviceError with the compiler's log if that fails.
std::unique_ptr<DeviceSource> expression_source(const DeviceExpression& expression);

}  // namespace gwrm::cuda
