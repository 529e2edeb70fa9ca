// The banded operators against values of Gegenbauer polynomials from their three-term recurrence.
#include "basis/ultraspherical.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "basis/chebyshev.hpp"

namespace gwrm::ultraspherical_test {
namespace {

// sum c_k C^(l)_k(x) in long double; l = 0: T_k.
long double gegenbauer_sum(const Vector& c, int l, long double x) {
  long double before = 0.0L, now = 1.0L, sum = 0.0L;
  for (Index k = 0; k < c.size(); ++k) {
    sum += c(k) * now;
    const long double n = static_cast<long double>(k) + 1.0L, lambda = l;
    const long double next = l == 0 ? (k == 0 ? x : 2.0L * x * now - before)
                                    : (2.0L * x * (n + lambda - 1.0L) * now - (n + 2.0L * lambda - 2.0L) * before) / n;
    before = now;
    now = next;
  }
  return sum;
}

Vector random_series(Index n, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Vector c(n);
  for (double& value : c) value = uniform(generator);
  return c;
}

TEST(Ultraspherical, ConversionKeepsTheFunction) {
  for (int to : {1, 2, 3, 4})
    for (int from = 0; from <= to; ++from) {
      const Vector c = random_series(13, 7u * static_cast<unsigned>(to) + static_cast<unsigned>(from));
      const Vector converted = ultraspherical_conversion(Matrix(c), from, to);
      for (double x : {-1.0, -0.7, 0.0, 0.31, 0.99})
        EXPECT_NEAR(static_cast<double>(gegenbauer_sum(converted, to, x)),
                    static_cast<double>(gegenbauer_sum(c, from, x)),
                    1e-12)  // values of C^(4)_12 reach 1e5, coefficients 1e-4
            << from << " to " << to << " at " << x;
    }
}

TEST(Ultraspherical, DerivativesAgreeWithThoseOfTheChebyshevSeries) {
  const AxisMap map(-1.0, 1.0);
  for (int order : {0, 1, 2, 3, 4}) {
    const Index degree = 11;
    const Vector a = random_series(degree + 1, 3u + static_cast<unsigned>(order));
    const Vector b = ultraspherical_derivative(degree, order) * a;
    for (double x : {-0.9, 0.0, 0.4, 1.0}) {
      const double exact = point_row(map, degree, x, order).dot(a);
      EXPECT_NEAR(static_cast<double>(gegenbauer_sum(b, order, x)), exact, 1e-12 * std::max(1.0, std::abs(exact)))
          << "order " << order << " at " << x;
    }
  }
}

TEST(Ultraspherical, OperatorsAreBanded) {
  const Matrix s = ultraspherical_conversion(Matrix::Identity(9, 9), 0, 3);
  for (Index i = 0; i < 9; ++i)
    for (Index j = 0; j < 9; ++j) {
      if (j < i || j > i + 6 || (j - i) % 2 != 0) {
        EXPECT_EQ(s(i, j), 0.0) << i << ", " << j;
      }
    }
}

}  // namespace
}  // namespace gwrm::ultraspherical_test
