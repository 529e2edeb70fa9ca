// What `gwrm check` tells of a spectral case: the system as it was understood, its conditions counted, its corners.
#pragma once

#include "problems/problem.hpp"
#include "problems/time_spectral/incompatible_data.hpp"
#include "weighted_residual/model/model.hpp"
#include "weighted_residual/model/statement_names.hpp"

namespace gwrm {

// Definitions, equations, conditions, initial values and exact solutions, printed from their trees.
std::vector<PrintedExpression> printed_system(const Case& the_case, const Model& model);

// A row for each equation: its unknown, and along each dimension "2 of 2": the conditions there are and those it takes;
// in time the initial values of its unknown.
std::vector<std::vector<std::string>> condition_table(const Model& model);

// Lines on the corners where initial and boundary data meet, with the conflicts' sizes over the first window and over
// the whole time.
std::vector<std::pair<std::string, std::string>> corner_lines(const Model& model,
                                                              const std::vector<IncompatibleData>& first_window,
                                                              const std::vector<IncompatibleData>& whole_time);

}  // namespace gwrm
