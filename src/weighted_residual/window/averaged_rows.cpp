#include "weighted_residual/window/averaged_rows.hpp"

#include <algorithm>

#include "expression/holds_integral.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"

namespace gwrm {
namespace {

bool holds_several_times(const SystemPlan& plan, const std::vector<DirectionTerm>& terms, int time) {
  return std::any_of(terms.begin(), terms.end(), [&](const DirectionTerm& term) {
    if (term.integral < 0) return static_cast<bool>(term.atom.restricted[time]);
    const IntegralPlan& integral = plan.integrals[term.integral];
    return integral.axis == time || holds_several_times(plan, integral.terms, time);
  });
}

}  // namespace

std::string averaging_unsupported_reason(const Model& model, const SystemPlan& plan) {
  const int time = model.time_axis();
  if (time < 0) return {};
  if (model.weighting == Weighting::chebyshev) return "time.weighting: chebyshev couples all coefficients in time";
  for (const FieldModel& field : model.fields)
    if (!field.depends_on(time)) return "the unknown " + field.name + " does not depend on t";
  for (const RowPlan& row : plan.rows)
    if (holds_several_times(plan, row.terms, time)) return "a restriction or integral in t couples all times";
  return {};
}

bool integrates_over(const Model& model, int axis) {
  const auto holds = [&](const auto& statement) {
    return expression::holds_integral(statement.residual, model.axes[at(axis)].name);
  };
  return std::any_of(model.equations.begin(), model.equations.end(), holds) ||
         std::any_of(model.conditions.begin(), model.conditions.end(), holds);
}

SpatialLayout::SpatialLayout(const WindowSystem& system) {
  if (const TimeBasis* time = system.discretisation().time()) n_times = time->n_unknowns();
  for (const FieldLayout& layout : system.layouts()) {
    fields.push_back(size);
    size += element_count(layout.extents) / n_times;
  }
  fields.push_back(size);
  Index offset = 0;
  for (const RowBlock& row : system.rows()) {
    rows.push_back(offset);
    if (row.kind != RowBlock::Kind::mean) offset += element_count(row.extents) / n_times;
  }
  rows.push_back(offset);
}

Matrix SpatialLayout::gather(std::span<const double> v, const std::vector<Index>& offsets) const {
  Matrix values(n_times, size);
  const double* source = v.data();
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    const Index width = offsets[b + 1] - offsets[b];
    for (Index i = 0; i < n_times; ++i, source += width) std::copy(source, source + width, &values(i, offsets[b]));
  }
  return values;
}

void SpatialLayout::scatter(const Matrix& values, const std::vector<Index>& offsets, std::span<double> v) const {
  double* target = v.data();
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    const Index width = offsets[b + 1] - offsets[b];
    for (Index i = 0; i < n_times; ++i, target += width) {
      const double* source = &values(i, offsets[b]);
      std::copy(source, source + width, target);
    }
  }
}

std::vector<Array> time_averages(const WindowSystem& system, const Linearisation& at_x) {
  const int time = system.model().time_axis();
  if (time < 0) return at_x.coefficients;
  const Vector weights = system.discretisation().time()->weights() / system.discretisation().time()->weights().sum();
  std::vector<Array> averages;
  for (const Array& coefficient : at_x.coefficients)
    averages.push_back(coefficient.shape[time] == 1 ? coefficient : weighted_sum(coefficient, at(time), weights));
  return averages;
}

int highest_power(const WindowSystem& system) {
  int power = 0;
  const auto look = [&](const std::vector<RowTerm>& terms) {
    for (const RowTerm& term : terms) power = std::max(power, term.power);
  };
  for (const RowBlock& row : system.rows()) {
    look(row.terms);
    for (const BandedRowTerm& banded : row.banded) power = std::max(power, banded.term.power);
  }
  for (const std::vector<RowTerm>& terms : system.integral_terms()) look(terms);
  return power;
}

}  // namespace gwrm
