// Non-uniform Fourier transforms on the device against the direct sums in extended precision and, where these would
// take too long, against those of the CPU, which nonuniform_fourier_test.cpp holds to them.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include "bench/measure/context_memory.hpp"
#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "kernels/device_test.hpp"
#include "kernels/transform/nonuniform_fourier.hpp"

namespace gwrm::nonuniform_device_test {
namespace {

#if GWRM_HAVE_CUDA
using Complex = std::complex<double>;
using Extended = std::complex<long double>;
using cuda::NonuniformSpreader;

enum class Distribution { uniform, clustered };

struct Problem {
  std::vector<Index> modes;
  std::vector<std::vector<double>> x;
  std::vector<Complex> c, F;

  Problem(std::vector<Index> n, std::size_t n_points, Distribution distribution) : modes(std::move(n)) {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    // Clustered points lie across the end of the period.
    const double width = distribution == Distribution::uniform ? 3.0 * std::numbers::pi : 0.01;
    for (std::size_t d = 0; d < modes.size(); ++d) {
      x.emplace_back();
      for (std::size_t j = 0; j < n_points; ++j) x.back().push_back(width * uniform(random));
    }
    for (std::size_t j = 0; j < n_points; ++j) c.emplace_back(uniform(random), uniform(random));
    std::size_t total = 1;
    for (const Index m : modes) total *= static_cast<std::size_t>(m);
    for (std::size_t k = 0; k < total; ++k) F.emplace_back(uniform(random), uniform(random));
  }

  // exp(s i n.x_j) for every mode n, the last dimension fastest.
  std::vector<Extended> waves(int sign, std::size_t j) const {
    std::vector<Extended> result{1.0L};
    for (std::size_t d = 0; d < modes.size(); ++d) {
      std::vector<Extended> next;
      for (const Extended& w : result)
        for (Index m = 0; m < modes[d]; ++m) {
          const long double phase = static_cast<long double>(sign * (m - modes[d] / 2)) * x[d][j];
          next.push_back(w * Extended(std::cos(phase), std::sin(phase)));
        }
      result = std::move(next);
    }
    return result;
  }
};

struct Results {
  std::vector<Extended> F, c;
};
Results direct_sums(const Problem& p, int sign) {
  Results sums{std::vector<Extended>(p.F.size()), std::vector<Extended>(p.c.size())};
  for (std::size_t j = 0; j < p.c.size(); ++j) {
    const auto waves = p.waves(sign, j);
    for (std::size_t k = 0; k < p.F.size(); ++k) {
      sums.F[k] += static_cast<Extended>(p.c[j]) * waves[k];
      sums.c[j] += static_cast<Extended>(p.F[k]) * waves[k];
    }
  }
  return sums;
}
Results on_the_cpu(const Problem& p, double tolerance, int sign) {
  NonuniformPlan plan(p.modes, tolerance);
  plan.set_points(std::vector<std::span<const double>>(p.x.begin(), p.x.end()), 2);
  std::vector<Complex> F(p.F.size()), c(p.c.size()), workspace(cpu::nonuniform_workspace(plan, 2));
  cpu::nonuniform_type1(plan, sign, p.c.data(), F.data(), workspace.data(), 2);
  cpu::nonuniform_type2(plan, sign, p.F.data(), c.data(), workspace.data(), 2);
  return {{F.begin(), F.end()}, {c.begin(), c.end()}};
}

long double relative_error(const std::vector<Complex>& a, const std::vector<Extended>& b) {
  long double error = 0.0L, size = 0.0L;
  for (std::size_t i = 0; i < a.size(); ++i) {
    error += std::norm(static_cast<Extended>(a[i]) - b[i]);
    size += std::norm(b[i]);
  }
  return std::sqrt(error / size);
}

class DeviceNonuniformFourier : public test::DeviceTest {
 protected:
  cuda::NonuniformPlan plan_of(const Problem& p, double tolerance) const {
    cuda::NonuniformPlan plan(context_, p.modes, tolerance);
    set_points(plan, p);
    plan.check_points();
    return plan;
  }
  void set_points(cuda::NonuniformPlan& plan, const Problem& p) const {
    std::vector<ContextArray<double>> lists;
    std::vector<const double*> pointers;
    for (const auto& list : p.x) {
      lists.emplace_back(context_, list);
      pointers.push_back(lists.back().data());
    }
    plan.set_points(pointers, static_cast<Index>(p.c.size()));
    plan.check_points();  // waits: the lists go
  }
  std::vector<Complex> type1(const cuda::NonuniformPlan& plan, const Problem& p, int sign,
                             NonuniformSpreader spreader = NonuniformSpreader::blocks) const {
    ContextArray<Complex> c(context_, p.c), F(context_, std::vector<Complex>(p.F.size(), NAN));
    ContextArray<char> workspace(context_, std::vector<char>(cuda::nonuniform_workspace_bytes(plan), '\xff'));
    cuda::nonuniform_type1(plan, sign, c.data(), F.data(), workspace.data(), spreader);
    return F.values();
  }
  std::vector<Complex> type2(const cuda::NonuniformPlan& plan, const Problem& p, int sign) const {
    ContextArray<Complex> F(context_, p.F), c(context_, std::vector<Complex>(p.c.size(), NAN));
    ContextArray<char> workspace(context_, std::vector<char>(cuda::nonuniform_workspace_bytes(plan), '\xff'));
    cuda::nonuniform_type2(plan, sign, F.data(), c.data(), workspace.data());
    return c.values();
  }
};

// The acceptance: 10 tolerances. Round-off beside it: 1e-16 for each of up to 256 waves along the highest mode.
TEST_F(DeviceNonuniformFourier, BothTypesWithinTenTolerances) {
  for (const std::vector<Index>& modes : {std::vector<Index>{1},
                                          {2},
                                          {31},
                                          {257},
                                          {512},
                                          {1, 1},
                                          {5, 64},
                                          {33, 20},
                                          {96, 70},
                                          {1, 7, 2},
                                          {9, 12, 10},
                                          {20, 6, 17}}) {
    const Problem p(modes, 150, Distribution::uniform);
    for (const int sign : {-1, 1}) {
      const Results exact = direct_sums(p, sign);
      for (const double tolerance : {1e-1, 1e-2, 1e-4, 1e-6, 1e-7, 1e-9, 1e-12, 1e-14}) {
        const cuda::NonuniformPlan plan = plan_of(p, tolerance);
        EXPECT_LE(relative_error(type1(plan, p, sign), exact.F), 10 * tolerance) << modes.size() << "d, " << modes[0];
        EXPECT_LE(relative_error(type1(plan, p, sign, NonuniformSpreader::points), exact.F), 10 * tolerance)
            << modes.size() << "d, " << modes[0];
        EXPECT_LE(relative_error(type2(plan, p, sign), exact.c), 10 * tolerance) << modes.size() << "d, " << modes[0];
      }
    }
  }
}

// Sums of up to 30000 terms in different orders; points set twice. Clustered: one block of the grid in many pieces.
TEST_F(DeviceNonuniformFourier, ManyPointsAsOnTheCpu) {
  for (const std::vector<Index>& modes : {std::vector<Index>{3000}, {100, 90}, {30, 20, 25}})
    for (const double tolerance : {1e-6, 1e-12}) {
      cuda::NonuniformPlan plan(context_, modes, tolerance);
      for (const auto distribution : {Distribution::clustered, Distribution::uniform}) {
        const Problem p(modes, distribution == Distribution::clustered ? 30000 : 20000, distribution);
        set_points(plan, p);
        const Results there = on_the_cpu(p, tolerance, 1);
        EXPECT_LE(relative_error(type1(plan, p, 1), there.F), 1e-13) << modes.size() << "d";
        EXPECT_LE(relative_error(type1(plan, p, 1, NonuniformSpreader::points), there.F), 1e-13) << modes.size() << "d";
        EXPECT_LE(relative_error(type2(plan, p, 1), there.c), 1e-13) << modes.size() << "d";
      }
    }
}

TEST_F(DeviceNonuniformFourier, TwoRunsGiveTheSameBits) {
  for (const std::vector<Index>& modes : {std::vector<Index>{30000}, {300, 290}, {30, 20, 25}})
    for (const auto distribution : {Distribution::clustered, Distribution::uniform}) {
      const Problem p(modes, 200000, distribution);
      cuda::NonuniformPlan plan = plan_of(p, 1e-6), other = plan_of(p, 1e-6);
      EXPECT_EQ(type1(plan, p, 1), type1(plan, p, 1));
      EXPECT_EQ(type1(plan, p, 1), type1(other, p, 1));
      EXPECT_EQ(type2(plan, p, 1), type2(other, p, 1));
    }
}

TEST_F(DeviceNonuniformFourier, PointsInSpecialPlaces) {
  Problem p({40, 24}, 12, Distribution::uniform);
  const double pi = std::numbers::pi;
  p.x[0] = {0.0, 0.0, pi, -pi, 2 * pi, std::nextafter(pi, 0), 1e-300, -1e-18, 1e3, pi / 40, -pi / 40, 0.0};
  p.x[1] = {0.0, 0.0, -pi, pi, 0.0, -1e-17, 0.0, pi / 24, -1e3, 0.0, pi / 48, 0.0};
  const Results exact = direct_sums(p, -1);
  const cuda::NonuniformPlan plan = plan_of(p, 1e-12);
  EXPECT_LE(relative_error(type1(plan, p, -1), exact.F), 1e-11);
  EXPECT_LE(relative_error(type2(plan, p, -1), exact.c), 1e-11);
}

TEST_F(DeviceNonuniformFourier, NoPointsGiveNoModes) {
  const Problem p({8, 8}, 0, Distribution::uniform);
  const cuda::NonuniformPlan plan(context_, p.modes, 1e-6);
  for (const Complex& F : type1(plan, p, 1)) EXPECT_EQ(F, Complex(0.0));
  EXPECT_EQ(plan.n_points(), 0);
}

TEST_F(DeviceNonuniformFourier, WhatDoesNotFitIsRefused) {
  const std::vector<Index> none, line{8};
  EXPECT_THROW(cuda::NonuniformPlan(context_, none, 1e-6), ShapeError);
  EXPECT_THROW(cuda::NonuniformPlan(context_, line, 1e-15), ShapeError);
  cuda::NonuniformPlan plan(context_, line, 1e-6);
  for (const double bad : {std::nan(""), HUGE_VAL}) {
    ContextArray<double> x(context_, std::vector<double>{0.0, bad, 1.0});
    const std::vector<const double*> lists{x.data()}, two{x.data(), x.data()};
    plan.set_points(lists, 3);
    EXPECT_THROW(plan.check_points(), ShapeError);
    EXPECT_THROW(plan.set_points(two, 3), ShapeError);
    plan.set_points(lists, 1);
    EXPECT_NO_THROW(plan.check_points());
  }
}
#endif

}  // namespace
}  // namespace gwrm::nonuniform_device_test
