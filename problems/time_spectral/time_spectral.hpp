// problem: time_spectral - PDEs and ODEs by the Generalized Weighted Residual Method: Chebyshev series in time, space
// and parameters, Newton for the coefficients, window after window, point after point of the collocated parameters.
#pragma once

#include "problems/problem.hpp"
#include "problems/time_spectral/corner_conflicts.hpp"
#include "problems/time_spectral/linear_method.hpp"
#include "problems/time_spectral/march.hpp"
#include "problems/time_spectral/parameter_points.hpp"
#include "problems/time_spectral/product_decision.hpp"
#include "weighted_residual/model/model.hpp"

namespace gwrm {

// `solver.newton` for the root solvers.
NewtonOptions newton_options(const Case& problem);

class TimeSpectral : public Problem {
 public:
  explicit TimeSpectral(const Case& problem);
  Summary summary() const override;
  RunOutcome run(const Context& context, const RunControl& control) override;
  bool can_restart() const override { return true; }
  std::vector<Check> check_jacobian(const Context& context) const override;

 private:
  LinearChoice linear_choice() const;
  // Of the first window at the first point of the parameters.
  const std::vector<CornerConflict>& conflicts() const;
  std::vector<CornerConflict> conflicts_between(const std::vector<double>& point, double start, double end) const;
  void open_device(const Context& given, const LinearChoice& choice, bool stays_dense);
  void report_device(RunReport& report);
  void march_windows(const Context& context, const RunControl& control, RunOutcome& outcome);
  double fraction_done(double t) const;
  std::string note_on(const MarchWindow& window) const;
  void take_parameter_degrees(const MarchWindow& window);
  bool raise_parameter_degrees(const ParameterTails& tails, RunOutcome& outcome);
  void report_failure(const MarchEnd& end, const std::vector<double>& parameter_point, RunOutcome& outcome) const;

  Case case_;
  Model model_;
  SystemPlan plan_;
  ProductDecision products_;
  double smallest_condition_ = 1.0;           // of the run
  mutable std::vector<double> conflicts_at_;  // the point they belong to
  mutable std::optional<std::vector<CornerConflict>> conflicts_;
  std::shared_ptr<DeviceSolver> device_;
  bool device_required_ = false;
};

}  // namespace gwrm
