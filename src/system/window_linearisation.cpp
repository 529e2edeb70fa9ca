// The linearised rows of a window without their matrix.
#include "system/tensor_helpers.hpp"
#include "system/window_system.hpp"

namespace gwrm {

Linearisation WindowSystem::linearise(std::span<const double> x) const {
  const std::vector<Array> values = values_.evaluate(context_, layouts_, x, &state_);
  return {plan_.jacobian_tape.evaluate(leaf_values(jacobian_leaves_, values), discretisation_.weights())};
}

// sum of coefficient * direction over the terms, at the points.
Array WindowSystem::linear_form(const Linearisation& at_x, const std::vector<RowTerm>& terms,
                                const std::vector<Array>& directions, const std::vector<Array>& integrals) const {
  const Array one(Shape(model_.axes.size(), 1), 1.0);
  const auto coefficient = [&](const RowTerm& term) -> const Array& {
    return term.coefficient < 0 ? one : at_x.coefficients[at(term.coefficient)];
  };
  const auto direction = [&](const RowTerm& term) -> const Array& {
    return term.integral < 0 ? directions[at(term.direction)] : integrals[at(term.integral)];
  };
  Shape extents(model_.axes.size(), 1);
  for (const RowTerm& term : terms)
    for (std::size_t axis = 0; axis < extents.size(); ++axis)
      extents[axis] = std::max({extents[axis], coefficient(term).shape[axis], direction(term).shape[axis]});
  Array sum(extents);
  for (const RowTerm& term : terms) add_product(sum, coefficient(term), direction(term));
  return sum;
}

void WindowSystem::apply_jacobian(const Linearisation& at_x, std::span<const double> v,
                                  std::span<double> result) const {
  const std::vector<Array> directions = directions_.evaluate(context_, layouts_, v, nullptr);
  std::vector<Array> integrals;  // an inner integral comes before the one that holds it
  for (std::size_t i = 0; i < plan_.integrals.size(); ++i) {
    const std::size_t axis = at(plan_.integrals[i].axis);
    integrals.push_back(weighted_sum(linear_form(at_x, integral_terms_[i], directions, integrals), axis,
                                     discretisation_.weights()[axis]));
  }
  for (const RowBlock& row : rows_) {
    project(row, linear_form(at_x, row.terms, directions, integrals), result);
    for (const BandedRowTerm& banded : row.banded)
      add_banded(row, banded, at_x.coefficients[at(banded.term.coefficient)], directions[at(banded.term.direction)],
                 result);
  }
}

}  // namespace gwrm
