// Oracles: fields written down in Cartesian coordinates.
#include "problems/ball/sphere_transform.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "problems/ball/wall_conditions.hpp"

namespace gwrm::ball::sphere_transform_test {
namespace {

constexpr double kPi = 3.14159265358979323846;

std::vector<Part> one_vector() {
  return {{0, PartKind::toroidal, 1.0, wall_conditions(BoundaryWord::insulating, PartKind::toroidal, 1.0), false},
          {0, PartKind::poloidal, 1.0, wall_conditions(BoundaryWord::insulating, PartKind::poloidal, 1.0), false}};
}

TEST(BallSphereTransform, RigidRotationAndUniformFieldAreRight) {
  const Degrees degrees{1, 3, 3, 2};
  const BallSpace space(one_vector(), degrees);
  const SpherePoints points{{0.0, 0.3, 0.9}, {0.0, 0.4, 1.9, kPi}, {0.0, 0.7, 4.1}};
  const SphereTransform transform(*radial_functions(0.0), degrees, points);
  std::vector<double> e(static_cast<std::size_t>(space.series().size()), 0.0);
  // T = r of sin(theta) cos(phi): curl(x r) = e_x x r = (0, -z, y). P = r of cos(theta): curl curl(z r) = 2 e_z.
  const double of_r = std::sqrt(energy_norm(1, 0));
  e[static_cast<std::size_t>(space.series().place(0, 1, space.series().orders().column(1)))] =
      of_r * std::sqrt(4.0 * kPi / 3.0);
  e[static_cast<std::size_t>(space.series().place(1, 1, 0))] = of_r * std::sqrt(4.0 * kPi / 3.0);
  const auto [radial, polar, azimuthal] = transform.vector(space.series(), 0, 1, e.data());
  std::size_t at = 0;
  for (double phi : points.phi)
    for (double theta : points.theta)
      for (double r : points.r) {
        const double s = std::sin(theta), c = std::cos(theta), y = r * s * std::sin(phi), z = r * c;
        const double fx = 0.0, fy = -z, fz = y + 2.0;
        EXPECT_NEAR(radial[at], fx * s * std::cos(phi) + fy * s * std::sin(phi) + fz * c, 1e-14);
        EXPECT_NEAR(polar[at], fx * c * std::cos(phi) + fy * c * std::sin(phi) - fz * s, 1e-14);
        EXPECT_NEAR(azimuthal[at], -fx * std::sin(phi) + fy * std::cos(phi), 1e-14);
        ++at;
      }
}

TEST(BallSphereTransform, MomentsUndoSynthesis) {
  const Degrees degrees{1, 5, 6, 4};
  const std::vector<Part> parts = {
      {0, PartKind::scalar, 1.0, wall_conditions(BoundaryWord::value, PartKind::scalar, 1.0), false}};
  const BallSpace space(parts, degrees);
  const SphereQuadrature quadrature(*radial_functions(0.0), degrees, {0, 16, 6, 4});
  const SphereTransform transform(*radial_functions(0.0), degrees, quadrature.points());
  std::vector<double> e(static_cast<std::size_t>(space.series().size())), back(e.size(), 0.0);
  for (std::size_t i = 0; i < e.size(); ++i) e[i] = std::sin(1.7 * static_cast<double>(i) + 0.3);
  quadrature.moments(space.series(), 0, transform.scalar(space.series(), 0, e.data()), back.data());
  for (std::size_t i = 0; i < e.size(); ++i) EXPECT_NEAR(back[i], e[i], 2e-13) << i;
}

TEST(BallSphereTransform, DerivativesOfLegendreFunctionsAreTheirDifferences) {
  const double theta = 0.8, step = 1e-5;
  const LegendreTable table(7, Orders::multiples(1, 7), std::vector<double>{theta - step, theta, theta + step});
  for (std::size_t m = 0; m <= 7; ++m)
    for (Index i = 0; i < table.value[m].rows(); ++i) {
      EXPECT_NEAR(table.along[m](i, 1), (table.value[m](i, 2) - table.value[m](i, 0)) / (2.0 * step), 1e-7);
      EXPECT_NEAR(table.around[m](i, 1), static_cast<double>(m) * table.value[m](i, 1) / std::sin(theta), 1e-13);
    }
}

}  // namespace
}  // namespace gwrm::ball::sphere_transform_test
