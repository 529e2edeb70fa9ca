#include "kernels/banded/launch.cuh"
//
#include "kernels/banded/tridiagonal_steps.cuh"
//
#include "kernels/banded/tridiagonal.hpp"

#include "core/errors.hpp"

namespace gwrm::cuda {
namespace {

using banded::BatchOfRows;
using banded::Before;
using banded::kLanes;
using banded::kThreadsOfSystems;
using banded::Lanes;
using banded::TridiagonalView;

// hybrid: four numbers a row in shared memory, two in registers, sixteen warps on a multiprocessor; longer systems take
// pieces.
constexpr std::array<LaneRows, 7> kHybridOfOneDouble{{{1, 1}, {2, 1}, {4, 1}, {4, 2}, {8, 2}, {8, 4}, {16, 4}}};
constexpr std::array<LaneRows, 5> kHybridOfTwoDoubles{{{1, 1}, {4, 1}, {4, 2}, {4, 4}, {4, 8}}};
template <class Number>
constexpr const auto& hybrid_lanes() {
  if constexpr (BandedNumber<Number>::kWords == 1)
    return kHybridOfOneDouble;
  else
    return kHybridOfTwoDoubles;
}
template <class Number, class Lanes>
struct Hybrid {
  static constexpr int kWarps = Lanes::kTeam > 1 ? Lanes::kTeam : 4;
  static constexpr int kBlocks = (Lanes::kRows > 8 ? 12 : 16) / kWarps;
  static constexpr int kWords = banded::kTridiagonalWords<Lanes::kRows, kWarps, Lanes::kTeam, Number>;
};
// cyclic_reduction: three numbers a row in registers and those that replace them.
template <class Number>
using ReductionRows =
    std::conditional_t<BandedNumber<Number>::kWords == 1, banded::RowsList<1, 4, 16>, banded::RowsList<1, 8>>;

template <class Number, class Lanes>
__global__ void __launch_bounds__(kLanes* Hybrid<Number, Lanes>::kWarps, Hybrid<Number, Lanes>::kBlocks)
    tridiagonal_kernel(BatchOfRows<Number> batch, TridiagonalView<Number> matrix, int* status, Before<Number>* before) {
  extern __shared__ double shared[];
  banded::solve_tridiagonal_batch<Lanes::kRows, Hybrid<Number, Lanes>::kWarps, Lanes::kTeam>(batch, matrix, status,
                                                                                             before, shared);
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
  return sizeof(Before<Number>) * batch * static_cast<std::size_t>((shape.n - 1) / kPiece);
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
    banded::with_lanes<hybrid_lanes<Number>()>(batch.n, [&](auto lanes) {
      using Launch = Hybrid<Number, decltype(lanes)>;
      banded::launch_with_bytes(tridiagonal_kernel<Number, decltype(lanes)>,
                                banded::blocks_for(batch.batch, Launch::kWarps / lanes.kTeam), Launch::kWarps,
                                8 * Launch::kWords, handles.stream, batch, view, numbers,
                                static_cast<Before<Number>*>(workspace));
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
