#include "kernels/product/chebyshev_product.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/errors.hpp"
#include "kernels/product/product_choice.hpp"
#include "random_array.hpp"

namespace gwrm::chebyshev_product_test {
namespace {

using test::Random;

// T_i T_j = 2^-d sum over all signs of T_|i +- j|, term by term in long double.
std::vector<long double> product_by_definition(const Array& a, const Array& b) {
  const std::size_t d = a.shape.size();
  const auto indices = [&](Index flat) {
    std::vector<Index> result(d);
    for (std::size_t m = d; m-- > 0; flat /= a.shape[m]) result[m] = flat % a.shape[m];
    return result;
  };
  std::vector<long double> c(a.data.size(), 0.0L);
  for (Index p = 0; p < a.size(); ++p)
    for (Index q = 0; q < b.size(); ++q) {
      const std::vector<Index> i = indices(p), j = indices(q);
      const long double term = static_cast<long double>(a.data[static_cast<std::size_t>(p)]) *
                               b.data[static_cast<std::size_t>(q)] / std::ldexp(1.0L, static_cast<int>(d));
      for (std::size_t signs = 0; signs < (std::size_t{1} << d); ++signs) {
        Index flat = 0;
        bool inside = true;
        for (std::size_t m = 0; m < d; ++m) {
          const Index k = (signs >> m) & 1 ? std::abs(i[m] - j[m]) : i[m] + j[m];
          inside = inside && k < a.shape[m];
          flat = flat * a.shape[m] + k;
        }
        if (inside) c[static_cast<std::size_t>(flat)] += term;
      }
    }
  return c;
}

double relative_error(const Array& c, const std::vector<long double>& exact) {
  long double error = 0.0L, scale = 0.0L;
  for (std::size_t k = 0; k < exact.size(); ++k) {
    error = std::max(error, std::abs(c.data[k] - exact[k]));
    scale = std::max(scale, std::abs(exact[k]));
  }
  return static_cast<double>(error / scale);
}

class ChebyshevProduct : public ::testing::TestWithParam<ProductVariant> {
 protected:
  Array product(const Array& a, const Array& b) const { return chebyshev_product(context_, a, b, GetParam()); }

  Context context_ = Context::create(BackendChoice::cpu, 2);
  Random random_{5};
};

TEST_P(ChebyshevProduct, IsTheExpansionTermByTerm) {
  const std::vector<Shape> shapes = {{1},    {2},    {3},      {17},      {64},      {257},       {5, 9},
                                     {1, 7}, {6, 1}, {17, 20}, {4, 5, 6}, {1, 3, 2}, {2, 3, 2, 4}};
  for (const Shape& shape : shapes) {
    const Array a = random_.array(shape), b = random_.array(shape);
    const Array c = product(a, b);
    EXPECT_EQ(c.shape, shape);
    // Measured figures are below 1e-15 up to degree 255 (random signs); four times that for an unlucky rounding.
    EXPECT_LE(relative_error(c, product_by_definition(a, b)), 4e-15) << ::testing::PrintToString(shape);
  }
}

TEST_P(ChebyshevProduct, UsesThePlainNormalisation) {
  Array a(Shape{7}), b(Shape{7});
  a.data = {2.0, 0, 3.0, 0, 0, 0, 0};  // (2 + 3 T_2)(5 + 7 T_3) = 10 + 15 T_2 + 14 T_3 + 10.5 (T_5 + T_1)
  b.data = {5.0, 0, 0, 7.0, 0, 0, 0};
  const Array c = product(a, b);
  const std::vector<double> expected = {10.0, 10.5, 15.0, 14.0, 0.0, 10.5, 0.0};
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(c.data[k], expected[k], 2e-14) << k;
}

TEST_P(ChebyshevProduct, MultipliesTheFunctionsWhereNothingIsCutOff) {
  const Shape shape = {9, 13};
  Array a(shape), b(shape);
  for (Index k = 0; k <= 4; ++k)  // half the degree each: the product fits
    for (Index l = 0; l <= 6; ++l) {
      a.data[static_cast<std::size_t>(k * 13 + l)] = random_.number();
      b.data[static_cast<std::size_t>(k * 13 + l)] = random_.number();
    }
  const Array c = product(a, b);
  const auto value = [&](const Array& series, double theta, double phi) {
    double sum = 0.0;
    for (Index k = 0; k < 9; ++k)
      for (Index l = 0; l < 13; ++l)
        sum += series.data[static_cast<std::size_t>(k * 13 + l)] * std::cos(static_cast<double>(k) * theta) *
               std::cos(static_cast<double>(l) * phi);
    return sum;
  };
  for (int point = 0; point < 20; ++point) {
    const double theta = random_.number(0.0, 3.14), phi = random_.number(0.0, 3.14);
    EXPECT_NEAR(value(c, theta, phi), value(a, theta, phi) * value(b, theta, phi), 1e-13);  // sums of 117 terms
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, ChebyshevProduct,
                         ::testing::Values(ProductVariant::automatic, ProductVariant::monolithic,
                                           ProductVariant::stride, ProductVariant::direct, ProductVariant::transform),
                         [](const auto& variant) -> std::string { return variant_name(variant.param); });

TEST(ChebyshevProductDirect, KeepsTheRelativeAccuracyOfSmallTails) {
  Array a(Shape{65}), b(Shape{65});
  for (std::size_t k = 0; k < 65; ++k) {
    a.data[k] = std::pow(0.5, static_cast<double>(k));
    b.data[k] = std::pow(0.4, static_cast<double>(k));
  }
  const Array c = chebyshev_product(Context::create(BackendChoice::cpu, 1), a, b, ProductVariant::direct);
  const std::vector<long double> exact = product_by_definition(a, b);
  for (std::size_t k = 0; k < 65; ++k)  // positive terms only: no cancellation, at most 130 roundings
    EXPECT_NEAR(c.data[k] / static_cast<double>(exact[k]), 1.0, 1e-14) << k;
}

TEST(ChebyshevProductPoints, AreMoreThanThreeHalvesOfTheDegree) {
  for (Index n = 1; n < 40; ++n) {
    EXPECT_GT(2 * product_points(n), 3 * (n - 1));
    EXPECT_LE(2 * (product_points(n) - 1), 3 * (n - 1));
  }
}

TEST(ChebyshevProductShapes, MustAgree) {
  const Context context = Context::create(BackendChoice::cpu, 1);
  EXPECT_THROW(chebyshev_product(context, Array(Shape{4}), Array(Shape{5})), ShapeError);
  EXPECT_THROW(chebyshev_product(context, Array(Shape{2, 2}), Array(Shape{4})), ShapeError);
  EXPECT_THROW(chebyshev_product(context, Array(Shape{0}), Array(Shape{0})), ShapeError);
}

}  // namespace
}  // namespace gwrm::chebyshev_product_test
