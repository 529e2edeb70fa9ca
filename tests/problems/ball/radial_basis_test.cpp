// Oracles: spherical Bessel functions and their zeros, which the energy basis knows nothing of.
#include "problems/ball/radial_basis.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "core/matrix.hpp"
#include "problems/ball/radial_table.hpp"
#include "problems/ball/wall_conditions.hpp"

namespace gwrm::ball::radial_basis_test {
namespace {

constexpr double kPi = 3.14159265358979323846;

Matrix symmetric(const RadialBasis& basis, bool of_gradients) {
  const Index n = basis.n_functions();
  Matrix matrix = Matrix::Zero(n, n);
  for (int d = 0; d < 3; ++d)
    for (Index k = 0; k + d < n; ++k) {
      const std::vector<double>& band = of_gradients ? basis.gradients(d) : basis.mass(d);
      matrix(k, k + d) = matrix(k + d, k) = band[static_cast<std::size_t>(k)];
    }
  return matrix;
}

// The smallest rate of decay: stiffness c = rate mass c.
double slowest(const RadialBasis& basis, bool of_gradients) {
  const Index n = basis.n_functions();
  const Matrix stiffness = Eigen::Map<const Vector>(basis.stiffness().data(), n).asDiagonal();
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(stiffness, symmetric(basis, of_gradients));
  return solver.eigenvalues()(0);
}

double bessel(unsigned l, double x) {
  return std::sph_bessel(l, x);
}

// Between a and b, where f changes its sign.
template <class F>
double root(F f, double a, double b) {
  for (int i = 0; i < 200; ++i) {
    const double c = (a + b) / 2.0;
    (f(a) * f(c) <= 0.0 ? b : a) = c;
  }
  return (a + b) / 2.0;
}

EnergyBasis basis_of(BoundaryWord word, PartKind kind, Index l, Index highest, double robin = 1.0) {
  return EnergyBasis(l, highest, wall_conditions(word, kind, robin)(l));
}

TEST(BallRadialBasis, DecayRatesAreSquaredZerosOfSphericalBesselFunctions) {
  for (unsigned l : {0u, 1u, 2u, 5u}) {
    const double guess = l == 0 ? 3.0 : 4.49 + 1.25 * (l - 1.0);
    const double zero = root([&](double x) { return bessel(l, x); }, guess - 0.6, guess + 0.6);
    EXPECT_NEAR(slowest(basis_of(BoundaryWord::value, PartKind::scalar, l, 16), false) / (zero * zero), 1.0, 1e-12)
        << l;
    // Insulating: P' + (l+1) P = 0 is j_(l-1) = 0.
    if (l > 0) {
      const double poloidal = root([&](double x) { return bessel(l - 1, x); }, guess - 1.9, guess - 0.6);
      EXPECT_NEAR(slowest(basis_of(BoundaryWord::insulating, PartKind::poloidal, l, 16), false) / (poloidal * poloidal),
                  1.0, 1e-12)
          << l;
    }
  }
  EXPECT_NEAR(slowest(basis_of(BoundaryWord::insulating, PartKind::poloidal, 1, 14), false) / (kPi * kPi), 1.0, 1e-12);
}

TEST(BallRadialBasis, OtherConditionsHaveTheirOwnTranscendentalEquations) {
  const auto slope = [](unsigned l, double x) { return l / x * bessel(l, x) - bessel(l + 1, x); };  // j_l'
  const auto rate = [&](BoundaryWord word, PartKind kind, Index l, double robin = 1.0) {
    return std::sqrt(slowest(basis_of(word, kind, l, 16, robin), false));
  };
  // dr u + 2 u = 0, l = 1; dr(r T) = 0, l = 2; dr(T/r) = 0, l = 2.
  EXPECT_NEAR(rate(BoundaryWord::robin, PartKind::scalar, 1, 2.0),
              root([&](double x) { return x * slope(1, x) + 2.0 * bessel(1, x); }, 1.5, 4.0), 1e-11);
  EXPECT_NEAR(rate(BoundaryWord::conducting, PartKind::toroidal, 2),
              root([&](double x) { return x * slope(2, x) + bessel(2, x); }, 2.5, 5.0), 1e-11);
  EXPECT_NEAR(rate(BoundaryWord::stress_free, PartKind::toroidal, 2),
              root([&](double x) { return x * slope(2, x) - bessel(2, x); }, 1.5, 4.0), 1e-11);
  // Rest states: a constant with dr u = 0, rigid rotation without stress.
  EXPECT_NEAR(slowest(basis_of(BoundaryWord::slope, PartKind::scalar, 0, 12), false), 0.0, 1e-13);
  EXPECT_NEAR(slowest(basis_of(BoundaryWord::stress_free, PartKind::toroidal, 1, 12), false), 0.0, 1e-13);
}

TEST(BallRadialBasis, FlowsAndClampedPlatesDecayAsTheyShould) {
  // Poloidal flow, no slip: zeros of j_(l+1); without stress: those of j_l.
  const double zero2 = root([](double x) { return bessel(2, x); }, 5.0, 6.5);
  EXPECT_NEAR(slowest(basis_of(BoundaryWord::no_slip, PartKind::poloidal, 1, 18), true) / (zero2 * zero2), 1.0, 1e-12);
  // Clamped biharmonic: zeros of j_l i_l' - j_l' i_l (method/ball, section 4; hyperdiffusion_test.cpp has their
  // digits).
  EXPECT_NEAR(std::pow(slowest(basis_of(BoundaryWord::clamped, PartKind::scalar, 1, 18), false), 0.25), 5.2676575,
              1e-7);
  EXPECT_NEAR(std::pow(slowest(basis_of(BoundaryWord::clamped, PartKind::scalar, 4, 18), false), 0.25), 8.9386927,
              1e-7);
}

TEST(BallRadialBasis, MatricesAreTheScalarProductsOfTheTables) {
  const Index l = 3, highest = 9;
  const RadialNodes nodes(40);
  const RadialTable table(l, highest, nodes.radius);
  const Eigen::Map<const Vector> weights(nodes.weight.data(), static_cast<Index>(nodes.weight.size()));
  const Matrix product = table.value * weights.asDiagonal() * table.value.transpose();
  EXPECT_LE((product - Matrix::Identity(highest + 1, highest + 1)).cwiseAbs().maxCoeff(), 1e-13);
  for (const auto word : {BoundaryWord::no_slip, BoundaryWord::stress_free}) {
    const EnergyBasis basis = basis_of(word, PartKind::poloidal, l, highest);
    const Index n = basis.n_functions();
    Matrix values(n, table.value.cols()), laplacians = values, bilaplacians = values;
    for (Index k = 0; k < n; ++k) {
      std::vector<double> c(static_cast<std::size_t>(n), 0.0), e(static_cast<std::size_t>(highest + 1));
      c[static_cast<std::size_t>(k)] = 1.0;
      basis.to_series(c.data(), e.data());
      const Eigen::Map<const RowVector> series(e.data(), highest + 1);
      values.row(k) = series * table.value;
      laplacians.row(k) = series * table.laplacian;
      bilaplacians.row(k) = series * table.bilaplacian;
      for (const WallCondition& condition : wall_conditions(word, PartKind::poloidal, 1.0)(l))
        EXPECT_NEAR(radial_functions(0.0)->wall_value(condition, l, highest, e.data()), 0.0, 1e-11);
    }
    const auto entries = [&](const Matrix& a, const Matrix& b) {
      return Matrix(a * weights.asDiagonal() * b.transpose());
    };
    const Matrix mass = entries(values, values), gradients = -entries(values, laplacians);
    const Matrix stiffness = entries(values, bilaplacians);
    EXPECT_LE((stiffness - Matrix::Identity(n, n)).cwiseAbs().maxCoeff(), 1e-11);
    EXPECT_LE((mass - symmetric(basis, false)).cwiseAbs().maxCoeff(), 1e-13 * mass.cwiseAbs().maxCoeff());
    EXPECT_LE((gradients - symmetric(basis, true)).cwiseAbs().maxCoeff(), 1e-12 * gradients.cwiseAbs().maxCoeff());
  }
}

TEST(BallRadialBasis, RefusesWhatItCannotCombine) {
  EXPECT_THROW(EnergyBasis(1, 5, {}), ShapeError);
  EXPECT_THROW(EnergyBasis(1, 1, {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}), ShapeError);
}

}  // namespace
}  // namespace gwrm::ball::radial_basis_test
