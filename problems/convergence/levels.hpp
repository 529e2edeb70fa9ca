// The runs of a convergence study: one case for each set of values of the section `convergence`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "case/case.hpp"
#include "case/case_reader.hpp"
#include "problems/module.hpp"

namespace gwrm {

struct StudyRun {
  Case the_case;
  std::vector<std::string> values;  // of the varied keys
  double size = 0.0;                // what rates are told in
};

struct StudyPlan {
  std::vector<StudyRun> runs;  // coarse to fine, as listed
  std::vector<std::string> keys;
  std::string size_name;  // a varied key, or "run" where none has monotonic positive numbers
  VariedSize varied_size = VariedSize::other;
};

// Reads the case again with more keys changed.
using ReadAgain = std::function<Case(const std::vector<Override>& changes)>;

// CaseError if nothing is varied, fewer than two runs are listed, or a value does not fit its key.
StudyPlan plan_study(const ProblemModules& modules, const Case& base, const ReadAgain& read);

// The error that is followed: `measure` of the case, with `auto` decided. CaseError where the case cannot have it.
std::string measure_of(const ProblemModules& modules, const Case& base);

}  // namespace gwrm
