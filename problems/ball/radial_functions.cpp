#include "problems/ball/radial_functions.hpp"

#include <cmath>
#include <utility>

#include "problems/ball/shell_functions.hpp"

namespace gwrm::ball {
namespace {

// The energy basis, r^l P_n^(0,l+1/2)(2r^2-1).
class SphereFunctions : public RadialFunctions {
 public:
  double inner() const override { return 0.0; }
  std::string name() const override { return "energy"; }
  std::string formula() const override {
    return "E_n^l = sqrt(4n+2l+3) r^l P_n^(0,l+1/2)(2r^2-1), int_0^1 E^2 r^2 dr = 1";
  }
  RadialTable table(Index l, Index highest, std::span<const double> radii) const override {
    return RadialTable(l, highest, radii);
  }
  Index degree(Index l, Index highest) const override { return 2 * highest + l; }
  // The integrands are even in r.
  RadialNodes nodes(Index degree) const override { return RadialNodes(degree / 4 + 2); }
  std::array<double, 3> wall_values(double, Index l, Index n) const override {
    std::array<double, 3> values = energy_wall_values(l, n);
    for (double& value : values) value /= std::sqrt(energy_norm(l, n));
    return values;
  }
  std::unique_ptr<const RadialBasis> basis(Index l, Index highest, std::vector<WallCondition> conditions,
                                           const FourthOrder&) const override {
    return std::make_unique<EnergyBasis>(l, highest, std::move(conditions));
  }
  void laplacian(Index l, Index n, Index count, const double* e, double* result) const override;
  // The Laplacian of a series is one.
  void bilaplacian(Index l, Index n, Index count, const double* e, double* result) const override {
    std::vector<double> once(static_cast<std::size_t>(n * count));
    laplacian(l, n, count, e, once.data());
    laplacian(l, n, count, once.data(), result);
  }
};

// Lapl Q_n = sum_(j<n) (s_n - s_j)/nu_j Q_j (radial_basis.hpp), by sums from the last n down: with q_n = e_n /
// sqrt(nu_n) of Q_j (sum_(n>j) s_n q_n - s_j sum_(n>j) q_n) / nu_j.
void SphereFunctions::laplacian(Index l, Index n, Index count, const double* e, double* result) const {
  std::vector<double> slope, root;  // s_n, sqrt(nu_n)
  for (Index k = 0; k < n; ++k) {
    slope.push_back(energy_wall_values(l, k)[1]);
    root.push_back(std::sqrt(energy_norm(l, k)));
  }
  for (Index c = 0; c < count; ++c) {
    const double* const in = e + c * n;
    double* const out = result + c * n;
    double with_slopes = 0.0, plain = 0.0;
    for (Index j = n - 1; j >= 0; --j) {
      const auto k = static_cast<std::size_t>(j);
      out[j] = (with_slopes - slope[k] * plain) / root[k];
      with_slopes += slope[k] * in[j] / root[k];
      plain += in[j] / root[k];
    }
  }
}

}  // namespace

double RadialFunctions::wall_value(const WallCondition& condition, Index l, Index highest, const double* e) const {
  double sum = 0.0;
  for (Index n = 0; n <= highest; ++n) {
    const auto [value, slope, curvature] = wall_values(condition.wall, l, n);
    sum += e[n] * (condition.value * value + condition.slope * slope + condition.curvature * curvature);
  }
  return sum;
}

std::shared_ptr<const RadialFunctions> radial_functions(double inner) {
  static const auto sphere = std::make_shared<const SphereFunctions>();
  if (inner > 0.0) return std::make_shared<const ShellFunctions>(inner);
  return sphere;
}

}  // namespace gwrm::ball
