#include "problems/ball/radial_basis.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/context.hpp"
#include "core/errors.hpp"
#include "problems/ball/symmetric_bands.hpp"

namespace gwrm::ball {
namespace {

double slope(Index l, Index n) {
  return to_double(l) + to_double(n) * (2.0 * to_double(n + l) + 3.0);
}

double applied(const WallCondition& condition, Index l, Index n) {
  const auto [value, first, second] = energy_wall_values(l, n);
  return condition.value * value + condition.slope * first + condition.curvature * second;
}

}  // namespace

// With g = P_n^(0,b), b = l + 1/2: g(1) = 1, g'(1) = n (n+b+1)/2, g''(1) = n (n-1) (n+b+1) (n+b+2)/8, and x = 2r^2 - 1.
std::array<double, 3> energy_wall_values(Index l, Index n) {
  const double b = to_double(l) + 0.5, k = to_double(n), d = to_double(l);
  const double first = k * (k + b + 1.0) / 2.0, second = k * (k - 1.0) * (k + b + 1.0) * (k + b + 2.0) / 8.0;
  return {1.0, slope(l, n), d * (d - 1.0) + 4.0 * (2.0 * d + 1.0) * first + 16.0 * second};
}

double energy_norm(Index l, Index n) {
  return 1.0 / (4.0 * to_double(n) + 2.0 * to_double(l) + 3.0);
}

RadialBasis::RadialBasis(Index l, Index highest, std::vector<WallCondition> conditions)
    : l_(l), highest_(highest), conditions_(std::move(conditions)) {
  if (n_functions() < 1) throw ShapeError("no radial function of so low a degree meets the conditions");
}

EnergyBasis::EnergyBasis(Index l, Index highest, std::vector<WallCondition> conditions)
    : RadialBasis(l, highest, std::move(conditions)) {
  if (conditions_.empty() || conditions_.size() > 2) throw ShapeError("radial functions take one or two conditions");
  for (std::size_t d = 0; d < factors_.size(); ++d) {
    for (std::vector<double>* band : {&factors_[d], &mass_[d], &gradients_[d]})
      band->assign(static_cast<std::size_t>(n_functions()), 0.0);
  }
  n_mass_diagonals_ = conditions_.size() + 1;
  stiffness_.assign(static_cast<std::size_t>(n_functions()), 0.0);
  combine();
}

// Factors of Q_(k+d) first; functions of two conditions by the cross product of the two rows.
void EnergyBasis::combine() {
  const auto row = [&](std::size_t condition, Index n) { return applied(conditions_[condition], l_, n); };
  const auto nu = [&](Index n) { return energy_norm(l_, n); };
  // Lapl Q_n has (s_n - s_j)/nu_j of Q_j.
  const auto fall = [&](Index n, Index j) { return slope(l_, n) - slope(l_, j); };
  for (Index i = 0; i < n_functions(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    double& low = factors_[0][k];
    double& middle = factors_[1][k];
    double& high = factors_[2][k];
    if (n_conditions() == 1) {
      low = -row(0, i + 1);
      middle = row(0, i);
      const double largest = std::max(std::abs(low), std::abs(middle));
      low /= largest;
      middle /= largest;
      stiffness_[k] = -low * middle * fall(i + 1, i);
    } else {
      low = row(0, i + 1) * row(1, i + 2) - row(0, i + 2) * row(1, i + 1);
      middle = row(0, i + 2) * row(1, i) - row(0, i) * row(1, i + 2);
      high = row(0, i) * row(1, i + 1) - row(0, i + 1) * row(1, i);
      const double largest = std::max({std::abs(low), std::abs(middle), std::abs(high)});
      low /= largest;
      middle /= largest;
      high /= largest;
      // Lapl^2 Q_n has fall(n, n-1) fall(n-1, n-2) / (nu_(n-1) nu_(n-2)) of Q_(n-2), its highest.
      stiffness_[k] = low * high * fall(i + 2, i + 1) * fall(i + 1, i) / nu(i + 1);
    }
    if (high < 0.0 || (high == 0.0 && middle < 0.0)) {
      low = -low;
      middle = -middle;
      high = -high;
    }
    scale(k);
  }
  const auto n = static_cast<std::size_t>(n_functions());
  for (std::size_t k = 0; k < n; ++k) {
    const auto i = static_cast<Index>(k);
    for (std::size_t d = 0; d <= conditions_.size() && k + d < n; ++d)
      for (std::size_t j = d; j <= conditions_.size(); ++j)
        mass_[d][k] += factors_[j][k] * factors_[j - d][k + d] * nu(i + static_cast<Index>(j));
    if (n_conditions() == 1) {
      gradients_[0][k] = stiffness_[k];
      continue;
    }
    const double low = factors_[0][k], middle = factors_[1][k], high = factors_[2][k];
    gradients_[0][k] = -(middle * high * fall(i + 2, i + 1) + low * (high * fall(i + 2, i) + middle * fall(i + 1, i)));
    if (k + 1 < n) gradients_[1][k] = -factors_[0][k + 1] * high * fall(i + 2, i + 1);
  }
  for (std::size_t d = 0; d < factors_.size(); ++d)
    for (std::size_t k = 0; k < n; ++k) factors_[d][k] *= std::sqrt(nu(static_cast<Index>(k + d)));
}

void EnergyBasis::scale(std::size_t k) {
  double size = stiffness_[k];
  if (size > 0.0) {
    stiffness_[k] = 1.0;
  } else {
    size = 0.0;
    for (std::size_t d = 0; d < factors_.size(); ++d)
      size += factors_[d][k] * factors_[d][k] * energy_norm(l_, static_cast<Index>(k + d));
    stiffness_[k] = 0.0;
  }
  for (std::vector<double>& factor : factors_) factor[k] /= std::sqrt(size);
}

void EnergyBasis::to_series(const double* c, double* e) const {
  std::fill(e, e + highest_ + 1, 0.0);
  const auto n = static_cast<std::size_t>(n_functions());
  for (std::size_t d = 0; d <= conditions_.size(); ++d)
    for (std::size_t k = 0; k < n; ++k) e[k + d] += factors_[d][k] * c[k];
}

void EnergyBasis::test(const double* e, double* c) const {
  const auto n = static_cast<std::size_t>(n_functions());
  std::fill(c, c + n, 0.0);
  for (std::size_t d = 0; d <= conditions_.size(); ++d)
    for (std::size_t k = 0; k < n; ++k) c[k] += factors_[d][k] * e[k + d];
}

// The tridiagonal or pentadiagonal mass of L2.
void EnergyBasis::nearest(double* c, Index count) const {
  const Context context = Context::of_one_thread();
  std::array<std::vector<double>, 3> diagonals{mass_[0], mass_[1], {}};
  if (n_conditions() == 2) diagonals[2] = mass_[2];
  make_symmetric_plan<double>(context, {n_functions(), count, BatchLayout::contiguous}, diagonals)->solve(c, c);
}

}  // namespace gwrm::ball
