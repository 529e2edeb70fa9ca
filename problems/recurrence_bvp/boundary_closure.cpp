#include "problems/recurrence_bvp/boundary_closure.hpp"

#include <fmt/format.h>

#include <cmath>

namespace gwrm {
namespace {

// Two conditions whose determinant is this small beside its terms leave a combination free.
constexpr double kSingularDeterminant = 1e-14;
// Shooting multiplies errors by e^(k L), the two-sided recurrence loses 1/(k L): equal at 1.
constexpr double kLongestShot = 1.0;

DoubleDouble exactly(double a) {
  return {a, 0.0};
}

// u and sum of all w at the ends.
struct EndStates {
  std::array<DoubleDouble, 6> u;
  DoubleDouble sum_u;
};

// The six values from the states at both ends, by steps forwards from the first and backwards from the last.
EndStates marched_ends(const RecurrenceOperator& op, const RecurrenceState& start, const RecurrenceState& end,
                       const EndValues& f) {
  EndStates ends;
  DoubleDouble w = start.first, s = start.second;
  for (std::size_t i = 0; i < 3; ++i) {
    ends.u[i] = w;
    s = s + op.growth * w - f[i];
    w = w + op.scale * s;
  }
  w = end.first;
  s = end.second;
  for (std::size_t i = 6; i-- > 3;) {
    w = w - op.scale * s;
    s = s - op.growth * w + f[i];
    ends.u[i] = w;
  }
  // The sum of f over all points is what the slope has lost; needed for poisson alone, where nothing else changes it.
  ends.sum_u = end.sum + (end.second - start.second) * op.correction;
  return ends;
}

EndStates two_sided_ends(const RecurrenceOperator& op, const RecurrenceState& start, const RecurrenceState& end,
                         const EndValues& f) {
  const DoubleDouble r_forward = kOne - op.forward_decay, r_backward = kOne - op.backward_decay;
  EndStates ends;
  DoubleDouble p = start.first, q = end.second;
  for (std::size_t i = 0; i < 3; ++i) {
    p = r_forward * p + f[i];
    q = q / r_backward - f[i];
    ends.u[i] = op.scale * (p + q);
  }
  p = end.first;
  q = start.second;
  for (std::size_t i = 6; i-- > 3;) {
    ends.u[i] = op.scale * (p + q);
    p = (p - f[i]) / r_forward;
    q = r_backward * (q + f[i]);
  }
  return ends;
}

RecurrenceState end_state(const RecurrenceOperator& op, const RecurrenceState& start, const RecurrenceState& totals,
                          Index n_points) {
  const RecurrenceState own = homogeneous_steps(op, start, n_points);
  return {own.first + totals.first, own.second + totals.second, own.sum + totals.sum};
}

double magnitude(DoubleDouble a) {
  return std::abs(a.high);
}

}  // namespace

std::array<Index, 6> end_points(const EqualGrid& grid) {
  const Index n = grid.intervals;
  return {0, 1, 2, n - 2, n - 1, n};
}

BoundaryClosure::BoundaryClosure(const BvpModel& model, const SourceText& reaction) : model_(model) {
  const double intervals = static_cast<double>(model.grid.intervals);
  step_ = two_sum(model.grid.upper, -model.grid.lower) / exactly(intervals);
  const DoubleDouble square = step_ * step_;
  reaction_step_ = square * model.reaction;
  const bool fourth = model.order == 4;
  const double largest = fourth ? 2.0 : 1e5, steps = std::sqrt(reaction_step_.high);
  if (!(steps < largest))
    throw_case_error(
        reaction, 0,
        fmt::format("the grid is too coarse for this reaction: sqrt(reaction) times the interval is {:.3g}, "
                    "order {} needs less than {:g}; take {:.0f} intervals or more",
                    steps, model.order, largest, std::ceil(intervals * steps / largest) + 1.0));
  // The recurrences with reaction carry no sum of u.
  for (const EndCondition& condition : model.conditions)
    if (model.reaction != 0.0 && condition.integral != 0.0)
      throw_case_error(condition.text, 0,
                       "a condition on the integral needs reaction: 0; with a reaction give u or dx(u) at both ends");
  const DoubleDouble gamma = fourth ? kOne / (kOne - reaction_step_ / exactly(12.0)) : kOne;
  const DoubleDouble scale = gamma * gamma * square, growth = exactly(model.reaction) / gamma;
  const double correction = fourth ? (gamma * square / exactly(12.0)).high : 0.0;
  const double length = model.grid.upper - model.grid.lower;
  if (model.reaction == 0.0) {
    operator_ = poisson_recurrence(scale, correction);
    for (const EndCondition& condition : model.conditions)
      operator_.with_sum = operator_.with_sum || condition.integral != 0.0;
  } else if (std::sqrt(model.reaction) * length <= kLongestShot) {
    operator_ = shooting_recurrence(scale, growth, correction);
  } else {
    // The smaller root r of r + 1/r = 2 + q by what it falls short of 1; 2 + q itself would lose q.
    const DoubleDouble q = gamma * reaction_step_, half = q / exactly(2.0);
    const DoubleDouble decay = q / (sqrt(q + half * half) + half), root = kOne - decay;
    operator_ = two_sided_recurrence(scale * root / (decay * (kOne + root)), decay, decay, correction);
  }
}

DoubleDouble BoundaryClosure::row(const EndCondition& condition, const RecurrenceState& start,
                                  const RecurrenceState& totals, const EndValues& f) const {
  const RecurrenceState end = end_state(operator_, start, totals, model_.grid.n_points());
  EndStates ends = operator_.kind == RecurrenceKind::two_sided ? two_sided_ends(operator_, start, end, f)
                                                               : marched_ends(operator_, start, end, f);
  for (std::size_t i = 0; i < 6; ++i) ends.u[i] = ends.u[i] - two_product(operator_.correction, f[i]);
  std::array<DoubleDouble, 6> p;  // h^2 (f - k^2 u)
  for (std::size_t i = 0; i < 6; ++i) p[i] = step_ * step_ * f[i] - reaction_step_ * ends.u[i];
  const auto share = [&](DoubleDouble end_value, DoubleDouble next, DoubleDouble second) {
    if (model_.order == 2) return end_value / exactly(2.0);
    return (end_value * 7.0 + next * 6.0 - second) / exactly(24.0);
  };
  const DoubleDouble slope_left = (ends.u[1] - ends.u[0] + share(p[0], p[1], p[2])) / step_;
  const DoubleDouble slope_right = (ends.u[5] - ends.u[4] - share(p[5], p[4], p[3])) / step_;
  DoubleDouble integral = step_ * (ends.sum_u - (ends.u[0] + ends.u[5]) / exactly(2.0));
  if (model_.order == 4) integral = integral - step_ * step_ * (slope_right - slope_left) / exactly(12.0);
  return ends.u[0] * condition.u_left + slope_left * condition.slope_left + ends.u[5] * condition.u_right +
         slope_right * condition.slope_right + integral * condition.integral;
}

Closure BoundaryClosure::close(const RecurrenceState& totals, const EndValues& f, double source_size,
                               double tolerance) const {
  const std::vector<EndCondition>& conditions = model_.conditions;
  const std::size_t n = conditions.size();
  // Rows are affine in the start (two numbers) and, for poisson, in a shift of f.
  const RecurrenceState first{kOne, {}, {}}, second{{}, kOne, {}};
  EndValues ones;
  ones.fill(1.0);
  std::array<std::array<DoubleDouble, 3>, 3> matrix;
  std::array<DoubleDouble, 3> right;
  for (std::size_t i = 0; i < n; ++i) {
    matrix[i][0] = row(conditions[i], first, {}, {});
    matrix[i][1] = row(conditions[i], second, {}, {});
    if (n == 3) matrix[i][2] = row(conditions[i], {}, totals_of_one(operator_, model_.grid.n_points()), ones);
    right[i] = exactly(conditions[i].value) - row(conditions[i], {}, totals, f);
  }
  Closure closure;
  const auto determinant = [&](std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
    const DoubleDouble plus = matrix[a][c] * matrix[b][d], minus = matrix[a][d] * matrix[b][c];
    const DoubleDouble value = plus - minus;
    const bool vanishes = magnitude(value) <= kSingularDeterminant * std::max(magnitude(plus), magnitude(minus));
    return vanishes ? DoubleDouble{} : value;
  };
  if (n == 2) {
    const DoubleDouble whole = determinant(0, 1, 0, 1);
    if (whole.high == 0.0) {
      closure.status = ClosureStatus::singular;
      closure.message = fmt::format(
          "the conditions `{}` and `{}` leave a combination of the solutions free (as two slopes leave a constant): "
          "add a third that fixes it, as integral({}, {}) = 0, or change one",
          conditions[0].text.text, conditions[1].text.text, model_.unknown, model_.axis.name);
      return closure;
    }
    closure.start.first = (right[0] * matrix[1][1] - right[1] * matrix[0][1]) / whole;
    closure.start.second = (right[1] * matrix[0][0] - right[0] * matrix[1][0]) / whole;
    return closure;
  }
  // Of three conditions two are dependent; the shift of f makes them agree.
  std::size_t a = 0, b = 1, free = 3;
  for (const auto& [i, j, k] : {std::array<std::size_t, 3>{0, 1, 2}, {0, 2, 1}, {1, 2, 0}})
    if (free == 3 && determinant(i, j, 0, 1).high == 0.0) {
      a = i;
      b = j;
      free = k;
    }
  if (free == 3 || operator_.kind != RecurrenceKind::poisson)
    throw_case_error(conditions[2].text, 0,
                     "a condition too many, two determine the solution already: leave one of the three out");
  // Cramer's rule for the three unknowns start.first, start.second, shift.
  const auto minor = [&](std::size_t column, std::size_t i, std::size_t j, const auto& m) {
    const std::size_t c = column == 0 ? 1 : 0, d = column == 2 ? 1 : 2;
    return m[i][c] * m[j][d] - m[i][d] * m[j][c];
  };
  const auto determinant_of = [&](const auto& m) {
    return m[0][0] * minor(0, 1, 2, m) - m[0][1] * minor(1, 1, 2, m) + m[0][2] * minor(2, 1, 2, m);
  };
  const DoubleDouble whole = determinant_of(matrix);
  std::array<DoubleDouble, 3> unknowns;
  for (std::size_t column = 0; column < 3; ++column) {
    auto replaced = matrix;
    for (std::size_t i = 0; i < 3; ++i) replaced[i][column] = right[i];
    unknowns[column] = determinant_of(replaced) / whole;
  }
  if (!(magnitude(whole) > 0.0) || !std::isfinite(unknowns[0].high)) {
    closure.status = ClosureStatus::singular;
    closure.message = fmt::format("the conditions `{}`, `{}` and `{}` leave a combination of the solutions free",
                                  conditions[a].text.text, conditions[b].text.text, conditions[free].text.text);
    return closure;
  }
  closure.start.first = unknowns[0];
  closure.start.second = unknowns[1];
  closure.shift = unknowns[2].high;
  if (!(std::abs(closure.shift) <= tolerance * source_size)) {
    closure.status = ClosureStatus::incompatible;
    closure.message = fmt::format(
        "the conditions `{}` and `{}` contradict the source: a solution exists only if the source is changed by {:.6g} "
        "everywhere ({:.1e} of its size; verification.tolerance allows {:.1e})",
        conditions[a].text.text, conditions[b].text.text, closure.shift, std::abs(closure.shift) / source_size,
        tolerance);
  }
  return closure;
}

}  // namespace gwrm
