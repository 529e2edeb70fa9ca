#include "expression/atoms.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "core/errors.hpp"

namespace gwrm::expression {
namespace {

std::size_t axis_index(const Symbols& symbols, const std::string& name) {
  return static_cast<std::size_t>(symbols.find_axis(name));  // the pool's nodes hold known names only
}

void gather_atoms(Expr e, std::unordered_set<Expr>& seen, std::vector<Expr>& atoms) {
  if (!seen.insert(e).second) return;
  if (is_atom(e)) {
    atoms.push_back(e);
    return;
  }
  for (Expr arg : e->args) gather_atoms(arg, seen, atoms);
}

}  // namespace

bool is_atom(Expr e) {
  if (e->op == Op::restriction) {
    if (!std::all_of(e->args.begin() + 1, e->args.end(), [](Expr point) { return point->op == Op::number; }))
      return false;
    e = e->args[0];
  }
  while (e->op == Op::derivative) e = e->args[0];
  return e->op == Op::field || e->op == Op::direction;
}

Atom atom_of(const Pool& pool, Expr e) {
  if (!is_atom(e)) throw Error(ExitStatus::internal_error, "atom_of: the expression is not an atom");
  const Symbols& symbols = pool.symbols();
  Atom atom;
  atom.orders.assign(symbols.axes.size(), 0);
  atom.restricted.assign(symbols.axes.size(), false);
  atom.points.assign(symbols.axes.size(), 0.0);
  if (e->op == Op::restriction) {
    for (std::size_t i = 0; i < e->names.size(); ++i) {
      const std::size_t axis = axis_index(symbols, e->names[i]);
      atom.restricted[axis] = true;
      atom.points[axis] = e->args[i + 1]->value;
    }
    e = e->args[0];
  }
  for (; e->op == Op::derivative; e = e->args[0]) atom.orders[axis_index(symbols, e->name)] += e->order;
  atom.direction = e->op == Op::direction;
  atom.field = symbols.find_field(e->name);
  return atom;
}

Expr make_atom(Pool& pool, const Atom& atom) {
  const Symbols& symbols = pool.symbols();
  const std::string& name = symbols.fields[static_cast<std::size_t>(atom.field)].name;
  Expr e = atom.direction ? pool.direction(name) : pool.field(name);
  std::vector<std::pair<std::string, Expr>> points;
  for (std::size_t i = 0; i < symbols.axes.size(); ++i) {
    const std::string& axis = symbols.axes[i].name;
    if (atom.orders[i] > 0) e = pool.derivative(e, axis, atom.orders[i]);
    if (atom.restricted[i]) points.emplace_back(axis, pool.number(atom.points[i]));
  }
  return points.empty() ? e : pool.restriction(e, std::move(points));
}

std::vector<Expr> atoms_in(Expr e) {
  std::unordered_set<Expr> seen;
  std::vector<Expr> atoms;
  gather_atoms(e, seen, atoms);
  return atoms;
}

std::vector<AtomUse> atom_uses(const Pool& pool, Expr e) {
  std::vector<AtomUse> uses;
  std::set<std::pair<Expr, std::uint32_t>> seen;
  std::vector<std::pair<Expr, std::uint32_t>> open{{e, 0u}};
  while (!open.empty()) {
    auto [node, integrated] = open.back();
    open.pop_back();
    if (!seen.emplace(node, integrated).second) continue;
    if (is_atom(node)) {
      uses.push_back({atom_of(pool, node), integrated});
      continue;
    }
    if (node->op == Op::integral) integrated |= std::uint32_t{1} << axis_index(pool.symbols(), node->name);
    for (Expr arg : node->args)
      if (arg->facts.degree > 0 || arg->facts.direction_degree > 0) open.emplace_back(arg, integrated);
  }
  return uses;
}

std::vector<FieldOrders> field_orders(const Pool& pool, Expr e) {
  std::map<int, std::vector<int>> highest;
  for (Expr leaf : atoms_in(e)) {
    Atom atom = atom_of(pool, leaf);
    const auto [known, is_new] = highest.try_emplace(atom.field, std::move(atom.orders));
    if (is_new) continue;
    for (std::size_t axis = 0; axis < known->second.size(); ++axis)
      known->second[axis] = std::max(known->second[axis], atom.orders[axis]);
  }
  std::vector<FieldOrders> fields;
  for (auto& [field, orders] : highest) fields.push_back({field, std::move(orders)});
  return fields;
}

int derivative_order(const std::vector<FieldOrders>& fields, int field, int axis) {
  const auto found = std::lower_bound(fields.begin(), fields.end(), field,
                                      [](const FieldOrders& entry, int wanted) { return entry.field < wanted; });
  return found == fields.end() || found->field != field ? -1 : found->orders[static_cast<std::size_t>(axis)];
}

}  // namespace gwrm::expression
