#include "core/device_handles.cuh"
//
#include "kernels/transform/nonuniform_device.cuh"
#include "kernels/transform/nonuniform_spread.cuh"

namespace gwrm::nonuniform {
namespace {

constexpr int kWarps = 4;  // of a thread block, each on its own
constexpr int kThreads = kWarps * kLanes;
constexpr unsigned kAddingBlocks = 2048;

__device__ long long warp_number() {
  return static_cast<long long>(blockIdx.x) * kWarps + threadIdx.x / kLanes;
}

// Warps 0 .. n_blocks - 1 take the first piece of each block, to the grid; the others further pieces.
template <int kDimensions, int kHalves>
__global__ void __launch_bounds__(kThreads)
    spread_blocks_kernel(FineGrid grid, SortedPoints points, ExtraPieces extra, const double* __restrict__ table,
                         const double2* __restrict__ c, double2* pieces, double2* out) {
  __shared__ WarpMemory<kDimensions> memory[kWarps];
  const long long number = warp_number();
  const int n_blocks = grid.n_blocks();
  WarpMemory<kDimensions>& own = memory[threadIdx.x / kLanes];
  if (number < n_blocks) {
    spread_block<kDimensions, kHalves>(grid, points, table, c, static_cast<int>(number), 0, extra.visits_of_piece, own,
                                       out, true);
    return;
  }
  const int e = static_cast<int>(number - n_blocks);
  if (e >= *extra.n_extra) return;
  const int block = extra.block_of[e];
  spread_block<kDimensions, kHalves>(grid, points, table, c, block,
                                     (e - extra.first_extra[block] + 1) * extra.visits_of_piece, extra.visits_of_piece,
                                     own, pieces + static_cast<long long>(e) * points_of_block(kDimensions), false);
}

// grid += pieces of a block that has more than one. Of kSlice grid points thread blocks take turns; of each, kParts
// threads add every kParts-th piece, and the sums are added in order.
constexpr int kSlice = 16, kParts = kThreads / kSlice;

template <int kDimensions>
__global__ void __launch_bounds__(kThreads)
    add_pieces_kernel(FineGrid grid, ExtraPieces extra, const double2* __restrict__ pieces, double2* out) {
  constexpr int kPoints = points_of_block(kDimensions), kSlices = kPoints / kSlice;
  __shared__ double2 sums[kParts][kSlice];
  const int n_items = *extra.n_extra * kSlices;
  const int here = static_cast<int>(threadIdx.x) % kSlice, part = static_cast<int>(threadIdx.x) / kSlice;
  for (int item = static_cast<int>(blockIdx.x); item < n_items; item += static_cast<int>(gridDim.x)) {
    const int e = item / kSlices, i = item % kSlices * kSlice + here, block = extra.block_of[e];
    if (extra.first_extra[block] != e) continue;
    const int end = e + extra.n_extra_of[block];
    double2 sum{0.0, 0.0};
#pragma unroll 4
    for (int k = e + part; k < end; k += kParts) {
      const double2 piece = pieces[static_cast<long long>(k) * kPoints + i];
      sum.x += piece.x;
      sum.y += piece.y;
    }
    sums[part][here] = sum;
    __syncthreads();
    const Box box = box_of_block(grid, block);
    const int x = box.first[2] + i % grid.axes[2].side, y = box.first[1] + i / grid.axes[2].side % grid.axes[1].side,
              z = box.first[0] + i / grid.axes[2].side / grid.axes[1].side;
    if (part == 0 && x <= box.last[2] && y <= box.last[1] && z <= box.last[0]) {
      double2& place = out[(static_cast<long long>(z) * grid.axes[1].n + y) * grid.axes[2].n + x];
      sum = place;
      for (int k = 0; k < kParts; ++k) {
        sum.x += sums[k][here].x;
        sum.y += sums[k][here].y;
      }
      place = sum;
    }
    __syncthreads();
  }
}

template <int kDimensions>
__global__ void __launch_bounds__(kThreads)
    spread_points_kernel(FineGrid grid, SortedPoints points, const double* __restrict__ table,
                         const double2* __restrict__ c, long long n_grid, double2* out) {
  __shared__ WarpMemory<kDimensions> memory[kWarps];
  for (long long place = warp_number(); place < n_grid; place += static_cast<long long>(gridDim.x) * kWarps)
    spread_point<kDimensions>(grid, points, table, c, place, memory[threadIdx.x / kLanes], out);
}

unsigned thread_blocks(long long n, int each) {
  return static_cast<unsigned>((n + each - 1) / each);
}

template <int kDimensions>
void spread_dimensions(cudaStream_t stream, const DevicePoints& points, Spreader spreader, const double2* c,
                       double2* pieces, double2* out) {
  const FineGrid& grid = points.grid();
  if (spreader == Spreader::points) {
    const long long n_grid = static_cast<long long>(grid.axes[0].n) * grid.axes[1].n * grid.axes[2].n;
    const unsigned n = std::min(thread_blocks(n_grid, kWarps), 1U << 20);
    spread_points_kernel<kDimensions>
        <<<n, kThreads, 0, stream>>>(grid, points.sorted(), points.table(), c, n_grid, out);
    GWRM_LAUNCHED(spread_points_kernel);
    return;
  }
  const unsigned n = thread_blocks(static_cast<long long>(grid.n_blocks()) + kMostPieces, kWarps);
  if (grid.axes[2].width <= 8 && grid.degree <= LanePolynomials<1>::kDegree)
    spread_blocks_kernel<kDimensions, 1>
        <<<n, kThreads, 0, stream>>>(grid, points.sorted(), points.extra(), points.table(), c, pieces, out);
  else
    spread_blocks_kernel<kDimensions, 2>
        <<<n, kThreads, 0, stream>>>(grid, points.sorted(), points.extra(), points.table(), c, pieces, out);
  GWRM_LAUNCHED(spread_blocks_kernel);
  add_pieces_kernel<kDimensions><<<kAddingBlocks, kThreads, 0, stream>>>(grid, points.extra(), pieces, out);
  GWRM_LAUNCHED(add_pieces_kernel);
}

}  // namespace

void spread(cudaStream_t stream, const DevicePoints& points, Spreader spreader, const double2* c, double2* pieces,
            double2* grid) {
  if (points.n_dimensions() == 1) return spread_dimensions<1>(stream, points, spreader, c, pieces, grid);
  if (points.n_dimensions() == 2) return spread_dimensions<2>(stream, points, spreader, c, pieces, grid);
  spread_dimensions<3>(stream, points, spreader, c, pieces, grid);
}

}  // namespace gwrm::nonuniform
