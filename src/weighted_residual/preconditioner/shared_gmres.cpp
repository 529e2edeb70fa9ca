#include "weighted_residual/preconditioner/shared_gmres.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "solver/hessenberg.hpp"

namespace gwrm {
namespace {

using RankVector = std::vector<double>;

constexpr double kRoundOff = 1e-15;
constexpr double kEnoughLeft = 0.7;  // of w: it is orthogonal enough

RankVector scaled(double factor, std::span<const double> v) {
  RankVector result(v.size());
  std::transform(v.begin(), v.end(), result.begin(), [&](double value) { return factor * value; });
  return result;
}

// w += sum_j factors_j vectors_j, in that order, by pieces that stay in the first-level cache: each vector is read
// once.
void add_combination(const std::vector<RankVector>& vectors, const RankVector& factors, std::span<double> w) {
  constexpr std::size_t kPiece = 2048;
  for (std::size_t first = 0; first < w.size(); first += kPiece) {
    const std::size_t n = std::min(kPiece, w.size() - first);
    double* const to = w.data() + first;
    for (std::size_t j = 0; j < factors.size(); ++j) {
      const double factor = factors[j];
      const double* const v = vectors[j].data() + first;
      for (std::size_t i = 0; i < n; ++i) to[i] += factor * v[i];
    }
  }
}

// w made orthogonal to the basis, h its overlaps: norms of w before and after.
std::pair<double, double> orthogonalise(const SharedVectors& rows, Communicator& ranks,
                                        const std::vector<RankVector>& basis, RankVector& w, RankVector& h) {
  std::vector<const double*> all;
  for (const RankVector& v : basis) all.push_back(v.data());
  all.push_back(w.data());
  double first = 0.0, after = 0.0;
  for (int pass = 0; pass < 2; ++pass) {
    const RankVector sums = rows.dots(ranks, all, w);
    const double before = std::sqrt(sums.back());
    if (pass == 0) first = before;
    RankVector negative(basis.size());
    for (std::size_t j = 0; j < basis.size(); ++j) {
      h[j] += sums[j];
      negative[j] = -sums[j];
    }
    add_combination(basis, negative, w);
    const double* own = w.data();
    after = std::sqrt(rows.dots(ranks, {&own, 1}, w).front());
    if (!(after < kEnoughLeft * before)) break;
  }
  return {first, after};
}

}  // namespace

GmresResult shared_gmres(const LinearOperator& a, const LinearOperator& preconditioner, const SharedVectors& rows,
                         Communicator& ranks, std::span<const double> b, std::span<double> x,
                         const KrylovTolerance& tolerance, const GmresLimits& limits) {
  std::fill(x.begin(), x.end(), 0.0);
  GmresResult result;
  const double* own = b.data();
  const double size = std::sqrt(rows.dots(ranks, {&own, 1}, b).front());
  if (!std::isfinite(size)) {
    result.finite = false;
    return result;
  }
  if (size == 0.0) {
    result.converged = true;
    return result;
  }
  Hessenberg hessenberg(size);
  std::vector<RankVector> basis{scaled(1.0 / size, b)}, directions;
  RankVector w(b.size());
  result.relative_residual = 1.0;
  while (result.iterations < limits.max_iterations) {
    directions.emplace_back(x.size());
    preconditioner(basis.back(), directions.back());
    if (result.iterations == 0) result.wanted = tolerance(scaled(size, directions.back()));  // of M^{-1} b
    a(directions.back(), w);
    ++result.iterations;
    RankVector h(basis.size() + 1, 0.0);
    const auto [before, after] = orthogonalise(rows, ranks, basis, w, h);
    if (!std::isfinite(after)) {
      result.finite = false;
      return result;
    }
    h.back() = after;
    const bool exhausted = after <= kRoundOff * before;
    result.relative_residual = hessenberg.add(std::move(h), exhausted) / size;
    result.converged = result.relative_residual <= result.wanted;
    if (result.converged || exhausted) break;
    result.interrupted = limits.interrupted && ranks.agree(limits.interrupted() ? 1 : 0) != 0;
    if (result.interrupted) return result;
    if (result.iterations < limits.max_iterations) basis.push_back(scaled(1.0 / after, w));
  }
  add_combination(directions, hessenberg.solve(), x);
  return result;
}

}  // namespace gwrm
