// The operator of kernels/block_operator.hpp on the device, and the schedule of its kernels: the first blocks of
// threads take the stored rows, some lanes a row, each of the others a tile of an interior, a thread a column of it.
#pragma once

#include "core/device_handles.cuh"
#include "kernels/block_operator.hpp"
#include "kernels/block_stencil.cuh"

namespace gwrm::cuda {

constexpr int kBlockThreads = blocks::kTileColumns;
constexpr int kStoredLanes = 8;  // threads of a stored row: rows have 5 to some 40 entries

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

// What kernels over all points take (kernels/device_level_kernels.cuh): points are their indices.
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
    for (int offset = kStoredLanes / 2; offset > 0; offset /= 2)
      sum += __shfl_down_sync(0xffffffffu, sum, offset, kStoredLanes);
    if (number >= a.n_stored || lane != 0) return;
    const int place = a.stored_rows[row];
    finish(place, read(place), sum, load(place));
  }
};

// The operator in device memory.
class DeviceBlockTables {
 public:
  // with_scale: the inverse of the diagonal as well.
  DeviceBlockTables(const DeviceHandles& handles, const BlockOperator& a, bool with_scale);
  const DeviceBlocks& view() const { return view_; }
  unsigned n_blocks() const { return n_blocks_; }  // of threads: kBlockThreads each
  long long size() const { return view_.n; }

  // Calls call(walk) with the BlockWalk of this operator.
  template <class Call>
  void with_walk(Call call) const {
    if (half_ == 1) cross_ ? call(BlockWalk<1, true>{view_}) : call(BlockWalk<1, false>{view_});
    if (half_ == 2) cross_ ? call(BlockWalk<2, true>{view_}) : call(BlockWalk<2, false>{view_});
    if (half_ == 3) cross_ ? call(BlockWalk<3, true>{view_}) : call(BlockWalk<3, false>{view_});
  }

 private:
  void send_coefficients(const DeviceHandles& handles, const BlockOperator& a);
  void send_stored_rows(const DeviceHandles& handles, const BlockOperator& a);

  DeviceBuffer coefficients_, views_, tiles_, rows_, starts_, columns_, values_, scale_;
  DeviceBlocks view_ = {};
  int half_ = 0;
  bool cross_ = false;
  unsigned n_blocks_ = 0;
};

// q = A u of vectors on the device; a part of p.A p for every block of threads to `partial` with `state`
// (kernels/device_cg.cuh), which may both be null.
struct CgState;
void apply_on_device(const DeviceHandles& handles, const DeviceBlockTables& a, const double* u, double* q,
                     double* partial, const CgState* state);

}  // namespace gwrm::cuda
