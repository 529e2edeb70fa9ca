#include "kernels/banded/bidiagonal.hpp"

#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "core/vector_clones.hpp"
#include "kernels/banded/substitution.hpp"
#include "kernels/banded/system_blocks.hpp"

namespace gwrm {
namespace cpu {
namespace {

// Row by row: x_i = (y_i - off_i x_{i-d}) / diagonal_i for the systems of a block.
template <class Number>
GWRM_INLINE void eliminate(Index n, const SystemBlock& block, const Bidiagonal<Number>& matrix, const Number* y,
                           Number* x, int* singular) {
  const Index step = block.system_step, rows = block.row_step, d = matrix.distance;
  for (Index k = 0; k < n; ++k) {
    const Index row = (matrix.side == Side::lower ? k : n - 1 - k) * rows;
    const Number* before = x + row + (matrix.side == Side::lower ? -d : d) * rows;  // looked at where it is a row
    const bool coupled = k >= d;
    if (matrix.diagonal == nullptr) {
      for (Index b = 0; b < block.count; ++b) {
        const Index i = row + b * step;
        x[i] = coupled ? y[i] - matrix.off[i] * before[b * step] : y[i];
      }
      continue;
    }
    for (Index b = 0; b < block.count; ++b) {
      const Index i = row + b * step;
      singular[b] |= is_pivot(matrix.diagonal[i]) ? 0 : 1;
      x[i] = (coupled ? y[i] - matrix.off[i] * before[b * step] : y[i]) / matrix.diagonal[i];
    }
  }
}

GWRM_VECTOR_CLONES void run(Index n, const SystemBlock& block, const Bidiagonal<double>& matrix, const double* y,
                            double* x, int* singular) {
  eliminate(n, block, matrix, y, x, singular);
}
GWRM_VECTOR_CLONES void run(Index n, const SystemBlock& block, const Bidiagonal<DoubleDouble>& matrix,
                            const DoubleDouble* y, DoubleDouble* x, int* singular) {
  eliminate(n, block, matrix, y, x, singular);
}

}  // namespace

template <class Number>
void solve_bidiagonal(const BandedShape& shape, const Bidiagonal<Number>& matrix, const Number* y, Number* x,
                      BandedStatus* status) {
  for_each_block(shape, sizeof(Number), 2, [&](const SystemBlock& block) {
    std::vector<int> singular(static_cast<std::size_t>(block.count), 0);
    Bidiagonal<Number> part = matrix;
    part.off += block.offset();
    if (part.diagonal != nullptr) part.diagonal += block.offset();
    run(shape.n, block, part, y + block.offset(), x + block.offset(), singular.data());
    report_block(block, shape.n, singular, x, status);
  });
}

}  // namespace cpu

namespace {

template <class Number>
void check(const BandedShape& shape, const Bidiagonal<Number>& matrix) {
  check_shape(shape, "bidiagonal systems");
  if (matrix.distance != 1 && matrix.distance != 2)
    throw ShapeError("bidiagonal systems: distance " + std::to_string(matrix.distance) + ", not 1 or 2");
  if (matrix.off == nullptr && shape.batch > 0) throw ShapeError("bidiagonal systems: no second diagonal");
}

}  // namespace

template <class Number>
std::unique_ptr<BandedPlan<Number>> make_bidiagonal_plan(const Context& context, const BandedShape& shape,
                                                         const Bidiagonal<Number>& matrix, BandedVariant variant) {
  check(shape, matrix);
  if (matrix.off == nullptr) throw ShapeError("bidiagonal systems: no second diagonal");
  const auto n = static_cast<std::size_t>(shape.n), d = static_cast<std::size_t>(matrix.distance);
  Substitution<Number> substitution;
  Sweep<Number> sweep{matrix.side, {}, {}, {}};
  std::vector<Number> couplings(n, number<Number>(0.0));
  if (matrix.diagonal != nullptr) sweep.scale.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const bool coupled = matrix.side == Side::lower ? i >= d : i + d < n;
    if (coupled) couplings[i] = matrix.off[i];
    if (matrix.diagonal == nullptr) continue;
    if (!is_pivot(matrix.diagonal[i])) substitution.status = BandedStatus::singular;
    couplings[i] = couplings[i] / matrix.diagonal[i];
    sweep.scale[i] = number<Number>(1.0) / matrix.diagonal[i];
  }
  (matrix.distance == 1 ? sweep.first : sweep.second) = std::move(couplings);
  substitution.sweeps.push_back(std::move(sweep));
  return make_substitution_plan(context, shape, std::move(substitution), chosen_variant(shape, variant));
}

template <class Number>
void solve_bidiagonal(const Context& context, const BandedShape& shape, const Bidiagonal<Number>& matrix,
                      const Number* y, Number* x, BandedStatus* status, BandedVariant variant) {
  check(shape, matrix);
  const BandedVariant chosen = chosen_variant(shape, variant);
  if (shape.batch == 0) return;
#if GWRM_HAVE_CUDA
  if (context.backend() == Backend::cuda) return cuda::solve_bidiagonal(context, shape, matrix, y, x, status, chosen);
#endif
  static_cast<void>(context);
  static_cast<void>(chosen);
  cpu::solve_bidiagonal(shape, matrix, y, x, status);
}

#define GWRM_BIDIAGONAL(Number)                                                                                \
  template std::unique_ptr<BandedPlan<Number>> make_bidiagonal_plan(const Context&, const BandedShape&,        \
                                                                    const Bidiagonal<Number>&, BandedVariant); \
  template void solve_bidiagonal(const Context&, const BandedShape&, const Bidiagonal<Number>&, const Number*, \
                                 Number*, BandedStatus*, BandedVariant)
GWRM_BIDIAGONAL(double);
GWRM_BIDIAGONAL(DoubleDouble);

}  // namespace gwrm
