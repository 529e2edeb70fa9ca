// The discrete problem behind a BvpModel: which recurrence solves it, and the starting state that meets the end
// conditions.
//
// With kappa = k^2 h^2 the scheme is the compact one (order 4, Numerov) or the central difference (order 2):
//   order 2   -(u_{i+1} - 2 u_i + u_{i-1}) + kappa u_i = h^2 f_i
//   order 4   with p = f - k^2 u:  -(u_{i+1} - 2 u_i + u_{i-1}) = h^2/12 (p_{i+1} + 10 p_i + p_{i-1}).
// Order 4 has the same matrix for w = u + c f: with gamma = 1/(1 - kappa/12), c = gamma h^2/12,
//   -(w_{i+1} - 2 w_i + w_{i-1}) + gamma kappa w_i = gamma^2 h^2 f_i,   u_i = w_i - c f_i.
// Slopes at the ends come from u_1 = u_0 + h u'(a) - int_0^h (h - s) p(a + s) ds, the integral by the trapezoidal
// weights h^2/2 (1) for order 2, h^2/24 (7, 6, -1) for order 4, exact for quadratic p; likewise at b. The integral of u
// is the trapezoidal sum, for order 4 less h^2/12 (u'(b) - u'(a)).
#pragma once

#include <array>
#include <string>

#include "kernels/recurrence/block_recurrence.hpp"
#include "problems/recurrence_bvp/bvp_model.hpp"

namespace gwrm {

// f at the three first and the three last points of the grid, in the order of the grid.
using EndValues = std::array<double, 6>;
std::array<Index, 6> end_points(const EqualGrid& grid);

enum class ClosureStatus { closed, singular, incompatible };

struct Closure {
  ClosureStatus status = ClosureStatus::closed;
  RecurrenceState start;
  double shift = 0.0;   // added to f, so that the conditions have a solution; 0 but for three conditions
  std::string message;  // of a failure
};

class BoundaryClosure {
 public:
  // CaseError where the grid is too coarse for the reaction (order 4: k h < 2; order 2: k h < 1e5), and for a condition
  // on the integral with a reaction.
  explicit BoundaryClosure(const BvpModel& model, const SourceText& reaction);

  const RecurrenceOperator& op() const { return operator_; }

  // Totals are those of recurrence_totals() over all points of the grid. `tolerance`: the largest shift relative to
  // `source_size` by which three conditions count as compatible. CaseError, whatever the totals, where two of three
  // conditions are enough.
  Closure close(const RecurrenceState& totals, const EndValues& f, double source_size, double tolerance) const;

 private:
  // The left side of a condition for this start.
  DoubleDouble row(const EndCondition& condition, const RecurrenceState& start, const RecurrenceState& totals,
                   const EndValues& f) const;

  const BvpModel& model_;
  DoubleDouble step_, reaction_step_;  // h, kappa
  RecurrenceOperator operator_;
};

}  // namespace gwrm
