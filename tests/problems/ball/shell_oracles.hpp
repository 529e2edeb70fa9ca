// What is known of a shell without any of the program's functions: spherical Bessel functions and the determinants of
// conditions at two walls, collocation at Chebyshev points.
#pragma once

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace gwrm::test {

// f, f', f'' at a radius.
struct Jet {
  double value, slope, curvature;
};

// Of g_l(k r), g a spherical Bessel function j or y, by 2 g_l' = .. and Bessel's equation.
inline Jet bessel_jet(bool second_kind, unsigned l, double k, double r) {
  const auto g = [&](unsigned n) { return second_kind ? std::sph_neumann(n, k * r) : std::sph_bessel(n, k * r); };
  const double x = k * r, value = g(l), slope = l * value / x - g(l + 1);
  return {value, k * slope, k * k * (-2.0 * slope / x - (1.0 - l * (l + 1.0) / (x * x)) * value)};
}

inline Jet power_jet(int n, double r) {
  return {std::pow(r, n), n * std::pow(r, n - 1), n * (n - 1) * std::pow(r, n - 2)};
}

// One condition at a radius as a number that vanishes.
using Condition = std::function<double(const Jet& f, unsigned l, double r)>;

struct AtWall {
  double r;
  Condition condition;
};

// The determinant of conditions on j_l(kr), y_l(kr) and, where there are four, r^l and r^-(l+1).
inline double determinant(const std::vector<AtWall>& walls, unsigned l, double k) {
  Eigen::MatrixXd matrix(walls.size(), walls.size());
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    const AtWall& wall = walls[static_cast<std::size_t>(i)];
    matrix(i, 0) = wall.condition(bessel_jet(false, l, k, wall.r), l, wall.r);
    matrix(i, 1) = wall.condition(bessel_jet(true, l, k, wall.r), l, wall.r);
    if (matrix.cols() < 4) continue;
    matrix(i, 2) = wall.condition(power_jet(static_cast<int>(l), wall.r), l, wall.r);
    matrix(i, 3) = wall.condition(power_jet(-static_cast<int>(l) - 1, wall.r), l, wall.r);
  }
  // Rows and columns of very different sizes: the sign is all that is wanted.
  for (Eigen::Index j = 0; j < matrix.cols(); ++j) matrix.col(j) /= matrix.col(j).cwiseAbs().maxCoeff();
  return matrix.determinant();
}

// The smallest k > 0 at which the determinant changes its sign: rates of decay are kappa k^2.
inline double slowest_wave(const std::vector<AtWall>& walls, unsigned l, double from = 0.05) {
  const double step = from;
  double a = from;
  while (determinant(walls, l, a) * determinant(walls, l, a + step) > 0.0) a += step;
  double b = a + step;
  const double at_a = determinant(walls, l, a);
  for (int i = 0; i < 100; ++i) {
    const double c = (a + b) / 2.0;
    (at_a * determinant(walls, l, c) <= 0.0 ? b : a) = c;
  }
  return (a + b) / 2.0;
}

// Radii a .. 1 at n + 1 Chebyshev points, the outer wall first, and the matrix of derivatives there.
struct ChebyshevRadii {
  Eigen::VectorXd r;
  Eigen::MatrixXd d;

  ChebyshevRadii(double a, int n) : r(n + 1), d(Eigen::MatrixXd::Zero(n + 1, n + 1)) {
    Eigen::VectorXd x(n + 1);
    for (int i = 0; i <= n; ++i) x(i) = std::cos(3.14159265358979323846 * i / n);
    r = (0.5 * (1.0 + a) + 0.5 * (1.0 - a) * x.array()).matrix();
    const auto weight = [&](int i) { return (i == 0 || i == n ? 2.0 : 1.0) * (i % 2 == 0 ? 1.0 : -1.0); };
    for (int i = 0; i <= n; ++i)
      for (int j = 0; j <= n; ++j)
        if (i != j) d(i, j) = weight(i) / weight(j) / (x(i) - x(j));
    for (int i = 0; i <= n; ++i) d(i, i) = -d.row(i).sum();
    d *= 2.0 / (1.0 - a);
  }

  Eigen::MatrixXd laplacian(int l) const {
    return d * d + 2.0 * (r.cwiseInverse().asDiagonal() * d) -
           l * (l + 1.0) * Eigen::MatrixXd(r.cwiseAbs2().cwiseInverse().asDiagonal());
  }
};

// The critical Rayleigh number of one l by collocation at n + 1 Chebyshev points: lap lap P = Ra Theta, lap Theta = -l
// (l+1) w P with w = 1 for a background of the gradient -r, a/((1-a) r^3) for one that conducts between the walls;
// written with lap P as a third unknown.
inline double critical_rayleigh(int l, double a, int n, bool outer_slips, bool inner_slips, bool conducts) {
  const int size = n + 1;
  const ChebyshevRadii points(a, n);
  const Eigen::MatrixXd &d = points.d, second = d * d, unit = Eigen::MatrixXd::Identity(size, size),
                        laplacian = points.laplacian(l);
  const Eigen::VectorXd over_r = points.r.cwiseInverse();
  const double both = l * (l + 1.0);
  Eigen::VectorXd w = Eigen::VectorXd::Constant(size, both);
  if (conducts) w = both * a / (1.0 - a) * over_r.array().cube().matrix();
  Eigen::MatrixXd left = Eigen::MatrixXd::Zero(3 * size, 3 * size), right = left;
  left.block(0, 0, size, size) = laplacian;
  left.block(0, size, size, size) = -unit;
  left.block(size, size, size, size) = laplacian;
  right.block(size, 2 * size, size, size) = unit;
  left.block(2 * size, 0, size, size) = w.asDiagonal();
  left.block(2 * size, 2 * size, size, size) = laplacian;
  for (const auto& [at, slips] : {std::pair{0, outer_slips}, std::pair{n, inner_slips}}) {
    for (int block = 0; block < 3; ++block) {
      left.row(block * size + at).setZero();
      right.row(block * size + at).setZero();
    }
    left(at, at) = 1.0;
    left.block(size + at, 0, 1, size) = (slips ? second : d).row(at);
    left(2 * size + at, 2 * size + at) = 1.0;
  }
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(left.partialPivLu().solve(right), false);
  double largest = 0.0;
  for (Eigen::Index i = 0; i < solver.eigenvalues().size(); ++i) {
    const std::complex<double> value = solver.eigenvalues()(i);
    if (std::abs(value.imag()) < 1e-9 * std::abs(value)) largest = std::max(largest, value.real());
  }
  return 1.0 / largest;
}

}  // namespace gwrm::test
