#include "problems/ball/vector_fields.hpp"

#include <algorithm>
#include <cmath>

#include "problems/ball/point_products.hpp"

namespace gwrm::ball {

Components cross(const Components& a, const Components& b) {
  Components c;
  const std::size_t n = a[0].size();
  for (std::vector<double>& component : c) component.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const PointVector at = cross(PointVector{a[0][i], a[1][i], a[2][i]}, PointVector{b[0][i], b[1][i], b[2][i]});
    c[0][i] = at.r;
    c[1][i] = at.theta;
    c[2][i] = at.phi;
  }
  return c;
}

void laplacian_series(const RadialFunctions& radial, const Layout& series, std::size_t from, const double* e,
                      std::size_t part, double* result) {
  for (Index l = 0; l <= series.degree(); ++l)
    if (series.place(from, l) != series.place(from, l + 1))
      radial.laplacian(l, series.n(from), series.n_orders(l), e + series.place(from, l),
                       result + series.place(part, l));
}

Components vector_values(const SphereTransform& transform, const Layout& series, std::size_t toroidal, double radius,
                         const double* e) {
  const auto part = static_cast<int>(toroidal);
  if (radius == 1.0) return transform.vector(series, part, part + 1, e);
  std::vector<double> scaled(e, e + series.size());
  for (Index i = series.place(toroidal + 1, 0); i < series.place(toroidal + 1, series.degree() + 1); ++i)
    scaled[static_cast<std::size_t>(i)] /= radius;
  return transform.vector(series, part, part + 1, scaled.data());
}

Components curl_values(const SphereTransform& transform, const Layout& series, std::size_t toroidal, double radius,
                       const double* e) {
  std::vector<double> scaled(e, e + series.size());
  const auto scale = [&](std::size_t part, double factor) {
    for (Index i = series.place(part, 0); i < series.place(part, series.degree() + 1); ++i)
      scaled[static_cast<std::size_t>(i)] *= factor;
  };
  scale(toroidal, 1.0 / radius);
  scale(toroidal + 1, -1.0 / (radius * radius));
  const auto part = static_cast<int>(toroidal);
  return transform.vector(series, part + 1, part, scaled.data(), &RadialTable::laplacian);
}

}  // namespace gwrm::ball
