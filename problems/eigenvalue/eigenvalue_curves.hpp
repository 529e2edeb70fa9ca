// Eigenvalues and modes as functions of a parameter q: polynomials in the basis of its dimension.
//
// Points      the nodes of the basis, the ends, and the middles between all of them; in this order the modes are
//             followed (mode_following.hpp). The nodes make the polynomials; how far these are from the values and
//             modes at the other points is the error along q.
// Crossings   of two curves at q*: how far both are from the eigenvalues there. Where the curves avoid each other, by
//             however little, that shows it.
// Double      eigenvalues at single points have no modes of their own, and beside them rounding turns the modes by its
//             size over the distance: there the value and the vector are those of a polynomial through the other
//             points, by least squares. Where they are double along the curve the vectors are projections of each
//             other.
// Factor      of each mode: mean square 1 and, of real modes, the sign of the neighbour; of complex ones the phase for
//             which the mean over q has a real product with the mode. Then one number for all q, such that the largest
//             value of all unknowns is 1, and real.
// Left        modes (left_modes.hpp) along it, the product with the mode 1 at every point; none where a mode has none,
// or
//             is double along the curve.
#pragma once

#include <optional>
#include <vector>

#include "problems/eigenvalue/mode_following.hpp"
#include "problems/eigenvalue/mode_solution.hpp"

namespace gwrm {

struct CurvePoint {
  double at = 0.0;
  bool is_node = false;
  std::vector<std::complex<double>> eigenvalues = {};  // all of them
};

struct CurveError {
  double at = 0.0;     // q
  double value = 0.0;  // of the eigenvalue
  double size = 1.0;   // what it is relative to
  double condition = 0.0;
  std::vector<double> moved = {};  // per unknown, relative to its own largest magnitude
};

struct Curve {
  std::vector<Mode> modes;           // at the points
  std::vector<bool> is_double;       // at the points
  ModeSeries series;                 // the polynomial
  std::vector<CurveError> in_space;  // at the nodes: by finer subdomains
  std::vector<CurveError> along;     // at the other points and at crossings: by the polynomial
};

struct Curves {
  std::vector<CurvePoint> points;              // ascending
  std::vector<Curve> curves;                   // as asked for, or fewer
  std::vector<Check> checks;                   // residuals, tails, conditions at the nodes, of each kind the largest
  std::shared_ptr<const PointSpectrum> first;  // of the first point: its pencil has the layout of all
  std::optional<ModeFollower::Loss> loss;
  std::string failure;
};

// along: the expansion in the parameter. refinements: of the case's other degrees.
Curves eigenvalue_curves(const Context& context, const Case& the_case, int refinements, const AxisDescription& along,
                         const RunControl& control);

// p(q), p of a series along the parameter.
Mode at_parameter(const AxisDescription& along, const ModeSeries& series, double at);

}  // namespace gwrm
