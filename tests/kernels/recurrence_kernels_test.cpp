// The device code of the block recurrences, run on the host, against the defining steps in quadruple precision.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/host_warps.hpp"
#include "kernels/quadruple.hpp"
#include "kernels/random_array.hpp"
#include "kernels/reaction_tables.hpp"
//
#include "kernels/recurrence_kernels.cuh"
//
#include "kernels/reaction_kernels.cuh"

namespace gwrm {
namespace {

using recurrence::kLanes;
using recurrence::kThreads;
using recurrence::kWarps;
using recurrence::Pair;
using test::HostBlocks;
using test::quadruple;
using test::Quadruple;

struct StoredValues {
  static constexpr int kUnrolled = recurrence::kItems;
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

struct Expected {
  std::vector<Quadruple> u;
  Quadruple first = 0, second = 0, sum = 0;  // behind the last point
};

Expected shooting_steps(const RecurrenceOperator& op, const std::vector<double>& f, const RecurrenceState& start) {
  Expected result;
  Quadruple w = quadruple(start.first), s = quadruple(start.second);
  for (double value : f) {
    result.u.push_back(w - static_cast<Quadruple>(op.correction) * value);
    result.sum += w;
    s += quadruple(op.growth) * w - value;
    w += quadruple(op.scale) * s;
  }
  result.first = w;
  result.second = s;
  return result;
}

Expected two_sided_steps(const RecurrenceOperator& op, const std::vector<double>& f, const RecurrenceState& start) {
  Expected result;
  std::vector<Quadruple> q(f.size());
  Quadruple carry = quadruple(start.second);
  for (std::size_t i = f.size(); i-- > 0;) {
    q[i] = carry;
    carry = (1 - quadruple(op.backward_decay)) * (carry + f[i]);
  }
  result.second = carry;
  carry = quadruple(start.first);
  for (std::size_t i = 0; i < f.size(); ++i) {
    carry = (1 - quadruple(op.forward_decay)) * carry + f[i];
    result.u.push_back(quadruple(op.scale) * (carry + q[i]) - static_cast<Quadruple>(op.correction) * f[i]);
  }
  result.first = carry;
  return result;
}

Expected steps(const RecurrenceOperator& op, const std::vector<double>& f, const RecurrenceState& start) {
  return op.kind == RecurrenceKind::two_sided ? two_sided_steps(op, f, start) : shooting_steps(op, f, start);
}

double relative_difference(const std::vector<double>& u, const std::vector<Quadruple>& expected) {
  Quadruple difference = 0, size = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    difference += (u[i] - expected[i]) * (u[i] - expected[i]);
    size += expected[i] * expected[i];
  }
  return std::sqrt(static_cast<double>(difference / size));
}

double relative_difference(DoubleDouble a, Quadruple b) {
  const double error = std::abs(static_cast<double>(quadruple(a) - b));
  return b == 0 ? error : error / std::abs(static_cast<double>(b));
}

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

class ReactionKernels : public ::testing::TestWithParam<RecurrenceKind> {
 protected:
  // `decay`: two_sided, about 1 - r; the two roots differ.
  RecurrenceOperator make(Index n, double decay) const {
    const double h = 1.0 / static_cast<double>(n);
    if (GetParam() == RecurrenceKind::shooting)
      return shooting_recurrence(two_product(h, h), {0.81, 1e-18}, 0.3 * h * h);
    const DoubleDouble left = DoubleDouble{decay, 0.0} * 1.1, right = DoubleDouble{decay, 0.0} * 0.7;
    return two_sided_recurrence({h, 1e-20 * h}, left, right, 0.3 * h);
  }
  std::vector<double> values(Index n) {
    std::vector<double> f(static_cast<std::size_t>(n));
    for (double& value : f) value = 1.0 + random_.number();
    return f;
  }
  void expect_right(const Sizes& sizes, double decay, double bound) {
    SCOPED_TRACE(testing::Message() << sizes.n_points << " points, " << sizes.tiles_per_warp << " tiles a warp, decay "
                                    << decay);
    const RecurrenceOperator op = make(sizes.n_points, decay);
    const std::vector<double> f = values(sizes.n_points);
    const Pair start{{2.5, 1e-17}, {0.25, 1e-18}};
    const Solved found = solve(op, f, sizes, start);
    const Expected own = steps(op, f, {});
    EXPECT_LE(relative_difference(found.totals.first, own.first), 1e-15);
    EXPECT_LE(relative_difference(found.totals.second, own.second), 1e-15);
    EXPECT_LE(relative_difference(found.u, steps(op, f, {start.first, start.second, {}}).u), bound);
  }

  test::Random random_{31};
};

TEST_P(ReactionKernels, FillToTheLastDigit) {
  for (const Sizes& sizes : kSizes) expect_right(sizes, 8.0 / static_cast<double>(sizes.n_points + 20), 2.5e-16);
}

// From roots of which a lane forgets the last, to those it keeps over thousands of points.
TEST_P(ReactionKernels, TakeEveryRoot) {
  if (GetParam() == RecurrenceKind::shooting) GTEST_SKIP() << "has none";
  for (double decay : {1e-6, 1e-3, 0.03, 0.3, 0.9, 1.0 - 1e-10})
    for (const Sizes& sizes : {Sizes{30001, 3}, Sizes{4097, 1}, Sizes{530, 1}})
      expect_right(sizes, decay / 1.1, 2.5e-16);
}

INSTANTIATE_TEST_SUITE_P(Kinds, ReactionKernels, ::testing::Values(RecurrenceKind::shooting, RecurrenceKind::two_sided),
                         [](const auto& kind) -> std::string {
                           return kind.param == RecurrenceKind::shooting ? "shooting" : "two_sided";
                         });

}  // namespace
}  // namespace gwrm
