// Layouts of a shared window: arithmetic for any number of ranks in one process, exchanges on those of the launcher
// (weighted_residual.ranks_*).
#include "weighted_residual/window/window_layouts.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "core/ranks_of_launcher.hpp"

namespace gwrm::window_layouts_test {
namespace {

TEST(WindowLayouts, EveryThingHasOneRankAndBlocksStayWhole) {
  for (const Index n : {0, 1, 5, 63, 64, 65, 128, 200, 1000})
    for (const int n_ranks : {1, 2, 3, 4, 7})
      for (const Index block : {1, 3, 64}) {
        const Shares shares = Shares::even(n, n_ranks, block);
        ASSERT_EQ(shares.n_ranks(), n_ranks);
        EXPECT_EQ(shares.begin(0), 0);
        EXPECT_EQ(shares.end(n_ranks - 1), n);
        EXPECT_EQ(shares.size(), n);
        const Index n_blocks = (n + block - 1) / block;
        for (int rank = 0; rank < n_ranks; ++rank) {
          EXPECT_LE(shares.begin(rank), shares.end(rank));
          EXPECT_TRUE(shares.begin(rank) % block == 0 || shares.begin(rank) == n);
          const Index own = (shares.count(rank) + block - 1) / block;
          EXPECT_TRUE(own == n_blocks / n_ranks || own == (n_blocks + n_ranks - 1) / n_ranks) << n << " " << n_ranks;
        }
      }
}

TEST(WindowLayouts, BlocksAreOfEightTo64Columns) {
  for (Index n = 1; n < 3000; ++n) {
    const Index block = column_block(n);
    EXPECT_TRUE(block == 8 || block == 16 || block == 32 || block == 64);
    EXPECT_TRUE(block == 8 || n >= 8 * block) << n;   // eight blocks at least ..
    EXPECT_TRUE(block == 64 || n < 16 * block) << n;  // .. and fewer than 16, where they are not of 64
  }
}

TEST(WindowLayouts, EveryModeOfEveryFieldHasOneRank) {
  for (const int n_ranks : {1, 2, 3, 4, 9})
    for (const Index n_modes : {1, 3, 5})
      for (const int n_fields : {1, 2, 3}) {
        const Index n_lines = 7;
        std::vector<Index> pairs(static_cast<std::size_t>(n_ranks), 0);
        for (int field = 0; field < n_fields; ++field) {
          const Shares lines = table_of_modes(n_modes, field, n_fields, n_lines, 100, n_ranks).lines;
          EXPECT_EQ(lines.begin(0), 0);
          EXPECT_EQ(lines.size(), 2 * n_lines * n_modes);
          for (int rank = 0; rank < n_ranks; ++rank) {
            EXPECT_EQ(lines.count(rank) % (2 * n_lines), 0) << "a mode is not divided";
            pairs[at(rank)] += lines.count(rank) / (2 * n_lines);
          }
        }
        // As equal as can be.
        const Index all = n_modes * n_fields;
        for (const Index count : pairs) EXPECT_TRUE(count == all / n_ranks || count == (all + n_ranks - 1) / n_ranks);
      }
}

// Tables of several kinds: one block and many, a ragged last one, fewer lines than ranks, nothing at all.
std::vector<SharedTable> tables_for(int n_ranks) {
  return {table_of_planes(5, 13, 200, n_ranks),     table_of_planes(1, 1, 64, n_ranks),
          table_of_planes(3, 4, 7, n_ranks),        table_of_modes(3, 0, 2, 6, 130, n_ranks),
          table_of_modes(3, 1, 2, 5, 129, n_ranks), table_of_planes(0, 4, 100, n_ranks)};
}

// Who holds an entry, by looking.
int holder(const Shares& shares, Index i) {
  int rank = 0;
  while (i >= shares.end(rank)) ++rank;
  return rank;
}

TEST(WindowLayouts, WhatGoesOffRankIsCounted) {
  for (const int n_ranks : {1, 2, 3, 4, 5}) {
    const WindowExchange exchange(tables_for(n_ranks));
    Index count = 0, all = 0;
    for (const SharedTable& table : exchange.tables())
      for (Index line = 0; line < table.lines.size(); ++line)
        for (Index column = 0; column < table.columns.size(); ++column, ++all)
          count += holder(table.lines, line) != holder(table.columns, column) ? 1 : 0;
    EXPECT_EQ(exchange.n_off_rank(), count);
    Index by_columns = 0, by_lines = 0;
    for (int rank = 0; rank < n_ranks; ++rank) {
      by_columns += exchange.n_by_columns(rank);
      by_lines += exchange.n_by_lines(rank);
    }
    EXPECT_EQ(by_columns, all);
    EXPECT_EQ(by_lines, all);
  }
}

// An iteration of GMRES for u u_z + u_zz, ..: Z pairs of derivatives go to the planes and E equations come back, modes
// go and come for every field. Shares are equal here, so that the formula of the header is exact.
TEST(WindowLayouts, BytesOfAnIterationAreThoseOfTheFormula) {
  constexpr Index K = 10, n = 24, p = 36, m = 64 * 12, Z = 3, E = 1;
  constexpr int n_fields = 4;
  constexpr Index n_modes = (K + 1) / 2, N = K * n * m * n_fields;
  for (const int n_ranks : {1, 2, 4}) {
    std::vector<SharedTable> there, back, modes;
    for (int field = 0; field < n_fields; ++field) {
      for (Index i = 0; i < Z; ++i) there.push_back(table_of_planes(K, p, m, n_ranks));
      for (Index i = 0; i < E; ++i) back.push_back(table_of_planes(K, p, m, n_ranks));
      modes.push_back(table_of_modes(n_modes, field, n_fields, n, m, n_ranks));
    }
    const Index numbers =
        WindowExchange(there).n_off_rank() + WindowExchange(back).n_off_rank() + 2 * WindowExchange(modes).n_off_rank();
    const double bytes = 8.0 * N * (1.0 - 1.0 / n_ranks) * (4.0 * n_modes / K + static_cast<double>(p) / n * (Z + E));
    EXPECT_EQ(static_cast<double>(8 * numbers), bytes) << n_ranks;
  }
}

// The number of entry (line, column) of a table.
double entry(std::size_t table, Index line, Index column) {
  return 1e6 * static_cast<double>(table) + 1e3 * static_cast<double>(line) + static_cast<double>(column) + 0.125;
}

std::vector<double> expected_by_columns(const WindowExchange& exchange, int rank) {
  std::vector<double> numbers;
  for (std::size_t t = 0; t < exchange.tables().size(); ++t) {
    const SharedTable& table = exchange.tables()[t];
    EXPECT_EQ(static_cast<Index>(numbers.size()), exchange.by_columns_before(t, rank));
    for (Index block = table.columns.begin(rank); block < table.columns.end(rank); block += table.block)
      for (Index line = 0; line < table.lines.size(); ++line)
        for (Index c = block; c < std::min(block + table.block, table.columns.end(rank)); ++c)
          numbers.push_back(entry(t, line, c));
  }
  return numbers;
}

std::vector<double> expected_by_lines(const WindowExchange& exchange, int rank) {
  std::vector<double> numbers;
  for (std::size_t t = 0; t < exchange.tables().size(); ++t) {
    const SharedTable& table = exchange.tables()[t];
    EXPECT_EQ(static_cast<Index>(numbers.size()), exchange.by_lines_before(t, rank));
    for (Index line = table.lines.begin(rank); line < table.lines.end(rank); ++line)
      for (Index c = 0; c < table.columns.size(); ++c) numbers.push_back(entry(t, line, c));
  }
  return numbers;
}

TEST(WindowLayouts, EveryEntryGoesToItsPlaceAndBack) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator();
  WindowExchange exchange(tables_for(ranks->size()));
  const std::vector<double> by_columns = expected_by_columns(exchange, ranks->rank());
  const std::vector<double> by_lines = expected_by_lines(exchange, ranks->rank());
  std::vector<double> lines(by_lines.size(), -1.0), columns(by_columns.size(), -1.0);
  for (int turn = 0; turn < 2; ++turn) {
    exchange.to_lines(*ranks, by_columns, lines);
    EXPECT_EQ(lines, by_lines);
    exchange.to_columns(*ranks, lines, columns);
    EXPECT_EQ(columns, by_columns);
  }
  // From one room to the other and back.
  std::vector<double> first(static_cast<std::size_t>(exchange.room(ranks->rank())), -1.0), second(first);
  std::copy(by_columns.begin(), by_columns.end(), first.begin());
  exchange.move_to_lines(*ranks, first.data(), second.data());
  EXPECT_TRUE(std::equal(by_lines.begin(), by_lines.end(), second.begin()));
  exchange.move_to_columns(*ranks, second.data(), first.data());
  EXPECT_TRUE(std::equal(by_columns.begin(), by_columns.end(), first.begin()));
}

// Odd and even extents, numbers of any value.
TEST(WindowLayouts, ThereAndBackIsTheIdentity) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator();
  std::mt19937_64 random(static_cast<unsigned>(ranks->rank()));
  std::normal_distribution<double> normal;
  for (const Index n_times : {4, 7})
    for (const Index n_points : {8, 15})
      for (const Index n_columns : {1, 64, 121, 300}) {
        WindowExchange exchange({table_of_planes(n_times, n_points, n_columns, ranks->size()),
                                 table_of_modes((n_times + 1) / 2, 0, 1, n_points, n_columns, ranks->size())});
        std::vector<double> columns(static_cast<std::size_t>(exchange.n_by_columns(ranks->rank())));
        for (double& number : columns) number = normal(random);
        std::vector<double> lines(static_cast<std::size_t>(exchange.n_by_lines(ranks->rank()))), back(columns.size());
        exchange.to_lines(*ranks, columns, lines);
        exchange.to_columns(*ranks, lines, back);
        EXPECT_EQ(back, columns);
      }
}

}  // namespace
}  // namespace gwrm::window_layouts_test
