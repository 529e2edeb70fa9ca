// Operators of one dimension to diagonalise.
#pragma once

#include <string>
#include <vector>

#include "core/array.hpp"
#include "core/matrix.hpp"
#include "kernels/sbp_sat/separable_operator.hpp"
#include "random_array.hpp"

namespace gwrm::test {

struct Line {
  std::string name;
  StencilRows a;
  std::vector<double> weights;

  Index n() const { return a.n; }
  Vector scale() const { return Eigen::Map<const Vector>(weights.data(), n()).cwiseSqrt().cwiseInverse(); }
  Matrix standard() const { return scale().asDiagonal() * dense(a) * scale().asDiagonal(); }
};

// A full matrix, random and positive definite; with `alike` the same from both ends.
inline Line random_line(Index n, bool alike) {
  Random random(static_cast<unsigned>(n));
  const Matrix factor = random.matrix(n, n);
  Matrix a = factor * factor.transpose() + Matrix::Identity(n, n);
  Line line{"random " + std::to_string(n) + (alike ? ", ends alike" : ""), {}, {}};
  for (Index i = 0; i < n; ++i) line.weights.push_back(random.number(0.5, 2.0));
  for (Index i = 0; i < n / 2 && alike; ++i)
    line.weights[static_cast<int>(n - 1 - i)] = line.weights[static_cast<int>(i)];
  if (alike) a = (a + Matrix(a.reverse())).eval();
  a = (a + Matrix(a.transpose())).eval();
  line.a.n = n;
  line.a.n_closure = line.a.closure_width = static_cast<int>(n);
  line.a.interior = {0.0};
  line.a.first.assign(a.data(), a.data() + a.size());
  return line;
}

// An SBP stiffness with one of: fluxes at both ends, Dirichlet conditions at both, Dirichlet and Robin.
inline Line sbp_line(int order, Index n, int conditions) {
  const double h = 2.0 / static_cast<double>(n - 1);
  Line line{"order " + std::to_string(order) + ", n " + std::to_string(n) + ", ends " + std::to_string(conditions),
            sbp_stiffness(order, n, h, 1.5), sbp_weights(order, n, h)};
  if (conditions > 0) add_dirichlet_end(line.a, order, h, 1.5, 13.0 * 1.5 / h, End::lower);
  if (conditions == 1) add_dirichlet_end(line.a, order, h, 1.5, 13.0 * 1.5 / h, End::upper);
  if (conditions == 2) add_to_corner(line.a, 0.7, End::upper);
  return line;
}

inline SeparableOperator separable(const Line& slow, const Line& fast) {
  return {slow.a, fast.a, slow.weights, fast.weights};
}

// |b - A x|_2 / |b|_2
inline double relative_residual(const SeparableOperator& a, const std::vector<double>& b,
                                const std::vector<double>& x) {
  std::vector<double> r(b.size());
  cpu::separable_apply(a, x.data(), r.data());
  const auto size = static_cast<Index>(b.size());
  const Eigen::Map<const Vector> given(b.data(), size), found(r.data(), size);
  return (given - found).norm() / given.norm();
}

}  // namespace gwrm::test
