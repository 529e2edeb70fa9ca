#include "basis/orthogonal_polynomials.hpp"

#include "core/matrix_storage.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <vector>

#include "core/errors.hpp"
#include "core/remembered.hpp"

namespace gwrm {

using Kind = Distribution::Kind;

// With alpha = b - 1 and beta = a - 1: the weight is (1 - x)^alpha (1 + x)^beta.
long double OrthogonalPolynomials::diagonal(Index k) const {
  if (is_even()) return 0.0L;
  const long double alpha = second_ - 1.0L, beta = first_ - 1.0L, sum = alpha + beta, two_k = 2.0L * k;
  if (k == 0) return (beta - alpha) / (sum + 2.0L);
  return (beta - alpha) * sum / ((two_k + sum) * (two_k + sum + 2.0L));
}

long double OrthogonalPolynomials::square(Index k) const {
  const long double n = static_cast<long double>(k);
  switch (kind_) {
    case Kind::normal:
      return n;
    case Kind::uniform:
      return n * n / (4.0L * n * n - 1.0L);
    case Kind::beta:
      break;
  }
  const long double alpha = second_ - 1.0L, beta = first_ - 1.0L, sum = alpha + beta, t = 2.0L * n + sum;
  if (k == 1) return 4.0L * (1.0L + alpha) * (1.0L + beta) / (t * t * (t + 1.0L));  // (1 + sum) cancels
  return 4.0L * n * (n + alpha) * (n + beta) * (n + sum) / (t * t * (t + 1.0L) * (t - 1.0L));
}

// The derivatives of one order from those of the order below, `lower` (nothing for order 0):
// sqrt(b_(k+1)) p_(k+1)' = (x - a_k) p_k' + order p_k^(below) - sqrt(b_k) p_(k-1)'.
void OrthogonalPolynomials::recur(long double x, Index n, long double* p, const long double* lower, int order) const {
  long double root = 0.0L;
  p[0] = order == 0 ? 1.0L : 0.0L;
  for (Index k = 0; k + 1 < n; ++k) {
    const long double next = std::sqrt(square(k + 1));
    p[k + 1] = (x - diagonal(k)) * p[k] - (k > 0 ? root * p[k - 1] : 0.0L);
    if (lower != nullptr) p[k + 1] += order * lower[k];
    p[k + 1] /= next;
    root = next;
  }
}

void OrthogonalPolynomials::values(long double x, int order, RowVector& row) const {
  const auto n = static_cast<std::size_t>(row.size());
  std::vector<long double> p(n), lower;
  recur(x, row.size(), p.data(), nullptr, 0);
  for (int m = 1; m <= order; ++m) {
    lower.swap(p);
    p.resize(n);
    recur(x, row.size(), p.data(), lower.data(), m);
  }
  for (std::size_t k = 0; k < n; ++k) row(static_cast<Index>(k)) = static_cast<double>(p[k]);
}

OrthogonalPolynomials::Rule OrthogonalPolynomials::made(Index n) const {
  Vector middle(n), beside(std::max<Index>(0, n - 1));
  for (Index k = 0; k < n; ++k) middle(k) = static_cast<double>(diagonal(k));
  for (Index k = 0; k + 1 < n; ++k) beside(k) = static_cast<double>(std::sqrt(square(k + 1)));
  Rule rule{middle, Vector(n)};
  if (n > 1) {
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
    solver.computeFromTridiagonal(middle, beside, Eigen::EigenvaluesOnly);
    if (solver.info() != Eigen::Success)
      throw Error(ExitStatus::internal_error, "Gauss quadrature of a density: the eigenvalues did not converge");
    rule.points = solver.eigenvalues();
  }
  std::vector<long double> p(static_cast<std::size_t>(n) + 1), slope(p.size());
  const Index half = is_even() ? (n + 1) / 2 : n;  // the others by reflection
  for (Index i = 0; i < half; ++i) {
    long double x = rule.points(i);
    for (int step = 0; step < 3; ++step) {
      recur(x, n + 1, p.data(), nullptr, 0);
      recur(x, n + 1, slope.data(), p.data(), 1);
      x -= p.back() / slope.back();
    }
    if (is_even() && 2 * i + 1 == n) x = 0.0L;
    recur(x, n, p.data(), nullptr, 0);
    long double sum = 0.0L;
    for (Index k = 0; k < n; ++k) sum += p[static_cast<std::size_t>(k)] * p[static_cast<std::size_t>(k)];
    rule.points(i) = static_cast<double>(x);
    rule.weights(i) = static_cast<double>(1.0L / sum);
    if (!is_even()) continue;
    rule.points(n - 1 - i) = 2 * i + 1 == n ? 0.0 : -rule.points(i);
    rule.weights(n - 1 - i) = rule.weights(i);
  }
  return rule;
}

std::shared_ptr<const OrthogonalPolynomials::Rule> OrthogonalPolynomials::rule(Index n) const {
  static Remembered<Rule, Kind, double, double, Index> known;
  const bool of_interval = kind_ == Kind::beta;  // the others are the same for all numbers
  return known.get({kind_, of_interval ? first_ : 0.0, of_interval ? second_ : 0.0, n}, [&] { return made(n); });
}

}  // namespace gwrm
