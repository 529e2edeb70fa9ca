// One point of the collocated parameters: the time windows one after the other, the end of one the start of the next.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "output/report.hpp"
#include "solver/newton.hpp"
#include "system/system_plan.hpp"
#include "system/window_system.hpp"

namespace gwrm {

struct MarchResult {
  NewtonStatus status = NewtonStatus::converged;
  std::string detail;
  int failed_window = -1;
  std::vector<std::vector<Array>> windows;  // per complete window, per field: coefficients (window_system.hpp)
  std::vector<NewtonRecord> newton;
  int n_factorisations = 0;
  double reciprocal_condition = 1.0;  // smallest of all windows
};

// `window_done(window, result of its Newton iteration)` is called after each one.
MarchResult march(const Context& context, const Model& model, const SystemPlan& plan, const NewtonOptions& options,
                  const std::vector<double>& parameter_values, int parameter_point,
                  const std::function<void(int, const NewtonResult&)>& window_done,
                  const std::function<bool()>& interrupted);

// Initial values projected on the modal axes.
State initial_state(const Context& context, const Model& model, const Discretisation& discretisation);

}  // namespace gwrm
