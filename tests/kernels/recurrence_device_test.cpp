// The recurrences of the device against those of the CPU and against their defining steps. Skipped where there is no
// device.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "kernels/device/run_time_compiler.hpp"
#include "kernels/recurrence/recurrence_solver.hpp"
#include "kernels/recurrence_steps.hpp"

namespace gwrm::recurrence_device_test {
namespace {

// Around a warp, a tile, a block of tiles; and many blocks.
constexpr Index kSizes[] = {9, 31, 32, 33, 511, 512, 513, 4095, 4096, 4097, 100001, 3000001};

struct Solved {
  RecurrenceState totals;
  std::vector<double> u;
};

double relative_difference(const std::vector<double>& u, const std::vector<double>& expected) {
  double difference = 0.0, size = 0.0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    difference += (u[i] - expected[i]) * (u[i] - expected[i]);
    size += expected[i] * expected[i];
  }
  return std::sqrt(difference / size);
}

class DeviceRecurrence : public ::testing::TestWithParam<RecurrenceKind> {
 protected:
  void SetUp() override {
    std::string why;
    if (find_device(why).empty()) GTEST_SKIP() << why;
    device_ = Context::create(BackendChoice::cuda);
  }

  static RecurrenceOperator make(Index n) {
    return test::test_recurrence(GetParam(), n,
                                 GetParam() == RecurrenceKind::shooting ? 0.8 : 8.0 / (20.0 + static_cast<double>(n)));
  }
  static bool is_poisson() { return GetParam() == RecurrenceKind::poisson; }
  std::vector<double> values(Index n) { return test::random_source(random_, n); }
  Solved solve(RecurrenceSolver& solver, Index n, double shift = 0.0) const {
    Solved result{solver.totals(), std::vector<double>(static_cast<std::size_t>(n))};
    solver.fill(start_, shift);
    std::vector<Index> points(result.u.size());
    std::iota(points.begin(), points.end(), 0);
    solver.gather(points, result.u.data());
    return result;
  }
  Solved solve(const Context& context, const RecurrenceSource& f, Index n, bool single = false) const {
    return solve(*make_recurrence_solver(context, make(n), f, n, single), n);
  }
  void expect_alike(const Solved& a, const Solved& b, double bound, Index n) const {
    // Both sums are within 1e-15 of the exact ones.
    EXPECT_NEAR(a.totals.first.high, b.totals.first.high, 2e-15 * std::abs(b.totals.first.high)) << n;
    EXPECT_NEAR(a.totals.second.high, b.totals.second.high, 2e-15 * std::abs(b.totals.second.high)) << n;
    EXPECT_LE(relative_difference(a.u, b.u), bound) << n;
  }
  // One rounding each; that of poisson plain double within tiles of 512 points, h eps 512^2/2 of the slope at worst.
  static double bound(Index n) {
    return is_poisson() ? 3e-16 * (1.0 + 4000.0 / std::max<double>(1000.0, static_cast<double>(n))) : 4e-16;
  }

  const RecurrenceState start_{{2.5, 1e-17}, {0.25, 1e-18}, {}};
  Context cpu_ = Context::create(BackendChoice::cpu, 2);
  Context device_ = cpu_;
  test::Random random_{23};
};

TEST_P(DeviceRecurrence, StoredValuesAgreeAndRepeat) {
  for (Index n : kSizes) {
    const std::vector<double> f = values(n);
    const RecurrenceSource source{f.data(), nullptr, {}};
    const Solved expected = solve(cpu_, source, n), found = solve(device_, source, n);
    expect_alike(found, expected, bound(n), n);
    EXPECT_EQ(solve(device_, source, n).u, found.u) << "two runs differ";
  }
}

TEST_P(DeviceRecurrence, StoredValuesGiveTheSteps) {
  for (Index n : kSizes) {
    if (n > 200000) continue;
    const std::vector<double> f = values(n);
    const RecurrenceOperator op = make(n);
    const Solved found = solve(device_, {f.data(), nullptr, {}}, n);
    const test::ExactRecurrence own = test::exact_recurrence(op, f, {});
    EXPECT_LE(test::relative_difference(found.totals.first, own.first), 1e-15) << n;
    EXPECT_LE(test::relative_difference(found.totals.second, own.second), 1e-15) << n;
    EXPECT_LE(test::relative_difference(found.u, test::exact_recurrence(op, f, start_).u),
              is_poisson() ? bound(n) : 2.5e-16)
        << n;
  }
}

TEST_P(DeviceRecurrence, ExpressionsAgree) {
  for (Index n : kSizes) {
    const double h = 1.0 / static_cast<double>(n - 1);
    const RecurrenceSource source{
        nullptr,
        nullptr,
        [=](Index first, Index count, double* f) {
          for (Index i = 0; i < count; ++i) {
            const double x = first + i == n - 1 ? 1.0 : h * static_cast<double>(first + i);
            f[i] = 2.0 + std::sin(3.0 * x) * x;
          }
        },
        {"const double v0 = 3.0 * x_;\nconst double v1 = sin(v0);\nreturn 2.0 + v1 * x_;\n", "x", 0.0, h, 1.0, n - 1}};
    const Solved expected = solve(cpu_, source, n), found = solve(device_, source, n);
    // The two sines differ by a unit in the last place here and there.
    expect_alike(found, expected, 4e-16 * (1.0 + 4000.0 / std::max<double>(1000.0, static_cast<double>(n))), n);
    const Solved single = solve(device_, source, n, true);
    EXPECT_LE(relative_difference(single.u, expected.u), 6e-8) << n;  // one rounding to float
  }
}

// f(x) at n points of [-1, 1], for a device by statements with a0 = sin(30 x - 1), a1 = cos(0.5 x + 4) and
// a2 = exp(-steep (x + 1)).
double steepest(Index n) {
  return 10.0 * static_cast<double>(n - 1) / static_cast<double>(kAffineReach);
}
template <class Function>
RecurrenceSource affine_source(Index n, Function f, const char* statements, const std::vector<double>& factors = {},
                               double constant = 0.0) {
  const double h = 2.0 / static_cast<double>(n - 1), steep = steepest(n);
  return {nullptr,
          nullptr,
          [=](Index first, Index count, double* values) {
            for (Index i = 0; i < count; ++i)
              values[i] = f(first + i == n - 1 ? 1.0 : -1.0 + h * static_cast<double>(first + i));
          },
          {statements,
           "x",
           -1.0,
           h,
           1.0,
           n - 1,
           {{AffineCall::Function::sine, 30.0, -1.0},
            {AffineCall::Function::cosine, 0.5, 4.0},
            {AffineCall::Function::exponential, -steep, -steep}},
           factors,
           constant}};
}
// Arguments of up to 31 and exponents of up to 1e4 n/512, each off by half a unit in the last place.
double affine_tolerance(Index n) {
  return 32 * 1.1e-16 + 4e-16 * (1.0 + 4000.0 / std::max<double>(1000.0, static_cast<double>(n)));
}

TEST_P(DeviceRecurrence, AffineCallsAgree) {
  for (Index n : kSizes) {
    const auto f = [steep = steepest(n)](double x) {
      return 3.0 + x * std::sin(30.0 * x - 1.0) + std::cos(0.5 * x + 4.0) + std::exp(-steep * (x + 1.0));
    };
    const RecurrenceSource source = affine_source(n, f, "return 3.0 + x_ * a0 + a1 + a2;\n");
    const Solved expected = solve(cpu_, source, n), found = solve(device_, source, n);
    expect_alike(found, expected, affine_tolerance(n), n);
    EXPECT_EQ(solve(device_, source, n).u, found.u) << "two runs differ";
  }
}

class DevicePoissonRecurrence : public DeviceRecurrence {};

// Added up in closed form in the first pass.
TEST_P(DevicePoissonRecurrence, SumsOfAffineCallsAgree) {
  for (Index n : kSizes) {
    const auto f = [steep = steepest(n)](double x) {
      return 3.0 - 2.0 * std::sin(30.0 * x - 1.0) + std::cos(0.5 * x + 4.0) + 0.5 * std::exp(-steep * (x + 1.0));
    };
    const RecurrenceSource source =
        affine_source(n, f, "return 3.0 - 2.0 * a0 + a1 + 0.5 * a2;\n", {-2.0, 1.0, 0.5}, 3.0);
    const Solved expected = solve(cpu_, source, n), found = solve(device_, source, n);
    expect_alike(found, expected, 2.0 * affine_tolerance(n), n);
  }
}

// In one launch where the points fit onto the chip; twice, for its barrier.
TEST_P(DeviceRecurrence, AStartThatDependsOnTheTotals) {
  const auto start = [](const RecurrenceState& totals) {
    return RecurrenceState{DoubleDouble{2.5, 1e-17} - totals.first * 0.375 + totals.second * 1e-6,
                           DoubleDouble{0.25, 1e-18} + totals.first * 0.125 - totals.second * 0.25,
                           {}};
  };
  for (Index n : kSizes) {
    const std::vector<double> f = values(n);
    const auto all_of = [&](const Context& context, bool twice) {
      const auto solver = make_recurrence_solver(context, make(n), {f.data(), nullptr, {}}, n, false);
      if (twice) solver->solve([this](const RecurrenceState&) { return start_; });
      Solved result{solver->solve(start), std::vector<double>(f.size())};
      std::vector<Index> points(f.size());
      std::iota(points.begin(), points.end(), 0);
      solver->gather(points, result.u.data());
      return result;
    };
    const Solved expected = all_of(cpu_, false), found = all_of(device_, false), again = all_of(device_, true);
    // Totals within 2e-15 of one another make as much of a difference to the start.
    expect_alike(found, expected, 4e-15 + bound(n), n);
    EXPECT_EQ(again.u, found.u) << n;
  }
}

// Sums of all w, and a right-hand side whose totals were taken without its shift.
TEST_P(DeviceRecurrence, ShiftsAndSumsAgree) {
  if (!is_poisson()) return;  // the others have neither
  for (Index n : kSizes) {
    const std::vector<double> f = values(n);
    const RecurrenceSource source{f.data(), nullptr, {}};
    RecurrenceOperator op = make(n);
    op.with_sum = true;
    const auto on_cpu = make_recurrence_solver(cpu_, op, source, n, false);
    const auto on_device = make_recurrence_solver(device_, op, source, n, false);
    const Solved expected = solve(*on_cpu, n, -1.7), found = solve(*on_device, n, -1.7);
    expect_alike(found, expected, bound(n), n);
    EXPECT_NEAR(found.totals.sum.high, expected.totals.sum.high, 2e-15 * std::abs(expected.totals.sum.high)) << n;
  }
}

#if GWRM_HAVE_CUDA
// Pieces of every size must meet at the right points with the right carries.
TEST_P(DeviceRecurrence, PiecesGiveTheSame) {
  const Index n = 100001;
  const std::vector<double> f = values(n);
  const RecurrenceSource source{f.data(), nullptr, {}};
  const double shift = is_poisson() ? 0.3 : 0.0;
  RecurrenceOperator op = make(n);
  op.with_sum = is_poisson();
  const auto on_cpu = make_recurrence_solver(cpu_, op, source, n, false);
  const Solved expected = solve(*on_cpu, n, shift);
  for (std::size_t bytes : {std::size_t{16}, std::size_t{100000}, std::size_t{500000}, std::size_t{1599999}}) {
    const auto solver = cuda::make_recurrence_solver(device_, op, source, n, false, bytes);
    const Solved found = solve(*solver, n, shift);
    expect_alike(found, expected, 4e-16, n);
    EXPECT_NEAR(found.totals.sum.high, expected.totals.sum.high, 2e-15 * std::abs(expected.totals.sum.high)) << bytes;
  }
}
#endif

TEST_P(DeviceRecurrence, AnExpressionThatDoesNotCompileIsAnError) {
  if (const std::string& why = run_time_compiler_missing(); !why.empty()) GTEST_SKIP() << why;
  const RecurrenceSource source{
      nullptr, nullptr, [](Index, Index, double*) {}, {"return y_;\n", "x", 0.0, 0.1, 1.0, 10}};
  EXPECT_THROW(make_recurrence_solver(device_, make(11), source, 11, false), DeviceError);
}

INSTANTIATE_TEST_SUITE_P(Kinds, DevicePoissonRecurrence, ::testing::Values(RecurrenceKind::poisson));

INSTANTIATE_TEST_SUITE_P(Kinds, DeviceRecurrence,
                         ::testing::Values(RecurrenceKind::poisson, RecurrenceKind::shooting,
                                           RecurrenceKind::two_sided),
                         [](const auto& kind) -> std::string {
                           return kind.param == RecurrenceKind::poisson    ? "poisson"
                                  : kind.param == RecurrenceKind::shooting ? "shooting"
                                                                           : "two_sided";
                         });

}  // namespace
}  // namespace gwrm::recurrence_device_test
