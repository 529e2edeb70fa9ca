#include "kernels/recurrence/recurrence_device.cuh"

#include <algorithm>

namespace gwrm::cuda {
namespace {

using recurrence::DeviceClosure;
using recurrence::FillConstants;
using recurrence::Moments;
using recurrence::Pair;
using recurrence::ReactionConstants;
using recurrence::ReactionLayout;

// As many blocks as the largest devices run at once: every block adds up the sums of all, so that more of them cost
// more than they balance.
constexpr Index kMultiprocessors = 132;

std::string fill_kernel(bool single, bool corrected) {
  return std::string(single ? "fill_single" : "fill_double") + (corrected ? "_corrected" : "");
}
std::string reaction_fill_kernel(bool single) {
  return single ? "reaction_fill_single" : "reaction_fill_double";
}
std::string solve_kernel(bool corrected) {
  return corrected ? "solve_corrected" : "solve";
}
std::string moments_kernel(bool with_squares) {
  return with_squares ? "moments_squares" : "moments";
}

// Launches a kernel all of whose blocks are resident at once, and says how many can be.
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

}  // namespace

RecurrenceGrid recurrence_grid(Index n_points, RecurrenceKind kind) {
  const Index resident = kind == RecurrenceKind::poisson ? recurrence::kResident : recurrence::kReactionResident;
  const Index n_tiles = (n_points + recurrence::kTile - 1) / recurrence::kTile;
  const Index most_warps = kMultiprocessors * resident * recurrence::kWarps;
  const Index tiles_per_warp = std::max<Index>(1, (n_tiles + most_warps - 1) / most_warps);
  const Index per_block = tiles_per_warp * recurrence::kWarps;
  return {n_points, tiles_per_warp, static_cast<int>((n_tiles + per_block - 1) / per_block)};
}

std::size_t recurrence_moments(const RecurrenceGrid& grid) {
  return static_cast<std::size_t>(grid.n_blocks) * (1 + recurrence::kWarps);
}

template <class... Arguments>
void DeviceSource::launch(const std::string& name, cudaStream_t stream, int n_blocks, Index first, double shift,
                          Arguments... arguments) const {
  Argument source = argument(first, shift);
  std::array<void*, 1 + sizeof...(Arguments)> all = {&source, static_cast<void*>(&arguments)...};
  GWRM_DEVICE(cudaLaunchKernel(kernel(name), dim3(static_cast<unsigned>(n_blocks)), dim3(recurrence::kThreads),
                               all.data(), 0, stream));
}

void DeviceSource::launch_moments(cudaStream_t stream, const RecurrenceGrid& grid, Index first, double shift,
                                  Moments* moments, DoubleDouble* squares) const {
  launch(moments_kernel(squares != nullptr), stream, grid.n_blocks, first, shift, static_cast<long long>(grid.n_points),
         static_cast<long long>(grid.tiles_per_warp), moments + grid.n_blocks, moments, squares);
}

template <class Value>
void DeviceSource::launch_fill(cudaStream_t stream, const RecurrenceGrid& grid, Index first, double shift,
                               const Moments* moments, const DeviceClosure& closure, const FillConstants& constants,
                               Value* u) const {
  launch(fill_kernel(std::is_same_v<Value, float>, constants.correction != 0.0), stream, grid.n_blocks, first, shift,
         static_cast<long long>(grid.n_points), static_cast<long long>(grid.tiles_per_warp), moments + grid.n_blocks,
         moments, grid.n_blocks, closure, constants, u);
}

template void DeviceSource::launch_fill(cudaStream_t, const RecurrenceGrid&, Index, double, const Moments*,
                                        const DeviceClosure&, const FillConstants&, double*) const;
template void DeviceSource::launch_fill(cudaStream_t, const RecurrenceGrid&, Index, double, const Moments*,
                                        const DeviceClosure&, const FillConstants&, float*) const;

void DeviceSource::launch_solve(cudaStream_t stream, const RecurrenceGrid& grid, Moments* moments, unsigned* barrier,
                                const DeviceClosure& closure, const FillConstants& constants, double* u) const {
  Argument source = argument(0, 0.0);
  long long n_points = grid.n_points;
  DeviceClosure start = closure;
  FillConstants numbers = constants;
  std::array<void*, 7> arguments = {&source, &n_points, &moments, &barrier, &start, &numbers, &u};
  launch_together(kernel(solve_kernel(constants.correction != 0.0)), grid.n_blocks, arguments.data(), stream);
}

bool DeviceSource::fits_on_chip(const RecurrenceGrid& grid, bool corrected) const {
  return grid.tiles_per_warp == 1 && grid.n_blocks <= most_blocks_together(kernel(solve_kernel(corrected)));
}

std::vector<std::string> kernels_of(const RecurrenceOperator& op, Index n_points, bool single) {
  if (op.kind != RecurrenceKind::poisson) return {"reaction_totals", reaction_fill_kernel(single)};
  const bool corrected = op.correction != 0.0;
  std::vector<std::string> names{moments_kernel(op.with_sum), fill_kernel(single, corrected)};
  if (!single && !op.with_sum && recurrence_grid(n_points).tiles_per_warp == 1)
    names.push_back(solve_kernel(corrected));
  return names;
}

void DeviceSource::launch_reaction_totals(cudaStream_t stream, const ReactionLayout& layout, Index first,
                                          const ReactionSums& sums) const {
  launch("reaction_totals", stream, layout.n_blocks, first, 0.0, layout, sums.of_warps, sums.of_blocks,
         sums.behind_tiles);
}

template <class Value>
void DeviceSource::launch_reaction_fill(cudaStream_t stream, const ReactionLayout& layout, Index first,
                                        const ReactionSums& sums, const Pair& start, const ReactionConstants& constants,
                                        Value* u) const {
  launch(reaction_fill_kernel(std::is_same_v<Value, float>), stream, layout.n_blocks, first, 0.0, layout, sums.of_warps,
         sums.of_blocks, sums.behind_tiles, start, constants, u);
}

template void DeviceSource::launch_reaction_fill(cudaStream_t, const ReactionLayout&, Index, const ReactionSums&,
                                                 const Pair&, const ReactionConstants&, double*) const;
template void DeviceSource::launch_reaction_fill(cudaStream_t, const ReactionLayout&, Index, const ReactionSums&,
                                                 const Pair&, const ReactionConstants&, float*) const;

}  // namespace gwrm::cuda
