#include "problems/ball/sphere_transform.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace gwrm::ball {
namespace {

std::vector<RadialTable> radial_tables(const RadialFunctions& radial, const Degrees& degrees,
                                       const std::vector<double>& radii) {
  std::vector<RadialTable> tables;
  for (Index l = 0; l <= degrees.l; ++l) tables.push_back(radial.table(l, degrees.r, radii));
  return tables;
}

// In the first of so many parts of the circle.
std::vector<double> equal_angles(Index n, Index parts) {
  std::vector<double> phi;
  for (Index j = 0; j < n; ++j)
    phi.push_back(2.0 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(n * parts));
  return phi;
}

// Rows l = m, m + 1, .. times factor / (l (l+1)).
void divide_by_degrees(Matrix& rows, Index m, double factor) {
  for (Index i = 0; i < rows.rows(); ++i) {
    const auto l = static_cast<double>(i + m);
    rows.row(i) *= l == 0.0 ? 0.0 : factor / (l * (l + 1.0));
  }
}

using Rows = Eigen::Map<Matrix>;
using ConstRows = Eigen::Map<const Matrix>;

}  // namespace

Matrix azimuth_table(const Orders& orders, const std::vector<double>& phi) {
  Matrix table(static_cast<Index>(phi.size()), orders.n_columns());
  for (Index j = 0; j < table.rows(); ++j)
    for (Index c = 0; c < table.cols(); ++c) {
      const Index m = orders.of(c);
      const double angle = static_cast<double>(m) * phi[static_cast<std::size_t>(j)];
      table(j, c) = m == 0 ? 1.0 / std::sqrt(2.0 * std::numbers::pi)
                           : (m > 0 ? std::cos(angle) : std::sin(-angle)) / std::sqrt(std::numbers::pi);
    }
  return table;
}

SphereTransform::SphereTransform(const RadialFunctions& radial, const Degrees& degrees, SpherePoints points)
    : radial_functions_(radial),
      degrees_(degrees),
      orders_(degrees.orders()),
      points_(std::move(points)),
      radial_(radial_tables(radial, degrees, points_.r)),
      legendre_(degrees.l, orders_, points_.theta),
      azimuth_(azimuth_table(orders_, points_.phi)) {}

SphereTransform::Stage SphereTransform::along_radius(const Layout& series, std::size_t part, const double* e,
                                                     RadialFunction function) const {
  const auto n_radii = static_cast<Index>(points_.r.size());
  Stage stage;
  for (Index c = 0; c < orders_.n_columns(); ++c)
    stage.push_back(Matrix::Zero(degrees_.l + 1 - orders_.size_of(c), n_radii));
  for (Index l = 0; l <= degrees_.l; ++l) {
    if (series.place(part, l) == series.place(part, l + 1)) continue;  // the part begins with l = 1
    const ConstRows coefficients(e + series.place(part, l), series.n_orders(l), series.n(part));
    const Matrix values = coefficients * radial_[static_cast<std::size_t>(l)].*function;
    for (Index c = 0; c < series.n_orders(l); ++c)
      stage[static_cast<std::size_t>(c)].row(l - orders_.size_of(c)) = values.row(c);
  }
  return stage;
}

std::vector<double> SphereTransform::along_azimuth(const Matrix& rows) const {
  std::vector<double> f(static_cast<std::size_t>(points_.size()));
  Rows(f.data(), azimuth_.rows(), rows.cols()).noalias() = azimuth_ * rows;
  return f;
}

std::vector<double> SphereTransform::scalar(const Layout& series, std::size_t part, const double* e,
                                            RadialFunction function) const {
  const Stage stage = along_radius(series, part, e, function);
  const auto n_theta = static_cast<Index>(points_.theta.size()), n_radii = static_cast<Index>(points_.r.size());
  Matrix rows(orders_.n_columns(), n_theta * n_radii);
  for (Index c = 0; c < rows.rows(); ++c)
    Rows(rows.row(c).data(), n_theta, n_radii).noalias() =
        legendre_.value[orders_.place(c)].transpose() * stage[static_cast<std::size_t>(c)];
  return along_azimuth(rows);
}

std::array<std::vector<double>, 3> SphereTransform::vector(const Layout& series, int toroidal, int poloidal,
                                                           const double* e, RadialFunction of_toroidal) const {
  const auto n_theta = static_cast<Index>(points_.theta.size()), n_radii = static_cast<Index>(points_.r.size());
  std::array<Matrix, 3> rows;
  for (Matrix& component : rows) component.setZero(orders_.n_columns(), n_theta * n_radii);
  const auto add = [&](std::size_t component, Index c, double sign, const Matrix& polar, const Matrix& of_radius) {
    Rows(rows[component].row(c).data(), n_theta, n_radii).noalias() += sign * (polar.transpose() * of_radius);
  };
  if (poloidal >= 0) {
    const Stage radial = along_radius(series, at(poloidal), e, &RadialTable::over_r);
    const Stage spread = along_radius(series, at(poloidal), e, &RadialTable::spread);
    for (Index c = 0; c < azimuth_.cols(); ++c) {
      const std::size_t m = orders_.place(c);
      Matrix weighted = radial[static_cast<std::size_t>(c)];
      for (Index i = 0; i < weighted.rows(); ++i) {
        const auto l = static_cast<double>(i + orders_.size_of(c));
        weighted.row(i) *= l * (l + 1.0);
      }
      add(0, c, 1.0, legendre_.value[m], weighted);
      add(1, c, 1.0, legendre_.along[m], spread[static_cast<std::size_t>(c)]);
      if (orders_.of(c) != 0)
        add(2, orders_.turned(c), orders_.sign_of_turned(c), legendre_.around[m], spread[static_cast<std::size_t>(c)]);
    }
  }
  if (toroidal >= 0) {
    const Stage value = along_radius(series, at(toroidal), e, of_toroidal);
    for (Index c = 0; c < azimuth_.cols(); ++c) {
      const std::size_t m = orders_.place(c);
      if (orders_.of(c) != 0)
        add(1, orders_.turned(c), orders_.sign_of_turned(c), legendre_.around[m], value[static_cast<std::size_t>(c)]);
      add(2, c, -1.0, legendre_.along[m], value[static_cast<std::size_t>(c)]);
    }
  }
  return {along_azimuth(rows[0]), along_azimuth(rows[1]), along_azimuth(rows[2])};
}

SphereQuadrature::SphereQuadrature(const RadialFunctions& radial, const Degrees& degrees, const Degrees& of_data,
                                   Index equal_parts)
    : degrees_(degrees),
      orders_(degrees.orders()),
      radius_(radial.nodes(radial.degree(degrees.l, degrees.r) + of_data.r)),
      polar_((degrees.l + of_data.l) / 2 + 1),
      phi_(equal_angles((degrees.m + of_data.m) / equal_parts + 1, equal_parts)),
      radial_(radial_tables(radial, degrees, radius_.radius)),
      legendre_(degrees.l, orders_, polar_.theta),
      azimuth_(azimuth_table(orders_, phi_)) {}

Matrix SphereQuadrature::over_azimuth(const std::vector<double>& f) const {
  const auto n = static_cast<Index>(polar_.theta.size() * radius_.radius.size());
  return 2.0 * std::numbers::pi / static_cast<double>(phi_.size()) *
         (azimuth_.transpose() * ConstRows(f.data(), azimuth_.rows(), n));
}

Matrix SphereQuadrature::over_polar(const Matrix& table, const Matrix& rows, Index c) const {
  const auto n_theta = static_cast<Index>(polar_.theta.size()), n_radii = static_cast<Index>(radius_.radius.size());
  const Eigen::Map<const RowVector> weights(polar_.weight.data(), n_theta);
  return (table * weights.asDiagonal()) * ConstRows(rows.row(c).data(), n_theta, n_radii);
}

void SphereQuadrature::add_over_radius(const Layout& series, std::size_t part, const std::vector<Matrix>& stage,
                                       RadialFunction function, double* e) const {
  const auto n_radii = static_cast<Index>(radius_.radius.size());
  const Eigen::Map<const RowVector> weights(radius_.weight.data(), n_radii);
  for (Index l = 0; l <= degrees_.l; ++l) {
    if (series.place(part, l) == series.place(part, l + 1)) continue;
    Matrix of_degree(series.n_orders(l), n_radii);
    for (Index c = 0; c < of_degree.rows(); ++c)
      of_degree.row(c) = stage[static_cast<std::size_t>(c)].row(l - orders_.size_of(c)).cwiseProduct(weights);
    Rows(e + series.place(part, l), series.n_orders(l), series.n(part)).noalias() +=
        of_degree * (radial_[static_cast<std::size_t>(l)].*function).transpose();
  }
}

void SphereQuadrature::add_moments(const Layout& series, std::size_t part, const std::vector<double>& f,
                                   double* e) const {
  const Matrix rows = over_azimuth(f);
  std::vector<Matrix> stage;
  for (Index c = 0; c < rows.rows(); ++c) stage.push_back(over_polar(legendre_.value[orders_.place(c)], rows, c));
  add_over_radius(series, part, stage, &RadialTable::value, e);
}

void SphereQuadrature::moments(const Layout& series, std::size_t part, const std::vector<double>& f, double* e) const {
  std::fill(e + series.place(part, 0), e + series.place(part, degrees_.l + 1), 0.0);
  add_moments(series, part, f, e);
}

Matrix SphereQuadrature::over_tangents(const Matrix& theta, const Matrix& phi, Index c) const {
  const std::size_t m = orders_.place(c);
  Matrix sum = over_polar(legendre_.along[m], theta, c);
  if (orders_.of(c) != 0) sum += orders_.sign_of_turned(c) * over_polar(legendre_.around[m], phi, orders_.turned(c));
  return sum;
}

// grad(E Y) = E' Y e_r + E/r (dY/dtheta e_theta + dY/dphi /sin theta e_phi).
void SphereQuadrature::gradient_moments(const Layout& series, std::size_t part,
                                        const std::array<std::vector<double>, 3>& f, double factor, double* e) const {
  const Matrix r = over_azimuth(f[0]), theta = over_azimuth(f[1]), phi = over_azimuth(f[2]);
  std::vector<Matrix> radial, along;
  for (Index c = 0; c < theta.rows(); ++c) {
    radial.push_back(factor * over_polar(legendre_.value[orders_.place(c)], r, c));
    along.push_back(factor * over_tangents(theta, phi, c));
  }
  add_over_radius(series, part, radial, &RadialTable::slope, e);
  add_over_radius(series, part, along, &RadialTable::over_r, e);
}

void SphereQuadrature::curl_moments(const Layout& series, std::size_t part, const std::array<std::vector<double>, 3>& f,
                                    double factor, double* e) const {
  const Matrix theta = over_azimuth(f[1]), phi = over_azimuth(f[2]);
  std::vector<Matrix> stage;
  for (Index c = 0; c < theta.rows(); ++c) {
    const std::size_t m = orders_.place(c);
    Matrix sum = -over_polar(legendre_.along[m], phi, c);
    if (orders_.of(c) != 0)
      sum += orders_.sign_of_turned(c) * over_polar(legendre_.around[m], theta, orders_.turned(c));
    divide_by_degrees(sum, orders_.size_of(c), factor);
    stage.push_back(std::move(sum));
  }
  add_over_radius(series, part, stage, &RadialTable::value, e);
}

void SphereQuadrature::curl_curl_moments(const Layout& series, std::size_t part,
                                         const std::array<std::vector<double>, 3>& f, double factor, double* e) const {
  const Matrix r = over_azimuth(f[0]), theta = over_azimuth(f[1]), phi = over_azimuth(f[2]);
  std::vector<Matrix> radial, spread;
  for (Index c = 0; c < theta.rows(); ++c) {
    radial.push_back(factor * over_polar(legendre_.value[orders_.place(c)], r, c));
    Matrix sum = over_tangents(theta, phi, c);
    divide_by_degrees(sum, orders_.size_of(c), factor);
    spread.push_back(std::move(sum));
  }
  add_over_radius(series, part, radial, &RadialTable::over_r, e);
  add_over_radius(series, part, spread, &RadialTable::spread, e);
}

}  // namespace gwrm::ball
