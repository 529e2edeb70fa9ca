// gwrm converge: all runs of a plan, side by side on the cores, their errors, and the law these follow.
#pragma once

#include "core/context.hpp"
#include "output/convergence_study.hpp"
#include "problems/convergence/levels.hpp"
#include "problems/module.hpp"

namespace gwrm {

// `progress` and `interrupted` of the control are used, no journal. A run that fails is a level without error; its
// status says why. n_threads = 0: all cores. On a device the runs follow one another; under `auto` those that it does
// not pay for take the CPU. CaseError, before anything is computed, for a case that does not fit together.
ConvergenceStudy run_study(const ProblemModules& modules, const Case& base, const StudyPlan& plan,
                           BackendChoice backend, int n_threads, const RunControl& control);

// 0; that of the first run that gave no answer; or 6 where a rate asked for was missed.
ExitStatus status_of(const ConvergenceStudy& study);

}  // namespace gwrm
