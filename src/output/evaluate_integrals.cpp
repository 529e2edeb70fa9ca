#include "output/evaluate_integrals.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>

#include "basis/axis_basis.hpp"
#include "basis/orthogonal_basis.hpp"
#include "core/errors.hpp"
#include "expression/constant_value.hpp"
#include "expression/lowering.hpp"

namespace gwrm {

using expression::Atom;
using expression::Expr;
using expression::Op;
using expression::Pool;

namespace {

void find_integrals(Expr e, std::vector<Expr>& found, std::unordered_map<Expr, bool>& visited) {
  if (!visited.emplace(e, true).second) return;
  if (e->op == Op::integral) {
    found.push_back(e);
    return;
  }
  for (Expr argument : e->args) find_integrals(argument, found, visited);
}

// A copy of `e` in another pool, with the nodes already in `copies` replaced by what stands there.
Expr copy_into(Pool& pool, Expr e, std::unordered_map<Expr, Expr>& copies) {
  if (auto done = copies.find(e); done != copies.end()) return done->second;
  std::vector<Expr> args;
  for (Expr argument : e->args) args.push_back(copy_into(pool, argument, copies));
  Expr copy = nullptr;
  switch (e->op) {
    case Op::number:
      copy = pool.number(e->value);
      break;
    case Op::pi:
      copy = pool.pi();
      break;
    case Op::constant:
      copy = pool.constant(e->name);
      break;
    case Op::coordinate:
      copy = pool.coordinate(e->name);
      break;
    case Op::field:
      copy = pool.field(e->name);
      break;
    case Op::direction:
      copy = pool.direction(e->name);
      break;
    case Op::negate:
    case Op::laplacian:
      copy = pool.unary(e->op, args[0]);
      break;
    case Op::beside:
      copy = pool.beside(args[0], e->order);
      break;
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::power:
      copy = pool.binary(e->op, args[0], args[1]);
      break;
    case Op::call:
      copy = pool.call(e->function, args);
      break;
    case Op::derivative:
      copy = pool.derivative(args[0], e->name, e->order);
      break;
    case Op::restriction: {
      std::vector<std::pair<std::string, Expr>> points;
      for (std::size_t i = 0; i < e->names.size(); ++i) points.emplace_back(e->names[i], args[1 + i]);
      copy = pool.restriction(args[0], points);
      break;
    }
    case Op::integral:
      copy = pool.integral(args[0], e->name);
      break;
    case Op::data:
      copy = pool.data(e->name, args, e->orders);
      break;
  }
  return copies[e] = copy;
}

bool add_scaled(const Pool& pool, Expr e, double factor, std::vector<ScaledAtom>& sum) {
  if (expression::is_atom(e)) {
    sum.push_back({factor, e});
    return true;
  }
  const auto constant = [&](std::size_t i) { return expression::constant_value(pool.symbols(), e->args[i]); };
  switch (e->op) {
    case Op::negate:
      return add_scaled(pool, e->args[0], -factor, sum);
    case Op::add:
    case Op::subtract:
      return add_scaled(pool, e->args[0], factor, sum) &&
             add_scaled(pool, e->args[1], e->op == Op::add ? factor : -factor, sum);
    case Op::multiply:
      if (const auto value = constant(0)) return add_scaled(pool, e->args[1], *value * factor, sum);
      if (const auto value = constant(1)) return add_scaled(pool, e->args[0], *value * factor, sum);
      return false;
    case Op::divide:
      if (const auto value = constant(1)) return add_scaled(pool, e->args[0], factor / *value, sum);
      return false;
    default:
      return false;
  }
}

class WindowSearch {
 public:
  WindowSearch(const Solution& solution, const Pool& pool, std::size_t axis)
      : solution_(solution), pool_(pool), axis_(axis), time_(solution.windowed_axis()) {}

  void find(Expr e, bool all_times) {
    if (!visited_.emplace(e, all_times).second) return;
    if (e->op == Op::coordinate && pool_.symbols().find_axis(e->name) == static_cast<int>(axis_))
      found_.repeats = false;
    if (!expression::is_atom(e)) {
      if (e->op == Op::integral) all_times = all_times || pool_.symbols().find_axis(e->name) == time_;
      for (Expr argument : e->args) find(argument, all_times);
      return;
    }
    const Atom atom = expression::atom_of(pool_, e);
    const FieldSolution* field = solution_.find_field(pool_.symbols().fields[atom.field].name);
    if (field == nullptr || atom.restricted[axis_] ||
        std::find(field->axes.begin(), field->axes.end(), static_cast<int>(axis_)) == field->axes.end())
      return;
    if (field->windows.size() == 1 || time_ < 0)
      found_.always.insert(0);
    else if (atom.restricted[time_])
      found_.always.insert(solution_.window_of(atom.points[time_]));
    else if (!all_times)
      found_.of_points = true;
    else
      for (std::size_t w = 0; w < solution_.n_windows(); ++w) found_.always.insert(w);
  }

  const IntegrandWindows& found() const { return found_; }

 private:
  const Solution& solution_;
  const Pool& pool_;
  std::size_t axis_;
  int time_;
  IntegrandWindows found_;
  std::set<std::pair<Expr, bool>> visited_;
};

}  // namespace

Quadrature quadrature(const AxisDescription& subdomains, bool repeats) {
  if (distribution_of(subdomains)) {  // with dz over the interval, not with the density
    AxisDescription polynomials = subdomains;
    polynomials.basis = kChebyshev;
    return quadrature(polynomials, repeats);
  }
  auto basis = make_basis(subdomains);
  if (basis->is_periodic() && !repeats) {
    // Equal weights are exact for periodic integrands alone, and x*u is none. A wave has pi Chebyshev points.
    constexpr int kBesideWaves = 12;
    AxisDescription polynomials = subdomains;
    polynomials.basis = kChebyshev;
    polynomials.degree = static_cast<int>(std::ceil(std::numbers::pi * subdomains.degree)) + kBesideWaves;
    basis = make_basis(polynomials);
  }
  AxisGrid grid = basis->grid(2 * basis->n_per_subdomain() + 8);
  return {{grid.points.begin(), grid.points.end()}, std::move(grid.weights)};
}

WithoutIntegrals without_integrals(const Pool& pool, std::span<const Expr> es) {
  WithoutIntegrals result;
  std::unordered_map<Expr, bool> visited;
  for (Expr e : es) find_integrals(e, result.integrals, visited);
  if (result.integrals.empty()) {
    result.around.assign(es.begin(), es.end());
    return result;
  }
  expression::Symbols symbols = pool.symbols();
  for (std::size_t k = 0; k < result.integrals.size(); ++k) {
    expression::Field field{"integral " + std::to_string(k + 1), {}};
    for (std::size_t i = 0; i < symbols.axes.size(); ++i)
      if (result.integrals[k]->facts.axes >> i & 1u) field.dims.push_back(symbols.axes[i].name);
    symbols.fields.push_back(std::move(field));
  }
  const std::size_t n_unknowns = pool.symbols().fields.size();
  result.pool = std::make_unique<Pool>(symbols);
  std::unordered_map<Expr, Expr> copies;
  for (std::size_t i = 0; i < result.integrals.size(); ++i)
    copies[result.integrals[i]] = result.pool->field(symbols.fields[n_unknowns + i].name);
  for (Expr e : es) result.around.push_back(copy_into(*result.pool, e, copies));
  return result;
}

std::optional<std::vector<ScaledAtom>> linear_sum(const Pool& pool, Expr e) {
  std::vector<ScaledAtom> sum;
  return add_scaled(pool, e, 1.0, sum) ? std::optional(std::move(sum)) : std::nullopt;
}

std::set<std::size_t> IntegrandWindows::with(std::size_t window) const {
  std::set<std::size_t> all = always;
  if (of_points) all.insert(window);
  return all;
}

IntegrandWindows integrand_windows(const Solution& solution, const Pool& pool, Expr integrand, std::size_t axis) {
  WindowSearch search(solution, pool, axis);
  search.find(integrand, false);
  return search.found();
}

Quadrature quadrature_over(const Solution& solution, std::size_t axis, const std::set<std::size_t>& windows,
                           bool repeats) {
  AxisDescription all = solution.subdomains.front()[axis];
  all.edges = {solution.axes[axis].lower, solution.axes[axis].upper};
  if (!windows.empty()) all.degree = 0;
  const AxisDescription* previous = nullptr;
  for (std::size_t w : windows) {
    const AxisDescription& subdomains = solution.subdomains[w][axis];
    if (previous != nullptr && *previous == subdomains) continue;
    previous = &subdomains;
    all.edges.insert(all.edges.end(), subdomains.edges.begin(), subdomains.edges.end());
    all.degree = std::max(all.degree, subdomains.degree);
  }
  std::sort(all.edges.begin(), all.edges.end());
  all.edges.erase(std::unique(all.edges.begin(), all.edges.end()), all.edges.end());
  return quadrature(all, repeats);
}

}  // namespace gwrm
