// Whether exact fields, as expressions of t, r, theta, phi, are what fields of a case can be: without divergence, and
// as their boundary has it at the walls.
#pragma once

#include <vector>

#include "problems/ball/ball_case.hpp"
#include "problems/ball/ball_expressions.hpp"
#include "problems/ball/spherical_calculus.hpp"

namespace gwrm::ball {

// One field: its component, or those along r, theta, phi.
struct ExactField {
  std::vector<expression::Expr> components;
  SourceText where;  // what errors show
};

// CaseError with the amount by which it misses. On circles and at some times of the run.
void check_exact_field(const Case& the_case, const SphericalCalculus& calculus, expression::Pool& pool,
                       const BallField& field, const ExactField& exact);

}  // namespace gwrm::ball
