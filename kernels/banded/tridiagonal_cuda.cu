#include "kernels/banded/launch.cuh"
//
#include "kernels/banded/tridiagonal_steps.cuh"
//
#include "kernels/banded/tridiagonal.hpp"

#include "core/errors.hpp"

namespace gwrm::cuda {
namespace {

using banded::BatchOfRows;
using banded::BlockBefore;
using banded::kLanes;
using banded::kThreadsOfSystems;
using banded::Lanes;
using banded::TridiagonalRoom;
using banded::TridiagonalView;

// hybrid: three numbers of a row in registers, four in shared memory; longer systems take pieces.
constexpr std::array<LaneRows, 7> kHybridOfOneDouble{{{1, 1}, {2, 1}, {4, 1}, {8, 1}, {8, 2}, {16, 2}, {16, 4}}};
constexpr std::array<LaneRows, 5> kHybridOfDoubleDouble{{{1, 1}, {4, 1}, {4, 2}, {4, 4}, {4, 8}}};
constexpr std::array<LaneRows, 6> kHybridOfComplex{{{1, 1}, {4, 1}, {8, 1}, {8, 2}, {8, 4}, {8, 8}}};
template <class Number>
constexpr const auto& hybrid_lanes() {
  if constexpr (std::is_same_v<Number, double>)
    return kHybridOfOneDouble;
  else if constexpr (std::is_same_v<Number, Complex>)
    return kHybridOfComplex;
  else
    return kHybridOfDoubleDouble;
}
// 12 warps on a multiprocessor leave 168 registers each, 16 warps 128, 20 warps 96.
template <class Number, class Lanes>
struct Hybrid {
  using Room = TridiagonalRoom<Lanes::kRows, Number>;
  static constexpr int kWarps = Lanes::kTeam > 1 ? Lanes::kTeam : 4, kWords = BandedNumber<Number>::kWords;
  static constexpr int kOnMultiprocessor = kWords * Lanes::kRows > 8 ? 12 : kWords == 1 ? 20 : 16;
  static constexpr int kBlocks = kOnMultiprocessor / kWarps;
  static constexpr int kBytes = 8 * banded::kOwnMatrixDoubles<Room, kWarps, Lanes::kTeam>;
};
// cyclic_reduction: three numbers a row in registers and those that replace them.
template <class Number>
using ReductionRows =
    std::conditional_t<BandedNumber<Number>::kWords == 1, banded::RowsList<1, 4, 16>, banded::RowsList<1, 8>>;

template <class Number, class Lanes, bool kPieces>
__global__ void __launch_bounds__(kLanes* Hybrid<Number, Lanes>::kWarps, Hybrid<Number, Lanes>::kBlocks)
    tridiagonal_kernel(BatchOfRows<Number> batch, TridiagonalView<Number> matrix, int* status,
                       BlockBefore<Number>* before) {
  extern __shared__ __align__(16) double shared[];
  using Shape = Hybrid<Number, Lanes>;
  banded::solve_own_matrices<typename Shape::Room, Shape::kWarps, Lanes::kTeam, kPieces>(batch, matrix, status, before,
                                                                                         shared);
}

template <class Number, int kRows>
__global__ void __launch_bounds__(kLanes * 2)
    reduce_tridiagonal_kernel(BatchOfRows<Number> batch, TridiagonalView<Number> matrix, int* status) {
  banded::reduce_tridiagonal_batch<kRows, 2>(batch, matrix, status);
}

template <class Number>
__global__ void __launch_bounds__(kThreadsOfSystems)
    tridiagonal_interleaved_kernel(BatchOfRows<Number> batch, TridiagonalView<Number> matrix, int* status, Number* u) {
  banded::solve_tridiagonal_interleaved(batch, matrix, status, u, kThreadsOfSystems);
}

}  // namespace

template <class Number>
std::size_t tridiagonal_workspace_bytes(const BandedShape& shape, BandedVariant variant) {
  const auto batch = static_cast<std::size_t>(shape.batch);
  if (variant == BandedVariant::thread) return sizeof(Number) * batch * static_cast<std::size_t>(shape.n);
  if (variant == BandedVariant::cyclic_reduction) return 0;
  constexpr Index kPiece = hybrid_lanes<Number>().back().count();
  return sizeof(BlockBefore<Number>) * batch * static_cast<std::size_t>((shape.n - 1) / kPiece);
}

template <class Number>
void solve_tridiagonal(const Context& context, const BandedShape& shape, const Tridiagonal<Number>& matrix,
                       const Number* y, Number* x, BandedStatus* status, void* workspace, BandedVariant variant) {
  const DeviceHandles& handles = *context.device();
  const BatchOfRows<Number> batch{y, x, shape.n, shape.batch};
  const TridiagonalView<Number> view{matrix.lower, matrix.diagonal, matrix.upper};
  int* numbers = banded::status_numbers(status);
  if (variant == BandedVariant::thread) {
    tridiagonal_interleaved_kernel<<<banded::blocks_for(shape.batch, kThreadsOfSystems), kThreadsOfSystems, 0,
                                     handles.stream>>>(batch, view, numbers, static_cast<Number*>(workspace));
    GWRM_LAUNCHED(tridiagonal_interleaved_kernel);
  } else if (variant == BandedVariant::cyclic_reduction) {
    constexpr Index kMost = kLanes * banded::longest(ReductionRows<Number>{});
    if (shape.n > kMost)
      throw ShapeError("tridiagonal systems: cyclic_reduction serves up to " + std::to_string(kMost) + " rows, not " +
                       std::to_string(shape.n));
    banded::with_rows(ReductionRows<Number>{}, batch.n, [&](auto rows) {
      reduce_tridiagonal_kernel<Number, decltype(rows)::value>
          <<<banded::blocks_for(batch.batch, 2), kLanes * 2, 0, handles.stream>>>(batch, view, numbers);
      GWRM_LAUNCHED(reduce_tridiagonal_kernel);
    });
  } else {
    banded::with_lanes_or_pieces<hybrid_lanes<Number>()>(batch.n, [&](auto lanes, auto pieces) {
      using Launch = Hybrid<Number, decltype(lanes)>;
      banded::launch_with_bytes(tridiagonal_kernel<Number, decltype(lanes), pieces.value>,
                                banded::blocks_for(batch.batch, Launch::kWarps / lanes.kTeam), Launch::kWarps,
                                Launch::kBytes, handles.stream, batch, view, numbers,
                                static_cast<BlockBefore<Number>*>(workspace));
      GWRM_LAUNCHED(tridiagonal_kernel);
    });
  }
}

#define GWRM_TRIDIAGONAL(Number)                                                                                 \
  template std::size_t tridiagonal_workspace_bytes<Number>(const BandedShape&, BandedVariant);                   \
  template void solve_tridiagonal(const Context&, const BandedShape&, const Tridiagonal<Number>&, const Number*, \
                                  Number*, BandedStatus*, void*, BandedVariant)
GWRM_TRIDIAGONAL(double);
GWRM_TRIDIAGONAL(DoubleDouble);
GWRM_TRIDIAGONAL(Complex);

}  // namespace gwrm::cuda
