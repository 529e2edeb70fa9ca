// Extremes of data between the points at which a solver evaluates them: found or excluded by interval arithmetic.
//
// A solver knows data by their values at its points. What they do between is bounded here: by branch and bound over the
// cells, each subdivided until its enclosure (interval_evaluation.hpp) lies within what its points show, up to a tenth
// of the data's size, or a value is found that lies outside. Many cells at once are done with where the derivative's
// enclosure, times the way to the nearest point, allows no more than that. What the points show of a cell is the range
// of the values at its corners and at the next points around, and of the polynomial through the nearest points, so that
// a cosine of three points a half wave is no finding. An extreme that a single point hits, its two neighbours not, is
// one where the data differ from that polynomial on both sides of it. It is shown that no extreme went unseen, not that
// data are resolved: a steep front is no finding.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "expression/expression.hpp"
#include "expression/sampled_axis.hpp"

namespace gwrm::expression {

struct UnseenExtreme {
  enum class Outcome { none, found, undecided };  // undecided: the allowed boxes were used up
  Outcome outcome = Outcome::none;
  std::vector<double> at;     // found: where, a coordinate per axis that the data vary along (ascending)
  double value = 0.0;         // found: there
  double seen = 0.0;          // found: the nearest value that the points show around
  bool by_one_point = false;  // found: at a point, but by no other
  double scale = 0.0;         // largest magnitude at points and samples
  long boxes = 0;             // that were enclosed
  double fraction() const;    // found: |value - seen|/scale
};

inline constexpr double kUnseenFraction = 0.1;  // of the data's size that may go unseen

// e: lowered data, without unknowns and integrals (an internal Error else). axes: one per axis of the pool, read for
// those e varies along. max_boxes: at most so many boxes are enclosed; the cost is theirs.
UnseenExtreme find_unseen_extreme(const Pool& pool, Expr e, std::span<const SampledAxis> axes, long max_boxes = 40000);

// Where e differs from the polynomial through its nearest points (the trigonometric one on periodic axes) by more than
// `fraction` of its size, the largest differences first, one in a cell and at most `most` places; a coordinate per axis
// that e varies along, ascending. It locates and does not judge: what it does not find within max_boxes is not named,
// and data that the points do not resolve are among the places.
struct UnseenPlaces {
  std::vector<std::vector<double>> at;
  long boxes = 0;  // that were enclosed
};
UnseenPlaces find_unseen_places(const Pool& pool, Expr e, std::span<const SampledAxis> axes, double fraction,
                                long max_boxes, std::size_t most);

}  // namespace gwrm::expression
