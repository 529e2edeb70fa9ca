// The block recurrences against their defining steps in quadruple precision.
#include "kernels/recurrence/block_recurrence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/errors.hpp"
#include "kernels/recurrence_steps.hpp"

namespace gwrm::block_recurrence_test {
namespace {

using test::relative_difference;

// One block, its neighbours, one chunk, its neighbours, many chunks.
constexpr Index kSizes[] = {1, 2, 3, 4, 5, 127, 128, 129, 1000, 4095, 4096, 4097, 70001};

class BlockRecurrence : public ::testing::TestWithParam<int> {
 protected:
  RecurrenceOperator make(Index n) const {
    RecurrenceOperator op = make_without_sum(n);
    op.with_sum = true;
    return op;
  }
  RecurrenceOperator make_without_sum(Index n) const {
    const double h = 1.0 / static_cast<double>(n);
    const DoubleDouble scale = two_product(h, h);
    switch (GetParam()) {
      case 0:
        return poisson_recurrence(scale, 0.3 * h * h);
      case 1:
        return shooting_recurrence(scale, {0.49, 0.0}, 0.3 * h * h);
      default: {  // the two roots of another matrix on either side
        const DoubleDouble left = DoubleDouble{8.0, 0.0} * h, right = DoubleDouble{11.0, 0.0} * h;
        const bool few = n < 20;
        return two_sided_recurrence({h, 1e-20 * h}, few ? DoubleDouble{0.375, 1e-18} : left,
                                    few ? DoubleDouble{0.75, 0.0} : right, 0.3 * h * h);
      }
    }
  }
  std::vector<double> values(Index n) { return test::random_source(random_, n); }
  static RecurrenceSource stored(const std::vector<double>& f) { return {f.data(), nullptr, {}}; }

  const Context context_ = Context::create(BackendChoice::cpu, 2);
  const RecurrenceState start_{{2.5, 1e-17}, {0.25, 1e-18}, {}};
  test::Random random_{5};
};

TEST_P(BlockRecurrence, TotalsAreThoseOfTheSteps) {
  for (Index n : kSizes) {
    const RecurrenceOperator op = make(n);
    const std::vector<double> f = values(n);
    std::vector<RecurrenceState> workspace(recurrence_workspace_size(n));
    const RecurrenceState totals = recurrence_totals(context_, op, stored(f), n, workspace);
    const test::ExactRecurrence exact = test::exact_recurrence(op, f, {});
    // Sums of up to 128 positive terms in double, their errors independent from block to block.
    EXPECT_LE(relative_difference(totals.first, exact.first), 1e-15) << n;
    EXPECT_LE(relative_difference(totals.second, exact.second), 1e-15) << n;
    if (GetParam() == 0) {
      EXPECT_LE(relative_difference(totals.sum, exact.sum), 1e-15) << n;
    }
  }
}

TEST_P(BlockRecurrence, FillsToTheLastDigit) {
  for (Index n : kSizes) {
    const RecurrenceOperator op = make(n);
    const std::vector<double> f = values(n);
    std::vector<RecurrenceState> workspace(recurrence_workspace_size(n));
    std::vector<double> u(f.size());
    recurrence_totals(context_, op, stored(f), n, workspace);
    recurrence_fill(context_, op, stored(f), start_, n, workspace, u.data());
    // Half a unit of rounding, and what plain double loses within a block: 128^2/2 h eps of the slope.
    const double bound = 2.5e-16 * (1.0 + 128.0 / std::max<double>(128.0, static_cast<double>(n) / 16.0));
    EXPECT_LE(relative_difference(u, test::exact_recurrence(op, f, start_).u), bound) << n;
  }
}

TEST_P(BlockRecurrence, SameBitsForAnyThreadsAndSources) {
  const Index n = 70001;
  const RecurrenceOperator op = make(n);
  std::vector<double> f = values(n);
  std::vector<float> single(f.begin(), f.end());
  std::copy(single.begin(), single.end(), f.begin());
  const auto solve = [&](const Context& context, const RecurrenceSource& source, auto* u) {
    std::vector<RecurrenceState> workspace(recurrence_workspace_size(n));
    recurrence_totals(context, op, source, n, workspace);
    recurrence_fill(context, op, source, start_, n, workspace, u);
  };
  std::vector<double> expected_u(f.size()), u(f.size()), in_place = f;
  solve(context_.single_threaded(), stored(f), expected_u.data());
  solve(context_, stored(f), u.data());
  EXPECT_EQ(u, expected_u);
  solve(context_, stored(in_place), in_place.data());
  EXPECT_EQ(in_place, expected_u);
  solve(context_, {nullptr, single.data(), {}}, u.data());
  EXPECT_EQ(u, expected_u);
  solve(context_, {nullptr, nullptr, [&](Index first, Index m, double* to) { std::copy_n(f.begin() + first, m, to); }},
        u.data());
  EXPECT_EQ(u, expected_u);
  std::vector<float> single_u(f.size());
  solve(context_, stored(f), single_u.data());
  for (std::size_t i = 0; i < u.size(); ++i) ASSERT_EQ(single_u[i], static_cast<float>(expected_u[i])) << i;
}

TEST_P(BlockRecurrence, TheSumChangesNothingElse) {
  const Index n = 70001;
  const std::vector<double> f = values(n);
  std::vector<double> with(f.size()), without(f.size());
  std::vector<RecurrenceState> workspace(recurrence_workspace_size(n));
  recurrence_totals(context_, make(n), stored(f), n, workspace);
  recurrence_fill(context_, make(n), stored(f), start_, n, workspace, with.data());
  recurrence_totals(context_, make_without_sum(n), stored(f), n, workspace);
  recurrence_fill(context_, make_without_sum(n), stored(f), start_, n, workspace, without.data());
  EXPECT_EQ(with, without);
}

// As the device takes what does not fit into its memory.
TEST_P(BlockRecurrence, PiecesMeet) {
  const Index n = 10001;
  const std::vector<double> f = values(n);
  for (Index length : {Index{512}, Index{4096}, Index{5000}, n}) {
    const RecurrenceOperator op = make(n);
    const auto part = [&](std::size_t k) {
      const Index first = static_cast<Index>(k) * length;
      return std::span(f).subspan(static_cast<std::size_t>(first),
                                  static_cast<std::size_t>(std::min(length, n - first)));
    };
    std::vector<RecurrenceState> pieces(static_cast<std::size_t>((n + length - 1) / length));
    std::vector<RecurrenceState> workspace(recurrence_workspace_size(length));
    const auto space = [&](std::size_t k) {
      return std::span(workspace).first(recurrence_workspace_size(static_cast<Index>(part(k).size())));
    };
    const auto run = [&](std::size_t k) {
      const RecurrenceSource source{part(k).data(), nullptr, {}};
      return recurrence_totals(context_, op, source, static_cast<Index>(part(k).size()), space(k));
    };
    for (std::size_t k = 0; k < pieces.size(); ++k) pieces[k] = run(k);
    std::vector<RecurrenceState> states = pieces;
    const RecurrenceState totals = states_at_pieces(op, states, length, n, {});
    const test::ExactRecurrence own = test::exact_recurrence(op, f, {});
    EXPECT_LE(relative_difference(totals.first, own.first), 1e-15) << length;
    EXPECT_LE(relative_difference(totals.second, own.second), 1e-15) << length;
    if (GetParam() == 0) {
      EXPECT_LE(relative_difference(totals.sum, own.sum), 1e-15) << length;
    }
    states_at_pieces(op, pieces, length, n, start_);
    std::vector<double> u(f.size());
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      run(k);
      recurrence_fill(context_, op, {part(k).data(), nullptr, {}}, pieces[k], static_cast<Index>(part(k).size()),
                      space(k), u.data() + static_cast<Index>(k) * length);
    }
    EXPECT_LE(relative_difference(u, test::exact_recurrence(op, f, start_).u), 3e-16) << length;
  }
}

TEST(PoissonRecurrence, TotalsOfOne) {
  for (Index n : {1, 2, 1000}) {
    const RecurrenceOperator op = test::test_recurrence(RecurrenceKind::poisson, n, 0.0);
    const RecurrenceState totals = totals_of_one(op, n);
    const auto exact = test::exact_recurrence(op, std::vector<double>(static_cast<std::size_t>(n), 1.0), {});
    EXPECT_LE(relative_difference(totals.first, exact.first), 1e-29) << n;
    EXPECT_LE(relative_difference(totals.second, exact.second), 1e-29) << n;
    EXPECT_LE(relative_difference(totals.sum, exact.sum), 1e-29) << n;
  }
}

TEST_P(BlockRecurrence, RefusesAWrongWorkspace) {
  const RecurrenceOperator op = make(5000);
  const std::vector<double> f = values(5000);
  std::vector<RecurrenceState> workspace(1);
  EXPECT_THROW(recurrence_totals(context_, op, stored(f), 5000, workspace), ShapeError);
  EXPECT_THROW(recurrence_totals(context_, op, stored(f), 0, {}), ShapeError);
}

INSTANTIATE_TEST_SUITE_P(Kinds, BlockRecurrence, ::testing::Values(0, 1, 2), [](const auto& kind) -> std::string {
  return kind.param == 0 ? "poisson" : kind.param == 1 ? "shooting" : "two_sided";
});

}  // namespace
}  // namespace gwrm::block_recurrence_test
