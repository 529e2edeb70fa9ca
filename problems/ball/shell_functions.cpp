#include "problems/ball/shell_functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/transform/gauss_legendre.hpp"
#include "problems/ball/shell_basis.hpp"

namespace gwrm::ball {
namespace {

constexpr double kDigits = 20.0;  // e^-40 in products of two

}  // namespace

LegendreOfShell::LegendreOfShell(double inner, Index highest, std::span<const double> radii) {
  using Real = long double;
  const Real thickness = 1 - static_cast<Real>(inner), scale = 2 / thickness;
  for (Table* table : {&value, &slope, &curvature, &third, &fourth})
    table->setZero(highest + 1, static_cast<Index>(radii.size()));
  for (Index j = 0; j < value.cols(); ++j) {
    const Real r = radii[static_cast<std::size_t>(j)], x = (2 * r - 1 - static_cast<Real>(inner)) / thickness;
    for (Index n = 0; n <= highest; ++n) {
      const Real k = static_cast<Real>(n), odd = 2 * k - 1;
      const auto last = [&](const Table& table) { return n < 2 ? Real(0) : table(n - 2, j); };
      value(n, j) = n == 0 ? Real(1) : (odd * x * value(n - 1, j) - (k - 1) * last(value)) / k;
      slope(n, j) = n == 0 ? Real(0) : last(slope) + odd * value(n - 1, j);
      curvature(n, j) = n == 0 ? Real(0) : last(curvature) + odd * slope(n - 1, j);
      third(n, j) = n == 0 ? Real(0) : last(third) + odd * curvature(n - 1, j);
      fourth(n, j) = n == 0 ? Real(0) : last(fourth) + odd * third(n - 1, j);
    }
  }
  for (Index n = 0; n <= highest; ++n) {
    const Real norm = std::sqrt((2 * static_cast<Real>(n) + 1) / thickness);
    value.row(n) *= norm;
    slope.row(n) *= norm * scale;
    curvature.row(n) *= norm * scale * scale;
    third.row(n) *= norm * scale * scale * scale;
    fourth.row(n) *= norm * scale * scale * scale * scale;
  }
}

std::string ShellFunctions::formula() const {
  return fmt::format(
      "E_n^l = sqrt((2n+1)/(1-a)) P_n(x)/r with Legendre's polynomials P_n, x = (2r-1-a)/(1-a), a = {:.17g}, int_a^1 "
      "E^2 r^2 dr = 1",
      inner_);
}

RadialTable ShellFunctions::table(Index l, Index highest, std::span<const double> radii) const {
  const LegendreOfShell p(inner_, highest, radii);
  RadialTable table;
  const auto both = static_cast<long double>(l * (l + 1));
  const auto per_radius = [&](const auto& function) {
    Matrix result(highest + 1, static_cast<Index>(radii.size()));
    for (Index j = 0; j < result.cols(); ++j)
      for (Index n = 0; n <= highest; ++n)
        result(n, j) = static_cast<double>(function(static_cast<long double>(radii[static_cast<std::size_t>(j)]),
                                                    p.value(n, j), p.slope(n, j), p.curvature(n, j)));
    return result;
  };
  using Real = long double;
  table.value = per_radius([](Real r, Real v, Real, Real) { return v / r; });
  table.over_r = per_radius([](Real r, Real v, Real, Real) { return v / (r * r); });
  table.spread = per_radius([](Real r, Real, Real d, Real) { return d / r; });
  table.slope = per_radius([](Real r, Real v, Real d, Real) { return (d - v / r) / r; });
  table.laplacian = per_radius([both](Real r, Real v, Real, Real dd) { return (dd - both * v / (r * r)) / r; });
  table.bilaplacian.resize(highest + 1, table.value.cols());
  for (Index j = 0; j < table.value.cols(); ++j)
    for (Index n = 0; n <= highest; ++n) {
      const Real r = radii[static_cast<std::size_t>(j)], square = r * r;
      table.bilaplacian(n, j) = static_cast<double>(
          (p.fourth(n, j) +
           both * ((both - 6) * p.value(n, j) / square + 4 * p.slope(n, j) / r - 2 * p.curvature(n, j)) / square) /
          r);
    }
  return table;
}

RadialNodes ShellFunctions::nodes(Index degree) const {
  const auto more = static_cast<Index>(std::ceil(kDigits / std::acosh((1.0 + inner_) / (1.0 - inner_))));
  const Index n = degree / 2 + 1 + more;
  const GaussHalf half = gauss_legendre_half(n);
  RadialNodes nodes;
  nodes.radius.resize(static_cast<std::size_t>(n));
  nodes.weight.resize(nodes.radius.size());
  const long double a = inner_, centre = (1 + a) / 2, width = (1 - a) / 2;
  for (std::size_t i = 0; i < half.cosine.size(); ++i)
    for (const bool is_upper : {true, false}) {
      const std::size_t place = is_upper ? nodes.radius.size() - 1 - i : i;
      const long double r = centre + (is_upper ? width : -width) * half.cosine[i];
      nodes.radius[place] = static_cast<double>(r);
      nodes.weight[place] = static_cast<double>(width * half.weight[i] * r * r);
    }
  return nodes;
}

// P_n(1) = 1, P_n'(1) = n (n+1)/2, P_n''(1) = (n-1) n (n+1) (n+2)/8; at x = -1 with the sign of (-1)^n, (-1)^(n-1),
// (-1)^n.
std::array<double, 3> ShellFunctions::wall_values(double wall, Index, Index n) const {
  const bool is_inner = wall < 1.0;
  const double k = static_cast<double>(n), r = wall, scale = 2.0 / (1.0 - inner_);
  const double sign = is_inner && n % 2 == 1 ? -1.0 : 1.0, of_slope = is_inner ? -sign : sign;
  const double norm = std::sqrt((2.0 * k + 1.0) / (1.0 - inner_));
  const double v = norm * sign, d = norm * of_slope * scale * k * (k + 1.0) / 2.0,
               dd = norm * sign * scale * scale * (k - 1.0) * k * (k + 1.0) * (k + 2.0) / 8.0;
  return {v / r, (d - v / r) / r, (dd - 2.0 * (d - v / r) / r) / r};
}

std::unique_ptr<const RadialBasis> ShellFunctions::basis(Index l, Index highest, std::vector<WallCondition> conditions,
                                                         const FourthOrder& equation) const {
  return std::make_unique<ShellBasis>(*this, l, highest, std::move(conditions), equation);
}

Matrix ShellFunctions::moments_of_power(int power, Index highest) const {
  const RadialNodes of_degree = nodes(2 * highest);
  const Matrix values = table(0, highest, of_degree.radius).value;
  Matrix weighted = values;
  for (Index j = 0; j < values.cols(); ++j) {
    const auto i = static_cast<std::size_t>(j);
    weighted.col(j) *= of_degree.weight[i] * std::pow(of_degree.radius[i], power);
  }
  return values * weighted.transpose();
}

std::shared_ptr<const ShellFunctions::Matrices> ShellFunctions::matrices(Index n) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::shared_ptr<const Matrices>& known = known_[n];
  if (known != nullptr) return known;
  auto made = std::make_shared<Matrices>();
  made->over_square = moments_of_power(-2, n - 1);
  const RadialNodes of_degree = nodes(2 * n);
  const RadialTable functions = table(0, n - 1, of_degree.radius);  // Lapl E_n = p_n''/r
  const Eigen::Map<const RowVector> weights(of_degree.weight.data(), functions.value.cols());
  made->second = functions.value * weights.asDiagonal() * functions.laplacian.transpose();
  // p_n'' has the degree n - 2: the rest is rounding.
  for (Index j = 0; j < n; ++j)
    for (Index k = 0; k < std::min(n, j + 2); ++k) made->second(j, k) = 0.0;
  return known = std::move(made);
}

void ShellFunctions::laplacian(Index l, Index n, Index count, const double* e, double* result) const {
  const std::shared_ptr<const Matrices> of_size = matrices(n);
  const Eigen::Map<const Matrix> series(e, count, n);
  const auto both = static_cast<double>(l * (l + 1));
  Eigen::Map<Matrix>(result, count, n).noalias() = series * (of_size->second - both * of_size->over_square).transpose();
}

// By quadrature: for residuals, a few times a run.
void ShellFunctions::bilaplacian(Index l, Index n, Index count, const double* e, double* result) const {
  const RadialNodes of_degree = nodes(2 * n);
  const RadialTable functions = table(l, n - 1, of_degree.radius);
  const Eigen::Map<const RowVector> weights(of_degree.weight.data(), functions.value.cols());
  const Matrix moments = functions.value * weights.asDiagonal() * functions.bilaplacian.transpose();
  Eigen::Map<Matrix>(result, count, n).noalias() = Eigen::Map<const Matrix>(e, count, n) * moments.transpose();
}

}  // namespace gwrm::ball
