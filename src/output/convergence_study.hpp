// A convergence study as plain data, its table as CSV and its file (docs/converge.md).
#pragma once

#include <string>
#include <vector>

#include "core/array.hpp"

namespace gwrm {

struct StudyLevel {
  std::vector<std::string> values;  // of ConvergenceStudy::keys
  double size = 0.0;
  int exit_status = 0;  // of this run; 6 where its own verification fails
  std::string status, reason;
  double error = 0.0;                     // what the study follows; NaN: none (the run failed, or is the reference)
  double order = 0.0, rate = 0.0;         // from the level before; NaN at the first
  bool fitted = false, at_floor = false;  // part of the fit; on the level where errors stay
  bool is_reference = false;              // the finest run of a study without exact solution
  Index n_unknowns = 0;
  int n_newton_iterations = 0;
  double wall_seconds = 0.0;
  std::vector<double> checks;  // of ConvergenceStudy::checks; NaN where this run has none
};

struct StudyCheck {
  std::string kind, subject;  // as in Check (output/report.hpp); self_max, self_l2: difference to the finest run
};

struct FittedLaw {
  double rate = 0.0, constant = 0.0, deviation = 0.0;  // problems/convergence/rates.hpp; NaN without a fit
};

struct ConvergenceStudy {
  std::string title, command, device;
  std::string case_text;           // the case with what is varied in its section `convergence`
  std::vector<std::string> keys;   // varied
  std::string size_name, measure;  // what `size` is; the kind of check that `error` is the largest of
  std::vector<StudyCheck> checks;
  std::vector<StudyLevel> levels;
  std::string law;  // algebraic, exponential, undecided, none
  FittedLaw algebraic, exponential;
  double floor = 0.0;  // NaN: the error falls to the last level
  bool floor_is_rounding = false;
  std::string statement, reason;               // one line each: the law with its evidence, and why
  double least_order = 0.0, least_rate = 0.0;  // asked for; 0: nothing
  bool passed = true;                          // what was asked for
  std::string verdict;                         // in words; empty if nothing was asked for
};

// One line a level behind comment lines that begin with '#'; numbers with 17 digits, texts in quotes, nothing for NaN.
std::string csv_text(const ConvergenceStudy& study);

// HDF5 with the same content. Atomic, and OutputError like write_hdf5 (hdf5_file.hpp).
void write_convergence_study(const std::string& path, const ConvergenceStudy& study, bool overwrite);

}  // namespace gwrm
