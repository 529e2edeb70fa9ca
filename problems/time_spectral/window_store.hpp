// The finished windows of a run, from the march to the result.
//
// output.coefficients: all    every window is kept; the run is sampled and verified at its end.
// output.coefficients: none   that is done in parts of kWindowsInPart windows, which are then dropped: the memory of a
//                             run does not grow with the number of its windows. The journal has them before they go;
//                             of the coefficients the last window's are left, of the Newton iterations those of the
//                             last part.
// Both give the same sampled values.
#pragma once

#include <vector>

#include "problems/problem.hpp"
#include "problems/time_spectral/march.hpp"
#include "problems/time_spectral/parameter_points.hpp"
#include "problems/time_spectral/run_journal.hpp"
#include "problems/time_spectral/shared_answer.hpp"

namespace gwrm {

// CaseError with `coefficients: none` if something that is sampled or verified looks at other times than its own: those
// windows may be gone or not be there yet.
void check_parts(const Case& the_case, const Model& model);

class WindowStore {
 public:
  static constexpr std::size_t kWindowsInPart = 32;  // evaluated as fast as thousands at once (measured)

  // shared: with the other ranks of the run; null: by this process alone.
  WindowStore(const Case& the_case, const Model& model, RunJournal& journal, std::shared_ptr<SharedAnswer> shared);

  void add(MarchWindow&& window);                              // in the order of time
  const MarchWindow& last() const { return windows_.back(); }  // that was added, until the next is
  void keep_journal();                                         // the run was stopped
  void close();                                                // no window follows

  // After close(). What is left is sampled, and verified if the run is complete.
  void deliver(bool is_complete, RunOutcome& outcome);
  const ParameterTails& parameter_tails() const { return tails_; }  // of an automatic run
  void count(RunReport& report) const;                              // windows, iterations, factorisations, unknowns
  double smallest_condition() const { return smallest_condition_; }

 private:
  void drop_part();
  void assemble();
  void take_in(bool is_last, bool is_complete);

  const Case& case_;
  const Model& model_;
  RunJournal& journal_;
  std::vector<MarchWindow> windows_;  // of the part that is growing
  std::size_t n_dropped_ = 0;         // before them
  std::size_t n_without_state_ = 0;   // of the run: windows that have given up their restart state
  Solution part_;                     // the last one that is complete
  Sampler sampler_;
  RunVerification verification_;
  ParameterTails tails_;
  const std::shared_ptr<SharedAnswer> shared_;

  std::vector<NewtonRecord> newton_;  // of the last part
  int n_newton_iterations_ = 0, n_linear_iterations_ = 0, n_factorisations_ = 0;
  Index n_unknowns_ = 0;
  double smallest_condition_ = 1.0;
};

}  // namespace gwrm
