#include "kernels/banded/tridiagonal.hpp"

#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "core/vector_clones.hpp"
#include "kernels/banded/substitution.hpp"
#include "kernels/banded/system_blocks.hpp"
#include "kernels/banded/wide_numbers.hpp"

namespace gwrm {
namespace cpu {
namespace {

// Thomas: p_i = b_i - a_i u_{i-1},  u_i = c_i / p_i,  x_i = (y_i - a_i x_{i-1}) / p_i;  then x_i -= u_i x_{i+1}.
// u: of the block alone, row by row.
template <class Number>
GWRM_INLINE void eliminate(Index n, const SystemBlock& block, const Tridiagonal<Number>& matrix, const Number* y,
                           Number* x, Number* u, int* singular) {
  const Index step = block.system_step, rows = block.row_step, count = block.count;
  for (Index k = 0; k < n; ++k)
    for (Index b = 0; b < count; ++b) {
      const Index i = k * rows + b * step;
      Number pivot = matrix.diagonal[i], right = y[i];
      singular[b] |= is_pivot(pivot) ? 0 : 1;
      if (k > 0) {
        pivot = pivot - matrix.lower[i] * u[(k - 1) * count + b];
        right = right - matrix.lower[i] * x[i - rows];
      }
      singular[b] |= is_pivot(pivot) ? 0 : 1;
      u[k * count + b] = k + 1 < n ? matrix.upper[i] / pivot : number<Number>(0.0);
      x[i] = right / pivot;
    }
  for (Index k = n - 1; k-- > 0;)
    for (Index b = 0; b < count; ++b) {
      const Index i = k * rows + b * step;
      x[i] = x[i] - u[k * count + b] * x[i + rows];
    }
}

#define GWRM_RUN(Number)                                                                                             \
  GWRM_VECTOR_CLONES void run(Index n, const SystemBlock& block, const Tridiagonal<Number>& matrix, const Number* y, \
                              Number* x, Number* u, int* singular) {                                                 \
    eliminate(n, block, matrix, y, x, u, singular);                                                                  \
  }
GWRM_RUN(double)
GWRM_RUN(DoubleDouble)
GWRM_RUN(Complex)
#undef GWRM_RUN

}  // namespace

template <class Number>
void solve_tridiagonal(const BandedShape& shape, const Tridiagonal<Number>& matrix, const Number* y, Number* x,
                       BandedStatus* status, void* workspace) {
  for_each_block(shape, sizeof(Number), shape.n, [&](const SystemBlock& block) {
    std::vector<int> singular(static_cast<std::size_t>(block.count), 0);
    const Index start = block.offset();
    run(shape.n, block, {matrix.lower + start, matrix.diagonal + start, matrix.upper + start}, y + start, x + start,
        static_cast<Number*>(workspace) + block.first * shape.n, singular.data());
    report_block(block, shape.n, singular, x, status);
  });
}

}  // namespace cpu

namespace {

template <class Number>
void check(const BandedShape& shape, const Tridiagonal<Number>& matrix) {
  check_shape(shape, "tridiagonal systems");
  if (matrix.lower == nullptr || matrix.diagonal == nullptr || matrix.upper == nullptr)
    throw ShapeError("tridiagonal systems: a diagonal is missing");
}

}  // namespace

// A = L U:  l_i = a_i / p_{i-1},  p_i = b_i - l_i c_{i-1};  z_i = y_i - l_i z_{i-1};  x_i = z_i / p_i - (c_i / p_i)
// x_{i+1}.
template <class Number>
std::unique_ptr<BandedPlan<Number>> make_tridiagonal_plan(const Context& context, const BandedShape& shape,
                                                          const Tridiagonal<Number>& matrix, BandedVariant variant) {
  check(shape, matrix);
  const auto n = static_cast<std::size_t>(shape.n);
  Substitution<Number> substitution;
  Sweep<Number> down{Side::lower, {}, std::vector<Number>(n, number<Number>(0.0)), {}};
  Sweep<Number> up{Side::upper, std::vector<Number>(n), std::vector<Number>(n, number<Number>(0.0)), {}};
  const WideNumber<Number> one = number<WideNumber<Number>>(1.0);
  WideNumber<Number> pivot = one, inverse = one;
  for (std::size_t i = 0; i < n; ++i) {
    WideNumber<Number> next = widened(matrix.diagonal[i]);
    bool sound = is_pivot(matrix.diagonal[i]);
    if (i > 0) {
      const WideNumber<Number> l = widened(matrix.lower[i]) * inverse;
      down.first[i] = rounded<Number>(l);
      next = next - l * widened(matrix.upper[i - 1]);
    }
    pivot = next;
    sound = sound && is_pivot(rounded<Number>(pivot));
    if (!sound) {
      substitution.status = BandedStatus::singular;
      break;
    }
    inverse = one / pivot;
    up.scale[i] = rounded<Number>(inverse);
    if (i + 1 < n) up.first[i] = rounded<Number>(widened(matrix.upper[i]) * inverse);
  }
  substitution.sweeps = {std::move(down), std::move(up)};
  return make_substitution_plan(context, shape, std::move(substitution), chosen_variant(shape, variant));
}

template <class Number>
void solve_tridiagonal(const Context& context, const BandedShape& shape, const Tridiagonal<Number>& matrix,
                       const Number* y, Number* x, BandedStatus* status, void* workspace, BandedVariant variant) {
  check_shape(shape, "tridiagonal systems");
  const BandedVariant chosen = chosen_variant(shape, variant);
  if (shape.batch == 0) return;
  check(shape, matrix);
#if GWRM_HAVE_CUDA
  if (context.backend() == Backend::cuda)
    return cuda::solve_tridiagonal(context, shape, matrix, y, x, status, workspace, chosen);
#endif
  static_cast<void>(context);
  static_cast<void>(chosen);
  cpu::solve_tridiagonal(shape, matrix, y, x, status, workspace);
}

template <class Number>
std::size_t tridiagonal_workspace_bytes(const Context& context, const BandedShape& shape, BandedVariant variant) {
  check_shape(shape, "tridiagonal systems");
#if GWRM_HAVE_CUDA
  if (context.backend() == Backend::cuda)
    return cuda::tridiagonal_workspace_bytes<Number>(shape, chosen_variant(shape, variant));
#endif
  static_cast<void>(context);
  static_cast<void>(variant);
  return sizeof(Number) * static_cast<std::size_t>(shape.n) * static_cast<std::size_t>(shape.batch);
}

#define GWRM_TRIDIAGONAL(Number)                                                                                 \
  template std::unique_ptr<BandedPlan<Number>> make_tridiagonal_plan(const Context&, const BandedShape&,         \
                                                                     const Tridiagonal<Number>&, BandedVariant); \
  template void solve_tridiagonal(const Context&, const BandedShape&, const Tridiagonal<Number>&, const Number*, \
                                  Number*, BandedStatus*, void*, BandedVariant);                                 \
  template std::size_t tridiagonal_workspace_bytes<Number>(const Context&, const BandedShape&, BandedVariant)
GWRM_TRIDIAGONAL(double);
GWRM_TRIDIAGONAL(DoubleDouble);
GWRM_TRIDIAGONAL(Complex);

}  // namespace gwrm
