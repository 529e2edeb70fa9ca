#include "kernels/transform/fourier_series.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <numbers>

#include "core/errors.hpp"
#include "random_array.hpp"

namespace gwrm::fourier_series_test {
namespace {

// The functions by their definition, in long double: phi_k^(order) at theta_j = 2 pi (j + 1/2) / n.
long double function(Index k, int order, Index j, Index n) {
  const Index wavenumber = (k + 1) / 2;
  if (k == 0) return order == 0 ? 1.0L : 0.0L;
  const long double pi = std::numbers::pi_v<long double>;
  const long double turned =
      static_cast<long double>(wavenumber * (2 * j + 1) % (2 * n)) * pi / static_cast<long double>(n) +
      static_cast<long double>(order) * pi / 2.0L;
  return std::pow(static_cast<long double>(wavenumber), order) * (k % 2 == 1 ? std::sin(turned) : std::cos(turned));
}

struct Size {
  Index degree, n, outer, inner;
};
const Size kSizes[] = {{0, 1, 3, 2},     {0, 4, 1, 1},     {1, 3, 1, 1},    {1, 4, 2, 17},  {5, 16, 3, 1},
                       {7, 22, 1, 16},   {8, 25, 2, 5},    {15, 31, 1, 33}, {16, 33, 1, 1}, {21, 64, 2, 16},
                       {42, 128, 1, 40}, {40, 121, 17, 1}, {50, 101, 1, 3}, {64, 257, 1, 2}};

TEST(FourierSeries, SynthesisIsTheDefinition) {
  test::Random random(3);
  for (const Size& s : kSizes)
    for (int order : {0, 1, 2, 3, 4}) {
      const FourierSeries series(FourierSeries::Kind::synthesis, s.degree, s.n, order);
      const Array x = random.array({s.outer, series.n_coefficients(), s.inner});
      Array y({s.outer, s.n, s.inner}, NAN);
      series.apply(0.7, x.data.data(), s.outer, s.inner, y.data.data());
      const double size = std::pow(std::max<double>(1.0, static_cast<double>(s.degree)), order) *
                          static_cast<double>(series.n_coefficients());
      double worst = 0.0;
      for (Index o = 0; o < s.outer; ++o)
        for (Index j = 0; j < s.n; ++j)
          for (Index i = 0; i < s.inner; ++i) {
            long double sum = 0.0L;
            for (Index k = 0; k < series.n_coefficients(); ++k)
              sum += 0.7L * function(k, order, j, s.n) *
                     x.data[static_cast<std::size_t>((o * series.n_coefficients() + k) * s.inner + i)];
            const double value = y.data[static_cast<std::size_t>((o * s.n + j) * s.inner + i)];
            worst = std::max(worst, std::isnan(value) ? HUGE_VAL : std::abs(static_cast<double>(value - sum)));
          }
      // 1e-16 log2 n of the largest term, of which there are n_coefficients.
      EXPECT_LE(worst, 1e-15 * size) << s.degree << " " << s.n << " order " << order;
    }
}

TEST(FourierSeries, AnalysisIsTheInverseAndTheTransposeOfTheDefinition) {
  test::Random random(4);
  for (const Size& s : kSizes) {
    const FourierSeries synthesis(FourierSeries::Kind::synthesis, s.degree, s.n, 0);
    const FourierSeries analysis(FourierSeries::Kind::analysis, s.degree, s.n, 0);
    const Array f = random.array({s.outer, s.n, s.inner});
    Array a({s.outer, analysis.n_coefficients(), s.inner}, NAN);
    analysis.apply(1.0, f.data.data(), s.outer, s.inner, a.data.data());
    double worst = 0.0;
    for (Index o = 0; o < s.outer; ++o)
      for (Index k = 0; k < analysis.n_coefficients(); ++k)
        for (Index i = 0; i < s.inner; ++i) {
          long double sum = 0.0L;
          for (Index j = 0; j < s.n; ++j)
            sum += function(k, 0, j, s.n) * f.data[static_cast<std::size_t>((o * s.n + j) * s.inner + i)];
          sum *= (k == 0 ? 1.0L : 2.0L) / static_cast<long double>(s.n);
          const double value = a.data[static_cast<std::size_t>((o * analysis.n_coefficients() + k) * s.inner + i)];
          worst = std::max(worst, std::isnan(value) ? HUGE_VAL : std::abs(static_cast<double>(value - sum)));
        }
    EXPECT_LE(worst, 2e-15) << s.degree << " " << s.n;

    Array back({s.outer, s.n, s.inner}), again(a.shape);
    synthesis.apply(1.0, a.data.data(), s.outer, s.inner, back.data.data());
    analysis.apply(1.0, back.data.data(), s.outer, s.inner, again.data.data());
    for (std::size_t i = 0; i < a.data.size(); ++i) EXPECT_NEAR(again.data[i], a.data[i], 4e-15);
  }
}

TEST(FourierSeries, HasTheSameBitsOnAnyNumberOfThreads) {
  test::Random random(5);
  const FourierSeries series(FourierSeries::Kind::synthesis, 42, 128, 1);
  const Array x = random.array({3, 85, 421});
  std::vector<Array> results;
  const int before = omp_get_max_threads();
  for (int threads : {1, 2, 3, 2}) {
    omp_set_num_threads(threads);
    results.emplace_back(Shape{3, 128, 421});
    series.apply(1.0, x.data.data(), 3, 421, results.back().data.data());
    EXPECT_EQ(results.back().data, results.front().data) << threads;
  }
  omp_set_num_threads(before);
}

TEST(FourierSeries, RefusesTooFewPoints) {
  EXPECT_THROW(FourierSeries(FourierSeries::Kind::synthesis, 4, 8, 0), ShapeError);
  EXPECT_THROW(FourierSeries(FourierSeries::Kind::analysis, 4, 9, 1), ShapeError);
  EXPECT_NO_THROW(FourierSeries(FourierSeries::Kind::synthesis, 4, 9, 0));
}

}  // namespace
}  // namespace gwrm::fourier_series_test
