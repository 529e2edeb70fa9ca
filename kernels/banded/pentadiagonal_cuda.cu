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
using banded::Square;

// hybrid: a row is five numbers in registers and six in shared memory; longer systems take pieces.
constexpr std::array<LaneRows, 6> kHybridOfOneDouble{{{2, 1}, {4, 1}, {8, 1}, {8, 2}, {8, 4}, {16, 4}}};
constexpr std::array<LaneRows, 3> kHybridOfTwoDoubles{{{4, 1}, {4, 2}, {4, 4}}};
template <class Number>
constexpr const auto& hybrid_lanes() {
  if constexpr (BandedNumber<Number>::kWords == 1)
    return kHybridOfOneDouble;
  else
    return kHybridOfTwoDoubles;
}
// 8 warps on a multiprocessor leave 255 registers each, 12 warps 168, 16 warps 128.
template <class Number, class Lanes>
struct Hybrid {
  using Room = PentadiagonalRoom<Lanes::kRows, Number>;
  static constexpr int kWarps = Lanes::kTeam > 1 ? Lanes::kTeam : 2;
  static constexpr int kDoubles = BandedNumber<Number>::kWords * Lanes::kRows;
  static constexpr int kBlocks = (kDoubles > 8 ? 8 : kDoubles > 4 ? 12 : 16) / kWarps;
  static constexpr int kBytes = 8 * banded::kOwnMatrixDoubles<Room, kWarps, Lanes::kTeam>;
};
// cyclic_reduction, in block rows: ten numbers each and those that replace them.
template <class Number>
using ReductionBlocks =
    std::conditional_t<BandedNumber<Number>::kWords == 1, banded::RowsList<1, 2, 4, 8>, banded::RowsList<1>>;
constexpr int kReductionWarps = 2;

template <class Number, class Lanes, bool kPieces>
__global__ void __launch_bounds__(kLanes* Hybrid<Number, Lanes>::kWarps, Hybrid<Number, Lanes>::kBlocks)
    pentadiagonal_kernel(BatchOfRows<Number> batch, PentadiagonalView<Number> matrix, int* status,
                         BlockBefore<Square<Number>>* before) {
  extern __shared__ __align__(16) double shared[];
  using Shape = Hybrid<Number, Lanes>;
  banded::solve_own_matrices<typename Shape::Room, Shape::kWarps, Lanes::kTeam, kPieces>(batch, matrix, status, before,
                                                                                         shared);
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
  constexpr Index kPiece = hybrid_lanes<Number>().back().count();
  return sizeof(BlockBefore<Square<Number>>) * batch * static_cast<std::size_t>((shape.n - 1) / kPiece);
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
    banded::with_lanes_or_pieces<hybrid_lanes<Number>()>(batch.n, [&](auto lanes, auto pieces) {
      using Launch = Hybrid<Number, decltype(lanes)>;
      banded::launch_with_bytes(pentadiagonal_kernel<Number, decltype(lanes), pieces.value>,
                                banded::blocks_for(batch.batch, Launch::kWarps / lanes.kTeam), Launch::kWarps,
                                Launch::kBytes, handles.stream, batch, view, numbers,
                                static_cast<BlockBefore<Square<Number>>*>(workspace));
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
GWRM_PENTADIAGONAL(Complex);

}  // namespace gwrm::cuda
