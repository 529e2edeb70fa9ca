// Cosine and sine transforms against their matrices in quadruple precision; angles reduced in whole numbers, cosines by
// their series.
#include "kernels/transform/cosine_transform.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/errors.hpp"
#include "core/threads.hpp"
#include "cosine_oracle.hpp"
#include "kernels/transform/chebyshev_matrices.hpp"
#include "kernels/transform/fourier_lines.hpp"
#include "quadruple.hpp"
#include "quadruple_angles.hpp"
#include "random_array.hpp"

namespace gwrm::cosine_transform_test {
namespace {

using test::exact_cosine, test::exact_sine, test::kCosineKinds, test::least_length, test::Quadruple;

// Largest error over largest value of some rows of some lines.
double error_of(CosineKind kind, Index n, Index outer, Index inner, unsigned seed) {
  const Array x = test::Random(seed).array({outer, n, inner});
  Array y({outer, n, inner});
  cpu::cosine_transform(CosinePlan(kind, n), x.data.data(), n, y.data.data(), n, outer, inner);
  return test::cosine_error(kind, n, outer, inner, x, y);
}

TEST(CosineTransform, IsItsMatrix) {
  // 4e-16 log2 N: one rounding of a complex product, 2e-16, in each of the log2 N halvings and two around them.
  for (const CosineKind kind : kCosineKinds)
    for (const Index n : {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,  13,  15,  16,  22,
                          31, 32, 33, 35, 37, 46, 48, 60, 64, 74, 96, 101, 255, 256, 257, 262})
      if (n >= least_length(kind)) {
        EXPECT_LE(error_of(kind, n, 1, 1, 1), 4e-16 * std::max(1.0, std::log2(n)))
            << "kind " << static_cast<int>(kind) << ", length " << n;
      }
}

TEST(CosineTransform, IsItsMatrixAtLongLengths) {
  for (const CosineKind kind : kCosineKinds)
    for (const Index n : {1000, 1025, 2048})
      EXPECT_LE(error_of(kind, n, 9, 1, 2), 4e-16 * std::log2(n)) << "kind " << static_cast<int>(kind) << ", " << n;
}

TEST(CosineTransform, TakesLinesOfAnyDimension) {
  // Lines alone, in eights, in panels and what is left of them, contiguous and not.
  for (const CosineKind kind : kCosineKinds)
    for (const Index n : {8, 15, 37})
      for (const auto& [outer, inner] : {std::pair<Index, Index>{2, 1},
                                         {3, 1},
                                         {8, 1},
                                         {19, 1},
                                         {3, 2},
                                         {5, 7},
                                         {2, 8},
                                         {2, 16},
                                         {1, 33},
                                         {3, 100},
                                         {1, 1000}})
        EXPECT_LE(error_of(kind, n, outer, inner, 3), 4e-16 * std::log2(n))
            << "kind " << static_cast<int>(kind) << ", " << outer << " x " << n << " x " << inner;
}

TEST(CosineTransform, PadsAndTruncates) {
  for (const CosineKind kind : kCosineKinds)
    for (const Index inner : {1, 3, 20}) {
      const Index n = 24, n_in = 17, n_out = 5, outer = 9;
      const CosinePlan plan(kind, n);
      const Array x = test::Random(4).array({outer, n_in, inner});
      Array padded({outer, n, inner}), full({outer, n, inner}), y({outer, n_out, inner});
      for (Index o = 0; o < outer; ++o)
        std::copy_n(&x.data[at(static_cast<int>(o * n_in * inner))], n_in * inner,
                    &padded.data[at(static_cast<int>(o * n * inner))]);
      cpu::cosine_transform(plan, padded.data.data(), n, full.data.data(), n, outer, inner);
      cpu::cosine_transform(plan, x.data.data(), n_in, y.data.data(), n_out, outer, inner);
      for (Index o = 0; o < outer; ++o)
        for (Index k = 0; k < n_out * inner; ++k)
          ASSERT_EQ(y.data[static_cast<std::size_t>(o * n_out * inner + k)],
                    full.data[static_cast<std::size_t>(o * n * inner + k)]);
    }
}

TEST(CosineTransform, IsAdjointToItsTranspose) {
  for (const CosineKind kind : kCosineKinds)
    for (const Index n : {2, 33, 256, 1000}) {
      test::Random random(5);
      const Array x = random.array({n}), y = random.array({n});
      Array fx({n}), fy({n});
      cpu::cosine_transform(CosinePlan(kind, n), x.data.data(), n, fx.data.data(), n, 1, 1);
      cpu::cosine_transform(CosinePlan(transposed(kind), n), y.data.data(), n, fy.data.data(), n, 1, 1);
      long double left = 0.0L, right = 0.0L, scale = 0.0L;
      for (std::size_t i = 0; i < fx.data.size(); ++i) {
        left += static_cast<long double>(fx.data[i]) * y.data[i];
        right += static_cast<long double>(x.data[i]) * fy.data[i];
        scale += std::abs(static_cast<long double>(fx.data[i]) * y.data[i]);
      }
      EXPECT_LE(std::abs(left - right), 1e-15L * scale) << static_cast<int>(kind) << ", " << n;
    }
}

TEST(CosineTransform, IsTheChebyshevTransform) {
  for (const Index n : {1, 2, 9, 48, 96, 384}) {
    const Matrix series = test::Random(6).matrix(n, 13);
    Matrix values(n, 13), back(n, 13);
    cpu::cosine_transform(CosinePlan(CosineKind::cosine_3, n), series.data(), n, values.data(), n, 1, 13);
    cpu::cosine_transform(CosinePlan(CosineKind::cosine_2, n), values.data(), n, back.data(), n, 1, 13,
                          {2.0 / static_cast<double>(n), 0.5});
    const Matrix expected = values_from_coefficients(n, n - 1) * series;
    const double size = expected.cwiseAbs().maxCoeff();
    EXPECT_LE((values - expected).cwiseAbs().maxCoeff(), 2e-15 * size) << n;  // the matrix product's rounding too
    EXPECT_LE((back - series).cwiseAbs().maxCoeff(), 2e-15 * size) << n;
  }
}

TEST(CosineTransform, ALineDoesNotDependOnOthersOrOnThreads) {
  const Index n = 60, lines = 3000;
  const CosinePlan plan(CosineKind::cosine_2, n);
  Array x = test::Random(7).array({lines, n}), y({lines, n}), again({lines, n}), poisoned({lines, n});
  const int before = loop_threads();
  set_loop_threads(1);
  cpu::cosine_transform(plan, x.data.data(), n, y.data.data(), n, lines, 1);
  set_loop_threads(3);
  cpu::cosine_transform(plan, x.data.data(), n, again.data.data(), n, lines, 1);
  set_loop_threads(before);
  EXPECT_EQ(y.data, again.data);
  x.data[5 * 60 + 7] = std::numeric_limits<double>::quiet_NaN();  // one bad number spoils its own line
  cpu::cosine_transform(plan, x.data.data(), n, poisoned.data.data(), n, lines, 1);
  for (std::size_t i = 0; i < y.data.size(); ++i) {
    if (i / 60 == 5)
      EXPECT_TRUE(std::isnan(poisoned.data[i]));
    else
      ASSERT_EQ(poisoned.data[i], y.data[i]);
  }
  Array in_place = test::Random(7).array({lines, n});
  cpu::cosine_transform(plan, in_place.data.data(), n, in_place.data.data(), n, lines, 1);
  EXPECT_EQ(in_place.data, y.data);
}

TEST(CosineTransform, RefusesShapesThatDoNotFit) {
  EXPECT_THROW(CosinePlan(CosineKind::cosine_2, 0), ShapeError);
  EXPECT_THROW(CosinePlan(CosineKind::cosine_1, 1), ShapeError);
  EXPECT_THROW(CosinePlan(CosineKind::sine_1, -1), ShapeError);
  const CosinePlan plan(CosineKind::cosine_4, 4);
  double x[8] = {};
  EXPECT_THROW(cpu::cosine_transform(plan, x, 5, x, 4, 1, 1), ShapeError);
  EXPECT_THROW(cpu::cosine_transform(plan, x, 4, x, 0, 1, 1), ShapeError);
  EXPECT_THROW(cpu::cosine_transform(plan, x, 4, x, 4, 0, 1), ShapeError);
  EXPECT_THROW(cpu::cosine_transform(plan, x, 4, x, 4, 1, -1), ShapeError);
  EXPECT_THROW(FourierPlan(0), ShapeError);
}

TEST(FourierLines, AreTheDefinitionAtEveryLength) {
  for (Index n = 1; n <= 130; ++n) {
    const FourierPlan plan(n);
    const Index room = plan.work_length() * cpu::kLanes;
    std::vector<double> numbers(static_cast<std::size_t>(4 * room));
    double* begin = numbers.data();
    const Array x = test::Random(8).array({2, n, cpu::kLanes});
    const Index all = n * cpu::kLanes;
    std::copy_n(x.data.data(), all, begin);
    std::copy_n(x.data.data() + all, all, begin + room);
    const cpu::Planes y =
        cpu::fourier_lines(plan, cpu::kLanes, {begin, begin + room}, {begin + 2 * room, begin + 3 * room});
    double error = 0.0, largest = 0.0;
    for (Index k = 0; k < n; ++k)
      for (const Index lane : {0, 7}) {
        Quadruple re = 0, im = 0;
        for (Index j = 0; j < n; ++j) {
          const Quadruple c = exact_cosine(2 * j * k, n), s = -exact_sine(2 * j * k, n);
          const double a = x.data[static_cast<std::size_t>(j * cpu::kLanes + lane)];
          const double b = x.data[static_cast<std::size_t>(all + j * cpu::kLanes + lane)];
          re += c * a - s * b;
          im += c * b + s * a;
        }
        error = std::max({error, std::abs(static_cast<double>(re - y.re[k * cpu::kLanes + lane])),
                          std::abs(static_cast<double>(im - y.im[k * cpu::kLanes + lane]))});
        largest = std::max({largest, std::abs(static_cast<double>(re)), std::abs(static_cast<double>(im))});
      }
    EXPECT_LE(error, 4e-16 * std::max(1.0, std::log2(n)) * largest) << n;
  }
  EXPECT_THROW(cpu::fourier_lines(FourierPlan(4), 3, {}, {}), ShapeError);
}

}  // namespace
}  // namespace gwrm::cosine_transform_test
