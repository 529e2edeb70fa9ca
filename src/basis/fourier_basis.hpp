// A real Fourier series on a periodic axis, for data and solutions that repeat with its length l.
//
// Functions   1, sin theta, cos theta, sin 2 theta, cos 2 theta, .., cos M theta with theta = 2 pi (z - lower) / l: the
//             degree M is the highest wavenumber, 2 M + 1 coefficients, and none for the sawtooth of the points (an
//             even number of coefficients would have one, whose derivative no series of the same length holds).
// Points      z_i = lower + (i + 1/2) l / n. Half a step off the end, so that neighbouring functions have opposite
// parity
//             about the middle (parity_split.hpp), derivatives included.
// Products    of p series are exact in all coefficients on (p + 1) M + 1 points: wavenumber p M aliases to n - p M > M.
// Transforms  matrix products for low degrees, fast transforms for high ones (kernels/transform/fourier_series.hpp).
// Conditions  none: the functions are periodic, with all derivatives.
//
// Source: textbook trigonometric interpolation, as in J. P. Boyd, Chebyshev and Fourier Spectral Methods, chapters 4
// and
// 11. Values on the grid are correct to the last bit or nearly (roots_of_unity.hpp).
#pragma once

#include "basis/axis_basis.hpp"
#include "basis/complex_modes.hpp"
#include "basis/fast_rows.hpp"
#include "basis/stored_order.hpp"

namespace gwrm {

class FourierBasis : public AxisBasis, public ComplexModes, public FastRows, public StoredOrder {
 public:
  // ShapeError on a divided axis or a map that is not linear.
  explicit FourierBasis(const AxisDescription& description);

  // The wavenumber of coefficient k.
  static Index wavenumber(Index k) { return (k + 1) / 2; }

  Index n_below(int level) const override { return level == 0 ? 0 : 2 * Index{level} - 1; }
  Index n_points(int n_factors) const override;  // at least (p + 1) M + 1; a good length for a fast transform
  Index n_quadrature(int n_factors) const override { return Index{n_factors} * degree() + 1; }
  AxisGrid grid(Index n) const override;
  bool is_grid(std::span<const double> points) const override;
  Vector mean_weights(Index n) const override;
  BlockMatrix synthesis(Index n, int order) const override;
  BlockMatrix analysis(Index n) const override;
  Matrix derivative(int order) const override;
  Matrix rows_at(Index subdomain, std::span<const double> points, int order) const override;
  bool fast_rows(Index subdomain, std::span<const double> points, int order, Index stride, double* rows) const override;
  Matrix at_positions(std::span<const double> xi) const override;
  Index highest() const override { return degree(); }
  void angles(std::span<const double> z, double* theta) const override;
  void to_modes(const std::complex<double>* a, Index stride, int order, std::complex<double>* F) const override;
  std::vector<double> derivative_factors(int order) const override;
  RowVector integral_row() const override;
  BlockMatrix jump(int order) const override;
  // Parseval: a_0^2 + sum a_k^2 / 2.
  std::vector<double> mean_square() const override;

  int n_conditions(int) const override { return 0; }
  bool can_be_divided() const override { return false; }
  double slope_bound() const override;  // 2 pi M / l
  std::string mode_name() const override { return "place in a_0 .. a_M, b_1 .. b_M"; }
  std::string normalisation() const override {
    return "u = sum_(k = 0)^M a_k cos(k theta) + sum_(k = 1)^M b_k sin(k theta), theta = 2 pi (z - lower)/(upper - "
           "lower)";
  }
  // In files all cosines, then all sines: cos 0 .. M, sin 1 .. M, each padded to the highest M of all windows.
  std::string stored_name() const override { return "fourier_real"; }
  Index stored_index(Index k, Index n_stored) const override {
    return k % 2 == 0 ? k / 2 : (n_stored - 1) / 2 + (k + 1) / 2;
  }

 private:
  double lower() const { return description().edges.front(); }
  double length() const { return description().edges.back() - lower(); }
  double factor(int order) const;  // (2 pi / l)^order
};

}  // namespace gwrm
