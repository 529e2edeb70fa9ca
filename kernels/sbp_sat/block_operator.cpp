#include "kernels/sbp_sat/block_operator.hpp"

#include <algorithm>
#include <limits>

#include "core/errors.hpp"

namespace gwrm {

bool BlockOperator::has_cross() const {
  return std::any_of(blocks.begin(), blocks.end(), [](const StencilBlock& block) { return !block.cross.empty(); });
}

BlockInterior interior_of(const StencilBlock& block, Index margin) {
  if (block.n_slow < 2 * margin + kRowsTogether || block.n_fast < 2 * margin + 1) return {};
  return {margin, block.n_slow - margin, margin, block.n_fast - margin};
}

std::vector<std::int32_t> points_near_sides(const BlockOperator& a) {
  std::vector<std::int32_t> points;
  for (const StencilBlock& block : a.blocks) {
    const BlockInterior interior = interior_of(block, a.margin);
    for (Index j = 0; j < block.n_slow; ++j)
      for (Index i = 0; i < block.n_fast; ++i) {
        if (interior.contains(j, i)) i = interior.fast_end;  // the margin is positive: a point lies there
        points.push_back(static_cast<std::int32_t>(block.offset + j * block.n_fast + i));
      }
  }
  return points;
}

std::vector<BlockTile> block_tiles(const BlockOperator& a, int n_slow, int n_fast) {
  std::vector<BlockTile> tiles;
  for (std::size_t b = 0; b < a.blocks.size(); ++b) {
    const BlockInterior interior = interior_of(a.blocks[b], a.margin);
    for (Index j = interior.slow_begin; j < interior.slow_end; j += n_slow)
      for (Index i = interior.fast_begin; i < interior.fast_end; i += n_fast)
        tiles.push_back({static_cast<int>(b), static_cast<int>(j), static_cast<int>(i)});
  }
  return tiles;
}

void check_block_operator(const BlockOperator& a) {
  const auto fits = [](const StencilBlock& block) {
    const auto n = static_cast<std::size_t>(block.n_slow * block.n_fast);
    const std::size_t n_values = block.constant() ? 1 : n;
    return n > 1 && block.slow.size() == n_values && block.fast.size() == n_values &&
           (block.cross.empty() || (block.cross.size() == n && !block.constant()));
  };
  if (a.blocks.empty() || a.margin < a.order / 2 || a.margin < 1 ||
      !std::all_of(a.blocks.begin(), a.blocks.end(), fits) || a.stored.n != static_cast<Index>(a.stored_rows.size()) ||
      a.stored.row_start.size() != a.stored_rows.size() + 1)
    throw ShapeError("block operator: parts that do not fit each other");
  if (a.size() > std::numeric_limits<std::int32_t>::max())
    throw ShapeError("block operator: more points than 32-bit indices count");
}

}  // namespace gwrm
