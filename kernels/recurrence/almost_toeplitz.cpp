#include <array>
#include <cmath>
#include <string>

#include "core/errors.hpp"
#include "kernels/recurrence/linear_recurrence.hpp"

namespace gwrm {
namespace {

DoubleDouble exactly(double a) {
  return {a, 0.0};
}

// Of l r^-1 + m + p r = 0 the root r inside the circle as 1 - r = (m + l + p) / (...): with scaled coefficients
// a = -l/m, b = -p/m the roots obey r = a + b r^2, so that 1 - r = 2 e / (1 - 2 b + sqrt(1 - 4 a b)) with
// e = 1 - a - b = (m + l + p)/m, which a nearly singular matrix has given exactly.
DoubleDouble decay_of(DoubleDouble a, DoubleDouble b, DoubleDouble excess) {
  const DoubleDouble root = sqrt(kOne - exactly(4.0) * a * b);
  return exactly(2.0) * excess / (kOne - exactly(2.0) * b + root);
}

}  // namespace

void solve_almost_toeplitz(const Context& context, const AlmostToeplitz& matrix, std::span<const double> d,
                           std::span<RecurrenceState> workspace, std::span<double> u) {
  const Index n = static_cast<Index>(d.size());
  if (u.size() != d.size() || n < 4 || workspace.size() != recurrence_workspace_size(n))
    throw ShapeError("solve_almost_toeplitz: d, u and the workspace do not fit together, or fewer than 4 rows");
  const double m = matrix.diagonal;
  if (!(matrix.lower * matrix.upper > 0.0 && matrix.lower * m < 0.0 &&
        std::abs(m) > std::abs(matrix.lower) + std::abs(matrix.upper)))
    throw Error(ExitStatus::singular,
                "a tridiagonal Toeplitz matrix is solved by recurrences where its diagonal outweighs two neighbours of "
                "the other sign: |" +
                    std::to_string(m) + "| > |" + std::to_string(matrix.lower) + "| + |" +
                    std::to_string(matrix.upper) + "|");
  const DoubleDouble a = -(exactly(matrix.lower) / exactly(m)), b = -(exactly(matrix.upper) / exactly(m));
  const DoubleDouble excess = (exactly(m) + matrix.lower + exactly(matrix.upper)) / exactly(m);
  const DoubleDouble forward = decay_of(a, b, excess), backward = decay_of(b, a, excess);
  // On the whole line u_i = G (sum_{j<=i} r_f^(i-j) d_j + sum_{j>i} r_b^(j-i) d_j), m G (1 - a r_b - b r_f) = 1.
  const DoubleDouble r_forward = kOne - forward, r_backward = kOne - backward;
  const DoubleDouble gain = kOne / (exactly(m) * (kOne - a * r_backward - b * r_forward));
  const RecurrenceOperator op = two_sided_recurrence(gain, forward, backward, 0.0);
  const RecurrenceSource source{d.data(), nullptr, {}};
  const RecurrenceState totals = recurrence_totals(context, op, source, n, workspace);

  // The first and last rows are affine in the start (P_{-1}, Q_{n-1}).
  const std::array<double, 4> ends = {d[0], d[1], d[static_cast<std::size_t>(n) - 2],
                                      d[static_cast<std::size_t>(n) - 1]};
  const auto rows = [&](const RecurrenceState& start, const RecurrenceState& own, const std::array<double, 4>& f) {
    const RecurrenceState end = homogeneous_steps(op, start, n);
    DoubleDouble p = start.first, q = end.second + own.second;  // P_{-1}, Q_{-1}
    std::array<DoubleDouble, 4> values;
    for (std::size_t i = 0; i < 2; ++i) {
      p = r_forward * p + f[i];
      q = q / r_backward - f[i];
      values[i] = gain * (p + q);
    }
    p = end.first + own.first;
    q = start.second;
    for (std::size_t i = 4; i-- > 2;) {
      values[i] = gain * (p + q);
      p = (p - f[i]) / r_forward;
      q = r_backward * (q + f[i]);
    }
    return std::array<DoubleDouble, 2>{values[0] * matrix.first_diagonal + values[1] * matrix.first_upper,
                                       values[2] * matrix.last_lower + values[3] * matrix.last_diagonal};
  };
  const auto by_p = rows({kOne, {}, {}}, {}, {}), by_q = rows({{}, kOne, {}}, {}, {});
  const auto own = rows({}, totals, ends);
  const DoubleDouble first = exactly(ends[0]) - own[0], last = exactly(ends[3]) - own[1];
  const DoubleDouble determinant = by_p[0] * by_q[1] - by_p[1] * by_q[0];
  if (!(std::abs(determinant.high) > 1e-14 * std::abs((by_p[0] * by_q[1]).high)))
    throw Error(ExitStatus::singular, "the first and last rows make the tridiagonal matrix singular");
  const RecurrenceState start{
      (first * by_q[1] - last * by_q[0]) / determinant, (last * by_p[0] - first * by_p[1]) / determinant, {}};
  recurrence_fill(context, op, source, start, n, workspace, u.data());
}

}  // namespace gwrm
