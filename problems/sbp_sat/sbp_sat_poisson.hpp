// problem: sbp_sat_poisson - Poisson's equation -div(C grad u) = f in two dimensions by summation-by-parts finite
// differences of order 2, 4 or 6 with weak (SAT) boundary conditions (docs/sbp-sat.md).
#pragma once

#include "problems/problem.hpp"
#include "problems/sbp_sat/poisson_model.hpp"
#include "problems/sbp_sat/poisson_solver.hpp"

namespace gwrm {

class SbpSatPoisson : public Problem {
 public:
  explicit SbpSatPoisson(const Case& the_case);
  Summary summary() const override;
  RunOutcome run(const Context& context, const RunControl& control) override;
  std::string no_linear_system() const override { return {}; }
  LinearSystem linear_system(const Context& context) const override;

 private:
  // "not enough memory: .."; empty if the run fits into what the case allows or the machine has.
  std::string memory_excess() const;
  double memory_limit() const;
  double free_memory() const;
  void advise_intervals(Verification& verification) const;
  std::string cure_of(const Context& context, const RunControl& control, const Verification& verification,
                      double seconds) const;
  // `judge_system`: the residual of the linear system and the bound by it, where no estimate of the error is judged.
  Verification verify(const sbp::PoissonAnswer& answer, bool judge_system) const;
  void sample(const std::vector<double>& u, RunOutcome& outcome) const;

  Case case_;
  sbp::PoissonModel model_;
  sbp::SolverChoice choice_;
  std::string excess_;  // not empty: model_ may be an outline
};

}  // namespace gwrm
