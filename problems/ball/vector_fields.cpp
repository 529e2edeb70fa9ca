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

// With q_n = e_n / sqrt(nu_n): of Q_j (sum_(n>j) s_n q_n - s_j sum_(n>j) q_n) / nu_j.
void laplacian_series(const Layout& series, std::size_t from, const double* e, std::size_t part, double* result) {
  for (Index l = 0; l <= series.degree(); ++l) {
    const Index n = series.n(from);
    std::vector<double> slope, root;  // s_n, sqrt(nu_n)
    for (Index k = 0; k < n; ++k) {
      slope.push_back(energy_wall_values(l, k)[1]);
      root.push_back(std::sqrt(energy_norm(l, k)));
    }
    if (series.place(from, l) == series.place(from, l + 1)) continue;
    for (Index c = 0; c < series.n_orders(l); ++c) {
      const double* const in = e + series.place(from, l, c);
      double* const out = result + series.place(part, l, c);
      double with_slopes = 0.0, plain = 0.0;
      for (Index j = n - 1; j >= 0; --j) {
        const auto k = static_cast<std::size_t>(j);
        out[j] = (with_slopes - slope[k] * plain) / root[k];
        with_slopes += slope[k] * in[j] / root[k];
        plain += in[j] / root[k];
      }
    }
  }
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
  std::vector<double> of_curl(static_cast<std::size_t>(series.size()));
  laplacian_series(series, toroidal + 1, e, toroidal, of_curl.data());
  for (Index i = series.place(toroidal, 0); i < series.place(toroidal, series.degree() + 1); ++i)
    of_curl[static_cast<std::size_t>(i)] /= -radius * radius;
  std::copy(e + series.place(toroidal, 0), e + series.place(toroidal, series.degree() + 1),
            of_curl.begin() + series.place(toroidal + 1, 0));
  return vector_values(transform, series, toroidal, radius, of_curl.data());
}

}  // namespace gwrm::ball
