// Real Fourier series between coefficients and equidistant points, along one dimension of a tensor, by fast transforms.
//
// Formula   synthesis  f_j = sum_k a_k phi_k^(m)(theta_j), the m-th derivative with respect to theta,
//           analysis   a_0 = (1/n) sum_j f_j,  a_k = (2/n) sum_j f_j phi_k(theta_j),
//           phi = 1, sin theta, cos theta, .., sin M theta, cos M theta; theta_j = 2 pi (j + 1/2) / n, j < n, n > 2 M.
//           With g_k = cos coefficient - i sin coefficient: f_j = Re sum_k (i k)^m g_k exp(i pi k / n) exp(2 pi i jk /
//           n). Two real lines are the real and the imaginary part of one complex line, eight of which lie side by side
//           (fourier_lines.hpp): sixteen lines at once.
// Shapes    coefficients outer x (2 M + 1) x inner, values outer x n x inner, the last index fastest.
// Cost      about 4 n log2 n operations a line, four to eight times that where n has a prime factor above 31.
// Errors    about 1e-16 log2 n of the largest term.
// Determinism  the same bits in every run and on any number of threads. Two lines that share a complex one round
// together:
//           the last bits of a line are not those that it has alone.
// Device    kernels/transform/device_fourier_series.cuh, or the matrices of the same maps.
#pragma once

#include <memory>

#include "core/array.hpp"
#include "kernels/transform/fourier_plan.hpp"

namespace gwrm {

class FourierSeries {
 public:
  enum class Kind { synthesis, analysis };
  // ShapeError unless n > 2 degree; order: of the derivative, 0 for the analysis.
  FourierSeries(Kind kind, Index degree, Index n, int order);

  // Than products with the matrices split by parity, along rows and across them: on one thread of an EPYC of family 26
  // a synthesis and an analysis on 5/2 and 3 times as many points take 0.77 to 0.92 of the time at degree 8, 0.45 to
  // 0.52 at 12 and 0.32 to 0.48 at 24 with a BLAS for AVX2; 1.10 to 1.43, 0.81 to 1.01 and 0.57 to 0.96 with one for
  // AVX-512.
  static bool is_faster_than_matrix(Index degree) { return degree >= 12; }

  Kind kind() const { return kind_; }
  Index n_coefficients() const { return 2 * degree_ + 1; }
  Index n_points() const { return plan_->length(); }
  // w_k, k <= degree, re and im: synthesis (i k)^m exp(i pi k / n) / 2, k = 0 without the half, of which the real part
  // of a spectrum of both signs is taken; analysis 2 exp(-i pi k / n) / n, half of that for k = 0.
  const std::vector<double>& factors() const { return factors_; }
  // Rows and columns of the matrix that this stands for.
  Index rows() const { return kind_ == Kind::synthesis ? n_points() : n_coefficients(); }
  Index cols() const { return kind_ == Kind::synthesis ? n_coefficients() : n_points(); }

  // y = factor times the series of x.
  void apply(double factor, const double* x, Index outer, Index inner, double* y) const;

 private:
  Kind kind_;
  Index degree_;
  std::shared_ptr<const FourierPlan> plan_;
  // Wavenumber k: what g_k is multiplied with (synthesis), the transform of the values (analysis), re and im.
  std::vector<double> factors_;
};

}  // namespace gwrm
