// problem: time_spectral - PDEs and ODEs by the Generalized Weighted Residual Method: Chebyshev series in time, space
// and parameters, Newton for the coefficients, window after window, point after point of the collocated parameters.
#pragma once

#include <chrono>

#include "problems/problem.hpp"
#include "problems/time_spectral/flow_start.hpp"
#include "problems/time_spectral/incompatible_data.hpp"
#include "problems/time_spectral/linear_method.hpp"
#include "problems/time_spectral/march.hpp"
#include "problems/time_spectral/march_pass.hpp"
#include "problems/time_spectral/missing_resolution.hpp"
#include "problems/time_spectral/product_decision.hpp"
#include "problems/time_spectral/run_journal.hpp"
#include "problems/time_spectral/series_losses.hpp"
#include "weighted_residual/model/model.hpp"

namespace gwrm {

// `solver.newton` for the root solvers.
NewtonOptions newton_options(const Case& the_case);

class TimeSpectral : public Problem {
 public:
  explicit TimeSpectral(const Case& the_case);
  ~TimeSpectral() override;
  Summary summary() const override { return summary_; }
  RunOutcome run(const Context& context, const RunControl& control) override;
  bool can_restart() const override { return true; }
  std::string no_linear_system() const override;
  LinearSystem linear_system(const Context& context) const override;
  std::string no_sharing() const override;
  bool takes_several_devices() const override;
  void help(const Context& context, const RunControl& control) override;
  std::vector<Check> check_jacobian(const Context& context) const override;

 private:
  Summary describe() const;
  std::unique_ptr<Window> only_window(const Context& context) const;  // where there is one, at one point
  // |A x - b| / |b|; CaseError for another size.
  Check check_given(const Context& context, const GivenSolution& solution) const;
  bool stays_dense() const;
  void open_places(const Context& given, const RunControl& control);
  std::string device_refusal() const;  // why a device does not take the windows; empty if it does
  std::string describe_device() const;
  void open_device(const Context& given);
  void close_places(RunReport& report);
  // Whether a steady run has found no solution, or one of which nothing is right, that others may find.
  bool may_solve_otherwise(const RunControl& control, const RunOutcome& outcome) const;
  // By the first of steady_attempts() that passes. False: none does; `outcome` stays, its reason names what was tried.
  bool solve_otherwise(const Context& given, const RunControl& control, RunOutcome& outcome) const;
  void repeat_until_accurate(const Context& context, const RunControl& control, RunOutcome& outcome);
  void march_windows(const Context& context, const RunControl& control, RunOutcome& outcome);
  MarchSettings settings_for(const MarchPass& pass) const;
  double fraction_done(double t) const;
  std::string note_on(const MarchWindow& window) const;
  void report_failure(const MarchEnd& end, const std::vector<double>& parameter_point, RunOutcome& outcome) const;
  // What would have sufficed, or would have been enough.
  std::string advise(const Context& given, const RunControl& control, const RunOutcome& outcome);
  std::string tried(const Context& given, const RunControl& control) const;

  const Case case_;
  const Model model_;
  const ProductPlans plans_;
  const SystemPlan& plan_;                         // on the CPU
  LinearChoice choice_;                            // for the model's subdomains; of ranks (open_places)
  const std::vector<IncompatibleData> conflicts_;  // of the first window at the first point of the parameters
  const SuddenStarts starts_;
  const FlowStarts flows_;
  const std::vector<SideCorner> corners_;
  const Summary summary_;
  std::chrono::steady_clock::time_point began_;  // the run
  double smallest_condition_ = 1.0;              // of the run
  double forecasts_from_ = 0.0;                  // seconds since the run began, of a repetition
  double repetition_limit_ = 0.0;                // seconds since the run began, of a repetition; 0: none
  RunJournal::Repeats repeats_;                  // after an error that was too large
  Losses finer_losses_;                          // of a run that fails (ErrorEstimator::losses)
  bool is_sensitive_ = false;                    // perturbations grow much (ErrorEstimator::is_sensitive)
  double grown_rounding_ = 0.0;                  // what rounding grows to (ErrorEstimator::grown_rounding)
  std::string repeated_;                         // what repetitions with smaller tails have shown, if no gain
  MissingResolution missing_;                    // likewise
  double smallest_damping_ = NewtonOptions().smallest_damping;
  bool out_of_time_ = false;  // the last march ended for its limit of seconds
  bool is_attempt_ = false;   // one of steady_attempts()
  bool is_trial_ = false;     // of what another run proposes
  std::shared_ptr<DeviceSolver> device_;
  bool device_required_ = false;
  std::unique_ptr<PointPlaces> places_;  // of the points besides this one; null: none
};

}  // namespace gwrm
