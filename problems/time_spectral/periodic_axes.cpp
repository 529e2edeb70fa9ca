#include "problems/time_spectral/periodic_axes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gwrm {
namespace {

using expression::Atom;
using expression::Op;

// u^(m)(x=lower) - u^(m)(x=upper), in either order, the derivative along x alone.
bool is_periodic(const Model& model, const ConditionModel& condition) {
  const expression::Expr e = condition.residual;
  if (e->op != Op::subtract || !expression::is_atom(e->args[0]) || !expression::is_atom(e->args[1])) return false;
  const Atom a = expression::atom_of(*model.pool, e->args[0]), b = expression::atom_of(*model.pool, e->args[1]);
  const auto axis = static_cast<std::size_t>(condition.axis);
  const Axis& along = model.axes[axis];
  const auto is_at_ends = [&](const Atom& first, const Atom& second) {
    return first.restricted[axis] && second.restricted[axis] && first.points[axis] == along.lower &&
           second.points[axis] == along.upper;
  };
  if (a.field != b.field || a.orders != b.orders || !(is_at_ends(a, b) || is_at_ends(b, a))) return false;
  for (std::size_t i = 0; i < model.axes.size(); ++i)
    if (i != axis && (a.orders[i] > 0 || a.restricted[i] || b.restricted[i])) return false;
  return true;
}

// One for each derivative of each unknown: the conditions are as many as the equations take.
bool are_all_orders(const Model& model, const std::vector<std::size_t>& along, int axis) {
  std::vector<std::vector<int>> orders(model.fields.size());
  for (std::size_t c : along)
    for (const expression::FieldOrders& entry : model.conditions[c].fields)
      orders[static_cast<std::size_t>(entry.field)].push_back(entry.orders[static_cast<std::size_t>(axis)]);
  for (std::vector<int>& of_field : orders) {
    std::sort(of_field.begin(), of_field.end());
    for (std::size_t i = 0; i < of_field.size(); ++i)
      if (of_field[i] != static_cast<int>(i)) return false;
  }
  return true;
}

bool holds_with(const Case& changed) {
  try {
    build_model(changed);
    return true;
  } catch (const CaseError&) {  // data that are not periodic, subdomains within an equation
    return false;
  }
}

}  // namespace

std::vector<std::pair<std::string, std::string>> fourier_advice(const Case& the_case, const Model& model) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (std::size_t i = 0; i < model.axes.size(); ++i) {
    const Axis& axis = model.axes[i];
    if (axis.kind != AxisKind::space || axis.map != MapKind::linear || model.subdomains[i].basis != kChebyshev)
      continue;
    std::vector<std::size_t> along;
    for (std::size_t c = 0; c < model.conditions.size(); ++c)
      if (model.conditions[c].axis == static_cast<int>(i) && !model.conditions[c].inner_edge) along.push_back(c);
    if (along.empty() || !are_all_orders(model, along, static_cast<int>(i)) ||
        !std::all_of(along.begin(), along.end(),
                     [&](std::size_t c) { return is_periodic(model, model.conditions[c]); }))
      continue;

    Case changed = the_case;
    changed.domain[i].basis = kFourier;
    changed.domain[i].edges = {axis.lower, axis.upper};
    changed.boundary.clear();
    std::vector<std::string> left_out;
    for (std::size_t c = 0; c < the_case.boundary.size(); ++c)  // without those that the program has added
      if (std::find(along.begin(), along.end(), c) == along.end())
        changed.boundary.push_back(the_case.boundary[c]);
      else
        left_out.push_back("\"" + the_case.boundary[c].text + "\"");
    if (!holds_with(changed)) continue;

    std::string text = fmt::format(
        "all unknowns are periodic along {0}, where a Fourier series is faster. In `domain` write\n"
        "  {0}: {{range: [{1}, {2}], basis: fourier}}\nand leave out of `boundary`: {3}",
        axis.name, axis.lower, axis.upper, fmt::join(left_out, ", "));
    if (model.subdomains[i].n_subdomains() > 1) text += fmt::format(", and {} out of `resolution.domains`", axis.name);
    if (the_case.domain[i].degree >= 0) {
      const auto n = static_cast<double>(model.subdomains[i].n_coefficients());
      text += fmt::format("; degree {}: {} resolves as much", axis.name, std::lround(std::ceil(n / std::numbers::pi)));
    }
    lines.emplace_back("periodic " + axis.name, text);
  }
  return lines;
}

}  // namespace gwrm
