#include "problems/time_spectral/initial_degrees.hpp"

#include <algorithm>
#include <cmath>

#include "basis/axis_basis.hpp"
#include "expression/lowering.hpp"
#include "problems/time_spectral/tails.hpp"

namespace gwrm {
namespace {

constexpr double kInitialShare = 0.5;  // of the tolerance

}  // namespace

bool has_derivative_conditions(const Model& model) {
  return std::any_of(model.conditions.begin(), model.conditions.end(), [&](const ConditionModel& condition) {
    const std::vector<expression::AtomUse> uses = expression::atom_uses(*model.pool, condition.residual);
    return std::any_of(uses.begin(), uses.end(), [&](const expression::AtomUse& use) {
      return condition.axis >= 0 && use.atom.orders[static_cast<std::size_t>(condition.axis)] > 0;
    });
  });
}

bool keeps_its_values_on_walls(const Model& model) {
  if (has_derivative_conditions(model)) return false;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
    if (model.is_modal(axis) && make_basis(model.subdomains[static_cast<std::size_t>(axis)])->is_periodic())
      return false;
  return true;
}

void shorten(const Model& model, const std::vector<State>& states, double tolerance,
             std::vector<AxisDescription>& subdomains) {
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    AxisDescription& mine = subdomains[axis];
    if (!model.is_modal(axis) || mine.n_subdomains() > 1) continue;
    // The largest of the coefficients that a shorter series has as its last ones, or has no more.
    const auto tail_at = [&](int degree) {
      double worst = 0.0;
      for (const State& state : states)
        for (std::size_t f = 0; f < state.size(); ++f)
          for (const Array& a : state[f]) {
            if (!model.fields[f].depends_on(axis)) continue;
            double size = 0.0;
            for (double value : a.data) size = std::max(size, std::abs(value));
            const double tail = subdomain_tails(a, axis, mine, mine.degree + kTailModes - degree).front();
            worst = std::max(worst, size > 0.0 ? tail / size : 0.0);
          }
      return worst;
    };
    int degree = mine.degree;
    while (degree > model.subdomains[axis].degree && tail_at(degree - 1) <= kInitialShare * tolerance) --degree;
    mine.degree = degree;
  }
}

}  // namespace gwrm
