// The device code of the block recurrences, run on the host, against the defining steps in quadruple precision.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/host_warps.cuh"
#include "kernels/recurrence/recurrence_program.hpp"
#include "kernels/recurrence/recurrence_tables.hpp"
#include "kernels/recurrence_steps.hpp"
//
#include "kernels/recurrence/recurrence_kernels.cuh"
//
#include "kernels/recurrence/reaction_kernels.cuh"

namespace gwrm::recurrence_kernels_test {
namespace {

using recurrence::kLanes;
using recurrence::kThreads;
using recurrence::kWarps;
using recurrence::Pair;
using test::HostBlocks;
using test::relative_difference;

struct StoredValues {
  static constexpr int kUnrolled = recurrence::kItems;
  static constexpr bool kSummed = false;
  const double* values;
  double shift = 0.0;
  void prepare() const {}
  const double* near(long long i) const { return values + i; }
  double operator()(const double* near, int m) const { return near[m * kLanes] + shift; }
};

struct Sizes {
  Index n_points, tiles_per_warp;
  int n_blocks() const {
    const Index block = tiles_per_warp * recurrence::kTile * kWarps;
    return static_cast<int>((n_points + block - 1) / block);
  }
};

// Around a lane, a warp, a tile, a run and a block; several blocks of one or more tiles a warp.
constexpr Sizes kSizes[] = {{1, 1},     {2, 1},     {9, 1},     {15, 1},   {16, 1},   {17, 1},    {32, 1},
                            {511, 1},   {512, 1},   {513, 1},   {513, 3},  {1024, 2}, {1535, 3},  {4095, 1},
                            {4096, 1},  {4097, 1},  {8191, 2},  {8192, 2}, {8193, 2}, {20000, 1}, {20480, 1},
                            {24576, 3}, {24577, 3}, {30001, 3}, {45056, 5}};

struct Solved {
  RecurrenceState totals;
  std::vector<double> u;
};

// As DeviceSolver does it (recurrence_solver_cuda.cu).
template <bool kTwoSided>
Solved solve_reaction(const RecurrenceOperator& op, const std::vector<double>& f, const Sizes& sizes,
                      const Pair& start) {
  const Index block = sizes.tiles_per_warp * recurrence::kTile * kWarps;
  const recurrence::ReactionTables tables = recurrence::reaction_tables(op);
  const recurrence::ReactionConstants constants = recurrence::reaction_constants(op);
  const auto blocks = recurrence::propagators(op, block, sizes.n_blocks());
  const auto tiles = recurrence::backward_powers(op, recurrence::kTile, sizes.tiles_per_warp);
  recurrence::ReactionLayout layout =
      recurrence::reaction_layout(op, sizes.n_points, sizes.tiles_per_warp, sizes.n_blocks());
  layout.tables = &tables;
  layout.blocks = blocks.data();
  layout.tiles = tiles.data();
  const std::size_t n_blocks = blocks.size(), n_warps = n_blocks * kWarps;
  std::vector<Pair> of_blocks(n_blocks), of_warps(n_warps);
  std::vector<DoubleDouble> behind_tiles(n_warps * static_cast<std::size_t>(sizes.tiles_per_warp));
  Solved result{{}, std::vector<double>(f.size())};
  const StoredValues source{f.data()};
  HostBlocks::run(static_cast<unsigned>(n_blocks), kThreads, [&] {
    recurrence::reaction_totals<kTwoSided>(source, layout, of_warps.data(), of_blocks.data(), behind_tiles.data());
  });
  result.totals = recurrence::totals_of_blocks(op, layout, of_blocks, blocks);
  HostBlocks::run(static_cast<unsigned>(n_blocks), kThreads, [&] {
    recurrence::reaction_fill<kTwoSided>(source, layout, of_warps.data(), of_blocks.data(), behind_tiles.data(), start,
                                         constants, result.u.data());
  });
  return result;
}

Solved solve(const RecurrenceOperator& op, const std::vector<double>& f, const Sizes& sizes, const Pair& start) {
  return op.kind == RecurrenceKind::two_sided ? solve_reaction<true>(op, f, sizes, start)
                                              : solve_reaction<false>(op, f, sizes, start);
}

// The right-hand side f + shift, whose totals are taken of f alone.
Solved solve_poisson(const RecurrenceOperator& op, const std::vector<double>& f, const Sizes& sizes, const Pair& start,
                     double shift) {
  const std::size_t n_blocks = static_cast<std::size_t>(sizes.n_blocks());
  std::vector<recurrence::Moments> of_warps(n_blocks * kWarps), of_blocks(n_blocks);
  std::vector<DoubleDouble> squares(n_blocks);
  Solved result{{}, std::vector<double>(f.size())};
  HostBlocks::run(static_cast<unsigned>(n_blocks), kThreads, [&] {
    recurrence::moments_of_block<true>(StoredValues{f.data()}, sizes.n_points, sizes.tiles_per_warp, of_warps.data(),
                                       of_blocks.data(), squares.data());
  });
  DoubleDouble zero, one, square;
  for (std::size_t b = 0; b < n_blocks; ++b) {
    zero = zero + of_blocks[b].zero;
    one = one + of_blocks[b].one;
    square = square + squares[b];
  }
  result.totals = recurrence::totals_of_moments(op, sizes.n_points, zero, one, square);
  recurrence::DeviceClosure closure{};
  closure.constant[0] = start.first;
  closure.constant[1] = start.second;
  HostBlocks::run(static_cast<unsigned>(n_blocks), kThreads, [&] {
    recurrence::fill_block<true>(StoredValues{f.data(), shift}, sizes.n_points, sizes.tiles_per_warp, of_warps.data(),
                                 of_blocks.data(), sizes.n_blocks(), closure,
                                 recurrence::FillConstants{op.scale, op.correction, shift}, result.u.data());
  });
  return result;
}

TEST(PoissonKernels, TakeShiftsAndGiveTheSum) {
  test::Random random{29};
  for (const Sizes& sizes : kSizes)
    for (double shift : {0.0, -1.7}) {
      SCOPED_TRACE(testing::Message() << sizes.n_points << " points, " << sizes.tiles_per_warp << " tiles a warp");
      RecurrenceOperator op = test::test_recurrence(RecurrenceKind::poisson, sizes.n_points, 0.0);
      op.with_sum = true;
      const std::vector<double> f = test::random_source(random, sizes.n_points);
      const Pair start{{2.5, 1e-17}, {0.25, 1e-18}};
      const Solved found = solve_poisson(op, f, sizes, start, shift);
      const test::ExactRecurrence own = test::exact_recurrence(op, f, {});
      EXPECT_LE(relative_difference(found.totals.first, own.first), 1e-15);
      EXPECT_LE(relative_difference(found.totals.second, own.second), 1e-15);
      EXPECT_LE(relative_difference(found.totals.sum, own.sum), 1e-15);
      std::vector<double> shifted = f;
      for (double& value : shifted) value += shift;
      // One rounding, and plain double within tiles of 512 points.
      EXPECT_LE(relative_difference(found.u, test::exact_recurrence(op, shifted, {start.first, start.second, {}}).u),
                3e-16 * (1.0 + 4000.0 / std::max(1000.0, static_cast<double>(sizes.n_points))));
    }
}

// 0.75 + 2 cos(slope x - 1) - 3 exp(-x) at x = step i, as the text of recurrence_expression.cu has it; with SUMS added
// up in closed form.
template <bool kClosed>
struct CalledValues {
  static constexpr int kUnrolled = recurrence::kItems;
  static constexpr bool kSummed = kClosed;
  double slope, step;
  const recurrence::CallSums* sums;
  void prepare() const {}
  long long near(long long i) const { return i; }
  double operator()(long long near, int m) const {
    const double x = step * static_cast<double>(near + m * kLanes);
    return 0.75 + 2.0 * std::cos(slope * x - 1.0) - 3.0 * std::exp(-x);
  }
  recurrence::LaneSums flush_sums(long long i) const {
    constexpr double n = recurrence::kFlush * recurrence::kItems;
    const double x = step * static_cast<double>(i), angle = slope * x - 1.0;
    recurrence::LaneSums result{0.75 * n, 0.75 * 0.5 * n * (n + 1.0)};
    recurrence::add_call(result, 2.0 * std::cos(angle), -2.0 * std::sin(angle), sums[0]);
    recurrence::add_call(result, -3.0 * std::exp(-x), 0.0, sums[1]);
    return result;
  }
};

TEST(PoissonKernels, CallsAreAddedUpInClosedForm) {
  for (const Sizes& sizes : {Sizes{16384, 4}, Sizes{16383, 4}, Sizes{70000, 9}, Sizes{2048, 16}, Sizes{2049, 16}})
    for (double slope : {0.3, 40.0, 3000.0}) {
      SCOPED_TRACE(testing::Message() << sizes.n_points << " points, " << sizes.tiles_per_warp
                                      << " tiles a warp, slope " << slope);
      const double step = 1.0 / static_cast<double>(sizes.n_points);
      using Function = AffineCall::Function;
      const auto sums = call_sums({"return 0.75 + a0 + a1;",
                                   "x",
                                   0.0,
                                   step,
                                   1.0,
                                   sizes.n_points,
                                   {{Function::cosine, slope, -1.0}, {Function::exponential, -1.0, 0.0}},
                                   {2.0, -3.0},
                                   0.75});
      const auto n_blocks = static_cast<std::size_t>(sizes.n_blocks());
      std::vector<recurrence::Moments> of_warps(n_blocks * kWarps), closed(n_blocks), plain(n_blocks);
      const auto moments = [&](const auto& source, std::vector<recurrence::Moments>& of_blocks) {
        HostBlocks::run(static_cast<unsigned>(n_blocks), kThreads, [&] {
          recurrence::moments_of_block<false>(source, sizes.n_points, sizes.tiles_per_warp, of_warps.data(),
                                              of_blocks.data(), nullptr);
        });
      };
      moments(CalledValues<true>{slope, step, sums.data()}, closed);
      moments(CalledValues<false>{slope, step, sums.data()}, plain);
      for (std::size_t b = 0; b < n_blocks; ++b) {
        // Of at most 6 a point; an angle of up to 3000 is off by 2e-13.
        const double points =
            static_cast<double>(std::min<Index>(sizes.n_points, kThreads * 16 * sizes.tiles_per_warp));
        const double allowed = (1e-15 + 1e-16 * slope) * points, farthest = static_cast<double>(sizes.n_points);
        EXPECT_NEAR((closed[b].zero - plain[b].zero).high, 0.0, allowed);
        EXPECT_NEAR((closed[b].one - plain[b].one).high, 0.0, allowed * farthest);
      }
    }
}

class ReactionKernels : public ::testing::TestWithParam<RecurrenceKind> {
 protected:
  void expect_right(const Sizes& sizes, double rate) {
    SCOPED_TRACE(testing::Message() << sizes.n_points << " points, " << sizes.tiles_per_warp << " tiles a warp, rate "
                                    << rate);
    const RecurrenceOperator op = test::test_recurrence(GetParam(), sizes.n_points, rate);
    const std::vector<double> f = test::random_source(random_, sizes.n_points);
    const Pair start{{2.5, 1e-17}, {0.25, 1e-18}};
    const Solved found = solve(op, f, sizes, start);
    const test::ExactRecurrence own = test::exact_recurrence(op, f, {});
    EXPECT_LE(relative_difference(found.totals.first, own.first), 1e-15);
    EXPECT_LE(relative_difference(found.totals.second, own.second), 1e-15);
    EXPECT_LE(relative_difference(found.u, test::exact_recurrence(op, f, {start.first, start.second, {}}).u), 2.5e-16);
  }

  test::Random random_{31};
};

TEST_P(ReactionKernels, FillToTheLastDigit) {
  for (const Sizes& sizes : kSizes) expect_right(sizes, 8.0 / static_cast<double>(sizes.n_points + 20));
}

// From roots of which a lane forgets the last, to those it keeps over thousands of points.
TEST_P(ReactionKernels, TakeEveryRoot) {
  for (double rate : {1e-6, 1e-3, 0.03, 0.3, 0.99, 1.0})
    for (const Sizes& sizes : {Sizes{30001, 3}, Sizes{4097, 1}, Sizes{530, 1}}) expect_right(sizes, rate);
}

INSTANTIATE_TEST_SUITE_P(Kinds, ReactionKernels, ::testing::Values(RecurrenceKind::shooting, RecurrenceKind::two_sided),
                         [](const auto& kind) -> std::string {
                           return kind.param == RecurrenceKind::shooting ? "shooting" : "two_sided";
                         });

}  // namespace
}  // namespace gwrm::recurrence_kernels_test
