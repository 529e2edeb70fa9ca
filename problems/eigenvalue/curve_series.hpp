// The polynomials of one curve over a parameter q (eigenvalue_curves.hpp), from its modes at points.
//
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

#include <complex>
#include <vector>

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

// Turns the modes at the points, nodes of the basis among them, into one smooth curve and its polynomial: all but the
// errors. pencil: of any of the points.
void make_series(const std::vector<CurvePoint>& points, const AxisDescription& along, const Pencil& pencil,
                 Curve& curve);

// p(q), p of a series along the parameter.
Mode at_parameter(const AxisDescription& along, const ModeSeries& series, double at);

}  // namespace gwrm
