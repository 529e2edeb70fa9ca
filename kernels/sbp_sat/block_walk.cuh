// The schedule of the kernels over all points of a kernels/sbp_sat/block_operator.hpp: the first blocks of threads take
// the stored rows, some lanes a row, each of the others a tile of an interior, a thread a column of it.
//
// Contract: kernels/sbp_sat/block_operator.hpp
#pragma once

#include "kernels/sbp_sat/block_stencil.cuh"

namespace gwrm::cuda {

constexpr int kBlockThreads = blocks::kTileColumns;
constexpr int kStoredLanes = 8;  // threads of a stored row: rows have 5 to some 40 entries

inline unsigned blocks_of_stored_rows(int n_rows) {
  constexpr int rows_of_block = kBlockThreads / kStoredLanes;
  return static_cast<unsigned>((n_rows + rows_of_block - 1) / rows_of_block);
}

struct DeviceBlocks {
  blocks::StencilNumbers numbers;
  blocks::BlockView only;  // of a single block: one load less in the chain of those that a tile begins with
  const blocks::BlockView* views;
  int n_views;
  const BlockTile* tiles;
  int rows_of_tile;
  unsigned n_stored_blocks;  // of threads
  int n, n_stored;
  const int* stored_rows;
  const long long* row_start;
  const int* columns;
  const double* values;
  const double* scale;  // D^-1; null where nobody wants it

  __device__ blocks::BlockView view_of(const BlockTile& tile) const { return n_views == 1 ? only : views[tile.block]; }
};

// What kernels over all points take (kernels/sbp_sat/device_level_kernels.cuh): points are their indices.
template <int half, bool cross>
struct BlockWalk {
  DeviceBlocks a;

  __device__ static int place_of(long long k) { return static_cast<int>(k); }
  __device__ static int index(int place) { return place; }
  __device__ double inverse_diagonal(int place) const { return a.scale[place]; }

  // Calls finish(k, u, (A u)(k), load(k)) for all points k of the block; read(k) gives u. All threads call it.
  template <class Read, class Load, class Finish>
  __device__ void walk(Read read, Load load, Finish finish) const {
    if (blockIdx.x >= a.n_stored_blocks) {
      const BlockTile tile = a.tiles[blockIdx.x - a.n_stored_blocks];
      blocks::walk_tile<half, cross>(a.numbers, a.view_of(tile), tile, a.rows_of_tile, static_cast<int>(threadIdx.x),
                                     read, load, finish);
      return;
    }
    const int thread = static_cast<int>(blockIdx.x * kBlockThreads + threadIdx.x);
    const int number = thread / kStoredLanes, lane = thread % kStoredLanes;
    // Whole warps take part in the exchange between lanes: those beyond the end repeat the last row.
    const int row = number < a.n_stored ? number : a.n_stored - 1;
    double sum = 0.0;
    for (long long k = a.row_start[row] + lane; k < a.row_start[row + 1]; k += kStoredLanes)
      sum += a.values[k] * read(a.columns[k]);
    for (int offset = kStoredLanes / 2; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (number >= a.n_stored || lane != 0) return;
    const int place = a.stored_rows[row];
    finish(place, read(place), sum, load(place));
  }
};

}  // namespace gwrm::cuda
