// Launches of the block recurrences on the device, for right-hand sides in memory and for expressions.
//
// Contract: kernels/recurrence/block_recurrence.hpp
//
// The same two passes with the same constants, of points divided otherwise (recurrence_layout.hpp): last bits differ
// from those of the CPU. The first pass of poisson forms moments of f in place of states, since they may be added up in
// any order (recurrence_kernels.cuh). u and stored values lie on the device; everything goes to the stream given, and
// nothing waits but totals().
#pragma once

#include "core/device_handles.cuh"

#ifndef GWRM_BOTH_SIDES
#define GWRM_BOTH_SIDES __host__ __device__
#endif
#include "kernels/linear_algebra/double_double.hpp"
//
#include "kernels/recurrence/recurrence_layout.hpp"
//
#include "kernels/recurrence/recurrence_kernels.cuh"
//
#include "kernels/recurrence/reaction_kernels.cuh"
//
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/array.hpp"
#include "kernels/recurrence/block_recurrence.hpp"
#include "kernels/recurrence/recurrence_solver.hpp"

namespace gwrm::cuda {

// How the points are shared among blocks and warps.
struct RecurrenceGrid {
  Index n_points = 0;
  Index tiles_per_warp = 1;
  int n_blocks = 1;
};
RecurrenceGrid recurrence_grid(Index n_points, RecurrenceKind kind = RecurrenceKind::poisson);

// The scratch space of both passes: moments of all warps and blocks.
std::size_t recurrence_moments(const RecurrenceGrid& grid);  // elements of `moments`

// Scratch of both passes with reaction, in device memory: of each warp, of each block, and of each tile (two_sided).
struct ReactionSums {
  recurrence::Pair *of_warps = nullptr, *of_blocks = nullptr;
  DoubleDouble* behind_tiles = nullptr;
};

// Where the values of the right-hand side come from: the points `first` .. first + n_points - 1 of a longer list; and
// the kernels of one kind of recurrence, made for it.
class DeviceSource {
 public:
  virtual ~DeviceSource() = default;

  // poisson. `squares`: one of each block, null where they are not wanted.
  void launch_moments(cudaStream_t stream, const RecurrenceGrid& grid, Index first, double shift,
                      recurrence::Moments* moments, DoubleDouble* squares = nullptr) const;
  template <class Value>  // double or float
  void launch_fill(cudaStream_t stream, const RecurrenceGrid& grid, Index first, double shift,
                   const recurrence::Moments* moments, const recurrence::DeviceClosure& closure,
                   const recurrence::FillConstants& constants, Value* u) const;
  // Both passes in one launch, from point 0 on: only if the grid fits_on_chip().
  // `barrier`: a counter, 0 before the first launch.
  void launch_solve(cudaStream_t stream, const RecurrenceGrid& grid, recurrence::Moments* moments, unsigned* barrier,
                    const recurrence::DeviceClosure& closure, const recurrence::FillConstants& constants,
                    double* u) const;
  bool fits_on_chip(const RecurrenceGrid& grid, bool corrected) const;

  // shooting and two_sided.
  void launch_reaction_totals(cudaStream_t stream, const recurrence::ReactionLayout& layout, Index first,
                              const ReactionSums& sums) const;
  template <class Value>
  void launch_reaction_fill(cudaStream_t stream, const recurrence::ReactionLayout& layout, Index first,
                            const ReactionSums& sums, const recurrence::Pair& start,
                            const recurrence::ReactionConstants& constants, Value* u) const;

 protected:
  // What a kernel takes as its first argument.
  struct Argument {
    alignas(8) std::array<std::byte, 48 + kMaxAffineCalls * sizeof(recurrence::CallSums)> bytes;
  };
  virtual Argument argument(Index first, double shift) const = 0;
  // Names: kernels_of().
  virtual const void* kernel(const std::string& name) const = 0;

 private:
  template <class... Arguments>
  void launch(const std::string& name, cudaStream_t stream, int n_blocks, Index first, double shift,
              Arguments... arguments) const;
};

// Values on the device; value 0 is that of point `first`.
std::unique_ptr<DeviceSource> stored_source(const double* values, RecurrenceKind kind = RecurrenceKind::poisson);
std::unique_ptr<DeviceSource> stored_source(const float* values, RecurrenceKind kind = RecurrenceKind::poisson);
// Compiles `kernels`, or all of this kind of recurrence if there are none, with the expression in them; DeviceError
// with the compiler's log if that fails.
std::unique_ptr<DeviceSource> expression_source(const DeviceExpression& expression,
                                                RecurrenceKind kind = RecurrenceKind::poisson,
                                                const std::vector<std::string>& kernels = {});
// Those that solve with this operator for n points of u, stored in single or double precision. All there are: moments,
// moments_squares; fill_double, fill_single, solve, each of them also with _corrected; or reaction_totals,
// reaction_fill_double, reaction_fill_single.
std::vector<std::string> kernels_of(const RecurrenceOperator& op, Index n_points, bool single);

// Both passes over one piece of consecutive points, with what they keep on the device between them.
class DevicePasses {
 public:
  virtual ~DevicePasses() = default;
  virtual void launch_totals(cudaStream_t stream, const DeviceSource& source, Index first, Index count) = 0;
  // Both at once, of all points: done if they fit onto the chip, else false and nothing is done.
  virtual bool launch_solve(cudaStream_t stream, const DeviceSource& source, Index count, const StartOfTotals& start,
                            double* u) = 0;
  // Waits for launch_totals() or launch_solve(). What the piece makes of the state 0, a shift left out.
  virtual RecurrenceState totals(cudaStream_t stream) const = 0;
  // Behind launch_totals(), the same piece. `start`: the state before it (two_sided: P before, Q behind it).
  virtual void launch_fill(cudaStream_t stream, const DeviceSource& source, const RecurrenceState& start, double shift,
                           double* u) const = 0;
  virtual void launch_fill(cudaStream_t stream, const DeviceSource& source, const RecurrenceState& start, double shift,
                           float* u) const = 0;
};
std::unique_ptr<DevicePasses> make_device_passes(const RecurrenceOperator& op);

}  // namespace gwrm::cuda
