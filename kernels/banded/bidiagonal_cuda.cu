#include "kernels/banded/launch.cuh"
//
#include "kernels/banded/bidiagonal_steps.cuh"
//
#include "kernels/banded/bidiagonal.hpp"

#include "core/errors.hpp"

namespace gwrm::cuda {
namespace {

using banded::BatchOfRows;
using banded::BidiagonalView;
using banded::kLanes;
using banded::kThreadsOfSystems;

// Right-hand side, matrix and its diagonal in registers, 2 or 4 a row and number, and what is on the way from memory.
template <class Number, int kDistance>
using OwnRows =
    std::conditional_t<BandedNumber<Number>::kWords == 1,
                       std::conditional_t<kDistance == 1, banded::RowsList<1, 2, 4, 8, 16>, banded::RowsList<2, 8, 16>>,
                       std::conditional_t<kDistance == 1, banded::RowsList<1, 8>, banded::RowsList<2, 8>>>;
constexpr int kWarps = 4;

template <class Number, int kRows, int kDistance>
__global__ void __launch_bounds__(kLanes* kWarps)
    bidiagonal_kernel(BatchOfRows<Number> batch, BidiagonalView<Number> matrix, int* status) {
  banded::solve_bidiagonal_batch<kRows, kDistance, kWarps>(batch, matrix, status);
}

template <class Number>
__global__ void __launch_bounds__(kThreadsOfSystems)
    bidiagonal_interleaved_kernel(BatchOfRows<Number> batch, BidiagonalView<Number> matrix, int distance, int* status) {
  banded::solve_bidiagonal_interleaved(batch, matrix, distance, status, kThreadsOfSystems);
}

template <int kDistance, class Number>
void launch(const DeviceHandles& handles, const BatchOfRows<Number>& batch, const BidiagonalView<Number>& matrix,
            int* status) {
  banded::with_rows(OwnRows<Number, kDistance>{}, batch.n, [&](auto rows) {
    bidiagonal_kernel<Number, decltype(rows)::value, kDistance>
        <<<banded::blocks_for(batch.batch, kWarps), kLanes * kWarps, 0, handles.stream>>>(batch, matrix, status);
    GWRM_LAUNCHED(bidiagonal_kernel);
  });
}

}  // namespace

template <class Number>
void solve_bidiagonal(const Context& context, const BandedShape& shape, const Bidiagonal<Number>& matrix,
                      const Number* y, Number* x, BandedStatus* status, BandedVariant variant) {
  const DeviceHandles& handles = *context.device();
  const BatchOfRows<Number> batch{y, x, shape.n, shape.batch};
  const BidiagonalView<Number> view{matrix.off, matrix.diagonal, matrix.side == Side::upper};
  int* numbers = banded::status_numbers(status);
  if (variant == BandedVariant::thread) {
    bidiagonal_interleaved_kernel<<<banded::blocks_for(shape.batch, kThreadsOfSystems), kThreadsOfSystems, 0,
                                    handles.stream>>>(batch, view, matrix.distance, numbers);
    GWRM_LAUNCHED(bidiagonal_interleaved_kernel);
    return;
  }
  if (matrix.distance == 1)
    launch<1>(handles, batch, view, numbers);
  else
    launch<2>(handles, batch, view, numbers);
}

template void solve_bidiagonal(const Context&, const BandedShape&, const Bidiagonal<double>&, const double*, double*,
                               BandedStatus*, BandedVariant);
template void solve_bidiagonal(const Context&, const BandedShape&, const Bidiagonal<DoubleDouble>&, const DoubleDouble*,
                               DoubleDouble*, BandedStatus*, BandedVariant);

}  // namespace gwrm::cuda
