#include "core/device_handles.cuh"
//
#include "kernels/transform/rotation_steps.cuh"
//
#include <string>

#include "core/errors.hpp"
#include "kernels/transform/rotation_chain.hpp"

namespace gwrm::cuda {
namespace {

using rotations::kLanes;
using rotations::RotatedColumns;
using rotations::SineCosine;
using rotations::WaveShape;

constexpr int kThreads = 256;     // of the table
constexpr int kGroups = 4;        // of columns in a block: they read the same numbers at about the same time
constexpr int kLongestRows = 64;  // of a lane, 128 of its registers
constexpr Index kMostRows = Index{8} * kLanes * kLongestRows;

// Columns in a lane's registers at once: they share the coefficients, which come through the first-level cache at half
// the speed that one column would use them at.
template <int kRows>
constexpr int kColumnsOf = kRows <= 16   ? 4
                           : kRows <= 32 ? 2
                                         : 1;
// Up to so many columns, one block a multiprocessor of 132, more blocks are worth more than shared coefficients: 1000
// columns of 512 rows and 128 pairs take 92 us by two, 122 by four; 10 000 take 577 and 433 us (H200).
constexpr Index kFewColumns = 2112;
constexpr int kColumnsOfFew = 2;

__global__ void __launch_bounds__(kThreads) rotation_table_kernel(WaveShape shape, SineCosine* table) {
  const long long n = shape.n_numbers(), stride = static_cast<long long>(gridDim.x) * kThreads;
  for (long long i = static_cast<long long>(blockIdx.x) * kThreads + threadIdx.x; i < n; i += stride)
    table[i] = rotations::wave_number(shape, i);
}

template <int kRows, int kColumns, int kWarps, int kDistance>
__global__ void __launch_bounds__(kWarps == 1 ? kGroups * kLanes : kWarps * kLanes)
    rotate_kernel(WaveShape shape, long long n, RotatedColumns columns, const SineCosine* __restrict__ table) {
  __shared__ double handed[2 * kWarps * kDistance * kColumns];
  const long long group =
      kWarps == 1 ? static_cast<long long>(blockIdx.x) * kGroups + threadIdx.x / kLanes : blockIdx.x;
  if (group * kColumns >= columns.n_columns) return;
  rotations::rotate_columns<kRows, kColumns, kWarps, kDistance>(shape, n, columns, group * kColumns, table, handed);
}

// launch(rows of a lane, warps of a column) for a number of rows.
template <class Launch>
void with_lanes(Index n_rows, const Launch& launch) {
  using std::integral_constant;
  if (n_rows <= 4 * kLanes) return launch(integral_constant<int, 4>{}, integral_constant<int, 1>{});
  if (n_rows <= 8 * kLanes) return launch(integral_constant<int, 8>{}, integral_constant<int, 1>{});
  if (n_rows <= 16 * kLanes) return launch(integral_constant<int, 16>{}, integral_constant<int, 1>{});
  if (n_rows <= 24 * kLanes) return launch(integral_constant<int, 24>{}, integral_constant<int, 1>{});
  if (n_rows <= 32 * kLanes) return launch(integral_constant<int, 32>{}, integral_constant<int, 1>{});
  if (n_rows <= 48 * kLanes) return launch(integral_constant<int, 48>{}, integral_constant<int, 1>{});
  if (n_rows <= 64 * kLanes) return launch(integral_constant<int, 64>{}, integral_constant<int, 1>{});
  if (n_rows <= 2 * 64 * kLanes) return launch(integral_constant<int, 64>{}, integral_constant<int, 2>{});
  launch(integral_constant<int, 64>{}, integral_constant<int, 8>{});
}

WaveShape wave_shape(const RotationChain& chain, Index n, bool forward) {
  WaveShape shape{
      chain.family, chain.first_order, chain.n_pairs, chain.n_rows(n), static_cast<int>(chain.distance()), 0, 0,
      forward};
  if (shape.n_rows > kMostRows)
    throw ShapeError("rotation chain: " + std::to_string(shape.n_rows) + " rows; a device takes up to " +
                     std::to_string(kMostRows));
  with_lanes(shape.n_rows, [&](auto rows, auto warps) {
    shape.rows_of_lane = rows;
    shape.n_lanes = warps * kLanes;
  });
  return shape;
}

void rotate(const Context& context, const RotationChain& chain, Index n, const RotatedColumns& columns, void* workspace,
            bool forward) {
  const Index width = columns.n_columns;
  check_rotations(chain, n, width);
  const WaveShape shape = wave_shape(chain, n, forward);
  if (chain.n_pairs == 0) return;
  cudaStream_t stream = context.device()->stream;
  auto* table = static_cast<SineCosine*>(workspace);
  const long long blocks = (shape.n_numbers() + kThreads - 1) / kThreads;
  rotation_table_kernel<<<static_cast<unsigned>(blocks < 65535 ? blocks : 65535), kThreads, 0, stream>>>(shape, table);
  GWRM_LAUNCHED(rotation_table_kernel);
  with_lanes(shape.n_rows, [&](auto rows, auto warps) {
    constexpr int kRows = decltype(rows)::value, kWarps = decltype(warps)::value;
    const auto by = [&](auto together) {
      constexpr int kColumns = decltype(together)::value, kColumnsOfBlock = kColumns * (kWarps == 1 ? kGroups : 1);
      const auto n_blocks = static_cast<unsigned>((width + kColumnsOfBlock - 1) / kColumnsOfBlock);
      const int n_threads = kWarps == 1 ? kGroups * kLanes : kWarps * kLanes;
      if (shape.distance == 1)
        rotate_kernel<kRows, kColumns, kWarps, 1><<<n_blocks, n_threads, 0, stream>>>(shape, n, columns, table);
      else
        rotate_kernel<kRows, kColumns, kWarps, 2><<<n_blocks, n_threads, 0, stream>>>(shape, n, columns, table);
      GWRM_LAUNCHED(rotate_kernel);
    };
    if constexpr (kColumnsOf < kRows >> kColumnsOfFew)
      if (width <= kFewColumns) return by(std::integral_constant<int, kColumnsOfFew>{});
    by(std::integral_constant<int, kColumnsOf<kRows>>{});
  });
}

}  // namespace

std::size_t rotation_workspace_bytes(const RotationChain& chain, Index n) {
  check_rotations(chain, n, 1);
  return sizeof(SineCosine) * static_cast<std::size_t>(wave_shape(chain, n, true).n_numbers());
}

void rotate_forward(const Context& context, const RotationChain& chain, Index n, Index width, double* x,
                    void* workspace) {
  rotate(context, chain, n, {x, x, chain.n_rows(n), chain.n_rows(n), width, width}, workspace, true);
}
void rotate_backward(const Context& context, const RotationChain& chain, Index n, Index width, double* x,
                     void* workspace) {
  rotate(context, chain, n, {x, x, chain.n_rows(n), chain.n_rows(n), width, width}, workspace, false);
}

void rotate_forward_to(const Context& context, const RotationChain& chain, Index n, Index outer, Index inner,
                       const double* x, double* y, void* workspace) {
  rotate(context, chain, n, {x, y, chain.n_rows(n), n, outer * inner, inner}, workspace, true);
}
void rotate_backward_to(const Context& context, const RotationChain& chain, Index n, Index outer, Index inner,
                        const double* y, double* x, void* workspace) {
  rotate(context, chain, n, {y, x, n, chain.n_rows(n), outer * inner, inner}, workspace, false);
}

}  // namespace gwrm::cuda
