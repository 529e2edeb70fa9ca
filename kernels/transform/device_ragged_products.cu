#include "kernels/transform/device_ragged_products.cuh"

#include <vector>

#include "core/errors.hpp"
#include "kernels/device/asynchronous_copy.cuh"
#include "kernels/device/double_mma.cuh"

namespace gwrm::cuda {
namespace {

constexpr int kRows = 32, kColumns = 64, kInner = 16;  // of a tile, and of a piece of it
constexpr int kWarps = 2, kThreads = 32 * kWarps;
constexpr int kRowTiles = kRows / 16, kColumnTiles = kColumns / kWarps / 8;  // of a warp, by the hardware's 16 x 8
// Steps between rows in shared memory by which the lanes of half a warp read from different banks.
constexpr int kStepA = kInner + 4, kStepB = kColumns + 4;

using Tile = DeviceRaggedProducts::Tile;

// The pieces along the inner extents of a task, one term after the other.
struct Piece {
  int term, first;

  __device__ bool is_there(const RaggedTask& task) const { return term < task.n_terms; }
  // Skips terms without extent.
  __device__ void settle(const RaggedTask& task, const RaggedTerm* terms) {
    while (term < task.n_terms && first >= terms[task.first_term + term].n) {
      ++term;
      first = 0;
    }
  }
};

struct Room {
  double a[2][kRows][kStepA], b[2][kInner][kStepB];
  long long a_rows[kRows], c_rows[kRows];
};

__device__ void send(Room& room, int half, const RaggedTask& task, const RaggedTerm& term, const Tile& tile, int first,
                     const double* __restrict__ a, const double* __restrict__ b) {
  const int thread = static_cast<int>(threadIdx.x);
  {
    const int k = thread % kInner;
    const double* const from = a + term.a + first + k;
#pragma unroll
    for (int s = 0; s < kRows * kInner / kThreads; ++s) {
      const int row = thread / kInner + s * (kThreads / kInner);
      const bool inside = first + k < term.n && tile.row + row < task.m;
      copy_async<8>(&room.a[half][row][k], inside ? from + room.a_rows[row] : a, inside);
    }
  }
  const int column = tile.column + thread;
  const double* const from = b + term.b + static_cast<long long>(first) * task.b_stride + column;
#pragma unroll
  for (int k = 0; k < kInner; ++k) {
    const bool inside = first + k < term.n && column < task.n;
    copy_async<8>(&room.b[half][k][thread], inside ? from + k * task.b_stride : b, inside);
  }
  close_copies();
}

static_assert(kColumns == kThreads, "a thread a column");

__global__ void __launch_bounds__(kThreads)
    ragged_kernel(const RaggedTask* __restrict__ tasks, const RaggedTerm* __restrict__ terms,
                  const Tile* __restrict__ tiles, const double* __restrict__ a, const double* __restrict__ b, bool add,
                  double* __restrict__ c) {
  __shared__ Room room;
  const Tile tile = tiles[blockIdx.x];
  const RaggedTask task = tasks[tile.task];
  if (threadIdx.x < kRows) {
    const int i = tile.row + static_cast<int>(threadIdx.x);
    room.a_rows[threadIdx.x] =
        i / task.a_rows.divisor * task.a_rows.outer + i % task.a_rows.divisor * task.a_rows.inner;
    room.c_rows[threadIdx.x] =
        i / task.c_rows.divisor * task.c_rows.outer + i % task.c_rows.divisor * task.c_rows.inner;
  }
  __syncthreads();
  const auto [g, t] = lane_coordinates();
  const int left = static_cast<int>(threadIdx.x) / 32 * (kColumns / kWarps);  // column of the warp's part
  double sums[kRowTiles][kColumnTiles][4] = {};
  Piece now{0, 0};
  now.settle(task, terms);
  if (now.is_there(task)) send(room, 0, task, terms[task.first_term + now.term], tile, now.first, a, b);
  for (int half = 0; now.is_there(task); half ^= 1) {
    Piece next{now.term, now.first + kInner};
    next.settle(task, terms);
    if (next.is_there(task)) {
      send(room, half ^ 1, task, terms[task.first_term + next.term], tile, next.first, a, b);
      await_copies<1>();
    } else {
      await_copies<0>();
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kInner; k += 8) {
      double of_a[kRowTiles][4];
#pragma unroll
      for (int i = 0; i < kRowTiles; ++i) {
        of_a[i][0] = room.a[half][16 * i + g][k + t];
        of_a[i][1] = room.a[half][16 * i + g + 8][k + t];
        of_a[i][2] = room.a[half][16 * i + g][k + 4 + t];
        of_a[i][3] = room.a[half][16 * i + g + 8][k + 4 + t];
      }
#pragma unroll
      for (int j = 0; j < kColumnTiles; ++j) {
        const double of_b[2] = {room.b[half][k + t][left + 8 * j + g], room.b[half][k + 4 + t][left + 8 * j + g]};
#pragma unroll
        for (int i = 0; i < kRowTiles; ++i) multiply_add(sums[i][j], of_a[i], of_b);
      }
    }
    __syncthreads();
    now = next;
  }
#pragma unroll
  for (int i = 0; i < kRowTiles; ++i)
#pragma unroll
    for (int j = 0; j < kColumnTiles; ++j)
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int row = 16 * i + g + 8 * (e / 2), column = tile.column + left + 8 * j + 2 * t + e % 2;
        if (tile.row + row >= task.m || column >= task.n) continue;
        double* const place = c + task.c + room.c_rows[row] + column;
        *place = add ? *place + sums[i][j][e] : sums[i][j][e];
      }
}

}  // namespace

DeviceRaggedProducts::DeviceRaggedProducts(const RaggedProducts& products, DeviceMatrices& matrices) {
  std::vector<Tile> tiles;
  for (std::size_t k = 0; k < products.tasks().size(); ++k) {
    const RaggedTask& task = products.tasks()[k];
    for (std::int32_t column = 0; column < task.n; column += kColumns)
      for (std::int32_t row = 0; row < task.m; row += kRows)
        tiles.push_back({static_cast<std::int32_t>(k), row, column});
  }
  n_tiles_ = static_cast<unsigned>(tiles.size());
  if (n_tiles_ == 0) return;
  tasks_ = matrices.add(products.tasks().data(), products.tasks().size());
  if (!products.terms().empty()) terms_ = matrices.add(products.terms().data(), products.terms().size());
  tiles_ = matrices.add(tiles.data(), tiles.size());
}

void DeviceRaggedProducts::apply(const DeviceHandles& handles, const double* a, const double* b, bool add,
                                 double* c) const {
  if (n_tiles_ == 0) return;
  ragged_kernel<<<n_tiles_, kThreads, 0, handles.stream>>>(tasks_, terms_, tiles_, a, b, add, c);
  GWRM_LAUNCHED(ragged_kernel);
}

}  // namespace gwrm::cuda
