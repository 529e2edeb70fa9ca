// From the errors of a study to its law in numbers and words, and to the verdict on what was asked for.
#pragma once

#include "output/convergence_study.hpp"
#include "problems/convergence/levels.hpp"
#include "problems/problem.hpp"

namespace gwrm {

// Fills orders, rates, fits, floor, statement and reason from sizes and errors. `finest`: what its problem says of
// itself.
void find_law(ConvergenceStudy& study, const Case& base, const StudyPlan& plan, const Summary& finest);

// Fills `passed` and `verdict` from the fits: each rate asked for is held against its fit, whatever the law.
void judge(ConvergenceStudy& study);

}  // namespace gwrm
