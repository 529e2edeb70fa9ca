#include "problems/ball/scattered_fields.hpp"

#include <cmath>
#include <cstdlib>
#include <numbers>

namespace gwrm::ball {
namespace {

bool has_degree(const Layout& series, std::size_t part, Index l) {
  return series.place(part, l) != series.place(part, l + 1);  // vectors begin with l = 1
}

std::vector<double> row_values(const RowVector& row) {
  return {row.data(), row.data() + row.size()};
}

}  // namespace

ScatteredFields::ScatteredFields(const RadialFunctions& radial, const Degrees& degrees, const BallPlaces& places)
    : degrees_(degrees), orders_(degrees.orders()), legendre_(degrees.l, orders_, places.theta) {
  for (Index l = 0; l <= degrees.l; ++l) radial_.push_back(radial.table(l, degrees.r, places.r));
  const auto n = static_cast<Index>(places.phi.size());
  azimuth_.resize(orders_.n_columns(), n);
  turned_.setZero(orders_.n_columns(), n);
  for (Index c = 0; c < azimuth_.rows(); ++c) {
    if (orders_.of(c) == 0) {
      azimuth_.row(c).setConstant(1.0 / std::sqrt(2.0 * std::numbers::pi));
      continue;
    }
    for (Index p = 0; p < n; ++p) {
      const double angle = static_cast<double>(orders_.size_of(c)) * places.phi[static_cast<std::size_t>(p)];
      const double cosine = std::cos(angle) / std::sqrt(std::numbers::pi),
                   sine = std::sin(angle) / std::sqrt(std::numbers::pi);
      azimuth_(c, p) = orders_.of(c) > 0 ? cosine : sine;
      turned_(c, p) = orders_.of(c) > 0 ? -sine : cosine;
    }
  }
}

Matrix ScatteredFields::along_radius(const Layout& series, std::size_t part, Index l, const double* e,
                                     Matrix RadialTable::*function) const {
  return Eigen::Map<const Matrix>(e + series.place(part, l), series.n_orders(l), series.n(part)) *
         radial_[static_cast<std::size_t>(l)].*function;
}

std::vector<double> ScatteredFields::scalar(const Layout& series, std::size_t part, const double* e) const {
  RowVector sum = RowVector::Zero(size());
  for (Index l = 0; l <= degrees_.l; ++l) {
    if (!has_degree(series, part, l)) continue;
    const Matrix of_degree = along_radius(series, part, l, e, &RadialTable::value);
    for (Index c = 0; c < of_degree.rows(); ++c)
      sum += of_degree.row(c)
                 .cwiseProduct(legendre_.value[orders_.place(c)].row(l - orders_.size_of(c)))
                 .cwiseProduct(azimuth_.row(c));
  }
  return row_values(sum);
}

std::array<std::vector<double>, 3> ScatteredFields::vector(const Layout& series, int toroidal, int poloidal,
                                                           const double* e) const {
  RowVector radial = RowVector::Zero(size()), polar = radial, azimuthal = radial;
  for (Index l = 1; l <= degrees_.l; ++l) {
    const Index n_orders = series.n_orders(l);
    Matrix over_r = Matrix::Zero(n_orders, size()), spread = over_r, value = over_r;
    if (poloidal >= 0) {
      over_r = along_radius(series, at(poloidal), l, e, &RadialTable::over_r);
      spread = along_radius(series, at(poloidal), l, e, &RadialTable::spread);
    }
    if (toroidal >= 0) value = along_radius(series, at(toroidal), l, e, &RadialTable::value);
    for (Index c = 0; c < n_orders; ++c) {
      const std::size_t m = orders_.place(c);
      const Index row = l - orders_.size_of(c);
      const RowVector along = legendre_.along[m].row(row).cwiseProduct(azimuth_.row(c)),
                      around = legendre_.around[m].row(row).cwiseProduct(turned_.row(c));
      radial += static_cast<double>(l * (l + 1)) *
                over_r.row(c).cwiseProduct(legendre_.value[m].row(row)).cwiseProduct(azimuth_.row(c));
      polar += spread.row(c).cwiseProduct(along) + value.row(c).cwiseProduct(around);
      azimuthal += spread.row(c).cwiseProduct(around) - value.row(c).cwiseProduct(along);
    }
  }
  return {row_values(radial), row_values(polar), row_values(azimuthal)};
}

}  // namespace gwrm::ball
