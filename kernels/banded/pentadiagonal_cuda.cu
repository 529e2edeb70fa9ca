#include "kernels/banded/launch.cuh"
//
#include "kernels/banded/pentadiagonal_steps.cuh"
//
#include "kernels/banded/pentadiagonal.hpp"

#include <array>

#include "core/errors.hpp"

namespace gwrm::cuda {
namespace {

using banded::BatchOfRows;
using banded::BlockBefore;
using banded::kLanes;
using banded::kThreadsOfSystems;
using banded::PentadiagonalRoom;
using banded::PentadiagonalView;

// hybrid: a row is three numbers in registers, and six in shared memory, of which a warp may have 50 KB: four warps on
// a multiprocessor then have 200 KB on the way.
template <class Number>
using HybridRows =
    std::conditional_t<BandedNumber<Number>::kWords == 1, banded::RowsList<2, 4, 8, 16, 32>, banded::RowsList<4, 16>>;
// cyclic_reduction, in block rows: ten numbers each and those that replace them.
template <class Number>
using ReductionBlocks =
    std::conditional_t<BandedNumber<Number>::kWords == 1, banded::RowsList<1, 2, 4, 8>, banded::RowsList<1>>;
constexpr int kWarps = 1, kReductionWarps = 2;
template <class Number, int kRows>
constexpr int kBytes = 8 * kWarps* PentadiagonalRoom<kRows, Number>::kArrays* PentadiagonalRoom<kRows, Number>::kWords;

template <class Number, int kRows>
__global__ void __launch_bounds__(kLanes* kWarps)
    pentadiagonal_kernel(BatchOfRows<Number> batch, PentadiagonalView<Number> matrix, int* status,
                         BlockBefore<Number>* before) {
  extern __shared__ double rooms[];
  banded::solve_pentadiagonal_batch<kRows, kWarps>(batch, matrix, status, before, rooms);
}

template <class Number, int kBlocks>
__global__ void __launch_bounds__(kLanes* kReductionWarps)
    reduce_pentadiagonal_kernel(BatchOfRows<Number> batch, PentadiagonalView<Number> matrix, int* status) {
  banded::reduce_pentadiagonal_batch<kBlocks, kReductionWarps>(batch, matrix, status);
}

template <class Number>
__global__ void __launch_bounds__(kThreadsOfSystems)
    pentadiagonal_interleaved_kernel(BatchOfRows<Number> batch, PentadiagonalView<Number> matrix, int* status,
                                     Number* u) {
  banded::solve_pentadiagonal_interleaved(batch, matrix, status, u, kThreadsOfSystems);
}

}  // namespace

template <class Number>
std::size_t pentadiagonal_workspace_bytes(const BandedShape& shape, BandedVariant variant) {
  const auto batch = static_cast<std::size_t>(shape.batch);
  if (variant == BandedVariant::thread) return 2 * sizeof(Number) * batch * static_cast<std::size_t>(shape.n);
  if (variant == BandedVariant::cyclic_reduction) return 0;
  constexpr Index kPiece = kLanes * banded::longest(HybridRows<Number>{});
  return sizeof(BlockBefore<Number>) * batch * static_cast<std::size_t>((shape.n - 1) / kPiece);
}

template <class Number>
void solve_pentadiagonal(const Context& context, const BandedShape& shape, const Pentadiagonal<Number>& matrix,
                         const Number* y, Number* x, BandedStatus* status, void* workspace, BandedVariant variant) {
  const DeviceHandles& handles = *context.device();
  const BatchOfRows<Number> batch{y, x, shape.n, shape.batch};
  const PentadiagonalView<Number> view{
      {matrix.second_lower, matrix.lower, matrix.diagonal, matrix.upper, matrix.second_upper}};
  int* numbers = banded::status_numbers(status);
  if (variant == BandedVariant::thread) {
    pentadiagonal_interleaved_kernel<<<banded::blocks_for(shape.batch, kThreadsOfSystems), kThreadsOfSystems, 0,
                                       handles.stream>>>(batch, view, numbers, static_cast<Number*>(workspace));
    GWRM_LAUNCHED(pentadiagonal_interleaved_kernel);
  } else if (variant == BandedVariant::cyclic_reduction) {
    constexpr Index kMost = 2 * kLanes * banded::longest(ReductionBlocks<Number>{});
    if (shape.n > kMost)
      throw ShapeError("pentadiagonal systems: cyclic_reduction serves up to " + std::to_string(kMost) + " rows, not " +
                       std::to_string(shape.n));
    banded::with_rows(ReductionBlocks<Number>{}, (batch.n + 1) / 2, [&](auto blocks) {
      reduce_pentadiagonal_kernel<Number, decltype(blocks)::value>
          <<<banded::blocks_for(batch.batch, kReductionWarps), kLanes * kReductionWarps, 0, handles.stream>>>(
              batch, view, numbers);
      GWRM_LAUNCHED(reduce_pentadiagonal_kernel);
    });
  } else {
    banded::with_rows(HybridRows<Number>{}, batch.n, [&](auto rows) {
      constexpr int kRows = decltype(rows)::value, kShared = kBytes<Number, kRows>;
      if constexpr (kShared > 48 * 1024)
        GWRM_DEVICE(cudaFuncSetAttribute(pentadiagonal_kernel<Number, kRows>,
                                         cudaFuncAttributeMaxDynamicSharedMemorySize, kShared));
      pentadiagonal_kernel<Number, kRows>
          <<<banded::blocks_for(batch.batch, kWarps), kLanes * kWarps, kShared, handles.stream>>>(
              batch, view, numbers, static_cast<BlockBefore<Number>*>(workspace));
      GWRM_LAUNCHED(pentadiagonal_kernel);
    });
  }
}

#define GWRM_PENTADIAGONAL(Number)                                                                                   \
  template std::size_t pentadiagonal_workspace_bytes<Number>(const BandedShape&, BandedVariant);                     \
  template void solve_pentadiagonal(const Context&, const BandedShape&, const Pentadiagonal<Number>&, const Number*, \
                                    Number*, BandedStatus*, void*, BandedVariant)
GWRM_PENTADIAGONAL(double);
GWRM_PENTADIAGONAL(DoubleDouble);

}  // namespace gwrm::cuda
