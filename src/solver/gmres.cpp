#include "solver/gmres.hpp"

#include <Eigen/Core>
#include <cmath>
#include <vector>

#include "kernels/gram_schmidt.hpp"
#include "solver/hessenberg.hpp"

namespace gwrm {
namespace {

using View = Eigen::Map<const Eigen::VectorXd>;
using Target = Eigen::Map<Eigen::VectorXd>;

View view(std::span<const double> v) {
  return View(v.data(), static_cast<Eigen::Index>(v.size()));
}

constexpr double kRoundOff = 1e-15;

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
  Hessenberg hessenberg(size);
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
    result.relative_residual = hessenberg.add(std::move(h), exhausted) / size;
    if (result.relative_residual <= tolerance || exhausted) break;
  }
  result.converged = result.relative_residual <= tolerance;
  const std::vector<double> y = hessenberg.solve();
  for (std::size_t i = 0; i < y.size(); ++i) solution += y[i] * directions[i];
  return result;
}

}  // namespace gwrm
