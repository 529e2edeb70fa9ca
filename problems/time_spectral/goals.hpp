// The goals of a case, `goals: {drag: "integral(dx(u)(x=0), t)"}`: numbers made of the whole solution, each with its
// own estimated error |G(V) - G(U)|, U the polynomials of the run and V the finer ones of the error estimate
// (error_estimate.hpp). e = V - U inserted into G is what an adjoint solution would give to first order, and more where
// G is not linear.
//
// The error is judged relative to |G(U)|; to the terms of G (residual_magnitude.hpp) where their sum is zero to the
// tolerance: the integral of an odd function. Collocated parameters: as for the error of sampled fields
// (error_sampler.hpp).
#pragma once

#include <optional>
#include <vector>

#include "case/case.hpp"
#include "output/report.hpp"
#include "output/solution.hpp"
#include "weighted_residual/model/model.hpp"

namespace gwrm {

// CaseError unless each is a number.
void check_goals(const Case& the_case, const Model& model);

// Values and errors of all goals of the case. finer: empty without an estimate, errors are then NaN; a solution that
// ends before the run's says nothing: infinite.
std::vector<Goal> evaluate_goals(const Case& the_case, const Model& model, const Solution& run,
                                 const std::optional<Solution>& finer);

// Files them: a judged check per goal whose error is estimated; only reported behind a loss of accuracy of which the
// case wants no verdict.
void add_goals(const Case& the_case, std::vector<Goal> goals, Verification& verification);

}  // namespace gwrm
