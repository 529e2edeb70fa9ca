// Terms that act on each wavenumber by a factor (SystemPlan::symbols).
#include "basis/complex_modes.hpp"
#include "core/errors.hpp"
#include "core/vector_clones.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"
#include "weighted_residual/window/window_system.hpp"

namespace gwrm {
namespace {

// y_i += a f_i x_i along a line; swaps: the numbers of sines and cosines exchanged, x_0 stays.
GWRM_VECTOR_CLONES void add_line(double a, const double* f, bool swaps, const double* x, Index n, double* y) {
  if (!swaps) {
    for (Index i = 0; i < n; ++i) y[i] += a * f[i] * x[i];
    return;
  }
  y[0] += a * f[0] * x[0];
  for (Index i = 1; i + 1 < n; i += 2) {
    y[i] += a * f[i] * x[i + 1];
    y[i + 1] += a * f[i + 1] * x[i];
  }
}

Index source(const SymbolRowTerm::Axis& axis, Index i) {
  return !axis.swaps || i == 0 ? i : i % 2 == 1 ? i + 1 : i - 1;
}

}  // namespace

void WindowSystem::take_symbols(RowBlock& row, const SymbolPlan::Row& plan) {
  for (const BandedTerm& planned : plan.symbols) {
    SymbolRowTerm term;
    term.coefficient = planned.coefficient;
    term.value = static_cast<int>(plan_.rows.size()) + planned.value;
    term.of_values = cpu_values_.add_coefficients(planned.atom);
    term.of_direction = cpu_directions_.add_coefficients(planned.atom);
    for (int axis = 0; axis < static_cast<int>(model_.axes.size()); ++axis) {
      if (!model_.is_modal(axis)) continue;
      const int order = planned.atom.orders[axis];
      const ComplexModes* modes = complex_modes(discretisation_.basis(axis));
      if (modes == nullptr) throw ShapeError("terms as factors of wavenumbers along an axis without any");
      term.axes.push_back({modes->derivative_factors(order), order % 2 == 1});
    }
    row.symbols.push_back(std::move(term));
  }
}

void WindowSystem::add_symbol(const RowBlock& row, const SymbolRowTerm& term, const ArrayView& coefficient,
                              const ArrayView& values, Index time, std::span<double> f) const {
  const SymbolRowTerm::Axis& last = term.axes.back();
  const Index width = static_cast<Index>(last.factors.size());
  Index n_lines = 1;  // at one time
  for (std::size_t a = 0; a + 1 < term.axes.size(); ++a) n_lines *= static_cast<Index>(term.axes[a].factors.size());
  const Index size = row_size(row, time), n_times = size / (n_lines * width);
  double* target = f.data() + row.offset + std::max<Index>(0, time) * size;
  for (Index t = 0; t < n_times; ++t) {
    const double scale = coefficient.data[coefficient.size() == 1 ? 0 : t];
    const double* x = values.data + (values.size() == size ? t * n_lines * width : 0);
    for (Index line = 0; line < n_lines; ++line, target += width) {
      double factor = scale;
      Index from = 0, stride = 1;  // of the line that is the source of this one
      for (std::size_t a = term.axes.size() - 1, rest = static_cast<std::size_t>(line); a-- > 0;) {
        const Index n = static_cast<Index>(term.axes[a].factors.size()), i = static_cast<Index>(rest) % n;
        rest /= static_cast<std::size_t>(n);
        factor *= term.axes[a].factors[static_cast<std::size_t>(i)];
        from += source(term.axes[a], i) * stride;
        stride *= n;
      }
      if (factor != 0.0) add_line(factor, last.factors.data(), last.swaps, x + from * width, width, target);
    }
  }
}

}  // namespace gwrm
