// Linear terms that do not change under rotations about the axis, as matrices: one for every order m, banded in l.
//
// Formula   Such terms take f_cos cos(m phi) + f_sin sin(m phi), the real part of f exp(i m phi) with f = f_cos - i
// f_sin,
//           to A_m f: <phi, terms> = A_m c in the complex unknowns c = c_cos - i c_sin, real where m = 0.
// Structure A term couples l with l - reach .. l + reach: the degree of the flow, one for the Coriolis force, none for
//           buoyancy and background. Parts and degrees that are not coupled, as by flows with a symmetry about the
//           equator, fall into families, which are ordered by l, then part, then radial function.
// Method    columns from BallTerms::apply, which stays the only place that knows what a term is: all orders, and every
//           (2 reach + 1)-th l, at the same time. Entries below 1e-13 of the order's largest are rounding.
// Cost      (2 reach + 1) sum_parts N applications of the terms.
#pragma once

#include <vector>

#include "core/matrix.hpp"
#include "problems/ball/ball_terms.hpp"

namespace gwrm::ball {

// Parts and degrees of one order that are coupled with one another.
struct AxisymmetricFamily {
  struct Group {
    std::size_t part;
    Index l, first, n;  // its unknowns among those of the family
  };
  struct Coupling {
    std::size_t to, from;  // groups
    Eigen::MatrixXcd matrix;
  };

  Index order = 0, size = 0;
  Index width = 0;  // entries (i, j) vanish for |i - j| above it, those of mass and diffusion too
  std::vector<Group> groups;
  std::vector<Coupling> couplings;
};

// How far terms couple l.
Index reach_in_degree(const BallModel& model);
// Whether all terms of the case are linear and the same in all meridians; false without any.
bool has_axisymmetric_terms(const BallModel& model);

std::vector<AxisymmetricFamily> axisymmetric_families(const BallSpace& space, const BallTerms& terms, Index reach);

}  // namespace gwrm::ball
