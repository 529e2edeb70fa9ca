// What a run has to say about itself besides the fields: Newton history, verification, provenance. Plain data, filled
// by the problem, written by the HDF5 writer and printed by the command line.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/array.hpp"

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

// One judged quantity: PASS if value <= tolerance.
struct Check {
  std::string kind;     // "residual", "tail", "initial", "boundary", "error_max", "error_l2", "value", "growth"
  std::string subject;  // "equation 1", "u along x", "u(x=0) = 0"
  double value = 0.0;
  double tolerance = 0.0;
  bool judged = true;                                            // false: reported only
  bool passed() const { return !judged || value <= tolerance; }  // NaN fails
};

struct Verification {
  std::vector<Check> checks;
  bool passed() const;
};

struct RunReport {
  std::string title;
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
  std::vector<NewtonRecord> newton;
  Verification verification;
  std::vector<std::string> warnings;
};

}  // namespace gwrm
