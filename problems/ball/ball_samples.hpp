// A finished answer as arrays: the fields of `output` on its grid, coefficients and energies for the result file.
#pragma once

#include "output/hdf5_file.hpp"
#include "problems/ball/ball_march.hpp"

namespace gwrm::ball {

// Values of an expression of the unknowns at times and points, [t][phi][theta][r].
std::vector<double> answer_values(const BallModel& model, const BallSpace& space, const BallSolution& solution,
                                  const SourceText& text, const std::vector<double>& times, const SpherePoints& points);

GridPoints output_grid(const Case& the_case);  // t, r, theta, phi
// Radii in units of the sphere's.
SpherePoints sphere_points(const GridPoints& grid, double radius);

SampledField sampled_field(const BallModel& model, const BallSpace& space, const BallSolution& solution,
                           const NamedExpression& field, const GridPoints& grid);

// The group `ball` of docs/output-format.md: coefficients (window, t_mode, m, l, n), energies over t and l.
ArrayGroup answer_arrays(const BallModel& model, const BallSpace& space, const BallSolution& solution,
                         const std::vector<double>& times);

// CaseError at a field whose arrays would have the name of others in that group, or an output field with the group's.
void check_array_names(const BallModel& model);

// By degree l, of half the square of a field.
std::vector<double> energies(const BallModel& model, const BallSpace& space, std::size_t field, const double* e);

}  // namespace gwrm::ball
