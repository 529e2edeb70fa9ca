// Where an answer can be evaluated: in its domain, at the times whose windows were kept.
#pragma once

#include <string>

#include "case/case.hpp"
#include "output/solution.hpp"

namespace gwrm {

// What names mean in the answer to a case. OutputError if the answer does not belong to the case.
expression::Symbols symbols_of_answer(const Case& the_case, const Solution& solution);

// The interval of an axis on which there is an answer; round-off at its ends is let pass and cut off.
struct StoredRange {
  double lower = 0.0, upper = 0.0;
  bool holds(double z) const;
  double clamped(double z) const;
};
StoredRange stored_range(const Axis& axis, const Solution& solution);

// "t = 3 lies outside [0, 2]", and what to do about it.
std::string outside_text(const Axis& axis, const StoredRange& range, double z);

// CaseError if the lowered expression looks at times outside the windows of the answer: u(t=0), integral(u, t).
void check_times(const SourceText& source, const expression::Pool& pool, expression::Expr e, const Solution& solution);

}  // namespace gwrm
