// How large the error of the answer is: the windows of the run are solved once more, in halves and on finer subdomains,
// from the run's own polynomials, the end of one the start of the next. What this changes is the estimate.
//
// U   the polynomials of the run; V the finer ones, e = V - U
// V   solves the finer equations by Newton's iteration from U. Its first step is the linearised defect equation
//         J(U) e = -R(U),   e at the start of a window = e at the end of the one before,
//     the residual R(U) and the defects of conditions, continuity and initial values formed on the finer space; where
//     e is not small against the tolerance further steps follow, so that e stays right beyond the linear range. In an
//     accurate run the first step is the only one.
// finer   every subdomain has a quarter more coefficients, at least four, of the same parity (periodic conditions take
//         other modes for even and odd degrees); windows are halved, and quartered where there are eight or fewer (of
//         an automatic run as many as the next length that a window proposes lets expect): the damping of a few long
//         ones hides growth that shorter ones show; a quarter of a window does with three quarters of its degree. Where
//         time cannot be divided (integrals over t) its degree rises as those in space. Along periodic axes degrees
//         rise until they see all data (data_series.hpp): what aliases in U must not alias in V.
// Parameters that are solved point by point: V is solved at a few values between the points (points_between()), U there
// is the polynomial through them; what interpolation leaves out is in e. Fields are as large as they are at the points
// of the run, at all of which the few need not show a peak.
// What V lacks itself, since its points do not show it: finer_residual.hpp.
// Where series fall slowly, e holds a share of the error only, and is divided by it: finer_share.hpp.
// Space is refined too: time alone is blind to what space leaves out. Errors by rounding are in e as well: U and V
// round differently.
// Source: docs/method.md 8, and the measured ratios there.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "output/report.hpp"
#include "problems/time_spectral/data_series.hpp"
#include "problems/time_spectral/error_budget.hpp"
#include "problems/time_spectral/error_sampler.hpp"
#include "problems/time_spectral/finer_residual.hpp"
#include "problems/time_spectral/growing_modes.hpp"
#include "problems/time_spectral/left_out_values.hpp"
#include "problems/time_spectral/march.hpp"
#include "problems/time_spectral/series_losses.hpp"
#include "weighted_residual/model/size_coupling.hpp"

namespace gwrm {

class ErrorEstimator {
 public:
  // first: the first window of the run, from which the points of parameters are chosen; may be left out without any.
  explicit ErrorEstimator(const MarchInput& run, const MarchWindow* first = nullptr);
  ErrorEstimator(const ErrorEstimator&) = delete;
  ErrorEstimator& operator=(const ErrorEstimator&) = delete;

  // What the first window will need, as far as it is known before the run has solved it; may be left out.
  void prepare();
  void update(const MarchWindow& window);  // one after the other
  ErrorEstimate result();                  // after the last one
  // After result(): the errors on the output grid as further fields, with `output: {error: on}`.
  void sample(RunOutcome& outcome);
  // After result(): V as far as it was solved, with `goals`; at the run's points of the parameters. Nothing without an
  // estimate.
  std::optional<Solution> solution();
  // After result(), of a run whose error is too large: what V has behind each level along space, in the windows from
  // that on in which the error was; relative to the fields.
  Losses losses() const;
  // After result(): perturbations grow so much that smaller ones, of smaller tails, may be the cure of any error.
  bool is_sensitive() const { return is_sensitive_; }
  // After result(): what rounding of the states has grown to by modes whose rates do not change, relative to the
  // fields: eps |u(t)| exp(rate (t1 - t)), the largest over t. No resolution makes it smaller. 0: not known.
  double grown_rounding() const;

 private:
  // Of one field, absolute.
  struct Largest {
    double error = 0.0;  // of |e|
    std::vector<double> at;
    double at_end = 0.0;                            // of |e| at the end of the last part
    double size = 0.0;                              // of |U|
    double here = 0.0, rounding = 0.0;              // of |U| in the last part; what rounding so far has grown to
    std::vector<std::pair<double, double>> rising;  // time and |e| wherever it was larger than before
    std::vector<PartError> parts;                   // where data jump: of each part, for worst_passing()
    // Of an unknown that keeps a constraint, from the first start of the flow on:
    double before = 0.0;    // of |e| where it is not judged
    double integral = 0.0;  // of the largest |e| in space over time
  };

  bool divides_time() const { return input_.model.time_axis() >= 0 && !input_.model.whole_time; }
  int choose_finer(const std::vector<AxisDescription>& of_run);
  void follow(const MarchWindow& window);
  bool solve(const MarchWindow& window, double start, double end, int halvings);
  // Where this part of V damps a growing mode (growing_modes.hpp) that could carry the error, or rounding, beyond the
  // tolerance: into how many parts it has to be divided; else 1.
  int parts_for_growth(const PointWindows& finer);
  // Rounding of the state from which V goes on, which a growing mode takes up: epsilon of each number, with random
  // signs.
  void perturb(std::vector<State>& states);
  void carry_rounding(double length);
  // Values along one axis of a series at the places where errors are looked at.
  struct Values {
    AxisDescription series, places;
    BlockMatrix matrix;
  };
  Array values(const FieldModel& field, Array coefficients, const std::vector<AxisDescription>& window,
               const std::vector<AxisDescription>& part, const std::vector<std::vector<double>>& points,
               std::vector<Values>& known);
  void take_sizes(const MarchWindow& window);
  // Of this unknown in times at which it is not judged; values on the grid, u and v differ by it.
  void take_start(Largest& largest, const FieldModel& field, const std::vector<double>& times, double start,
                  double scale, const Array& u, const Array& v) const;
  void compare(const MarchWindow& window, const PointWindows& finer, double start, double end);
  void keep(const PointWindows& finer);
  void take_losses(const PointWindows& finer);
  void give_up(const std::string& why);
  double size_of(std::size_t field) const;

  const MarchSettings settings_;
  std::vector<LeftOut> left_out_places_;           // of a start of a flow, or of a steady problem
  const std::vector<std::vector<double>> points_;  // of the parameters
  std::vector<bool> counts_;                       // of each of them: whether errors are looked at there
  std::vector<double> excess_;                     // .. by how much they exceed what they are judged by
  std::vector<std::vector<double>> weights_;       // of the run's points in each of them; empty: they are the same
  const SystemPlan plan_;                          // products on points, however the run forms them
  const MarchInput input_;
  PointSolver solver_;
  SizeCoupling coupling_;

  int n_windows_ = 0;        // so far
  double n_expected_ = 0.0;  // of the whole run, as its last window proposes
  Origin origin_;
  DataDegrees data_;
  std::vector<AxisDescription> finer_;
  bool is_barely_finer_ = false;                              // for want of memory
  std::vector<double> shares_;                                // per field, of the present window
  std::vector<Values> of_run_, of_finer_, at_points_of_run_;  // per axis, of the last windows
  std::vector<Largest> largest_;                              // per field
  GrowingModes growing_modes_{true};
  double shortest_followed_ = 0.0, fastest_ = 0.0;  // the shortest part that a mode asked for, its rate; 0: none
  bool grows_ = false;                              // rounding can grow to the tolerance from here on
  double n_parts_ = 0.0;                            // for modes that grow, of the present window
  bool is_sensitive_ = false;
  double remaining_ = 0.0;  // what iteration and rounding leave in V, relative
  bool ended_ = false;      // nothing more is to be found out
  ErrorEstimate estimate_;
  std::optional<ErrorSampler> sampler_;
  std::optional<ErrorBudget> budget_;
  std::optional<FinerResidual> left_out_;  // what V lacks itself
  std::size_t n_points_of_run_ = 1;        // of the parameters
  std::vector<MarchWindow> kept_;          // V, for the goals
  std::vector<Losses> losses_;             // of V, per field; absolute
};

}  // namespace gwrm
