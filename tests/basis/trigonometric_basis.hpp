// A second basis, for tests only: 1, sin kx, cos kx on a periodic axis, as dense matrices. A mode is not a degree, no
// conditions take modes, and a level has two coefficients.
//
// Order     1, sin theta, cos theta, sin 2 theta, cos 2 theta, .., theta = 2 pi (z - lower) / (upper - lower).
// Points    half-shifted: z_i = lower + (i + 1/2) (upper - lower) / n, so that neighbouring columns have opposite
// parity.
#pragma once

#include <cmath>
#include <numbers>

#include "basis/axis_basis.hpp"
#include "core/errors.hpp"

namespace gwrm::test {

inline constexpr const char* kTrigonometric = "trigonometric";

class TrigonometricBasis : public AxisBasis {
 public:
  explicit TrigonometricBasis(const AxisDescription& d) : AxisBasis(d) {
    if (d.n_subdomains() != 1 || d.map != MapKind::linear)
      throw ShapeError("a trigonometric series needs an undivided axis and a linear map");
  }

  Index n_below(int level) const override { return level == 0 ? 0 : 2 * level - 1; }
  Index n_points(int n_factors) const override { return Index{n_factors + 1} * degree() + 1; }
  Index n_quadrature(int n_factors) const override { return Index{n_factors} * degree() + 1; }
  AxisGrid grid(Index n) const override {
    AxisGrid result{Vector(n), Vector::Constant(n, length() / static_cast<double>(n))};
    for (Index i = 0; i < n; ++i)
      result.points(i) = lower() + length() * (static_cast<double>(i) + 0.5) / static_cast<double>(n);
    return result;
  }
  Vector mean_weights(Index n) const override { return Vector::Constant(n, 1.0 / static_cast<double>(n)); }

  BlockMatrix synthesis(Index n, int order) const override {
    Matrix values(n, n_per_subdomain());
    for (Index i = 0; i < n; ++i) values.row(i) = row(angle_of(i, n), order);
    return values;
  }
  BlockMatrix analysis(Index n) const override {
    Matrix matrix(n_per_subdomain(), n);
    for (Index i = 0; i < n; ++i) matrix.col(i) = row(angle_of(i, n), 0).transpose() * (2.0 / static_cast<double>(n));
    matrix.row(0) /= 2.0;
    return matrix;
  }
  Matrix derivative(int order) const override {
    const Index n = n_per_subdomain();
    return analysis(n).dense() * synthesis(n, order).dense();
  }
  Matrix rows_at(Index, std::span<const double> points, int order) const override {
    Matrix values(static_cast<Index>(points.size()), n_per_subdomain());
    for (std::size_t i = 0; i < points.size(); ++i)
      values.row(static_cast<Index>(i)) = row(kTurn * (points[i] - lower()) / length(), order);
    return values;
  }
  Matrix at_positions(std::span<const double> xi) const override {
    Matrix values(static_cast<Index>(xi.size()), n_per_subdomain());
    for (std::size_t i = 0; i < xi.size(); ++i) values.row(static_cast<Index>(i)) = row(kTurn / 2.0 * (xi[i] + 1.0), 0);
    return values;
  }
  RowVector integral_row() const override {
    RowVector sums = RowVector::Zero(n_coefficients());
    sums(0) = length();
    return sums;
  }
  BlockMatrix jump(int) const override { return BlockMatrix(0, n_coefficients()); }
  std::vector<double> mean_square() const override {
    std::vector<double> shares(static_cast<std::size_t>(n_coefficients()), 0.5);
    shares.front() = 1.0;
    return shares;
  }

  int n_conditions(int) const override { return 0; }
  std::vector<Index> boundary_modes(const std::vector<RowVector>&, int) const override { return {}; }
  bool can_be_divided() const override { return false; }
  double slope_bound() const override { return kTurn * degree() / length(); }
  std::string mode_name() const override { return "k of 1, sin theta, cos theta, sin 2 theta, .."; }
  std::string normalisation() const override { return "u = sum a_k phi_k, largest value of phi_k 1"; }

 private:
  static constexpr double kTurn = 2.0 * std::numbers::pi;
  double lower() const { return description().edges.front(); }
  double length() const { return description().edges.back() - lower(); }
  static double angle_of(Index i, Index n) { return kTurn * (static_cast<double>(i) + 0.5) / static_cast<double>(n); }

  // d^m/dz^m of sin k theta is (2 pi k / length)^m sin(k theta + m pi/2), of the cosine likewise.
  RowVector row(double theta, int order) const {
    RowVector values(n_per_subdomain());
    values(0) = order == 0 ? 1.0 : 0.0;
    for (int k = 1; k <= degree(); ++k) {
      const double s = std::sin(k * theta), c = std::cos(k * theta), size = std::pow(kTurn * k / length(), order);
      const double turned[] = {s, c, -s, -c};
      values(2 * k - 1) = size * turned[order % 4];
      values(2 * k) = size * turned[(order + 1) % 4];
    }
    return values;
  }
};

// Once per program.
inline void register_trigonometric_basis() {
  if (!is_basis(kTrigonometric))
    register_basis(kTrigonometric,
                   [](const AxisDescription& d) { return std::make_shared<const TrigonometricBasis>(d); });
}

}  // namespace gwrm::test
