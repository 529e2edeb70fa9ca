// A case of `problem: ball`: what it is, and its run.
#pragma once

#include "problems/ball/ball_march.hpp"
#include "problems/problem.hpp"

namespace gwrm {

class BallProblem : public Problem {
 public:
  explicit BallProblem(const Case& the_case);
  Summary summary() const override;
  RunOutcome run(const Context& context, const RunControl& control) override;
  bool can_restart() const override { return true; }

 private:
  void fill(const ball::BallSolution& solution, RunOutcome& outcome) const;

  Case case_;
  ball::BallModel model_;
  ball::BallSpace space_;
};

}  // namespace gwrm
