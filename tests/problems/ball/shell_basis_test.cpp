// Oracles: determinants of spherical Bessel functions, sums over many points, differences.
#include "problems/ball/shell_basis.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "problems/ball/shell_functions.hpp"
#include "problems/ball/wall_conditions.hpp"
#include "shell_oracles.hpp"

namespace gwrm::ball::shell_basis_test {
namespace {

using test::AtWall;
using test::Jet;

double value(const Jet& f, unsigned, double) {
  return f.value;
}
double slope(const Jet& f, unsigned, double) {
  return f.slope;
}
double curvature(const Jet& f, unsigned, double) {
  return f.curvature;
}
// The field outside is that of r^-(l+1), inside that of r^l.
double insulating_outside(const Jet& f, unsigned l, double r) {
  return r * f.slope + (l + 1.0) * f.value;
}
double insulating_inside(const Jet& f, unsigned l, double r) {
  return r * f.slope - l * f.value;
}
// (r f)' = 0, (f/r)' = 0.
double conducting(const Jet& f, unsigned, double r) {
  return r * f.slope + f.value;
}
double stress_free(const Jet& f, unsigned, double r) {
  return r * f.slope - f.value;
}

BallField field_of(BoundaryWord outer, BoundaryWord inner, double robin = 1.0) {
  BallField field;
  field.boundary = outer;
  field.inner_boundary = inner;
  field.robin = robin;
  return field;
}

ShellBasis basis_of(const ShellFunctions& functions, const BallField& field, PartKind kind, Index l, Index highest) {
  return ShellBasis(functions, l, highest, conditions_of(field, kind, 1.0, functions)(l));
}

struct Decay {
  const char* name;
  BoundaryWord outer, inner;
  PartKind kind;
  std::vector<AtWall> walls;
};

class ShellDecay : public testing::TestWithParam<double> {};

TEST_P(ShellDecay, RatesAreTheRootsOfTheDeterminants) {
  const double a = GetParam();
  const ShellFunctions functions(a);
  const std::vector<Decay> decays = {
      {"toroidal field",
       BoundaryWord::insulating,
       BoundaryWord::insulating,
       PartKind::toroidal,
       {{1, value}, {a, value}}},
      {"poloidal field",
       BoundaryWord::insulating,
       BoundaryWord::insulating,
       PartKind::poloidal,
       {{1, insulating_outside}, {a, insulating_inside}}},
      {"toroidal field on a conductor",
       BoundaryWord::insulating,
       BoundaryWord::conducting,
       PartKind::toroidal,
       {{1, value}, {a, conducting}}},
      {"poloidal field in a conductor",
       BoundaryWord::conducting,
       BoundaryWord::insulating,
       PartKind::poloidal,
       {{1, value}, {a, insulating_inside}}},
      {"temperature", BoundaryWord::value, BoundaryWord::slope, PartKind::scalar, {{1, value}, {a, slope}}},
      {"toroidal flow",
       BoundaryWord::stress_free,
       BoundaryWord::no_slip,
       PartKind::toroidal,
       {{1, stress_free}, {a, value}}},
      {"poloidal flow",
       BoundaryWord::no_slip,
       BoundaryWord::no_slip,
       PartKind::poloidal,
       {{1, value}, {1, slope}, {a, value}, {a, slope}}},
      {"poloidal flow without stress",
       BoundaryWord::stress_free,
       BoundaryWord::stress_free,
       PartKind::poloidal,
       {{1, value}, {1, curvature}, {a, value}, {a, curvature}}},
      {"poloidal flow on a slippery core",
       BoundaryWord::no_slip,
       BoundaryWord::stress_free,
       PartKind::poloidal,
       {{1, value}, {1, slope}, {a, value}, {a, curvature}}},
  };
  for (const Decay& decay : decays)
    for (const unsigned l : {1u, 2u, 5u}) {
      const double wave = test::slowest_wave(decay.walls, l);
      const ShellBasis basis = basis_of(functions, field_of(decay.outer, decay.inner), decay.kind, l, 28);
      EXPECT_NEAR(basis.stiffness().front() / (wave * wave), 1.0, 1e-12) << decay.name << " " << l;
    }
}

TEST_P(ShellDecay, RobinsConditionsTakeTheOutwardSlope) {
  const double a = GetParam(), factor = 2.5;
  const ShellFunctions functions(a);
  const auto outside = [&](const Jet& f, unsigned, double) { return f.slope + factor * f.value; };
  const auto inside = [&](const Jet& f, unsigned, double) { return -f.slope + factor * f.value; };
  for (const unsigned l : {0u, 3u}) {
    const double wave = test::slowest_wave({{1, outside}, {a, inside}}, l);
    const ShellBasis basis =
        basis_of(functions, field_of(BoundaryWord::robin, BoundaryWord::robin, factor), PartKind::scalar, l, 28);
    EXPECT_NEAR(basis.stiffness().front() / (wave * wave), 1.0, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Radii, ShellDecay, testing::Values(0.2, 0.35, 0.8));

TEST(ShellBasis, ARigidRotationAndAConstantDoNotDecay) {
  const ShellFunctions functions(0.35);
  const ShellBasis rotation =
      basis_of(functions, field_of(BoundaryWord::stress_free, BoundaryWord::stress_free), PartKind::toroidal, 1, 20);
  EXPECT_EQ(rotation.stiffness()[0], 0.0);
  EXPECT_GT(rotation.stiffness()[1], 1.0);
  std::vector<double> c(static_cast<std::size_t>(rotation.n_functions()), 0.0), e(21);
  c[0] = 1.0;
  rotation.to_series(c.data(), e.data());
  const double radii[] = {0.4, 0.8};
  const Matrix table = functions.table(1, 20, radii).value;
  const RowVector values = Eigen::Map<const RowVector>(e.data(), 21) * table;
  EXPECT_NEAR(values(1) / values(0), 2.0, 1e-12);
  const ShellBasis constant =
      basis_of(functions, field_of(BoundaryWord::slope, BoundaryWord::slope), PartKind::scalar, 0, 20);
  EXPECT_EQ(constant.stiffness()[0], 0.0);
  EXPECT_GT(constant.stiffness()[1], 1.0);
}

// By Simpson's rule on many points, with differences of them where derivatives are wanted.
TEST(ShellBasis, FunctionsAreOrthonormalAndDiagonaliseDiffusion) {
  constexpr double kInner = 0.4;
  constexpr Index kHighest = 9, l = 3;
  constexpr int kPoints = 20001;
  const ShellFunctions functions(kInner);
  std::vector<double> radii;
  for (int i = 0; i < kPoints; ++i) radii.push_back(kInner + (1.0 - kInner) * i / (kPoints - 1));
  const RadialTable table = functions.table(l, kHighest, radii);
  const double step = (1.0 - kInner) / (kPoints - 1);
  RowVector simpson(kPoints);
  for (int i = 0; i < kPoints; ++i) {
    const double r = radii[static_cast<std::size_t>(i)];
    simpson(i) = step / 3.0 * (i == 0 || i == kPoints - 1 ? 1.0 : i % 2 == 1 ? 4.0 : 2.0) * r * r;
  }
  const Matrix of_series = table.value * simpson.asDiagonal() * table.value.transpose();
  EXPECT_LE((of_series - Matrix::Identity(kHighest + 1, kHighest + 1)).cwiseAbs().maxCoeff(), 1e-10);
  for (const BoundaryWord word : {BoundaryWord::no_slip, BoundaryWord::stress_free}) {
    const ShellBasis basis = basis_of(functions, field_of(word, word), PartKind::poloidal, l, kHighest);
    const Index n = basis.n_functions();
    Matrix series(n, kHighest + 1);
    for (Index k = 0; k < n; ++k) {
      std::vector<double> c(static_cast<std::size_t>(n), 0.0);
      c[static_cast<std::size_t>(k)] = 1.0;
      basis.to_series(c.data(), series.row(k).data());
      for (const WallCondition& condition : conditions_of(field_of(word, word), PartKind::poloidal, 1.0, functions)(l))
        EXPECT_NEAR(functions.wall_value(condition, l, kHighest, series.row(k).data()), 0.0, 1e-9);
    }
    const Matrix values = series * table.value, laplacians = series * table.laplacian;
    const Matrix gradients = -(values * simpson.asDiagonal() * laplacians.transpose());
    EXPECT_LE((gradients - Matrix::Identity(n, n)).cwiseAbs().maxCoeff(), 1e-8);
    // <lap^2 phi_k, phi_j> by the Laplacian of a series that holds lap phi: degree up to where it does.
    constexpr Index kMore = 40;
    const RadialTable wide = functions.table(l, kMore, radii);
    const Matrix of_laplacian = laplacians * simpson.asDiagonal() * wide.value.transpose();
    const Matrix stiffness = values * simpson.asDiagonal() * (of_laplacian * wide.laplacian).transpose();
    for (Index k = 0; k < 3; ++k)
      for (Index j = 0; j < 3; ++j)
        EXPECT_NEAR(stiffness(j, k), j == k ? basis.stiffness()[static_cast<std::size_t>(k)] : 0.0,
                    1e-6 * basis.stiffness()[2]);
    // The nearest function to one of the space is itself.
    std::vector<double> c, e(kHighest + 1), back(static_cast<std::size_t>(n));
    for (Index k = 0; k < n; ++k) c.push_back(std::cos(static_cast<double>(3 * k * k)));
    basis.to_series(c.data(), e.data());
    basis.test(e.data(), back.data());
    basis.nearest(back.data(), 1);
    for (std::size_t k = 0; k < c.size(); ++k) EXPECT_NEAR(back[k], c[k], 1e-10);
  }
}

TEST(ShellFunctions, DerivativesAreTheDifferencesOfTheValues) {
  const ShellFunctions functions(0.3);
  constexpr Index l = 2, kHighest = 7;
  constexpr double kStep = 1e-4, kAt = 0.57;
  const std::vector<double> radii = {kAt - kStep, kAt, kAt + kStep};
  const RadialTable table = functions.table(l, kHighest, radii);
  for (Index n = 0; n <= kHighest; ++n) {
    const double low = table.value(n, 0), mid = table.value(n, 1), high = table.value(n, 2);
    const double slope = (high - low) / (2.0 * kStep), second = (high - 2.0 * mid + low) / (kStep * kStep);
    const double size = 1.0 + std::abs(table.laplacian(n, 1));
    EXPECT_NEAR(table.slope(n, 1), slope, 1e-4 * size);
    EXPECT_NEAR(table.over_r(n, 1), mid / kAt, 1e-12 * size);
    EXPECT_NEAR(table.spread(n, 1), slope + mid / kAt, 1e-4 * size);
    EXPECT_NEAR(table.laplacian(n, 1), second + 2.0 * slope / kAt - 6.0 * mid / (kAt * kAt), 1e-4 * size);
    for (const double wall : {1.0, 0.3}) {
      const double at_wall[] = {wall};
      const RadialTable there = functions.table(l, kHighest, at_wall);
      const auto [v, d, dd] = functions.wall_values(wall, l, n);
      EXPECT_NEAR(v, there.value(n, 0), 1e-12 * std::abs(v));
      EXPECT_NEAR(d, there.slope(n, 0), 1e-12 * std::abs(d));
      EXPECT_NEAR(dd + 2.0 * d / wall - 6.0 * v / (wall * wall), there.laplacian(n, 0), 1e-11 * std::abs(dd));
    }
  }
}

// lap r^4 = (20 - l (l+1)) r^2 and lap 1/r = -l (l+1)/r^3, as far as the series goes.
TEST(ShellFunctions, TheLaplacianOfASeriesIsThatOfItsFunction) {
  const ShellFunctions functions(0.35);
  constexpr Index l = 2, n = 30;
  const RadialNodes nodes = functions.nodes(2 * n);
  const Matrix table = functions.table(l, n - 1, nodes.radius).value;
  const auto series = [&](const auto& f) {
    Vector values(static_cast<Index>(nodes.radius.size()));
    for (Index i = 0; i < values.size(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      values(i) = nodes.weight[k] * f(nodes.radius[k]);
    }
    return Vector(table * values);
  };
  Matrix two(2, n), laplacians(2, n);
  two.row(0) = series([](double r) { return std::pow(r, 4.0); });
  two.row(1) = series([](double r) { return 1.0 / r; });
  functions.laplacian(l, n, 2, two.data(), laplacians.data());
  EXPECT_LE((laplacians.row(0).transpose() - series([](double r) { return 14.0 * r * r; })).norm(), 1e-10);
  EXPECT_LE((laplacians.row(1).transpose() - series([](double r) { return -6.0 / (r * r * r); })).norm(), 1e-9);
  // <E_j, r^-3 E_n> of 1/r = E_0 times a number: that of r^-4.
  const double of_first = two(1, 0);
  EXPECT_LE((of_first * functions.moments_of_power(-3, n - 1).col(0) - series([](double r) {
               return std::pow(r, -4.0);
             })).norm(),
            1e-10);
}

TEST(ShellBasis, RefusesWhatItCannotCombine) {
  const ShellFunctions functions(0.5);
  EXPECT_THROW(ShellBasis(functions, 1, 5, {{1.0, 0.0, 0.0, 1.0}}), ShapeError);
  EXPECT_THROW(ShellBasis(functions, 1, 5, {{1.0, 0.0, 0.0, 1.0}, {0.0, 1.0, 0.0, 1.0}}), ShapeError);
  EXPECT_THROW(ShellBasis(functions, 1, 1, {{1.0, 0.0, 0.0, 1.0}, {1.0, 0.0, 0.0, 0.5}}), ShapeError);
}

}  // namespace
}  // namespace gwrm::ball::shell_basis_test
