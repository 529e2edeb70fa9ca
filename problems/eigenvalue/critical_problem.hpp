// A case with `critical`: the modes where the growth of the leading one vanishes (critical.hpp), and where that is.
//
// estimate   the same search once more on finer subdomains: how far it moves.
#pragma once

#include "problems/eigenvalue/critical.hpp"
#include "problems/eigenvalue/eigenvalue_problem.hpp"

namespace gwrm {

class CriticalProblem : public Problem {
 public:
  explicit CriticalProblem(const Case& the_case);
  Summary summary() const override;
  RunOutcome run(const Context& context, const RunControl& control) override;
  std::vector<Check> check_jacobian(const Context& context) const override { return first_.check_jacobian(context); }

 private:
  Case at(double parameter, double over, int modes) const;
  CriticalPoint find(const Context& context, int refinements, const CriticalPoint& start,
                     const std::function<bool()>& interrupted) const;

  const Case case_;
  const EigenvalueProblem first_;  // where the search begins
};

}  // namespace gwrm
