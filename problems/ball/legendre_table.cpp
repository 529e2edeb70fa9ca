#include "problems/ball/legendre_table.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/transform/gauss_legendre.hpp"

namespace gwrm::ball {
namespace {

using Real = long double;

Real extended(Index i) {
  return static_cast<Real>(i);
}

}  // namespace

LegendreTable::LegendreTable(Index degree, const Orders& orders, std::span<const double> theta) {
  const auto n_angles = static_cast<Index>(theta.size());
  const Index top = std::min(degree, orders.list().back() + 1);
  // Those, and their neighbours for the derivatives.
  std::vector<bool> wanted(static_cast<std::size_t>(top + 1), false);
  for (const Index m : orders.list())
    for (const Index near : {m - 1, m, m + 1})
      if (near >= 0 && near <= top) wanted[static_cast<std::size_t>(near)] = true;
  using Table = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  std::vector<Table> p;
  for (Index m = 0; m <= top; ++m)
    p.push_back(wanted[static_cast<std::size_t>(m)] ? Table(Table::Zero(degree + 1 - m, n_angles)) : Table());
  for (Index j = 0; j < n_angles; ++j) {
    const Real angle = theta[static_cast<std::size_t>(j)], x = std::cos(angle), s = std::sin(angle);
    Real start = std::sqrt(Real(0.5));
    for (Index m = 0; m <= top; ++m) {
      if (m > 0) start *= s * std::sqrt((2 * extended(m) + 1) / (2 * extended(m)));
      if (!wanted[static_cast<std::size_t>(m)]) continue;
      Table& of_order = p[static_cast<std::size_t>(m)];
      const auto e = [&](Index l) { return std::sqrt((extended(l * l - m * m)) / extended(4 * l * l - 1)); };
      Real last = 0, now = start;
      for (Index l = m; l <= degree; ++l) {
        of_order(l - m, j) = now;
        const Real next = (x * now - (l == m ? Real(0) : e(l) * last)) / e(l + 1);
        last = now, now = next;
      }
    }
  }
  const auto at = [&](Index l, Index m, Index j) -> Real {
    return m < 0 || m > l || m > top || l > degree ? Real(0) : p[static_cast<std::size_t>(m)](l - m, j);
  };
  const auto root = [](Index square) { return std::sqrt(extended(square)); };
  for (const Index m : orders.list()) {
    value.push_back(p[static_cast<std::size_t>(m)].cast<double>());
    Matrix d = Matrix::Zero(degree + 1 - m, n_angles), a = d;
    for (Index l = m; l <= degree; ++l)
      for (Index j = 0; j < n_angles; ++j) {
        const Real up = root((l - m) * (l + m + 1)) * at(l, m + 1, j);
        d(l - m, j) = static_cast<double>(m == 0 ? -root(l * (l + 1)) * at(l, 1, j)
                                                 : (root((l + m) * (l - m + 1)) * at(l, m - 1, j) - up) / 2);
        if (m > 0)
          a(l - m, j) = static_cast<double>(
              std::sqrt(extended(2 * l + 1) / extended(2 * l - 1)) / 2 *
              (root((l + m) * (l + m - 1)) * at(l - 1, m - 1, j) + root((l - m) * (l - m - 1)) * at(l - 1, m + 1, j)));
      }
    along.push_back(std::move(d));
    around.push_back(std::move(a));
  }
}

PolarNodes::PolarNodes(Index n) : theta(static_cast<std::size_t>(n)), weight(theta.size()) {
  const GaussHalf half = gauss_legendre_half(n);
  for (std::size_t i = 0; i < half.cosine.size(); ++i) {
    const Real angle = std::atan2(std::sqrt(half.sine_squared[i]), half.cosine[i]);
    const std::size_t mirror = theta.size() - 1 - i;
    theta[mirror] = static_cast<double>(std::acos(Real(-1)) - angle);
    theta[i] = static_cast<double>(angle);
    weight[i] = weight[mirror] = static_cast<double>(half.weight[i]);
  }
}

}  // namespace gwrm::ball
