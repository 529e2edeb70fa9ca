#include "kernels/recurrence/linear_recurrence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include "core/errors.hpp"

namespace gwrm {
namespace {

constexpr double kMaxGrowth = 1e6;
constexpr double kNearOne = 0.5;

std::array<std::complex<double>, 2> roots(const LinearRecurrence& recurrence) {
  const std::complex<double> root =
      std::sqrt(std::complex<double>(recurrence.a1 * recurrence.a1 + 4.0 * recurrence.a2));
  return {(recurrence.a1 + root) / 2.0, (recurrence.a1 - root) / 2.0};
}

struct Pair {
  DoubleDouble y, other;  // y_i, and y_{i-1} or y_i - y_{i-1}
};

Pair operator*(const DoubleDoubleMatrix& m, const Pair& v) {
  return {m[0] * v.y + m[1] * v.other, m[2] * v.y + m[3] * v.other};
}

DoubleDoubleMatrix power(DoubleDoubleMatrix base, Index exponent) {
  const auto product = [](const DoubleDoubleMatrix& a, const DoubleDoubleMatrix& b) {
    const Pair first = a * Pair{b[0], b[2]}, second = a * Pair{b[1], b[3]};
    return DoubleDoubleMatrix{first.y, second.y, first.other, second.other};
  };
  DoubleDoubleMatrix result{kOne, DoubleDouble{}, DoubleDouble{}, kOne};
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) result = product(base, result);
    base = product(base, base);
  }
  return result;
}

// One recurrence in the basis that suits its roots, with the shares of a block's values in the state behind it.
class Basis {
 public:
  explicit Basis(const LinearRecurrence& recurrence) : a1_(recurrence.a1), a2_(recurrence.a2) {
    for (const std::complex<double>& root : roots(recurrence))
      differences_ = differences_ || std::abs(root - 1.0) < kNearOne;
    growth_ = (two_sum(a1_, a2_) - kOne).high;
    const DoubleDouble a1{a1_, 0.0}, a2{a2_, 0.0};
    step_ = differences_ ? DoubleDoubleMatrix{a1 + a2, -a2, a1 + a2 - kOne, -a2}
                         : DoubleDoubleMatrix{a1, a2, kOne, DoubleDouble{}};
    block_step_ = power(step_, kRecurrenceBlock);
    chunk_step_ = power(step_, kRecurrenceChunk);
    Pair share{kOne, differences_ ? kOne : DoubleDouble{}};  // of d_i in the state behind it
    for (std::size_t j = at(kRecurrenceBlock); j-- > 0;) {
      y_weights_[j] = share.y.high;
      other_weights_[j] = share.other.high;
      share = step_ * share;
    }
  }

  Pair start(double before_first, double before_that) const {
    const DoubleDouble y{before_first, 0.0};
    return {y, differences_ ? two_sum(before_first, -before_that) : DoubleDouble{before_that, 0.0}};
  }

  // The state behind `count` points without and with their own totals.
  Pair behind(const Pair& state, Index count) const {
    if (count == kRecurrenceBlock) return block_step_ * state;
    if (count == kRecurrenceChunk) return chunk_step_ * state;
    return power(step_, count) * state;
  }
  Pair behind(const Pair& state, const Pair& totals, Index count) const {
    const Pair own = behind(state, count);
    return {own.y + totals.y, own.other + totals.other};
  }

  Pair block_totals(const double* d, Index m) const {
    const std::size_t skipped = at(kRecurrenceBlock) - static_cast<std::size_t>(m);
    double y = 0.0, other = 0.0;
#pragma omp simd reduction(+ : y, other)
    for (Index j = 0; j < m; ++j) {
      y += y_weights_[skipped + static_cast<std::size_t>(j)] * d[j];
      other += other_weights_[skipped + static_cast<std::size_t>(j)] * d[j];
    }
    return {{y, 0.0}, {other, 0.0}};
  }

  Pair chunk_totals(const double* d, Index m) const {
    Pair state;
    for (Index first = 0; first < m; first += kRecurrenceBlock) {
      const Index count = std::min(kRecurrenceBlock, m - first);
      state = behind(state, block_totals(d + first, count), count);
    }
    return state;
  }

  void fill_chunk(Pair state, const double* d, Index m, double* y) const {
    for (Index first = 0; first < m; first += kRecurrenceBlock) {
      const Index count = std::min(kRecurrenceBlock, m - first);
      const Pair next = behind(state, block_totals(d + first, count), count);
      fill_block(state.y.high, state.other.high, d + first, count, y + first);
      state = next;
    }
  }

 private:
  void fill_block(double y, double other, const double* d, Index m, double* to) const {
    for (Index j = 0; j < m; ++j) {
      if (differences_) {
        other = (growth_ * y - a2_ * other) + d[j];
        y += other;
      } else {
        const double next = (a1_ * y + a2_ * other) + d[j];
        other = y;
        y = next;
      }
      to[j] = y;
    }
  }

  double a1_, a2_, growth_ = 0.0;  // growth: a1 + a2 - 1
  bool differences_ = false;
  DoubleDoubleMatrix step_, block_step_, chunk_step_;
  std::array<double, at(kRecurrenceBlock)> y_weights_, other_weights_;
};

}  // namespace

double largest_root(const LinearRecurrence& recurrence) {
  const auto both = roots(recurrence);
  return std::max(std::abs(both[0]), std::abs(both[1]));
}

std::string why_unstable(const LinearRecurrence& recurrence, Index n) {
  const double root = largest_root(recurrence);
  if (!std::isfinite(root)) return "the coefficients of the recurrence are no numbers";
  // A root on the unit circle is found within its rounding.
  if (root <= 1.0 + 1e-12 || static_cast<double>(n) * std::log(root) <= std::log(kMaxGrowth)) return "";
  return "the recurrence is unstable: its root of modulus " + std::to_string(root) + " multiplies every error by " +
         std::to_string(root) + "^" + std::to_string(n) + "; run it backwards, or solve it as a system";
}

void linear_recurrence(const Context& context, const LinearRecurrence& recurrence, double before_first,
                       double before_that, std::span<const double> d, std::span<RecurrenceState> workspace,
                       std::span<double> y) {
  const Index n = static_cast<Index>(d.size());
  if (y.size() != d.size() || n == 0 || workspace.size() != recurrence_workspace_size(n))
    throw ShapeError("linear_recurrence: d, y and the workspace do not fit together");
  if (const std::string reason = why_unstable(recurrence, n); !reason.empty())
    throw Error(ExitStatus::singular, reason);
  const Basis basis(recurrence);
  const Index n_chunks = static_cast<Index>(workspace.size());
  const auto length = [&](Index c) { return std::min(kRecurrenceChunk, n - c * kRecurrenceChunk); };
#pragma omp parallel for schedule(static) num_threads(context.n_threads()) if (n_chunks > 1)
  for (Index c = 0; c < n_chunks; ++c) {
    const Pair totals = basis.chunk_totals(d.data() + c * kRecurrenceChunk, length(c));
    workspace[static_cast<std::size_t>(c)] = {totals.y, totals.other, {}};
  }
  Pair state = basis.start(before_first, before_that);
  for (Index c = 0; c < n_chunks; ++c) {
    RecurrenceState& chunk = workspace[static_cast<std::size_t>(c)];
    const Pair next = basis.behind(state, {chunk.first, chunk.second}, length(c));
    chunk = {state.y, state.other, {}};
    state = next;
  }
#pragma omp parallel for schedule(static) num_threads(context.n_threads()) if (n_chunks > 1)
  for (Index c = 0; c < n_chunks; ++c) {
    const RecurrenceState& chunk = workspace[static_cast<std::size_t>(c)];
    basis.fill_chunk({chunk.first, chunk.second}, d.data() + c * kRecurrenceChunk, length(c),
                     y.data() + c * kRecurrenceChunk);
  }
}

}  // namespace gwrm
