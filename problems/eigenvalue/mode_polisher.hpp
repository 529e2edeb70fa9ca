// Modes more exactly, by dense factors.
//
// Step      inverse iteration w = P(l)^{-1} P'(l) v, l' = l - (w . v)/(w . w), with the factors of P(l), each solution
//           refined once: rounding is then that of the terms of P v, whose high coefficients are small, instead of that
//           of the largest derivative times |v| (Skeel, Mathematics of Computation 35, 1980).
// Left      mode y of P(l)^H y = 0 likewise, beginning from P(l)^{-H} W v (W: mean squares), so that of equal
//           eigenvalues it is the one beside v.
// Finally   l' = l - y^H P(l) v / y^H P'(l) v, which is wrong by the product of the errors of both (Ostrowski, Archive
//           for Rational Mechanics and Analysis 3, 1959).
// Cost      8/3 n^3 operations for the factors of each mode, and as many for its left mode (up to 1000 unknowns).
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "core/matrix.hpp"
#include "problems/eigenvalue/modes.hpp"

namespace gwrm {

// The modes of one pencil nearest to given ones, by dense factors.
class ModePolisher {
 public:
  explicit ModePolisher(const Pencil& pencil);
  // size: what the eigenvalue is to be compared with where it is larger than its magnitude, 0 beside 1, 4, 9. Nothing
  // where the iteration does not settle, or on another mode.
  std::optional<Mode> nearest(const Mode& mode, double size = 0.0) const;
  // Of its equations and conditions beyond rounding, the largest of the blocks of rows (mode_checks.hpp).
  double residual(const Mode& mode) const;
  // P1^H y and, of a squared eigenvalue, P2^H y.
  std::vector<Eigen::VectorXcd> functionals(const Eigen::VectorXcd& left) const;

 private:
  std::optional<Mode> nearest_from(std::complex<double> l, const Mode& mode, double size) const;
  Eigen::MatrixXcd at(std::complex<double> l) const;
  Eigen::MatrixXcd slope_at(std::complex<double> l) const;
  void finish(const Eigen::MatrixXcd& p, const Eigen::MatrixXcd& slope, double distance, Mode& mode) const;

  const Pencil& pencil_;
  Eigen::MatrixXd matrices_[3];
};

}  // namespace gwrm
