// Real matrices times complex vectors against sums in quadruple precision.
#include "kernels/linear_algebra/real_complex_product.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace gwrm::real_complex_product_test {
namespace {

using Complex = std::complex<double>;

TEST(RealComplexProduct, IsTheSumOfItsDefinition) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  for (Index n : {0, 1, 2, 7, 8, 9, 31, 32, 33, 194, 257})
    for (Index rows : {1, 3, 64}) {
      Matrix a(rows, n);
      for (Index k = 0; k < a.size(); ++k) a.data()[k] = number(random);
      std::vector<Complex> x(static_cast<std::size_t>(n)), before(static_cast<std::size_t>(rows));
      for (Complex& value : x) value = {number(random), number(random)};
      for (Complex& value : before) value = {number(random), number(random)};
      std::vector<Complex> y(before.size(), Complex(NAN, NAN)), sum = before;
      std::vector<double> work(real_complex_workspace_size(n));
      multiply(a, x, y, work);
      multiply_add(a, x, sum, work);
      for (Index i = 0; i < rows; ++i) {
        __float128 re = 0, im = 0;
        for (Index k = 0; k < n; ++k) {
          re += static_cast<__float128>(a(i, k)) * x[static_cast<std::size_t>(k)].real();
          im += static_cast<__float128>(a(i, k)) * x[static_cast<std::size_t>(k)].imag();
        }
        // n roundings of sums below n.
        const auto at = static_cast<std::size_t>(i);
        const Complex exact(static_cast<double>(re), static_cast<double>(im));
        EXPECT_LE(std::abs(y[at] - exact), 1e-16 * static_cast<double>(n)) << n << " " << i;
        EXPECT_LE(std::abs(sum[at] - before[at] - exact), 1e-16 * static_cast<double>(n) + 4e-16) << n << " " << i;
      }
    }
}

}  // namespace
}  // namespace gwrm::real_complex_product_test
