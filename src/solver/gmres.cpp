#include "solver/gmres.hpp"

#include <Eigen/Core>
#include <cmath>
#include <vector>

#include "kernels/gram_schmidt.hpp"

namespace gwrm {
namespace {

using View = Eigen::Map<const Eigen::VectorXd>;
using Target = Eigen::Map<Eigen::VectorXd>;

View view(std::span<const double> v) {
  return View(v.data(), static_cast<Eigen::Index>(v.size()));
}

constexpr double kRoundOff = 1e-15;

// The rotations that keep the Hessenberg matrix triangular, and the rotated right-hand side.
struct Triangle {
  std::vector<std::vector<double>> columns;
  std::vector<double> cosines, sines, right{};

  // Adds the column h (entries 0 .. j+1), the last one where the space is exhausted; returns the norm of the residual.
  double add(std::vector<double> h, bool last) {
    const std::size_t j = columns.size();
    for (std::size_t i = 0; i < j; ++i) {
      const double a = h[i], b = h[i + 1];
      h[i] = cosines[i] * a + sines[i] * b;
      h[i + 1] = cosines[i] * b - sines[i] * a;
    }
    double whole = 0.0;
    for (double value : h) whole += value * value;
    const double size = std::hypot(h[j], h[j + 1]);
    if (last && size <= 10.0 * kRoundOff * std::sqrt(whole)) {  // a singular system: this direction changes nothing
      h[j] = 0.0;
      columns.push_back(std::move(h));
      return std::abs(right[j]);
    }
    cosines.push_back(h[j] / size);
    sines.push_back(h[j + 1] / size);
    h[j] = size;
    right.push_back(-sines[j] * right[j]);
    right[j] *= cosines[j];
    columns.push_back(std::move(h));
    return std::abs(right.back());
  }

  Eigen::VectorXd solve() const {
    const std::size_t n = columns.size();
    Eigen::VectorXd y(static_cast<Eigen::Index>(n));
    for (std::size_t i = n; i-- > 0;) {
      double sum = right[i];
      for (std::size_t j = i + 1; j < n; ++j) sum -= columns[j][i] * y(static_cast<Eigen::Index>(j));
      y(static_cast<Eigen::Index>(i)) = columns[i][i] != 0.0 ? sum / columns[i][i] : 0.0;
    }
    return y;
  }
};

}  // namespace

GmresResult gmres(const LinearOperator& a, const LinearOperator& preconditioner, std::span<const double> b,
                  std::span<double> x, double tolerance, int max_iterations, int n_threads) {
  const auto n = static_cast<Eigen::Index>(b.size());
  Target solution(x.data(), n);
  solution.setZero();
  const double size = view(b).norm();
  GmresResult result;
  if (!std::isfinite(size)) {
    result.finite = false;
    return result;
  }
  if (size == 0.0) {
    result.converged = true;
    return result;
  }
  std::vector<Eigen::VectorXd> basis{view(b) / size};
  std::vector<Eigen::VectorXd> directions;  // M^{-1} of the basis
  Triangle triangle;
  triangle.right.push_back(size);
  Eigen::VectorXd w(n), z(n);
  result.relative_residual = 1.0;
  while (result.iterations < max_iterations) {
    const Eigen::VectorXd& last = basis.back();
    preconditioner({last.data(), b.size()}, {z.data(), b.size()});
    directions.push_back(z);
    a({z.data(), b.size()}, {w.data(), b.size()});
    ++result.iterations;
    std::vector<double> h(basis.size() + 1, 0.0);
    std::vector<const double*> vectors;
    for (const Eigen::VectorXd& v : basis) vectors.push_back(v.data());
    const GramSchmidtNorms norms =
        gram_schmidt(vectors, {w.data(), b.size()}, std::span(h).first(basis.size()), n_threads);
    h.back() = norms.after;
    if (!std::isfinite(h.back())) {
      result.finite = false;
      return result;
    }
    const bool exhausted = norms.after <= kRoundOff * norms.before;
    if (!exhausted) basis.push_back(w / h.back());
    result.relative_residual = triangle.add(std::move(h), exhausted) / size;
    if (result.relative_residual <= tolerance || exhausted) break;
  }
  result.converged = result.relative_residual <= tolerance;
  const Eigen::VectorXd y = triangle.solve();
  for (Eigen::Index i = 0; i < y.size(); ++i) solution += y(i) * directions[static_cast<std::size_t>(i)];
  return result;
}

}  // namespace gwrm
