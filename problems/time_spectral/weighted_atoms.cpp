#include "problems/time_spectral/weighted_atoms.hpp"

#include "expression/chain_rule.hpp"

namespace gwrm {

std::vector<WeightedAtom> weighted_atoms(expression::Pool& pool, expression::LinearExpr linear) {
  std::vector<WeightedAtom> atoms;
  for (const expression::LinearTerm& term : collect(pool, linear)) {
    const expression::Expr weight = pool.applied(expression::Function::abs, {term.coefficient});
    if (expression::is_atom(term.leaf)) {
      atoms.push_back({weight, expression::atom_of(pool, term.leaf)});
      continue;
    }
    for (const WeightedAtom& inner : weighted_atoms(pool, {term.leaf->args[0]}))
      atoms.push_back({pool.product(weight, expression::integrated(pool, inner.weight, term.leaf->name)), inner.atom});
  }
  return atoms;
}

}  // namespace gwrm
