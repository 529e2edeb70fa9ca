#include "kernels/banded/substitution.hpp"

#include <algorithm>

#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "core/vector_clones.hpp"
#include "kernels/banded/system_blocks.hpp"

namespace gwrm {
namespace cpu {
namespace {

// A sweep in the order in which it takes the rows: row k is i = k, or n - 1 - k of the side upper.
template <class Number>
struct Rows {
  Index n, count, row_step, system_step;  // row_step < 0 of the side upper
  const Number *scale, *first, *second;   // in the order of the rows in memory, or null
  Index table_step, table_start;
};

// x_k = scale y_k - first x_{k-1} - second x_{k-2} for the systems of a block, which lie `step` apart.
template <class Number>
GWRM_INLINE void sweep_row(const Rows<Number>& rows, Index step, Index k, const Number* y, Number* x) {
  const Index i = rows.table_start + k * rows.table_step, count = rows.count;
  const Number scale = rows.scale != nullptr ? rows.scale[i] : number<Number>(1.0);
  const Number first = rows.first != nullptr && k >= 1 ? rows.first[i] : number<Number>(0.0);
  const Number second = rows.second != nullptr && k >= 2 ? rows.second[i] : number<Number>(0.0);
  const Number* before = k >= 1 ? x - rows.row_step : x;
  const Number* second_before = k >= 2 ? before - rows.row_step : x;
  if (k == 0 || (rows.first == nullptr && k == 1)) {
    for (Index b = 0; b < count; ++b) x[b * step] = scale * y[b * step];
  } else if (rows.second == nullptr || k == 1) {
#pragma omp simd
    for (Index b = 0; b < count; ++b) x[b * step] = scale * y[b * step] - first * before[b * step];
  } else if (rows.first == nullptr) {
#pragma omp simd
    for (Index b = 0; b < count; ++b) x[b * step] = scale * y[b * step] - second * second_before[b * step];
  } else {
#pragma omp simd
    for (Index b = 0; b < count; ++b)
      x[b * step] = scale * y[b * step] - first * before[b * step] - second * second_before[b * step];
  }
}

template <class Number>
GWRM_INLINE void sweep_rows(const Rows<Number>& rows, const Number* y, Number* x) {
  if (rows.system_step == 1) {
    for (Index k = 0; k < rows.n; ++k) sweep_row(rows, 1, k, y + k * rows.row_step, x + k * rows.row_step);
  } else {
    for (Index k = 0; k < rows.n; ++k)
      sweep_row(rows, rows.system_step, k, y + k * rows.row_step, x + k * rows.row_step);
  }
}

GWRM_VECTOR_CLONES void run_sweep(const Rows<double>& rows, const double* y, double* x) {
  sweep_rows(rows, y, x);
}
GWRM_VECTOR_CLONES void run_sweep(const Rows<Complex>& rows, const Complex* y, Complex* x) {
  sweep_rows(rows, y, x);
}
GWRM_VECTOR_CLONES void run_sweep(const Rows<DoubleDouble>& rows, const DoubleDouble* y, DoubleDouble* x) {
  sweep_rows(rows, y, x);
}

template <class Number>
class SubstitutionPlan : public BandedPlan<Number> {
 public:
  SubstitutionPlan(const BandedShape& shape, Substitution<Number> substitution)
      : shape_(shape), substitution_(std::move(substitution)) {}

  BandedStatus status() const override { return substitution_.status; }

  void solve(const Number* y, Number* x) const override {
    if (substitution_.status != BandedStatus::solved) {
      std::fill(x, x + shape_.n * shape_.batch, number<Number>(0.0));
      return;
    }
    const Index rows_kept = substitution_.sweeps.size() == 1 ? 2 : shape_.n;
    for_each_block(shape_, sizeof(Number), rows_kept, [&](const SystemBlock& block) {
      const Number* from = y + block.offset();
      for (const Sweep<Number>& sweep : substitution_.sweeps) {
        run(sweep, block, from, x + block.offset());
        from = x + block.offset();
      }
    });
  }

 private:
  void run(const Sweep<Number>& sweep, const SystemBlock& block, const Number* y, Number* x) const {
    const auto table = [](const std::vector<Number>& values) { return values.empty() ? nullptr : values.data(); };
    const bool upper = sweep.side == Side::upper;
    const Index last = upper ? shape_.n - 1 : 0, step = upper ? -1 : 1;
    run_sweep(Rows<Number>{shape_.n, block.count, step * block.row_step, block.system_step, table(sweep.scale),
                           table(sweep.first), table(sweep.second), step, last},
              y + last * block.row_step, x + last * block.row_step);
  }

  BandedShape shape_;
  Substitution<Number> substitution_;
};

}  // namespace

template <class Number>
std::unique_ptr<BandedPlan<Number>> make_substitution_plan(const BandedShape& shape,
                                                           Substitution<Number> substitution) {
  return std::make_unique<SubstitutionPlan<Number>>(shape, std::move(substitution));
}

}  // namespace cpu

std::string name_of(BandedVariant variant) {
  switch (variant) {
    case BandedVariant::hybrid:
      return "hybrid";
    case BandedVariant::cyclic_reduction:
      return "cyclic_reduction";
    case BandedVariant::thread:
      return "thread";
    case BandedVariant::automatic:
      break;
  }
  return "auto";
}

BandedVariant chosen_variant(const BandedShape& shape, BandedVariant variant) {
  const bool interleaved = shape.layout == BatchLayout::interleaved;
  if (variant == BandedVariant::automatic) return interleaved ? BandedVariant::thread : BandedVariant::hybrid;
  if ((variant == BandedVariant::thread) != interleaved)
    throw ShapeError("banded systems: the variant " + name_of(variant) + " does not serve " +
                     (interleaved ? "interleaved" : "contiguous") + " batches");
  return variant;
}

void check_shape(const BandedShape& shape, const char* operation) {
  if (shape.n >= 1 && shape.batch >= 0) return;
  throw ShapeError(std::string(operation) + ": " + std::to_string(shape.batch) + " systems of " +
                   std::to_string(shape.n) + " rows");
}

template <class Number>
std::unique_ptr<BandedPlan<Number>> make_substitution_plan(const Context& context, const BandedShape& shape,
                                                           Substitution<Number> substitution, BandedVariant variant) {
#if GWRM_HAVE_CUDA
  if (context.backend() == Backend::cuda) {
    const auto second_order = [](const Sweep<Number>& sweep) { return !sweep.first.empty() && !sweep.second.empty(); };
    if (variant != BandedVariant::thread &&
        std::any_of(substitution.sweeps.begin(), substitution.sweeps.end(), second_order))
      return cuda::make_second_order_plan(context, shape, substitution);
    return cuda::make_substitution_plan(context, shape, substitution, variant);
  }
#endif
  static_cast<void>(context);
  static_cast<void>(variant);
  return cpu::make_substitution_plan(shape, std::move(substitution));
}

template std::unique_ptr<BandedPlan<double>> make_substitution_plan(const Context&, const BandedShape&,
                                                                    Substitution<double>, BandedVariant);
template std::unique_ptr<BandedPlan<DoubleDouble>> make_substitution_plan(const Context&, const BandedShape&,
                                                                          Substitution<DoubleDouble>, BandedVariant);
template std::unique_ptr<BandedPlan<Complex>> make_substitution_plan(const Context&, const BandedShape&,
                                                                     Substitution<Complex>, BandedVariant);

}  // namespace gwrm
