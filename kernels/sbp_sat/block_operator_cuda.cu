#include "kernels/sbp_sat/block_operator_device.cuh"

#include "core/errors.hpp"
#include "kernels/device/device_sums.cuh"
#include "kernels/sbp_sat/device_cg.cuh"

namespace gwrm::cuda {
namespace {

// Rows of a tile: few keep the chip full on grids of a million points, many read less twice and leave fewer sums where
// the memory is the limit. Multiples of kRowsTogether.
constexpr int kFewRows = 4, kManyRows = 16;
constexpr Index kManyPoints = 4000000;

template <int half, bool cross>
__global__ void __launch_bounds__(kBlockThreads)
    apply_kernel(const __grid_constant__ BlockWalk<half, cross> a, const double* __restrict__ u, double* __restrict__ q,
                 double* partial, const CgState* state) {
  if (state != nullptr && state->done != 0) return;
  double sums[1] = {0.0};
  a.walk([&](int k) { return u[k]; }, [](int) { return 0; },
         [&](int k, double value, double image, int) {
           q[k] = image;
           sums[0] += value * image;
         });
  if (state != nullptr) leave_sums(sums, partial);
}

template <int half, bool cross>
__global__ void __launch_bounds__(kBlockThreads)
    scale_kernel(const __grid_constant__ BlockWalk<half, cross> walk, double* scale) {
  const DeviceBlocks& a = walk.a;
  if (blockIdx.x >= a.n_stored_blocks) {
    const BlockTile tile = a.tiles[blockIdx.x - a.n_stored_blocks];
    const blocks::BlockView block = a.view_of(tile);
    const int i = tile.fast + static_cast<int>(threadIdx.x);
    for (int j = tile.slow; j < min(tile.slow + a.rows_of_tile, block.slow_end); ++j)
      if (i < block.fast_end)
        scale[block.offset + j * block.n_fast + i] =
            1.0 / blocks::stencil_diagonal<half, cross>(a.numbers, block, j, i);
    return;
  }
  // The block's rows, one after the other by its threads.
  constexpr int rows_of_block = kBlockThreads / kStoredLanes;
  const int number = static_cast<int>(blockIdx.x) * rows_of_block + static_cast<int>(threadIdx.x);
  if (threadIdx.x >= rows_of_block || number >= a.n_stored) return;
  const int row = a.stored_rows[number];
  for (long long k = a.row_start[number]; k < a.row_start[number + 1]; ++k)
    if (a.columns[k] == row) scale[row] = 1.0 / a.values[k];
}

template <class T>
T* sent(const DeviceHandles& handles, DeviceBuffer& buffer, const std::vector<T>& host) {
  T* device = buffer.reserve<T>(host.size() + 1);
  if (!host.empty()) handles.upload(device, host.data(), host.size());
  return device;
}

}  // namespace

DeviceBlockTables::DeviceBlockTables(const DeviceHandles& handles, const BlockOperator& a, bool with_scale)
    : half_(a.order / 2), cross_(a.has_cross()) {
  check_block_operator(a);
  if (!blocks::fill_stencil_numbers(a.order, view_.numbers))
    throw ShapeError("block operator: a stencil that is wider than its kernels");
  view_.n = static_cast<int>(a.size());
  view_.rows_of_tile = a.size() < kManyPoints ? kFewRows : kManyRows;
  send_coefficients(handles, a);
  send_stored_rows(handles, a);
  const std::vector<BlockTile> tiles = block_tiles(a, view_.rows_of_tile, blocks::kTileColumns);
  view_.tiles = sent(handles, tiles_, tiles);
  n_blocks_ = view_.n_stored_blocks + static_cast<unsigned>(tiles.size());
  if (with_scale) {
    double* scale = scale_.reserve<double>(static_cast<std::size_t>(view_.n));
    with_walk([&](auto walk) {
      scale_kernel<<<n_blocks_, kBlockThreads, 0, handles.stream>>>(walk, scale);
      GWRM_LAUNCHED(scale_kernel);
    });
    view_.scale = scale;
  }
  GWRM_DEVICE(cudaStreamSynchronize(handles.stream));  // the host's arrays go
}

void DeviceBlockTables::send_coefficients(const DeviceHandles& handles, const BlockOperator& a) {
  std::size_t total = 1;
  for (const StencilBlock& block : a.blocks)
    if (!block.constant()) total += block.slow.size() + block.fast.size() + block.cross.size();
  double* place = coefficients_.reserve<double>(total);
  std::vector<blocks::BlockView> views;
  for (const StencilBlock& block : a.blocks) {
    const double* at[3] = {};
    int k = 0;
    for (const std::vector<double>* values : {&block.slow, &block.fast, &block.cross}) {
      at[k++] = place;
      if (block.constant() || values->empty()) continue;
      handles.upload(place, values->data(), values->size());
      place += values->size();
    }
    views.push_back(blocks::block_view(block, a.margin, at[0], at[1], at[2]));
  }
  view_.n_views = static_cast<int>(views.size());
  view_.only = views.front();
  view_.views = sent(handles, views_, views);
  GWRM_DEVICE(cudaStreamSynchronize(handles.stream));  // `views` goes
}

void DeviceBlockTables::send_stored_rows(const DeviceHandles& handles, const BlockOperator& a) {
  static_assert(sizeof(std::int64_t) == sizeof(long long));
  view_.n_stored = static_cast<int>(a.stored_rows.size());
  view_.n_stored_blocks = blocks_of_stored_rows(view_.n_stored);
  view_.stored_rows = sent(handles, rows_, a.stored_rows);
  view_.row_start = reinterpret_cast<const long long*>(sent(handles, starts_, a.stored.row_start));
  view_.columns = sent(handles, columns_, a.stored.columns);
  view_.values = sent(handles, values_, a.stored.values);
}

void apply_on_device(const DeviceHandles& handles, const DeviceBlockTables& a, const double* u, double* q,
                     double* partial, const CgState* state) {
  a.with_walk([&](auto walk) {
    apply_kernel<<<a.n_blocks(), kBlockThreads, 0, handles.stream>>>(walk, u, q, partial, state);
    GWRM_LAUNCHED(apply_kernel);
  });
}

void block_apply(const Context& context, const BlockOperator& a, const double* u, double* q) {
  DeviceHandles& handles = *context.device();
  const DeviceBlockTables tables(handles, a, false);
  const auto n = static_cast<std::size_t>(a.size());
  double* device_u = handles.scratch[0].reserve<double>(n);
  double* device_q = handles.scratch[1].reserve<double>(n);
  handles.upload(device_u, u, n);
  apply_on_device(handles, tables, device_u, device_q, nullptr, nullptr);
  handles.download(q, device_q, n);
}

}  // namespace gwrm::cuda
