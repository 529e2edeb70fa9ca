// Modes as a Solution: one more dimension, which counts them, and in each window of it the coefficients of one mode.
#pragma once

#include <vector>

#include "problems/eigenvalue/modes.hpp"
#include "problems/problem.hpp"

namespace gwrm {

bool any_complex(const std::vector<Mode>& modes);

// A mode over a parameter: the coefficients of its eigenvalue and of its vector along it.
using ModeSeries = std::vector<Mode>;

// Coordinates (mode, ..) and, over them, the unknowns and the eigenvalue; where any mode is complex their real and
// imaginary parts (eigenvalue_case.hpp).
Solution mode_solution(const Case& the_case, const Pencil& pencil, const std::vector<Mode>& modes);
// Coordinates (mode, parameter, ..).
Solution mode_solution(const Case& the_case, const Pencil& pencil, const Axis& parameter,
                       const AxisDescription& along_it, const std::vector<ModeSeries>& modes);

// A real mode as the steady solution that it is.
Solution steady_mode(const Pencil& pencil, const Mode& mode);

// Grid and sampled fields of outcome.solution: `output.fields` for each mode, of complex ones both parts, and numbers
// per mode: the eigenvalue, and `extra`.
struct ModeNumbers {
  std::string name, expression;
  std::vector<double> values;
  std::string error_of = {};
};
void sample_modes(const Case& the_case, const std::vector<ModeNumbers>& extra, RunOutcome& outcome);

// The mode scaled so that the largest magnitude of all unknowns, at the points of their bases, is 1, and real there.
void normalise(const Pencil& pencil, Mode& mode);

// Values of an unknown in the points (per axis) from the coefficients of a vector of this pencil.
Eigen::VectorXcd mode_values(const Pencil& pencil, const Eigen::VectorXcd& vector, int field,
                             const std::vector<std::vector<double>>& points);

// The vector on other subdomains.
Eigen::VectorXcd carried(const Pencil& from, const Eigen::VectorXcd& vector, const Pencil& to);

}  // namespace gwrm
