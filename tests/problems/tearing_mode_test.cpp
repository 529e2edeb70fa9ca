// Growth rates of the resistive tearing mode against the root of a determinant that a shooting method finds.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "run_case.hpp"

namespace gwrm::tearing_mode_test {
namespace {

constexpr double kWavenumber = 0.5, kWall = 5.0;

using Square = std::array<std::array<double, 4>, 4>;

// A of y' = A y, y = (f, f', psi, psi'), B = tanh x.
Square system_at(double x, double s, double lundquist) {
  const double k = kWavenumber, b = std::tanh(x), bent = -2.0 * b / std::pow(std::cosh(x), 2);
  return {{{0, 1, 0, 0},
           {k * k + k * k * b * b * lundquist / s, 0, k * b * lundquist - k / s * bent, 0},
           {0, 0, 0, 1},
           {k * b * lundquist, 0, k * k + s * lundquist, 0}}};
}

// Of the two solutions that are odd and even as they have to be, f_1 psi_2 - f_2 psi_1 at the wall. They grow alike, so
// that their 2 x 2 minors P_ij are what is integrated: P' = A P + P A^T (compound matrices: Ng and Reid, Journal of
// Computational Physics 30, 1979), in Runge-Kutta steps, scaled.
double determinant(double s, double lundquist, int n_steps) {
  Square p{};
  p[1][2] = 1.0;  // f'(0) and psi(0)
  p[2][1] = -1.0;
  const auto slope = [&](double x, const Square& m) {
    const Square a = system_at(x, s, lundquist);
    Square d{};
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j)
        for (std::size_t l = 0; l < 4; ++l) d[i][j] += a[i][l] * m[l][j] + a[j][l] * m[i][l];
    return d;
  };
  const auto added = [](Square m, double factor, const Square& d) {
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) m[i][j] += factor * d[i][j];
    return m;
  };
  const double h = kWall / n_steps;
  for (int step = 0; step < n_steps; ++step) {
    const double x = step * h;
    const Square k1 = slope(x, p), k2 = slope(x + h / 2, added(p, h / 2, k1)),
                 k3 = slope(x + h / 2, added(p, h / 2, k2)), k4 = slope(x + h, added(p, h, k3));
    p = added(added(added(added(p, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
    double largest = 0.0;
    for (const auto& row : p)
      for (const double entry : row) largest = std::max(largest, std::abs(entry));
    for (auto& row : p)
      for (double& entry : row) entry /= largest;
  }
  return p[0][2];
}

// By secants; the minors are scaled by their largest, so that their sign and root are right and their size is not.
double growth_by_shooting(double lundquist, double near, int n_steps) {
  double a = 0.98 * near, b = 1.02 * near, at_a = determinant(a, lundquist, n_steps),
         at_b = determinant(b, lundquist, n_steps);
  for (int step = 0; step < 20 && std::abs(b - a) > 1e-11 * b; ++step) {
    const double next = b - at_b * (b - a) / (at_b - at_a);
    a = b;
    at_a = at_b;
    b = next;
    at_b = determinant(b, lundquist, n_steps);
  }
  return b;
}

double growth(double lundquist) {
  const RunOutcome outcome = test::run_case(R"yaml(
domain: {x: [0, 5]}
constants: {k: 0.5, S: )yaml" + std::to_string(lundquist) +
                                            R"yaml(}
unknowns: [f, psi]
eigenvalue: {name: s, near: 0.02, which: largest_real, modes: 1}
equations:
  - "s*(dx(f,2) - k^2*f) = k*(tanh(x)*(dx(psi,2) - k^2*psi) + 2*tanh(x)/cosh(x)^2*psi)"
  - "s*psi = -k*tanh(x)*f + (dx(psi,2) - k^2*psi)/S"
boundary: ["f(x=0) = 0", "dx(psi)(x=0) = 0", "f(x=5) = 0", "psi(x=5) = 0"]
resolution: {degree: {x: 96}}
)yaml");
  EXPECT_TRUE(outcome.report.verification.passed()) << outcome.report.reason;
  return test::value_at(outcome.solution, "s", {{"mode", 0.0}});
}

TEST(TearingMode, GrowsAsShootingSays) {
  const double faster = growth(1000), slower = growth(3000);
  EXPECT_NEAR(faster / growth_by_shooting(1000, faster, 20000), 1.0, 2e-7);  // the steps leave 3e-8, and 5e-8
  EXPECT_NEAR(slower / growth_by_shooting(3000, slower, 40000), 1.0, 2e-7);
  // On the way to S^(-3/5) of thin layers (Furth, Killeen and Rosenbluth, Physics of Fluids 6, 1963).
  const double exponent = std::log(slower / faster) / std::log(3.0);
  EXPECT_LT(exponent, -0.5);
  EXPECT_GT(exponent, -0.6);
}

}  // namespace
}  // namespace gwrm::tearing_mode_test
