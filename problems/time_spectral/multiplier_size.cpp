#include "problems/time_spectral/multiplier_size.hpp"

#include <cmath>
#include <optional>

#include "core/array.hpp"
#include "expression/constant_value.hpp"
#include "expression/frechet.hpp"

namespace gwrm {
namespace {

// Of one equation; nothing if it does not hold both.
std::optional<SizeOfMultiplier> size_in(const Model& model, const EquationModel& equation, int multiplier) {
  const int time = model.time_axis();
  double change = 0.0, gradient = 0.0;
  SizeOfMultiplier size{multiplier};
  for (const expression::LinearTerm& term :
       expression::collect(*model.pool, expression::frechet(*model.pool, equation.residual))) {
    if (!expression::is_atom(term.leaf)) continue;
    const std::optional<double> factor = expression::constant_value(model.pool->symbols(), term.coefficient);
    if (!factor || !std::isfinite(*factor)) continue;
    const expression::Atom atom = expression::atom_of(*model.pool, term.leaf);
    double own = std::abs(*factor);
    int order = 0;
    for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
      if (axis == time) continue;
      order += atom.orders[at(axis)];
      own /= std::pow(model.axes[at(axis)].upper - model.axes[at(axis)].lower, atom.orders[at(axis)]);
    }
    if (atom.field == multiplier && order > 0) gradient = std::max(gradient, own);
    if (atom.field != multiplier && atom.orders[at(time)] > 0 && order == 0) {
      change = std::max(change, own);
      size.time_order = std::max(size.time_order, atom.orders[at(time)]);
    }
  }
  if (gradient == 0.0 || change == 0.0) return {};
  size.factor = change / gradient;
  return size;
}

}  // namespace

std::vector<SizeOfMultiplier> sizes_of_multipliers(const Model& model) {
  std::vector<SizeOfMultiplier> sizes;
  if (model.time_axis() < 0) return sizes;
  for (const Multiplier& multiplier : model.multipliers) {
    SizeOfMultiplier largest;
    for (const EquationModel& equation : model.equations)
      if (const auto size = size_in(model, equation, multiplier.field); size && size->factor > largest.factor)
        largest = *size;
    if (largest.factor > 0.0) sizes.push_back(largest);
  }
  return sizes;
}

}  // namespace gwrm
