// gwrm converge: all runs of a plan, side by side on the cores and devices of all ranks, their errors, and the law
// these follow.
#pragma once

#include "core/team.hpp"
#include "output/convergence_study.hpp"
#include "problems/convergence/levels.hpp"
#include "problems/module.hpp"
#include "problems/task_farm/farm_places.hpp"

namespace gwrm {

// `progress` and `interrupted` of the control are used, no journal. A run that fails is a level without error; its
// status says why. Under `auto` runs that a device does not pay for take the CPU. CaseError, before anything is
// computed, for a case that does not fit together. By rank 0; the others call help_study (study_runs.hpp).
ConvergenceStudy run_study(Team& team, const ProblemModules& modules, const Case& base, const StudyPlan& plan,
                           const FarmWishes& wishes, const RunControl& control);

// 0; that of the first run that gave no answer; or 6 where a rate asked for was missed.
ExitStatus status_of(const ConvergenceStudy& study);

}  // namespace gwrm
