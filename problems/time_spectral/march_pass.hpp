// One march from the first window to the last, for given degrees of the collocated parameters: the model with these
// degrees, its points, and what the finished windows go through. An automatic run makes pass after pass with more
// points until the parameters are resolved; within a pass nothing of the problem changes.
#pragma once

#include <vector>

#include "problems/time_spectral/window_store.hpp"

namespace gwrm {

struct MarchPass {
  // subdomains: per axis; those of the collocated parameters are taken, the others are the model's.
  // places: of the run; null: this process alone.
  MarchPass(const Case& the_case, const Model& whole, const std::vector<AxisDescription>& subdomains,
            RunJournal& journal, PointPlaces* places);
  MarchPass(const MarchPass&) = delete;
  MarchPass& operator=(const MarchPass&) = delete;

  void take(MarchWindow&& window);           // finished just now
  void take_restored(MarchWindow&& window);  // of an interrupted run
  bool is_finished() const;                  // the restored windows are all there are

  const Model model;
  const std::vector<std::vector<double>> points;
  WindowStore store;
  MarchSoFar before;  // the restored windows
};

// Raises the degrees of the collocated parameters that the program chooses and whose tails are above the tolerance;
// false if there are none. Where one has reached its limit the outcome is unresolved, and false comes back.
bool raise_parameter_degrees(const Case& the_case, const Model& model, const ParameterTails& tails,
                             std::vector<AxisDescription>& subdomains, RunOutcome& outcome);

}  // namespace gwrm
