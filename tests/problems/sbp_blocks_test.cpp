// The interior stencils and stored rows of any grid, run on the host as the device's threads run them, against the
// assembled matrix.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "core/matrix.hpp"
#include "kernels/block_stencil.cuh"
#include "problems/sbp_sat/grid_blocks.hpp"
#include "sbp_grids.hpp"

namespace gwrm {
namespace {

using namespace test;

template <int half, bool cross>
void apply_tiles(const BlockOperator& a, int n_rows, const std::vector<double>& u, std::vector<double>& q,
                 std::vector<double>& diagonal, std::vector<int>& times) {
  blocks::StencilNumbers numbers;
  ASSERT_TRUE(blocks::fill_stencil_numbers(a.order, numbers));
  for (const BlockTile& tile : block_tiles(a, n_rows, blocks::kTileColumns)) {
    const StencilBlock& block = a.blocks[at(tile.block)];
    const blocks::BlockView view =
        blocks::block_view(block, a.margin, block.slow.data(), block.fast.data(), block.cross.data());
    for (int thread = 0; thread < blocks::kTileColumns; ++thread)
      blocks::walk_tile<half, cross>(
          numbers, view, tile, n_rows, thread, [&](int k) { return u.at(static_cast<std::size_t>(k)); },
          [](int k) { return k; },
          [&](int k, double value, double image, int loaded) {
            EXPECT_EQ(value, u[at(k)]);
            EXPECT_EQ(loaded, k);
            q[at(k)] = image;
            const Index place = k - block.offset;
            diagonal[at(k)] = blocks::stencil_diagonal<half, cross>(
                numbers, view, static_cast<int>(place / block.n_fast), static_cast<int>(place % block.n_fast));
            ++times[at(k)];
          });
  }
}

std::vector<double> applied(const BlockOperator& a, int n_rows, const std::vector<double>& u,
                            std::vector<double>& diagonal) {
  std::vector<double> q(u.size());
  std::vector<int> times(u.size());
  const auto apply = [&](auto half) {
    if (a.has_cross())
      apply_tiles<half(), true>(a, n_rows, u, q, diagonal, times);
    else
      apply_tiles<half(), false>(a, n_rows, u, q, diagonal, times);
  };
  if (a.order == 2) apply(std::integral_constant<int, 1>());
  if (a.order == 4) apply(std::integral_constant<int, 2>());
  if (a.order == 6) apply(std::integral_constant<int, 3>());
  std::vector<double> edge(a.stored_rows.size());
  cpu::csr_apply(a.stored, u.data(), edge.data());
  for (std::size_t k = 0; k < edge.size(); ++k) {
    q[at(a.stored_rows[k])] = edge[k];
    ++times[at(a.stored_rows[k])];
  }
  EXPECT_EQ(std::count(times.begin(), times.end(), 1), static_cast<std::ptrdiff_t>(times.size()));
  return q;
}

void expect_same_operator(const sbp::Grid& grid, int n_rows, const std::string& what) {
  const BlockOperator a = sbp::block_operator(grid);
  std::mt19937_64 generator(11);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> u(static_cast<std::size_t>(grid.size())), expected(u.size()), size(u.size());
  for (double& value : u) value = uniform(generator);
  CsrMatrix matrix = sbp::GridOperator(grid).assemble();
  cpu::csr_apply(matrix, u.data(), expected.data());
  // Rounding is in proportion to the sum of |A||u|, point by point: C jumps between blocks.
  for (double& value : matrix.values) value = std::abs(value);
  std::vector<double> sizes(u.size());
  for (std::size_t k = 0; k < u.size(); ++k) sizes[k] = std::abs(u[k]);
  cpu::csr_apply(matrix, sizes.data(), size.data());
  std::vector<double> diagonal = sbp::GridOperator(grid).diagonal();
  const std::vector<double> expected_diagonal = diagonal, found = applied(a, n_rows, u, diagonal);
  for (std::size_t k = 0; k < u.size(); ++k) {
    ASSERT_NEAR(found[k], expected[k], 2e-14 * size[k]) << what << ", point " << k;
    ASSERT_NEAR(diagonal[k], expected_diagonal[k], 1e-14 * expected_diagonal[k]) << what << ", point " << k;
  }
}

TEST(SbpBlocks, EqualTheAssembledMatrix) {
  for (int order : {2, 4, 6})
    for (const bool cross : {false, true}) {
      const Index least = general_grid(order, 40, 0.0, cross).least_intervals();
      for (const int n : {static_cast<int>(least), static_cast<int>(least) + 5, 31, 140})
        for (const int n_rows : {4, 16})
          expect_same_operator(general_grid(order, n, 0.0, cross), n_rows,
                               std::to_string(order) + (cross ? " full " : " diagonal ") + std::to_string(n));
    }
}

TEST(SbpBlocks, ConstantsAreNotStored) {
  for (int order : {2, 4, 6})
    for (const int n : {12, 13, 37}) {
      sbp::Grid grid = general_grid(order, n);
      for (sbp::Block& block : grid.blocks) block.c = {{block.c.slow.front()}, {block.c.fast.front()}, {}};
      ASSERT_TRUE(grid.constant());
      const BlockOperator a = sbp::block_operator(grid);
      for (const StencilBlock& block : a.blocks) EXPECT_EQ(block.slow.size(), 1u);
      expect_same_operator(grid, 8, "constant " + std::to_string(order));
      if (n < 37) continue;  // constant in one block, diagonal in another, full in the third
      const sbp::Grid variable = general_grid(order, n);
      grid.blocks[1].c = variable.blocks[1].c;
      grid.blocks[2].c = variable.blocks[2].c;
      grid.blocks[2].c.cross.clear();
      grid.blocks[3].c.slow = variable.blocks[3].c.slow;  // constant along one dimension alone
      expect_same_operator(grid, 8, "mixed " + std::to_string(order));
    }
}

// Rows stored without need would take time and memory: their number is that of the margins.
TEST(SbpBlocks, StoresNoMoreThanTheMargins) {
  for (const auto& [order, margin] : {std::pair{2, 3}, {4, 6}, {6, 9}}) {
    const BlockOperator a = sbp::block_operator(general_grid(order, 60, 0.0, false));
    EXPECT_EQ(a.margin, margin);
    Index points = 0;
    for (const StencilBlock& block : a.blocks)
      points += block.n_slow * block.n_fast - (block.n_slow - 2 * margin) * (block.n_fast - 2 * margin);
    EXPECT_EQ(static_cast<Index>(a.stored_rows.size()), points);
  }
}

}  // namespace
}  // namespace gwrm
