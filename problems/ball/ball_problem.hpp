// A case of `problem: ball`: what it is, and its run.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "problems/ball/ball_journal.hpp"
#include "problems/ball/ball_march.hpp"
#include "problems/ball/degree_choice.hpp"
#include "problems/ball/device/device_windows.hpp"
#include "problems/problem.hpp"

namespace gwrm {

class BallProblem : public Problem {
 public:
  explicit BallProblem(const Case& the_case);
  Summary summary() const override;
  RunOutcome run(const Context& context, const RunControl& control) override;
  bool can_restart() const override { return true; }

 private:
  // A run in a space; degrees for another one where the answer wants them.
  std::optional<ball::Degrees> attempt(const ball::BallSpace& space, ball::BallJournal& journal,
                                       ball::DegreeSearch& search, const RunControl& control,
                                       ball::WindowDevice* device, RunOutcome& outcome) const;
  // Why the CPU solves the windows; empty if a device does.
  std::string device_refusal() const;
  std::unique_ptr<ball::WindowDevice> open_device(const Context& given) const;
  void fill(const ball::BallSpace& space, const ball::BallSolution& solution, RunOutcome& outcome) const;

  Case case_;
  ball::BallModel model_;
  ball::BallSpace space_;
};

}  // namespace gwrm
