#include "problems/sbp_sat/grid_blocks.hpp"

#include <algorithm>
#include <limits>

#include "core/errors.hpp"
#include "kernels/sbp_sat/sbp_tables.hpp"
#include "problems/sbp_sat/grid_operator.hpp"

namespace gwrm::sbp {
namespace {

// How far from a side a row may differ from the interior stencil.
Index margin_of(const Grid& grid) {
  const SbpTable& table = sbp_table(grid.order);
  int margin = std::max({grid.constant() ? table.stiffness.n_rows : table.variable_rows,
                         static_cast<int>(table.weights.size()), static_cast<int>(table.boundary_derivative.size())});
  const bool cross =
      std::any_of(grid.blocks.begin(), grid.blocks.end(), [](const Block& block) { return !block.c.cross.empty(); });
  // The transposed first derivative has the widest closures (kernels/sbp_sat/stencil_rows.hpp).
  if (cross) margin = std::max({margin, table.derivative.width, table.derivative.n_rows + grid.order / 2});
  return margin;
}

// One value where C is constant and diagonal, else one at every point.
StencilBlock stencil_block(const Block& block) {
  StencilBlock result{block.n_slow, block.n_fast, block.h_slow, block.h_fast,
                      block.offset, block.c.slow, block.c.fast, block.c.cross};
  if (block.c.constant() && block.c.cross.empty()) return result;
  for (std::vector<double>* values : {&result.slow, &result.fast, &result.cross})
    if (values->size() == 1) values->assign(static_cast<std::size_t>(block.size()), values->front());
  return result;
}

}  // namespace

BlockOperator block_operator(const Grid& grid) {
  if (grid.size() > std::numeric_limits<std::int32_t>::max())
    throw ShapeError("block_operator: more points than 32-bit indices count");
  BlockOperator a;
  a.order = grid.order;
  a.margin = margin_of(grid);
  for (const Block& block : grid.blocks) a.blocks.push_back(stencil_block(block));
  a.stored_rows = points_near_sides(a);
  const GridOperator rows(grid);
  a.stored = assemble_csr(static_cast<Index>(a.stored_rows.size()), [&](Index k, RowEntries& entries) {
    rows.row(a.stored_rows[static_cast<std::size_t>(k)], entries);
  });
  check_block_operator(a);
  return a;
}

}  // namespace gwrm::sbp
