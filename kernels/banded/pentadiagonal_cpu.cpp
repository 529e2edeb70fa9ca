#include "kernels/banded/pentadiagonal.hpp"

#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "core/vector_clones.hpp"
#include "kernels/banded/substitution.hpp"
#include "kernels/banded/system_blocks.hpp"
#include "kernels/banded/wide_numbers.hpp"

namespace gwrm {
namespace cpu {
namespace {

// Rows become x_i + u_i x_{i+1} + v_i x_{i+2} = z_i, z in place of x:
//   a' = a_i - e_i u_{i-2},  p = b_i - e_i v_{i-2} - a' u_{i-1},
//   u_i = (c_i - a' v_{i-1}) / p,  v_i = f_i / p,  z_i = (y_i - e_i z_{i-2} - a' z_{i-1}) / p;
// then x_i = z_i - u_i x_{i+1} - v_i x_{i+2}. u, v: of the block alone, row by row.
template <class Number>
GWRM_INLINE void eliminate(Index n, const SystemBlock& block, const Pentadiagonal<Number>& matrix, const Number* y,
                           Number* x, Number* u, Number* v, int* singular) {
  const Index step = block.system_step, rows = block.row_step, count = block.count;
  const Number zero = number<Number>(0.0);
  for (Index k = 0; k < n; ++k)
    for (Index b = 0; b < count; ++b) {
      const Index i = k * rows + b * step, here = k * count + b;
      Number pivot = matrix.diagonal[i], below = zero, right = y[i];
      Number above = k + 1 < n ? matrix.upper[i] : zero;
      singular[b] |= is_pivot(pivot) ? 0 : 1;
      if (k > 1) {
        const Number second = matrix.second_lower[i];
        below = -(second * u[here - 2 * count]);
        pivot = pivot - second * v[here - 2 * count];
        right = right - second * x[i - 2 * rows];
      }
      if (k > 0) {
        below = below + matrix.lower[i];
        pivot = pivot - below * u[here - count];
        above = above - below * v[here - count];
        right = right - below * x[i - rows];
      }
      singular[b] |= is_pivot(pivot) ? 0 : 1;
      u[here] = above / pivot;
      v[here] = k + 2 < n ? matrix.second_upper[i] / pivot : zero;
      x[i] = right / pivot;
    }
  for (Index k = n - 1; k-- > 0;)
    for (Index b = 0; b < count; ++b) {
      const Index i = k * rows + b * step, here = k * count + b;
      Number value = x[i] - u[here] * x[i + rows];
      if (k + 2 < n) value = value - v[here] * x[i + 2 * rows];
      x[i] = value;
    }
}

#define GWRM_RUN(Number)                                                                                               \
  GWRM_VECTOR_CLONES void run(Index n, const SystemBlock& block, const Pentadiagonal<Number>& matrix, const Number* y, \
                              Number* x, Number* u, Number* v, int* singular) {                                        \
    eliminate(n, block, matrix, y, x, u, v, singular);                                                                 \
  }
GWRM_RUN(double)
GWRM_RUN(DoubleDouble)
GWRM_RUN(Complex)
#undef GWRM_RUN

}  // namespace

template <class Number>
void solve_pentadiagonal(const BandedShape& shape, const Pentadiagonal<Number>& matrix, const Number* y, Number* x,
                         BandedStatus* status, void* workspace) {
  for_each_block(shape, sizeof(Number), shape.n, [&](const SystemBlock& block) {
    std::vector<int> singular(static_cast<std::size_t>(block.count), 0);
    const Index start = block.offset();
    Number* u = static_cast<Number*>(workspace) + 2 * block.first * shape.n;
    run(shape.n, block,
        {matrix.second_lower + start, matrix.lower + start, matrix.diagonal + start, matrix.upper + start,
         matrix.second_upper + start},
        y + start, x + start, u, u + block.count * shape.n, singular.data());
    report_block(block, shape.n, singular, x, status);
  });
}

}  // namespace cpu

namespace {

template <class Number>
void check(const BandedShape& shape, const Pentadiagonal<Number>& matrix) {
  check_shape(shape, "pentadiagonal systems");
  if (matrix.second_lower == nullptr || matrix.lower == nullptr || matrix.diagonal == nullptr ||
      matrix.upper == nullptr || matrix.second_upper == nullptr)
    throw ShapeError("pentadiagonal systems: a diagonal is missing");
}

}  // namespace

// A = L U:  l_i = e_i / p_{i-2},  k_i = (a_i - l_i c'_{i-2}) / p_{i-1},  c'_i = c_i - k_i f_{i-1},
//           p_i = b_i - l_i f_{i-2} - k_i c'_{i-1};  z_i = y_i - k_i z_{i-1} - l_i z_{i-2},
//           x_i = (z_i - c'_i x_{i+1} - f_i x_{i+2}) / p_i.
template <class Number>
std::unique_ptr<BandedPlan<Number>> make_pentadiagonal_plan(const Context& context, const BandedShape& shape,
                                                            const Pentadiagonal<Number>& matrix,
                                                            BandedVariant variant) {
  using Wide = WideNumber<Number>;
  check(shape, matrix);
  const BandedVariant chosen = chosen_variant(shape, variant);
  if (chosen == BandedVariant::cyclic_reduction)
    throw ShapeError("pentadiagonal systems: a matrix that the batch shares is solved by hybrid or thread");
  const auto n = static_cast<std::size_t>(shape.n);
  const std::vector<Number> zeros(n, number<Number>(0.0));
  Substitution<Number> substitution;
  Sweep<Number> down{Side::lower, {}, zeros, zeros}, up{Side::upper, zeros, zeros, zeros};
  const Wide one = number<Wide>(1.0), zero = number<Wide>(0.0);
  Wide inverse = one, inverse_before = one;        // 1 / p of the two rows before
  Wide above = zero, above_before = zero;          // c' of these
  Wide second_above = zero, second_before = zero;  // f
  for (std::size_t i = 0; i < n; ++i) {
    Wide pivot = widened(matrix.diagonal[i]), l = zero, k = zero;
    bool sound = is_pivot(matrix.diagonal[i]);
    if (i > 1) l = widened(matrix.second_lower[i]) * inverse_before;
    if (i > 0) k = (widened(matrix.lower[i]) - l * above_before) * inverse;
    pivot = pivot - l * second_before - k * above;
    const Wide next = (i + 1 < n ? widened(matrix.upper[i]) : zero) - k * second_above;
    sound = sound && is_pivot(rounded<Number>(pivot));
    if (!sound) {
      substitution.status = BandedStatus::singular;
      break;
    }
    down.first[i] = rounded<Number>(k);
    down.second[i] = rounded<Number>(l);
    inverse_before = inverse;
    inverse = one / pivot;
    above_before = above;
    above = next;
    second_before = second_above;
    second_above = i + 2 < n ? widened(matrix.second_upper[i]) : zero;
    up.scale[i] = rounded<Number>(inverse);
    up.first[i] = rounded<Number>(above * inverse);
    up.second[i] = rounded<Number>(second_above * inverse);
  }
  substitution.sweeps = {std::move(down), std::move(up)};
  return make_substitution_plan(context, shape, std::move(substitution), chosen);
}

template <class Number>
void solve_pentadiagonal(const Context& context, const BandedShape& shape, const Pentadiagonal<Number>& matrix,
                         const Number* y, Number* x, BandedStatus* status, void* workspace, BandedVariant variant) {
  check_shape(shape, "pentadiagonal systems");
  const BandedVariant chosen = chosen_variant(shape, variant);
  if (shape.batch == 0) return;
  check(shape, matrix);
#if GWRM_HAVE_CUDA
  if (context.backend() == Backend::cuda)
    return cuda::solve_pentadiagonal(context, shape, matrix, y, x, status, workspace, chosen);
#endif
  static_cast<void>(context);
  static_cast<void>(chosen);
  cpu::solve_pentadiagonal(shape, matrix, y, x, status, workspace);
}

template <class Number>
std::size_t pentadiagonal_workspace_bytes(const Context& context, const BandedShape& shape, BandedVariant variant) {
  check_shape(shape, "pentadiagonal systems");
#if GWRM_HAVE_CUDA
  if (context.backend() == Backend::cuda)
    return cuda::pentadiagonal_workspace_bytes<Number>(shape, chosen_variant(shape, variant));
#endif
  static_cast<void>(context);
  static_cast<void>(variant);
  return 2 * sizeof(Number) * static_cast<std::size_t>(shape.n) * static_cast<std::size_t>(shape.batch);
}

#define GWRM_PENTADIAGONAL(Number)                                                                                   \
  template std::unique_ptr<BandedPlan<Number>> make_pentadiagonal_plan(const Context&, const BandedShape&,           \
                                                                       const Pentadiagonal<Number>&, BandedVariant); \
  template void solve_pentadiagonal(const Context&, const BandedShape&, const Pentadiagonal<Number>&, const Number*, \
                                    Number*, BandedStatus*, void*, BandedVariant);                                   \
  template std::size_t pentadiagonal_workspace_bytes<Number>(const Context&, const BandedShape&, BandedVariant)
GWRM_PENTADIAGONAL(double);
GWRM_PENTADIAGONAL(DoubleDouble);
GWRM_PENTADIAGONAL(Complex);

}  // namespace gwrm
