// A case with `eigenvalue` and a dimension that is a parameter: eigenvalues and modes as curves over it
// (eigenvalue_curves.hpp).
//
// estimate   of each mode the larger of two distances: at the nodes to the same mode on finer subdomains, between them
//            of the curve to the mode that is there. With resolution.tolerance the degree of what is larger is raised.
#pragma once

#include "problems/eigenvalue/eigenvalue_curves.hpp"
#include "problems/eigenvalue/eigenvalue_problem.hpp"

namespace gwrm {

class CurveProblem : public Problem {
 public:
  explicit CurveProblem(const Case& the_case);
  Summary summary() const override { return summary_; }
  RunOutcome run(const Context& context, const RunControl& control) override;
  std::vector<Check> check_jacobian(const Context& context) const override { return first_.check_jacobian(context); }

 private:
  Summary describe() const;
  void deliver(const Curves& curves, const AxisDescription& along, RunOutcome& outcome) const;

  const Case case_;
  const EigenvalueProblem first_;  // at the lower end
  AxisDescription along_;          // as the case has it
  const Summary summary_;
};

}  // namespace gwrm
