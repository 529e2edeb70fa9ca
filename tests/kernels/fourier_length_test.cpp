// Lengths of Fourier transforms and their roots of unity: the steps, done here one after the other as the device does
// them, against the definition.
#include "kernels/transform/fourier_length.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/errors.hpp"
#include "random_array.hpp"

namespace gwrm::fourier_length_test {
namespace {

using Complexes = std::vector<std::complex<double>>;

// By the steps of fourier_length.hpp: short transforms by their sums.
Complexes by_steps(const FourierLength& f, Complexes from) {
  const Complexes roots = fourier_roots(f);
  std::size_t table = 0;
  int done = 1;
  for (int step = 0; step < f.n_steps; ++step) {
    const int radix = f.radix[step], n = f.length / radix;
    Complexes to(from.size());
    for (int j = 0; j < n; ++j) {
      const int group = done == 1 ? j : static_cast<int>(static_cast<unsigned long long>(j) * f.reciprocal[step] >> 32),
                m = j - group * done;
      EXPECT_EQ(group, j / done);
      for (int k = 0; k < radix; ++k) {
        std::complex<double> sum = 0.0;
        for (int r = 0; r < radix; ++r) {
          const auto place = static_cast<std::size_t>(j + r * n);
          const auto factor = done == 1 || r == 0 ? 1.0 : roots[table + static_cast<std::size_t>((r - 1) * done + m)];
          sum += factor * from[place] * root_of_unity(static_cast<long long>(r) * k, radix);
        }
        to[static_cast<std::size_t>(group * done * radix + m + k * done)] = sum;
      }
    }
    if (done > 1) table += static_cast<std::size_t>((radix - 1) * done);
    done *= radix;
    from = to;
  }
  EXPECT_EQ(static_cast<int>(table), f.n_factors);
  EXPECT_EQ(static_cast<int>(roots.size()), f.n_roots);
  return from;
}

TEST(FourierLength, StepsMakeTheTransform) {
  test::Random random(7);
  for (int length : {1, 2, 3, 5, 8, 20, 30, 60, 150, 240, 1000}) {
    const FourierLength f = factors_of(length);
    ASSERT_EQ(f.length, length);
    Complexes x(static_cast<std::size_t>(length));
    for (auto& number : x) number = {random.number(), random.number()};
    const Complexes y = by_steps(f, x);
    for (int k = 0; k < length; ++k) {
      std::complex<double> sum = 0.0;
      for (int j = 0; j < length; ++j)
        sum += x[static_cast<std::size_t>(j)] * root_of_unity(static_cast<long long>(j) * k, length);
      EXPECT_LT(std::abs(y[static_cast<std::size_t>(k)] - sum), 1e-14 * length) << length << " at " << k;
    }
  }
}

TEST(FourierLength, IsLongEnoughAndNotMuchLonger) {
  for (int least = 1; least < 3000; least += 1 + least / 7) {
    const FourierLength f = fourier_length(least);
    EXPECT_GE(f.length, least);
    EXPECT_LE(f.length, least + least / 3 + 1) << least;
    int product = 1;
    for (int step = 0; step < f.n_steps; ++step) product *= f.radix[step];
    EXPECT_EQ(product, f.length);
  }
  EXPECT_THROW(fourier_length(kLongestFourierLength + 1), ShapeError);
  EXPECT_EQ(factors_of(7).n_steps, 0);
  EXPECT_EQ(factors_of(19683).n_steps, 0) << "nine factors of three";
  EXPECT_EQ(factors_of(kLongestFourierLength).length, fourier_length(kLongestFourierLength).length);
}

TEST(FourierLength, RootsAreExactWhereTheyCanBe) {
  EXPECT_EQ(root_of_unity(0, 12), std::complex<double>(1.0, 0.0));
  EXPECT_EQ(root_of_unity(3, 12), std::complex<double>(0.0, 1.0));
  EXPECT_EQ(root_of_unity(6, 12), std::complex<double>(-1.0, 0.0));
  EXPECT_EQ(root_of_unity(21, 12), std::complex<double>(0.0, -1.0));
  for (int k = 0; k < 1000; ++k) {
    const long double angle = 2 * std::numbers::pi_v<long double> * k / 1000;
    const auto root = root_of_unity(k, 1000);
    EXPECT_NEAR(root.real(), static_cast<double>(std::cos(angle)), 1.2e-16);
    EXPECT_NEAR(root.imag(), static_cast<double>(std::sin(angle)), 1.2e-16);
    EXPECT_EQ(root_of_unity(1000 - k, 1000), std::conj(root)) << "symmetric to the last bit";
  }
}

// In shared memory neighbours must not meet in a bank: eight consecutive threads write a step's groups to eight banks.
TEST(FourierLength, GroupsAreSpreadOverTheBanks) {
  for (int radix : {2, 3, 4, 5, 6, 8, 10}) EXPECT_EQ(fourier_pitch(1, radix) % 2, 1);
  for (int done : {3, 4, 5, 6}) {
    const int pitch = fourier_pitch(done, 8);
    EXPECT_GE(pitch, 8 * done);
    unsigned banks = 0;
    for (int j = 0; j < 8; ++j) banks |= 1U << (j / done * pitch + j % done) % 8;
    EXPECT_EQ(banks, 0xffU) << done;
  }
}

}  // namespace
}  // namespace gwrm::fourier_length_test
