// The runs of a convergence study: one case for each set of values of the section `convergence`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "case/case.hpp"
#include "case/case_reader.hpp"

namespace gwrm {

struct StudyRun {
  Case problem;
  std::vector<std::string> values;  // of the varied keys
  double size = 0.0;                // what rates are told in
};

struct StudyPlan {
  std::vector<StudyRun> runs;  // coarse to fine, as listed
  std::vector<std::string> keys;
  std::string size_name;        // a varied key, or "run" where none has monotonic positive numbers
  bool refines_degree = false;  // size is a polynomial degree
  bool is_tolerance = false;    // size is the accuracy asked for
};

// Reads the case again with more keys changed.
using ReadAgain = std::function<Case(const std::vector<Override>& changes)>;

// CaseError if nothing is varied, fewer than two runs are listed, or a value does not fit its key.
StudyPlan plan_study(const Case& base, const ReadAgain& read);

// The error that is followed: `measure` of the case, with `automatic` decided.
ConvergenceMeasure measure_of(const Case& base);

}  // namespace gwrm
