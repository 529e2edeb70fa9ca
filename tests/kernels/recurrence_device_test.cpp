// The Poisson recurrence of the device against that of the CPU. Skipped where there is no device.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "kernels/random_array.hpp"
#include "kernels/recurrence_solver.hpp"
#include "kernels/run_time_compiler.hpp"

namespace gwrm {
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

class DeviceRecurrence : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (find_device(why).empty()) GTEST_SKIP() << why;
    device_ = Context::create(BackendChoice::cuda);
  }

  static RecurrenceOperator make(Index n) {
    const double h = 1.0 / static_cast<double>(n);
    return poisson_recurrence(two_product(h, h), 0.3 * h * h);
  }
  std::vector<double> values(Index n) {
    std::vector<double> f(static_cast<std::size_t>(n));
    for (double& value : f) value = 1.0 + random_.number();
    return f;
  }
  Solved solve(RecurrenceSolver& solver, Index n) const {
    Solved result{solver.totals(), std::vector<double>(static_cast<std::size_t>(n))};
    solver.fill({{2.5, 1e-17}, {0.25, 1e-18}, {}}, 0.0);
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

  Context cpu_ = Context::create(BackendChoice::cpu, 2);
  Context device_ = cpu_;
  test::Random random_{23};
};

TEST_F(DeviceRecurrence, StoredValuesAgreeAndRepeat) {
  for (Index n : kSizes) {
    const std::vector<double> f = values(n);
    const RecurrenceSource source{f.data(), nullptr, {}};
    const Solved expected = solve(cpu_, source, n), found = solve(device_, source, n);
    // One rounding each, and plain double within tiles of 512 points, h eps 512^2/2 of the slope at worst.
    expect_alike(found, expected, 3e-16 * (1.0 + 4000.0 / std::max<double>(1000.0, static_cast<double>(n))), n);
    EXPECT_EQ(solve(device_, source, n).u, found.u) << "two runs differ";
  }
}

TEST_F(DeviceRecurrence, ExpressionsAgree) {
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

TEST_F(DeviceRecurrence, AffineCallsAgree) {
  for (Index n : kSizes) {
    const double h = 2.0 / static_cast<double>(n - 1), steep = 20.0 / (kAffineReach * h);
    const RecurrenceSource source{
        nullptr,
        nullptr,
        [=](Index first, Index count, double* f) {
          for (Index i = 0; i < count; ++i) {
            const double x = first + i == n - 1 ? 1.0 : -1.0 + h * static_cast<double>(first + i);
            f[i] = 3.0 + x * std::sin(30.0 * x - 1.0) + std::cos(0.5 * x + 4.0) + std::exp(-steep * (x + 1.0));
          }
        },
        {"return 3.0 + x_ * a0 + a1 + a2;\n",
         "x",
         -1.0,
         h,
         1.0,
         n - 1,
         {{AffineCall::Function::sine, 30.0, -1.0},
          {AffineCall::Function::cosine, 0.5, 4.0},
          {AffineCall::Function::exponential, -steep, -steep}}}};
    const Solved expected = solve(cpu_, source, n), found = solve(device_, source, n);
    // Arguments of up to 31 and exponents of up to 1e4 n/512, each off by half a unit in the last place.
    const double own = 31 * 1.1e-16 + 1.1e-16;
    expect_alike(found, expected, own + 4e-16 * (1.0 + 4000.0 / std::max<double>(1000.0, static_cast<double>(n))), n);
    EXPECT_EQ(solve(device_, source, n).u, found.u) << "two runs differ";
  }
}

#if GWRM_HAVE_CUDA
// Pieces of every size must meet at the right points with the right carries.
TEST_F(DeviceRecurrence, PiecesGiveTheSame) {
  const Index n = 100001;
  const std::vector<double> f = values(n);
  const RecurrenceSource source{f.data(), nullptr, {}};
  const Solved expected = solve(cpu_, source, n);
  for (std::size_t bytes : {std::size_t{16}, std::size_t{100000}, std::size_t{500000}, std::size_t{1599999}}) {
    const auto solver = cuda::make_recurrence_solver(device_, make(n), source, n, false, bytes);
    expect_alike(solve(*solver, n), expected, 4e-16, n);
  }
}
#endif

TEST_F(DeviceRecurrence, AnExpressionThatDoesNotCompileIsAnError) {
  if (const std::string& why = run_time_compiler_missing(); !why.empty()) GTEST_SKIP() << why;
  const RecurrenceSource source{
      nullptr, nullptr, [](Index, Index, double*) {}, {"return y_;\n", "x", 0.0, 0.1, 1.0, 10}};
  EXPECT_THROW(make_recurrence_solver(device_, make(11), source, 11, false), DeviceError);
}

}  // namespace
}  // namespace gwrm
