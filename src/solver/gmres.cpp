#include "solver/gmres.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
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

constexpr double kKrylovRoundOff = 1e-15;

// The space that one cycle builds for a right-hand side of length `size`, and the solution in it.
class KrylovBasis {
 public:
  KrylovBasis(std::span<const double> right, double size, bool keeps_directions, int n_threads)
      : n_(right.size()), keeps_directions_(keeps_directions), n_threads_(n_threads), hessenberg_(size) {
    add(right.data(), 1.0 / size);
  }

  std::span<const double> last() const { return {basis_.back().data(), n_}; }
  // Where M^{-1} of the last vector goes.
  std::span<double> next_direction() {
    if (keeps_directions_ || directions_.empty()) directions_.emplace_back(static_cast<Eigen::Index>(n_));
    return {directions_.back().data(), n_};
  }
  // w = A M^{-1} of the last vector, which is changed: the norm of the residual; infinite where it is not finite.
  double extend(std::span<double> w, bool is_last) {
    std::vector<double> h(basis_.size() + 1, 0.0);
    const GramSchmidtNorms norms = gram_schmidt(pointers(basis_), w, std::span(h).first(basis_.size()), n_threads_);
    h.back() = norms.after;
    if (!std::isfinite(h.back())) return std::numeric_limits<double>::infinity();
    exhausted_ = norms.after <= kKrylovRoundOff * norms.before;
    if (!exhausted_ && !is_last) add(w.data(), 1.0 / norms.after);
    ++n_columns_;
    return hessenberg_.add(std::move(h), exhausted_);
  }
  bool exhausted() const { return exhausted_; }
  // `work` is overwritten where no directions are kept.
  void solution(const LinearOperator& preconditioner, std::span<double> work, std::span<double> x) const {
    const std::vector<double> factors = hessenberg_.solve();
    if (keeps_directions_) {
      combine(pointers(directions_), factors, x, n_threads_);
      return;
    }
    std::vector<const double*> vectors = pointers(basis_);
    vectors.resize(n_columns_);
    combine(vectors, factors, work, n_threads_);
    preconditioner(work, x);
  }

 private:
  // Vectors are written where they stay, by the threads that will read them.
  void add(const double* v, double factor) {
    basis_.emplace_back(static_cast<Eigen::Index>(n_));
    scale(factor, v, {basis_.back().data(), n_}, n_threads_);
  }

  std::size_t n_;
  bool keeps_directions_;
  int n_threads_;
  std::vector<Eigen::VectorXd> basis_, directions_;  // directions: M^{-1} of the basis
  Hessenberg hessenberg_;
  std::size_t n_columns_ = 0;
  bool exhausted_ = false;
};

}  // namespace

GmresResult gmres(const LinearOperator& a, const LinearOperator& preconditioner, std::span<const double> b,
                  std::span<double> x, const KrylovTolerance& tolerance, const GmresLimits& limits, int n_threads) {
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
  Eigen::VectorXd w(static_cast<Eigen::Index>(n)), residual, correction;
  const std::span<double> image(w.data(), n);
  result.relative_residual = 1.0;
  while (result.iterations < limits.max_iterations) {
    const bool is_first = result.iterations == 0;
    if (!is_first) {  // the residual of the cycles so far
      a(x, image);
      residual = view(b) - w;
      correction.resize(w.size());
    }
    const int end =
        limits.cycle > 0 ? std::min(limits.max_iterations, result.iterations + limits.cycle) : limits.max_iterations;
    const double of_cycle = is_first ? size : residual.norm();
    if (of_cycle == 0.0) {
      result.relative_residual = 0.0;
      result.converged = true;
      break;
    }
    KrylovBasis basis(is_first ? b : std::span<const double>(residual.data(), n), of_cycle, limits.keeps_directions,
                      n_threads);
    while (result.iterations < end) {
      const std::span<double> z = basis.next_direction();
      preconditioner(basis.last(), z);
      if (result.iterations == 0) {
        if (tolerance.needs_direction()) scale(size, z.data(), image, n_threads);  // M^{-1} b
        result.wanted = tolerance(image);
      }
      a(z, image);
      ++result.iterations;
      result.relative_residual = basis.extend(image, result.iterations == end) / size;
      if (!std::isfinite(result.relative_residual)) {
        result.finite = false;
        return result;
      }
      result.converged = result.relative_residual <= result.wanted;
      if (result.converged || basis.exhausted()) break;
      result.interrupted = limits.interrupted && limits.interrupted();
      if (result.interrupted) return result;
    }
    basis.solution(preconditioner, image, is_first ? x : std::span<double>(correction.data(), n));
    if (!is_first) Eigen::Map<Eigen::VectorXd>(x.data(), w.size()) += correction;
    if (result.converged || basis.exhausted()) break;
  }
  return result;
}

}  // namespace gwrm
