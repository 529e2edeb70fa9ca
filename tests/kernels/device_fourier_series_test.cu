// Fourier series on the device against their definition, summed in long double.
#include "kernels/transform/device_fourier_series.cuh"
//
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "device_array_test.hpp"
#include "kernels/transform/fourier_plan.hpp"
#include "random_array.hpp"

namespace gwrm::cuda {
namespace {

class DeviceFourier : public test::DeviceArrayTest {
 protected:
  static std::size_t place(Index i) { return static_cast<std::size_t>(i); }
  // The m-th derivative of function k at point j of n.
  static long double function(Index k, int m, Index j, Index n) {
    const auto wavenumber = static_cast<long double>((k + 1) / 2);
    const long double angle = 2.0L * std::numbers::pi_v<long double> / static_cast<long double>(n) *
                              std::fmod(wavenumber * (static_cast<long double>(j) + 0.5L), static_cast<long double>(n));
    const long double quarter = std::numbers::pi_v<long double> / 2.0L;
    const long double shift = (k % 2 == 1 ? -quarter : 0.0L) + static_cast<long double>(m) * quarter;
    return (k == 0 && m > 0 ? 0.0L : 1.0L) * std::pow(wavenumber, static_cast<long double>(m)) *
           std::cos(angle + shift);
  }

  void expect_series(FourierSeries::Kind kind, Index degree, Index n, int order, Index outer, Index inner) {
    const FourierSeries series(kind, degree, n, order);
    ASSERT_TRUE(DeviceFourierSeries::serves(series));
    DeviceProfile profile(handles());
    DeviceMatrices matrices(profile, pool_);
    const DeviceFourierSeries on_device(series, matrices);
    matrices.send();
    const Index rows = series.rows(), cols = series.cols();
    const std::vector<double> x = random_.array({outer * cols * inner}).data;
    const DeviceArray from = send(x), to = send(std::vector<double>(place(outer * rows * inner), std::nan("")));
    on_device.apply(handles(), 0.5, from.data(), outer, inner, to.data());
    const std::vector<double> y = fetch(to);
    const double scale = kind == FourierSeries::Kind::synthesis
                             ? std::pow(static_cast<double>(degree), order) * std::sqrt(static_cast<double>(cols))
                             : 1.0;
    for (Index row = 0; row < rows; row += std::max<Index>(1, rows / 11)) {
      std::vector<long double> matrix;
      for (Index column = 0; column < cols; ++column)
        matrix.push_back(kind == FourierSeries::Kind::synthesis
                             ? function(column, order, row, n)
                             : function(row, 0, column, n) * (row == 0 ? 1.0L : 2.0L) / static_cast<long double>(n));
      for (Index o = 0; o < outer; o += std::max<Index>(1, outer / 3))
        for (Index i = 0; i < inner; i += std::max<Index>(1, inner / 5)) {
          long double sum = 0.0L;
          for (Index column = 0; column < cols; ++column)
            sum += 0.5L * matrix[place(column)] * x[place((o * cols + column) * inner + i)];
          // 1e-16 log2 n of the largest value, which is a few times the root of the sum of squares.
          ASSERT_NEAR(y[place((o * rows + row) * inner + i)], static_cast<double>(sum), 4e-15 * scale)
              << degree << " " << n << " " << order << " at " << o << " " << row << " " << i;
        }
    }
    for (double value : y) ASSERT_TRUE(std::isfinite(value));
    on_device.apply(handles(), 0.5, from.data(), outer, inner, to.data());
    EXPECT_EQ(fetch(to), y) << "two runs differ";
  }

  test::Random random_{29};
};

class DeviceFourierOfDegree : public DeviceFourier, public ::testing::WithParamInterface<std::pair<Index, Index>> {};
// Degrees and points: powers of two, of two and five, and between.
constexpr std::pair<Index, Index> kSizes[] = {{1, 4},     {5, 20},    {40, 125},  {42, 128},   {64, 200},  {85, 256},
                                              {128, 400}, {150, 480}, {256, 800}, {420, 1280}, {900, 2700}};
INSTANTIATE_TEST_SUITE_P(Degrees, DeviceFourierOfDegree, ::testing::ValuesIn(kSizes),
                         [](const auto& what) { return "Degree" + std::to_string(what.param.first); });

TEST_P(DeviceFourierOfDegree, SeriesAreTheirDefinition) {
  const auto [degree, n] = GetParam();
  for (int order : {0, 1, 2, 3}) expect_series(FourierSeries::Kind::synthesis, degree, n, order, 2, 5);
  for (const auto& [outer, inner] :
       {std::pair<Index, Index>{1, 1}, {7, 1}, {40, 1}, {1, 2}, {1, 33}, {3, 16}, {3, 257}}) {
    expect_series(FourierSeries::Kind::synthesis, degree, n, 0, outer, inner);
    expect_series(FourierSeries::Kind::analysis, degree, n, 0, outer, inner);
  }
}

TEST_F(DeviceFourier, TakesLengthsOfSmallFactors) {
  EXPECT_TRUE(DeviceFourierSeries::serves(FourierSeries(FourierSeries::Kind::analysis, 40, 125, 0)));
  EXPECT_FALSE(DeviceFourierSeries::serves(FourierSeries(FourierSeries::Kind::analysis, 40, 121, 0)));
  EXPECT_FALSE(DeviceFourierSeries::serves(FourierSeries(FourierSeries::Kind::analysis, 40, 4096, 0)));
}

}  // namespace
}  // namespace gwrm::cuda
