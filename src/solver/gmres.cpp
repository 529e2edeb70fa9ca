#include "solver/gmres.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/linear_algebra/gram_schmidt.hpp"
#include "solver/hessenberg.hpp"

namespace gwrm {
namespace {

Eigen::Map<const Eigen::VectorXd> view(std::span<const double> v) {
  return {v.data(), static_cast<Eigen::Index>(v.size())};
}

std::vector<const double*> pointers(const std::vector<Eigen::VectorXd>& vectors) {
  std::vector<const double*> result;
  for (const Eigen::VectorXd& v : vectors) result.push_back(v.data());
  return result;
}

constexpr double kRoundOff = 1e-15;

}  // namespace

GmresResult gmres(const LinearOperator& a, const LinearOperator& preconditioner, std::span<const double> b,
                  std::span<double> x, const KrylovTolerance& tolerance, int max_iterations, int n_threads) {
  const std::size_t n = b.size();
  std::fill(x.begin(), x.end(), 0.0);
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
  // Vectors are written where they stay, by the threads that will read them.
  std::vector<Eigen::VectorXd> basis, directions;  // directions: M^{-1} of the basis
  const auto add_to_basis = [&](const double* v, double factor) {
    basis.emplace_back(static_cast<Eigen::Index>(n));
    scale(factor, v, {basis.back().data(), n}, n_threads);
  };
  add_to_basis(b.data(), 1.0 / size);
  Hessenberg hessenberg(size);
  Eigen::VectorXd w(static_cast<Eigen::Index>(n));
  result.relative_residual = 1.0;
  while (result.iterations < max_iterations) {
    directions.emplace_back(static_cast<Eigen::Index>(n));
    Eigen::VectorXd& z = directions.back();
    preconditioner({basis.back().data(), n}, {z.data(), n});
    if (result.iterations == 0) {
      if (tolerance.needs_direction()) scale(size, z.data(), {w.data(), n}, n_threads);  // M^{-1} b
      result.wanted = tolerance({w.data(), n});
    }
    a({z.data(), n}, {w.data(), n});
    ++result.iterations;
    std::vector<double> h(basis.size() + 1, 0.0);
    const GramSchmidtNorms norms =
        gram_schmidt(pointers(basis), {w.data(), n}, std::span(h).first(basis.size()), n_threads);
    h.back() = norms.after;
    if (!std::isfinite(h.back())) {
      result.finite = false;
      return result;
    }
    const bool exhausted = norms.after <= kRoundOff * norms.before;
    if (!exhausted) add_to_basis(w.data(), 1.0 / norms.after);
    result.relative_residual = hessenberg.add(std::move(h), exhausted) / size;
    if (result.relative_residual <= result.wanted || exhausted) break;
  }
  result.converged = result.relative_residual <= result.wanted;
  combine(pointers(directions), hessenberg.solve(), x, n_threads);
  return result;
}

}  // namespace gwrm
