// The interior stencils and stored rows of any grid, by the device's code run on the host, against the assembled
// matrix.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/matrix.hpp"
#include "kernels/host_warps.cuh"
#include "problems/sbp_sat/grid_blocks.hpp"
#include "sbp_grids.hpp"
//
#include "kernels/sbp_sat/block_walk.cuh"

namespace gwrm::sbp_blocks_test {
namespace {

using namespace test;

// A view of the operator as DeviceBlockTables makes it, in the host's memory.
struct HostTables {
  HostTables(const BlockOperator& a, int n_rows) : tiles(block_tiles(a, n_rows, blocks::kTileColumns)) {
    check_block_operator(a);
    EXPECT_TRUE(blocks::fill_stencil_numbers(a.order, view.numbers));
    for (const StencilBlock& block : a.blocks)
      views.push_back(blocks::block_view(block, a.margin, block.slow.data(), block.fast.data(), block.cross.data()));
    view.only = views.front();
    view.views = views.data();
    view.n_views = static_cast<int>(views.size());
    view.tiles = tiles.data();
    view.rows_of_tile = n_rows;
    view.n = static_cast<int>(a.size());
    view.n_stored = static_cast<int>(a.stored_rows.size());
    view.n_stored_blocks = cuda::blocks_of_stored_rows(view.n_stored);
    view.stored_rows = a.stored_rows.data();
    row_start.assign(a.stored.row_start.begin(), a.stored.row_start.end());
    view.row_start = row_start.data();
    view.columns = a.stored.columns.data();
    view.values = a.stored.values.data();
  }
  unsigned n_blocks() const { return view.n_stored_blocks + static_cast<unsigned>(tiles.size()); }

  std::vector<BlockTile> tiles;
  std::vector<blocks::BlockView> views;
  std::vector<long long> row_start;
  cuda::DeviceBlocks view = {};
};

// q = A u as the device's threads find it, and the diagonal in the interiors.
template <int half, bool cross>
std::vector<double> applied(const BlockOperator& a, int n_rows, const std::vector<double>& u,
                            std::vector<double>& diagonal) {
  const HostTables tables(a, n_rows);
  const cuda::BlockWalk<half, cross> walk{tables.view};
  std::vector<double> q(u.size());
  std::vector<int> times(u.size());
  test::HostBlocks::run(tables.n_blocks(), cuda::kBlockThreads, [&] {
    walk.walk([&](int k) { return u.at(at(k)); }, [](int k) { return k; },
              [&](int k, double value, double image, int loaded) {
                EXPECT_EQ(value, u[k]);
                EXPECT_EQ(loaded, k);
                q[k] = image;
                ++times[k];
              });
  });
  EXPECT_EQ(std::count(times.begin(), times.end(), 1), static_cast<std::ptrdiff_t>(times.size()));
  for (std::size_t b = 0; b < a.blocks.size(); ++b) {
    const blocks::BlockView& view = tables.views[b];
    for (int j = view.slow_begin; j < view.slow_end; ++j)
      for (int i = view.fast_begin; i < view.fast_end; ++i)
        diagonal[view.offset + j * view.n_fast + i] =
            blocks::stencil_diagonal<half, cross>(tables.view.numbers, view, j, i);
  }
  return q;
}

std::vector<double> applied(const BlockOperator& a, int n_rows, const std::vector<double>& u,
                            std::vector<double>& diagonal) {
  const auto by = [&](auto half) {
    return a.has_cross() ? applied<half(), true>(a, n_rows, u, diagonal)
                         : applied<half(), false>(a, n_rows, u, diagonal);
  };
  return a.order == 2   ? by(std::integral_constant<int, 1>())
         : a.order == 4 ? by(std::integral_constant<int, 2>())
                        : by(std::integral_constant<int, 3>());
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
      const std::string what = std::to_string(order) + (cross ? " full " : " diagonal ");
      const int least = static_cast<int>(general_grid(order, 40, 0.0, cross).least_intervals());
      for (const int n : {least, least + 5, 31})
        expect_same_operator(general_grid(order, n, 0.0, cross), n == 31 ? 16 : 4, what + std::to_string(n));
      sbp::Grid wide = paper_problem(24, order, 0.0).grid;  // two tiles side by side, one block
      wide.blocks = {unit_block(45, 161)};
      wide.blocks[0].c = {sampled(wide.blocks[0], 0, 0, [](double y, double x) { return 1.5 + y * std::sin(2 * x); }),
                          sampled(wide.blocks[0], 0, 0, [](double y, double x) { return 2.5 - x * y; }),
                          {}};
      if (cross) wide.blocks[0].c.cross = sampled(wide.blocks[0], 0, 0, [](double y, double x) { return y - 0.5 * x; });
      for (const int n_rows : {4, 16}) expect_same_operator(wide, n_rows, what + "wide");
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
}  // namespace gwrm::sbp_blocks_test
