// What a run has to say about itself besides the fields: Newton history, verification, provenance. Plain data, filled
// by the problem, written by the HDF5 writer and printed by the command line.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/array.hpp"
#include "core/quantities.hpp"
#include "output/left_out.hpp"

namespace gwrm {

struct NewtonRecord {
  int window = 0;
  int parameter_point = 0;
  int iteration = 0;
  double residual = 0.0;
  double correction = 0.0;
  double damping = 1.0;
  int linear_iterations = 0;  // of a Krylov solver
};

// One judged quantity: PASS if value * margin <= tolerance.
struct Check {
  std::string kind;  // "estimate", "goal", "residual", "tail", "initial", "boundary", "mean", "error_max", "error_l2",
                     // "value", "data", "data file"
  std::string subject;  // "equation 1", "u along x", "u(x=0) = 0"
  double value = 0.0;
  double tolerance = 0.0;
  bool judged = true;   // false: reported only
  double margin = 1.0;  // of an estimate: by how much the truth may be larger
  bool passed() const { return !judged || value * margin <= tolerance; }  // NaN fails
};

// An estimate of the error in one unknown, relative to the unknown's largest magnitude.
struct FieldError {
  std::string field;
  double largest = 0.0;    // of |e| at any time, without rounding
  std::vector<double> at;  // where: the coordinates, in the order of the solution's axes
  double at_end = 0.0;     // the largest |e| at the last time; without time the same as `largest`
  double rounding = 0.0;   // what rounding in the solves may add
  double total() const { return largest + rounding; }
};

// What the error is made of (problems/time_spectral/error_budget.hpp): root mean squares relative to the fields', the
// largest of the run, each carried by itself. `time` holds what parameters leave out between their points, too.
struct ErrorBudgetParts {
  double time = 0.0, space = 0.0, conditions = 0.0;
  double growth = std::numeric_limits<double>::quiet_NaN();  // of perturbations of the initial values; NaN: none
};

// The error of the whole answer as the run estimates it (docs/method.md, section 8).
struct ErrorEstimate {
  enum class Status { off, made, missing };
  Status status = Status::off;                                // off: not asked for, or there is no answer
  std::string reason;                                         // missing: why
  std::string advice;                                         // what would suffice: where the answer is far better
                                                              // than asked for, or has failed for want of resolution
  std::string growth;                                         // made: why windows had to be divided for it, if so
  std::vector<FieldError> fields;                             // made: one per unknown
  double lost_at = std::numeric_limits<double>::quiet_NaN();  // the first time at which an error is above its tolerance
  std::optional<ErrorBudgetParts> budget;                     // made, with `estimate: budget`, on the CPU
  std::vector<LeftOut> left_out{};                            // made: what it adds to Verification::left_out
};

// A number made of the answer, and its estimated error.
struct Goal {
  std::string name, expression;
  double value = 0.0;
  double error = std::numeric_limits<double>::quiet_NaN();  // absolute; NaN: not estimated
  double size = 0.0;                                        // what the error is relative to
  double relative() const { return error == 0.0 ? 0.0 : error / size; }
};

// An estimate of the truth is right to a factor of 1.5 (the ratios of docs/method.md, section 8).
inline constexpr double kEstimateMargin = 1.5;

struct Verification {
  std::vector<Check> checks;
  ErrorEstimate estimate;
  std::vector<Goal> goals;
  std::vector<LeftOut> left_out;  // where and when nothing is judged
  bool passed() const;
  // "PASS", "FAIL", or "NOT ESTIMATED": what was checked is right, and how large the error is could not be found out.
  const char* verdict() const;
};

// Files the estimate: a judged check per unknown.
void add_estimate(Verification& verification, ErrorEstimate estimate, double tolerance);

struct RunReport {
  std::string title;
  Quantities quantities;             // units and labels of what is stored
  std::string status = "converged";  // converged | verification failed | interrupted | ...
  std::string reason;
  std::string case_text;  // the resolved case file
  std::string command;    // for the history attribute
  std::string device;
  std::string linear_solver;
  Index n_unknowns = 0;
  int n_newton_iterations = 0;
  int n_linear_iterations = 0;  // of a Krylov solver, all Newton iterations together
  int n_factorisations = 0;
  int n_windows = 0;
  double wall_seconds = 0.0;
  // Of a run on a device: seconds of the solves and of their parts, what crossed between host and device, and what was
  // taken of the device's memory, in bytes. Empty and 0 for a run on the CPU.
  std::vector<std::pair<std::string, double>> profile;
  double bytes_sent = 0.0, bytes_received = 0.0, device_memory = 0.0;
  // Of a run whose windows ranks have together: how many they are, and the bytes that they have sent one another in the
  // exchanges of a window, in these by the formula for their shares (window_layouts.hpp, shared_wavenumbers.hpp), and
  // to gather sums and solutions. 0: in one process.
  int n_ranks = 0;
  double bytes_exchanged = 0.0, bytes_by_formula = 0.0, bytes_gathered = 0.0;
  std::vector<NewtonRecord> newton;
  Verification verification;
  std::vector<std::string> warnings;
};

}  // namespace gwrm
