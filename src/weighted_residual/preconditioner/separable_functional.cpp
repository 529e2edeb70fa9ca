#include "weighted_residual/preconditioner/separable_functional.hpp"

#include <algorithm>

namespace gwrm {
namespace {

using Complex = std::complex<double>;

struct FunctionalBuilder {
  const WindowSystem& system;
  int field;
  const std::vector<int>& axes;
  const CoefficientMeans& means;
  SeparableFunctional result{};

  // integrated: the axes of the integrals around the terms.
  bool add(const std::vector<RowTerm>& terms, double factor, const std::vector<int>& integrated) {
    return std::all_of(terms.begin(), terms.end(), [&](const RowTerm& term) {
      const double own = factor * (term.coefficient < 0 ? 1.0 : means(term.coefficient, -1)(0));
      if (term.integral >= 0) {
        std::vector<int> around = integrated;
        around.push_back(system.plan().integrals[at(term.integral)].axis);
        return add(system.integral_terms()[at(term.integral)], own, around);
      }
      if (term.atom.field != field) return false;
      SeparableFunctional::Term one{own, {}};
      for (int axis : axes) {
        const Matrix values = system.discretisation().trial(axis, term.atom, system.model().fields[at(field)]).dense();
        const bool is_integral = std::find(integrated.begin(), integrated.end(), axis) != integrated.end();
        if (!is_integral && values.rows() != 1) return false;
        const Vector& weights = system.discretisation().weights()[at(axis)];
        one.rows.emplace_back(values.rows() > 1 ? RowVector(weights.transpose() * values) : RowVector(values.row(0)));
      }
      result.terms.push_back(std::move(one));
      return true;
    });
  }
};

}  // namespace

Complex SeparableFunctional::operator()(std::span<const Complex> values) const {
  Complex sum = 0.0;
  for (const Term& term : terms) {
    // Along the last axis first.
    std::vector<Complex> rest(values.begin(), values.end());
    for (std::size_t d = term.rows.size(); d-- > 0;) {
      const auto n = static_cast<std::size_t>(term.rows[d].size());
      for (std::size_t i = 0; i < rest.size() / n; ++i) {
        Complex one = 0.0;
        for (std::size_t j = 0; j < n; ++j) one += term.rows[d](static_cast<Index>(j)) * rest[i * n + j];
        rest[i] = one;
      }
      rest.resize(rest.size() / n);
    }
    sum += term.factor * rest.front();
  }
  return sum;
}

std::optional<SeparableFunctional> separable_functional(const WindowSystem& system, const std::vector<RowTerm>& terms,
                                                        double factor, int field, const std::vector<int>& axes,
                                                        const CoefficientMeans& means) {
  FunctionalBuilder builder{system, field, axes, means};
  if (!builder.add(terms, factor, {})) return {};
  return std::move(builder.result);
}

}  // namespace gwrm
