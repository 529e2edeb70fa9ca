#include "core/device_handles.cuh"
//
#include "kernels/transform/chebyshev_legendre_steps.cuh"
//
#include <string>

#include "core/errors.hpp"
#include "kernels/transform/chebyshev_legendre.hpp"

namespace gwrm::cuda {
namespace {

using connection::ConnectedColumns;
using connection::ConnectionMatrix;

constexpr int kBlocksOfMultiprocessor = 4;  // 128 registers a thread: with 80 sums spill

// Tiles of rows fastest, so that blocks that run at the same time share their columns; even rows, then odd ones. Of R
// the first rows have the longest sums, of R^T the last: these begin.
template <bool kTransposed>
__global__ void __launch_bounds__(connection::kThreads, kBlocksOfMultiprocessor)
    connection_kernel(ConnectionMatrix matrix, ConnectedColumns columns, int n_row_tiles) {
  __shared__ double shared[connection::kSharedNumbers];
  const int tile = static_cast<int>(blockIdx.x) % n_row_tiles, row_tile = kTransposed ? n_row_tiles - 1 - tile : tile;
  const long long group = blockIdx.x / static_cast<unsigned>(n_row_tiles);
  const int parity = static_cast<int>(group % 2), first_row = row_tile * connection::kTile;
  if (first_row >= matrix.half(parity)) return;
  connection::connect_tile<kTransposed>(matrix, columns, parity, first_row, group / 2 * connection::kColumns, shared);
}

class DirectConnection final : public Connection {
 public:
  DirectConnection(const Context& context, const ChebyshevLegendrePlan& plan)
      : handles_(*context.device()), n_(plan.length()) {
    if (n_ > kDirectUpTo)
      throw ShapeError("Chebyshev-Legendre connection: " + std::to_string(n_) + " coefficients; a device takes up to " +
                       std::to_string(kDirectUpTo));
    const auto n = static_cast<std::size_t>(n_), half = static_cast<std::size_t>(plan.half(0));
    double* table = memory_.reserve<double>(4 * n + half);
    const auto add = [&](const double* values, std::size_t count) {
      handles_.upload(table, values, count);
      const double* begin = table;
      table += count;
      return begin;
    };
    matrix_ = {add(plan.toeplitz(), half),
               add(plan.hankel(), n),
               add(plan.after().data(), n),
               add(plan.before().data(), n),
               plan.first_row().empty() ? nullptr : add(plan.first_row().data(), half),
               static_cast<int>(n_)};
    GWRM_DEVICE(cudaStreamSynchronize(handles_.stream));  // the plan may end here
  }

  void run(bool transposed, const double* x, double* y, Index outer, Index inner) const override {
    if (outer < 0 || inner < 0)
      throw ShapeError("Chebyshev-Legendre connection: " + std::to_string(outer) + " x " + std::to_string(inner) +
                       " columns");
    if (outer * inner == 0) return;
    const ConnectedColumns columns{x, y, outer * inner, inner};
    const auto n_tiles = [](Index count, int each) { return (count + each - 1) / each; };
    const Index n_row_tiles = n_tiles(matrix_.half(0), connection::kTile);
    const auto n_blocks = static_cast<unsigned>(2 * n_row_tiles * n_tiles(columns.n_columns, connection::kColumns));
    (transposed ? connection_kernel<true>
                : connection_kernel<false>)<<<n_blocks, connection::kThreads, 0, handles_.stream>>>(
        matrix_, columns, static_cast<int>(n_row_tiles));
    GWRM_LAUNCHED(connection_kernel);
  }

 private:
  const DeviceHandles& handles_;
  Index n_;
  DeviceBuffer memory_;
  ConnectionMatrix matrix_{};
};

}  // namespace

std::unique_ptr<Connection> make_connection(const Context& context, const ChebyshevLegendrePlan& plan) {
  return std::make_unique<DirectConnection>(context, plan);
}

}  // namespace gwrm::cuda
