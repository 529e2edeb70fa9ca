// Eigenvalues and modes as functions of a parameter q: polynomials in the basis of its dimension.
//
// Points      the nodes of the basis, the ends, and the middles between all of them; in this order the modes are
//             followed (mode_following.hpp). The nodes make the polynomials; how far these are from the values and
//             modes at the other points is the error along q.
// Crossings   of two curves at q*: how far both are from the eigenvalues there. Where the curves avoid each other, by
//             however little, that shows it.
#pragma once

#include <optional>
#include <vector>

#include "problems/eigenvalue/curve_series.hpp"
#include "problems/eigenvalue/mode_following.hpp"

namespace gwrm {

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

}  // namespace gwrm
