// The contract of axis_basis.hpp, for Chebyshev series on subdomains and for Fourier series,
// against functions in closed form; and the registry.
#include "basis/axis_basis.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "basis/banded_form.hpp"
#include "basis/stored_order.hpp"
#include "core/errors.hpp"

namespace gwrm::axis_basis_test {
namespace {

AxisDescription line() {
  return {7, {-1.0, -0.25, 2.0}};
}
AxisDescription logarithmic() {
  return {9, {0.5, 1.0, 6.0}, MapKind::log};
}
AxisDescription circle() {
  return {5, {-1.0, 2.0}, MapKind::linear, kFourier};
}

class AnyBasis : public testing::TestWithParam<AxisDescription> {
 protected:
  std::shared_ptr<const AxisBasis> basis = make_basis(GetParam());
  Vector coefficients() const {
    Vector a(basis->n_coefficients());
    for (Index k = 0; k < a.size(); ++k) a(k) = std::cos(1.0 + 2.3 * static_cast<double>(k * k));
    return a;
  }
  static double value(const AxisBasis& b, const Vector& a, double z, int order = 0) {
    return (b.at(std::span(&z, 1), order).dense() * a)(0);
  }
};

// The definition, from angles: subdomain, then function, then value.
double definition(const AxisDescription& d, const Vector& a, double z) {
  const Index p = d.subdomain_of(z);
  const double lower = d.edges[static_cast<std::size_t>(p)], upper = d.edges[static_cast<std::size_t>(p) + 1];
  double sum = 0.0;
  if (d.basis == kFourier) {
    const double theta = 2.0 * std::numbers::pi * (z - lower) / (upper - lower);
    for (int k = 0; k <= d.degree; ++k)
      sum += a(2 * k) * std::cos(k * theta) + (k > 0 ? a(2 * k - 1) * std::sin(k * theta) : 0.0);
    return sum;
  }
  const bool log = d.map == MapKind::log;
  const double xi =
      log ? 2.0 * std::log(z / lower) / std::log(upper / lower) - 1.0 : 2.0 * (z - lower) / (upper - lower) - 1.0;
  for (int k = 0; k <= d.degree; ++k)
    sum += a(p * (d.degree + 1) + k) * std::cos(k * std::acos(std::clamp(xi, -1.0, 1.0)));
  return sum;
}

TEST_P(AnyBasis, values_are_those_of_the_definition) {
  const Vector a = coefficients();
  for (double z : {-1.0, -0.7, -0.25, 0.55, 1.0, 1.9, 2.0})
    if (z > GetParam().edges.front()) {
      EXPECT_NEAR(value(*basis, a, z), definition(GetParam(), a, z), 1e-13) << z;
    }
}

TEST_P(AnyBasis, derivatives_are_slopes_of_values) {
  const Vector a = coefficients();
  constexpr double h = 1e-5;
  for (double z : {0.6, 0.93, 1.7})
    for (int order : {0, 1, 2}) {
      const double slope = (value(*basis, a, z + h, order) - value(*basis, a, z - h, order)) / (2.0 * h);
      const double exact = value(*basis, a, z, order + 1);
      EXPECT_NEAR(slope, exact, 1e-6 * std::pow(basis->slope_bound(), order + 1)) << z << " order " << order;
    }
}

TEST_P(AnyBasis, grid_matrices_agree_with_point_matrices) {
  for (Index n : {basis->n_per_subdomain(), basis->n_points(2), basis->n_points(3)}) {
    const AxisGrid grid = basis->grid(n);
    ASSERT_EQ(grid.points.size(), n * basis->n_subdomains());
    for (int order : {0, 1, 2}) {
      const Matrix at_points =
          basis->at({grid.points.data(), static_cast<std::size_t>(grid.points.size())}, order).dense();
      EXPECT_LE((basis->synthesis(n, order).dense() - at_points).cwiseAbs().maxCoeff(),
                1e-12 * std::pow(basis->slope_bound(), order));
    }
    const Matrix unit = basis->analysis(n).dense() * basis->synthesis(n, 0).dense();
    EXPECT_LE((unit - Matrix::Identity(unit.rows(), unit.cols())).cwiseAbs().maxCoeff(), 1e-13) << n;
  }
}

TEST_P(AnyBasis, integrals_agree_with_quadrature) {
  const Index n = basis->n_per_subdomain() + 40;
  const AxisGrid grid = basis->grid(n);
  EXPECT_NEAR(grid.weights.sum(), GetParam().edges.back() - GetParam().edges.front(), 1e-13);
  EXPECT_NEAR(basis->mean_weights(n).sum(), 1.0, 1e-13);
  const RowVector by_points = grid.weights.transpose() * basis->synthesis(n, 0).dense();
  EXPECT_LE((basis->integral_row() - by_points).cwiseAbs().maxCoeff(), 1e-13);
}

// On n_points(2) the square of the series, projected, is the one of many more points.
TEST_P(AnyBasis, products_of_two_are_exact_on_their_points) {
  const Vector a = coefficients();
  const auto square = [&](Index n) -> Vector {
    const Vector values = basis->synthesis(n, 0).dense() * a;
    return basis->analysis(n).dense() * values.cwiseAbs2();
  };
  EXPECT_LE((square(basis->n_points(2)) - square(4 * basis->n_points(2))).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_GT((square(basis->n_points(2) - 2) - square(basis->n_points(2))).cwiseAbs().maxCoeff(), 1e-3);
}

TEST_P(AnyBasis, coefficients_are_nested_by_level) {
  AxisDescription lower = GetParam();
  lower.degree -= 2;
  const auto coarse = make_basis(lower);
  EXPECT_EQ(basis->n_below(0), 0);
  EXPECT_EQ(coarse->n_per_subdomain(), basis->n_below(lower.degree + 1));
  const double z = 0.77;
  const Index p = GetParam().subdomain_of(z);
  EXPECT_EQ(coarse->rows_at(p, std::span(&z, 1), 1),
            basis->rows_at(p, std::span(&z, 1), 1).leftCols(coarse->n_per_subdomain()));
}

TEST_P(AnyBasis, functions_are_at_most_one_and_their_slopes_below_the_bound) {
  Vector largest = Vector::Zero(basis->n_coefficients());
  double steepest = 0.0;
  const double lower = GetParam().edges.front(), upper = GetParam().edges.back();
  for (int i = 0; i <= 3000; ++i) {
    const double z = i == 3000 ? upper : lower + i * (upper - lower) / 3000.0;
    largest = largest.cwiseMax(basis->at(std::span(&z, 1)).dense().row(0).transpose().cwiseAbs());
    if (GetParam().map == MapKind::linear)
      steepest = std::max(steepest, basis->at(std::span(&z, 1), 1).dense().cwiseAbs().maxCoeff());
  }
  EXPECT_LE(largest.maxCoeff(), 1.0 + 1e-14);
  EXPECT_GT(largest.minCoeff(), 0.99);
  EXPECT_LE(steepest, basis->slope_bound() * (1.0 + 1e-12));
}

TEST_P(AnyBasis, positions_are_those_of_the_first_subdomain) {
  const double xi[] = {-1.0, 0.3, 1.0};
  const double lower = GetParam().edges[0], upper = GetParam().edges[1];
  const double inside =
      GetParam().map == MapKind::log ? lower * std::pow(upper / lower, 0.65) : lower + 0.65 * (upper - lower);
  const double points[] = {lower, inside, upper};
  EXPECT_LE((basis->at_positions(xi) - basis->rows_at(0, points, 0)).cwiseAbs().maxCoeff(), 1e-13);
}

TEST_P(AnyBasis, jumps_are_differences_at_the_inner_edges) {
  const Vector a = coefficients();
  for (int order : {0, 1}) {
    const Matrix jumps = basis->jump(order).dense();
    ASSERT_EQ(jumps.rows(), basis->n_subdomains() - 1);
    for (Index e = 0; e < jumps.rows(); ++e) {
      const double z = GetParam().edges[static_cast<std::size_t>(e) + 1];
      const Index n = basis->n_per_subdomain();
      const double left = basis->rows_at(e, std::span(&z, 1), order).row(0).dot(a.segment(e * n, n));
      const double right = basis->rows_at(e + 1, std::span(&z, 1), order).row(0).dot(a.segment((e + 1) * n, n));
      EXPECT_NEAR(jumps.row(e).dot(a), left - right, 1e-12 * std::pow(basis->slope_bound(), order));
    }
  }
}

TEST_P(AnyBasis, a_finer_basis_holds_the_same_function) {
  AxisDescription finer = GetParam();
  finer.degree += 3;
  const auto fine = make_basis(finer);
  const Vector a = coefficients(), b = fine->conversion_from(*basis).dense() * a;
  for (double z : {0.6, 1.0, 1.99}) EXPECT_NEAR(value(*fine, b, z), value(*basis, a, z), 1e-13);
  EXPECT_LE((basis->conversion_from(*fine).dense() * b - a).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_TRUE(basis->conversion_from(*make_basis(GetParam())).identity);
}

TEST_P(AnyBasis, mean_square_of_a_single_coefficient) {
  const std::vector<double> shares = basis->mean_square();
  ASSERT_EQ(static_cast<Index>(shares.size()), basis->n_coefficients());
  double constants = 0.0;
  for (Index p = 0; p < basis->n_subdomains(); ++p)
    constants += shares[static_cast<std::size_t>(p * basis->n_per_subdomain())];
  EXPECT_NEAR(constants, 1.0, 1e-15);
  EXPECT_NEAR(shares[1], 0.5 * shares[0], 1e-15);
}

INSTANTIATE_TEST_SUITE_P(Bases, AnyBasis, testing::Values(line(), logarithmic(), circle()));

TEST(AxisBasis, conditions_take_modes_of_polynomials_only) {
  const auto chebyshev = make_basis({6, {0.0, 1.0}}), fourier = make_basis(circle());
  EXPECT_EQ(chebyshev->n_conditions(2), 2);
  EXPECT_EQ(fourier->n_conditions(2), 0);
}

// cos^2(M theta) aliases from wavenumber 2 M to n - 2 M: beyond M on 3 M + 1 points, to M itself on 3 M.
TEST(FourierBasis, products_of_two_need_one_point_more_than_three_times_the_highest_wavenumber) {
  const auto basis = make_basis(circle());
  const int highest = circle().degree;
  EXPECT_EQ(basis->n_points(2), 3 * highest + 1);
  const auto coefficients_of_square = [&](Index n) -> Vector {
    const Matrix cosine = basis->synthesis(n, 0).dense().col(2 * highest);
    return basis->analysis(n).dense() * cosine.cwiseAbs2();
  };
  Vector exact = Vector::Zero(basis->n_coefficients());  // 1/2 + cos(2 M theta)/2
  exact(0) = 0.5;
  EXPECT_LE((coefficients_of_square(3 * highest + 1) - exact).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_NEAR((coefficients_of_square(3 * highest) - exact).cwiseAbs().maxCoeff(), 0.5, 1e-14);
}

TEST(StoredOrder, cosines_before_sines_each_with_room_for_the_highest_wavenumber) {
  const auto basis = make_basis({2, {0.0, 1.0}, MapKind::linear, kFourier});
  EXPECT_EQ(stored_name(*basis), "fourier_real");
  EXPECT_EQ(basis_stored_as("fourier_real"), kFourier);
  EXPECT_EQ(basis_stored_as("fourier"), "");
  EXPECT_EQ(basis_stored_as(kChebyshev), kChebyshev);
  const std::vector<Index> own{0, 3, 1, 4, 2}, wider{0, 5, 1, 6, 2};  // 1, sin, cos, sin 2, cos 2; room for M = 4
  for (Index k = 0; k < 5; ++k) {
    EXPECT_EQ(stored_index(*basis, k, 5), own[static_cast<std::size_t>(k)]);
    EXPECT_EQ(stored_index(*basis, k, 9), wider[static_cast<std::size_t>(k)]);
    EXPECT_EQ(stored_index(*make_basis(line()), k, 9), k);
  }
}

TEST(AxisBasis, banded_form_on_linear_maps) {
  EXPECT_NE(make_basis(line())->banded_form(), nullptr);
  EXPECT_EQ(make_basis(logarithmic())->banded_form(), nullptr);
  EXPECT_EQ(make_basis(circle())->banded_form(), nullptr);
}

TEST(AxisBasis, no_conversion_across_kinds) {
  const auto chebyshev = make_basis({6, {-1.0, 2.0}}), fourier = make_basis(circle());
  EXPECT_THROW(chebyshev->conversion_from(*fourier), ShapeError);
}

TEST(BasisRegistry, names) {
  EXPECT_TRUE(is_basis(kChebyshev));
  EXPECT_TRUE(is_basis(kFourier));
  EXPECT_FALSE(is_basis("wavelets"));
  EXPECT_EQ(basis_names(), "chebyshev, fourier, hermite, jacobi, legendre");
  EXPECT_THROW(register_basis(kChebyshev, {}), ShapeError);
  EXPECT_THROW(make_basis({3, {0.0, 1.0}, MapKind::linear, "wavelets"}), ShapeError);
  EXPECT_THROW(make_basis({-1, {0.0, 1.0}}), ShapeError);
  EXPECT_THROW(make_basis({3, {0.0}}), ShapeError);
  EXPECT_NE(AxisDescription({3, {0.0, 1.0}}), AxisDescription({3, {0.0, 1.0}, MapKind::linear, kFourier}));
}

}  // namespace
}  // namespace gwrm::axis_basis_test
