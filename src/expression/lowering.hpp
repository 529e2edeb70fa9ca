// Lowering: an expression in which derivatives and restrictions act on fields only.
//
// Products, quotients, functions under a derivative are expanded by the product and chain rules (so that nothing is
// differentiated numerically but the unknowns' polynomials), lap() becomes a sum, restrictions are pushed to the
// leaves, where coordinates become numbers; derivatives and restrictions pass under an integral over another
// dimension, d/dx of an integral over x is 0, and constants and pi become numbers. What remains:
//   number, coordinate, data (whose arguments are coordinates and numbers), atom, arithmetic, call, integral.
#pragma once

#include <vector>

#include "expression/expression.hpp"

namespace gwrm::expression {

// A field (or direction) under derivatives, then restricted: the leaves of a lowered expression that hold an unknown.
// As a tree it is restriction(derivative(derivative(field, axis 0), axis 1 ...)), derivatives in order of the axes.
struct Atom {
  int field = -1;                // index in symbols.fields
  bool direction = false;        // delta(u) instead of u
  std::vector<int> orders;       // derivative order per axis
  std::vector<bool> restricted;  // per axis
  std::vector<double> points;    // per axis, where restricted
};

// An integral of something that does not vary along its dimension becomes a product with the dimension's length. Each
// (node, dimension) is differentiated once, so that the cost is linear in the size of the result; a result beyond the
// limits of the pool is a CaseError.
Expr lower(Pool& pool, Expr e);

// The same, but what stands outside derivatives, restrictions and integrals keeps its order and is rounded as the text
// says, from left to right: for results whose last digits depend on it. lower() moves numbers to the front of products.
Expr lower_as_written(Pool& pool, Expr e);

bool is_atom(Expr e);  // by its structure; in a lowered expression every derivative and restriction belongs to an atom
Atom atom_of(const Pool& pool, Expr e);  // e must be an atom
std::vector<Expr> atoms_in(Expr e);      // distinct, in order of first appearance, those under integrals too

// An atom, and the axes over which what holds it is integrated (bits as in Facts::axes).
struct AtomUse {
  Atom atom;
  std::uint32_t integrated = 0;
};
// Every atom of a lowered expression, once for each such set of axes.
std::vector<AtomUse> atom_uses(const Pool& pool, Expr e);

// A field of a lowered expression, and its highest derivative along each axis.
struct FieldOrders {
  int field = -1;
  std::vector<int> orders;
};
std::vector<FieldOrders> field_orders(const Pool& pool, Expr e);  // ascending by field
// That of one field along one axis; -1: the field is not among them.
int derivative_order(const std::vector<FieldOrders>& fields, int field, int axis);

// The terms of a lowered sum in order of first appearance: a + b - c*d gives {a, b, -(c*d)}; equal terms are merged
// (a + b + a gives {2*a, b}); {0} if nothing is left. Used to judge residuals by their largest term.
std::vector<Expr> additive_terms(Pool& pool, Expr e);

}  // namespace gwrm::expression
