// Initial data that contradict the boundary data where they meet, at t = t0.
//
// Order 0: a condition does not hold for the initial values. Order 1: it holds, but its time derivative does not, with
// the highest dt(u) from the equations (u0 = x(1-x) under u_t = nu u_xx, u = 0: u_t = -2 nu at the ends). Either makes
// the solution singular at the corner, and the convergence in t algebraic unless the first windows are small
// (docs/numerics.md 6).
//
// felt      What a contradiction does to the answer is no larger than itself: the wrong part of the solution has its
// size
//           at the corner. So of an answer that is judged by a tolerance only those above a tenth of it are felt; those
//           below neither make a warning nor small windows. (An equation that amplifies it shows in the estimated
//           error.)
#pragma once

#include <string>
#include <vector>

#include "weighted_residual/window/discretisation.hpp"

namespace gwrm {

struct IncompatibleData {
  int condition = 0;  // index into Model::conditions
  int order = 0;
  double size = 0.0;  // largest violation; order 1: times the length of the first window
};

// Conflicts above 1e-8 (order 0) or 1e-6 (order 1) of the data's size, found on the expressions themselves: the
// unknowns are replaced by their Taylor polynomials in t - t0, so no truncation of the data blurs the answer. Order 1
// is judged where every equation gives its unknown's highest time derivative linearly (c dt(u) = F); fields without dt
// hide a condition from the check, unless their equation gives them linearly (c q = F). tolerance: behind a
// contradiction of order 0 that is felt there is none of order 1.
std::vector<IncompatibleData> incompatible_data(const Model& model, const Discretisation& first_window,
                                                double tolerance);

// The same at one point of the parameters, for a first window that would end there.
std::vector<IncompatibleData> incompatible_between(const Model& model, const std::vector<double>& point, double start,
                                                   double end, double tolerance);

bool is_felt(double size, double tolerance);
std::vector<IncompatibleData> felt(const std::vector<IncompatibleData>& conflicts, double tolerance);

// That of the verdict, or of the resolution where an automatic run has a smaller one.
double tolerance_of_answer(const Case& the_case);

// Of each unknown at t0, not lowered: its initial values, or those that an equation c q + rest = 0 gives it; null
// without either.
std::vector<expression::Expr> initial_values(const Model& model);

// What is left of a condition at t0 with the initial values in place of the unknowns; null if one has none.
expression::Expr of_initial_values(const Model& model, expression::Expr residual);

// As a warning; `automatic`: the program chooses the windows itself.
std::string describe(const Model& model, const IncompatibleData& conflict, bool automatic);

// The fact alone, without the cure, of a conflict found over the whole time.
std::string describe_incompatible(const Model& model, const IncompatibleData& conflict);

}  // namespace gwrm
