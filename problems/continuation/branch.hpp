// A case with `continue`: the branch of steady solutions over one of the constants, which becomes an unknown (so that
// every expression is differentiated in it exactly). solver/continuation.hpp follows it, branch_solution.hpp makes one
// Solution of it, branch_verification.hpp judges it.
#pragma once

#include <memory>

#include "problems/problem.hpp"
#include "problems/time_spectral/missing_resolution.hpp"
#include "problems/time_spectral/time_spectral.hpp"
#include "solver/continuation.hpp"
#include "weighted_residual/model/model.hpp"
#include "weighted_residual/model/system_plan.hpp"
#include "weighted_residual/window/window_system.hpp"

namespace gwrm {

class Branch : public Problem {
 public:
  explicit Branch(const Case& the_case);
  Summary summary() const override { return summary_; }
  RunOutcome run(const Context& context, const RunControl& control) override;
  std::vector<Check> check_jacobian(const Context& context) const override { return first_.check_jacobian(context); }

 private:
  Summary describe() const;
  std::vector<Check> check_branch_data(std::vector<std::string>& undecided) const;
  std::vector<double> first_guess(const Context& context) const;
  std::string tried(const Context& context, const RunControl& control, double seconds) const;
  BranchEquations equations(WindowSystem& system) const;
  BranchSettings settings() const;
  double fraction_done(double parameter, std::size_t n_points) const;
  void describe_end(const BranchEnd& end, std::size_t n_points, RunOutcome& outcome) const;
  void note_folds(const std::vector<BranchPoint>& points, RunOutcome& outcome) const;

  const Case case_;
  const TimeSpectral first_;  // the steady problem at `from`: it finds what does not fit together in the case
  const Model model_;         // with the parameter as the last unknown
  const SystemPlan plan_;
  const Summary summary_;
  MissingResolution missing_;  // of a run that fails
};

std::unique_ptr<Problem> make_branch(const Case& the_case);

}  // namespace gwrm
