// The block recurrences by their defining steps in quadruple precision (block_recurrence.hpp), and what they are held
// against.
#pragma once

#include <cmath>
#include <vector>

#include "kernels/quadruple.hpp"
#include "kernels/random_array.hpp"
#include "kernels/recurrence/block_recurrence.hpp"

namespace gwrm::test {

struct ExactRecurrence {
  std::vector<Quadruple> u;
  Quadruple first = 0, second = 0, sum = 0;  // behind the last point (two_sided: second before the first)
};

inline ExactRecurrence forward_steps(const RecurrenceOperator& op, const std::vector<double>& f,
                                     const RecurrenceState& start) {
  ExactRecurrence result;
  const Quadruple scale = quadruple(op.scale), growth = quadruple(op.growth), c = op.correction;
  Quadruple w = quadruple(start.first), s = quadruple(start.second);
  for (double value : f) {
    result.u.push_back(w - c * value);
    result.sum += w;
    s += growth * w - value;
    w += scale * s;
  }
  result.first = w;
  result.second = s;
  return result;
}

inline ExactRecurrence two_sided_steps(const RecurrenceOperator& op, const std::vector<double>& f,
                                       const RecurrenceState& start) {
  ExactRecurrence result;
  const Quadruple r_forward = 1 - quadruple(op.forward_decay), r_backward = 1 - quadruple(op.backward_decay);
  const std::size_t n = f.size();
  std::vector<Quadruple> q(n);
  Quadruple carry = quadruple(start.second);
  for (std::size_t i = n; i-- > 0;) {
    q[i] = carry;
    carry = r_backward * (carry + f[i]);
  }
  result.second = carry;
  carry = quadruple(start.first);
  for (std::size_t i = 0; i < n; ++i) {
    carry = r_forward * carry + f[i];
    result.u.push_back(quadruple(op.scale) * (carry + q[i]) - static_cast<Quadruple>(op.correction) * f[i]);
  }
  result.first = carry;
  return result;
}

inline ExactRecurrence exact_recurrence(const RecurrenceOperator& op, const std::vector<double>& f,
                                        const RecurrenceState& start) {
  return op.kind == RecurrenceKind::two_sided ? two_sided_steps(op, f, start) : forward_steps(op, f, start);
}

inline double relative_difference(const std::vector<double>& u, const std::vector<Quadruple>& expected) {
  Quadruple difference = 0, size = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    difference += (u[i] - expected[i]) * (u[i] - expected[i]);
    size += expected[i] * expected[i];
  }
  return std::sqrt(static_cast<double>(difference / size));
}

inline double relative_difference(DoubleDouble a, Quadruple b) {
  const double error = std::abs(static_cast<double>(quadruple(a) - b));
  return b == 0 ? error : error / std::abs(static_cast<double>(b));
}

// A right-hand side with a mean, so that the relative error says something.
inline std::vector<double> random_source(Random& random, Index n) {
  std::vector<double> f(static_cast<std::size_t>(n));
  for (double& value : f) value = 1.0 + random.number();
  return f;
}

// On `n` points of an interval of length 1, with a correction. Of shooting `rate` is (q/F), of two_sided 1 - r, for
// roots that differ.
inline RecurrenceOperator test_recurrence(RecurrenceKind kind, Index n, double rate) {
  const double h = 1.0 / static_cast<double>(n);
  switch (kind) {
    case RecurrenceKind::poisson:
      return poisson_recurrence(two_product(h, h), 0.3 * h * h);
    case RecurrenceKind::shooting:
      return shooting_recurrence(two_product(h, h), {rate, 1e-18 * rate}, 0.3 * h * h);
    case RecurrenceKind::two_sided:
      break;
  }
  return two_sided_recurrence({h, 1e-20 * h}, DoubleDouble{rate, 0.0} * 0.9, DoubleDouble{rate, 0.0} * 0.6, 0.3 * h);
}

}  // namespace gwrm::test
