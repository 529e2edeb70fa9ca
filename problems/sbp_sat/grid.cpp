#include "problems/sbp_sat/grid.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/sbp_sat/sbp_tables.hpp"

namespace gwrm::sbp {
namespace {

bool one_value(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); });
}

std::vector<double> every_second(const std::vector<double>& values, Index n_slow, Index n_fast) {
  if (values.size() <= 1) return values;
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>((n_slow / 2 + 1) * (n_fast / 2 + 1)));
  for (Index j = 0; j < n_slow; j += 2)
    for (Index i = 0; i < n_fast; i += 2) result.push_back(values[static_cast<std::size_t>(j * n_fast + i)]);
  return result;
}

bool has_cross(const Grid& grid) {
  return std::any_of(grid.blocks.begin(), grid.blocks.end(), [](const Block& block) { return !block.c.cross.empty(); });
}

}  // namespace

Index Grid::size() const {
  return blocks.back().offset + blocks.back().size();
}

bool Grid::constant() const {
  return !has_cross(*this) &&
         std::all_of(blocks.begin(), blocks.end(), [](const Block& block) { return block.c.constant(); });
}

bool Grid::separable() const {
  return blocks.size() == 1 && constant() &&
         std::all_of(sides.begin(), sides.end(), [](const BoundarySide& side) { return one_value(side.kappa); });
}

bool Grid::all_flux() const {
  return std::all_of(sides.begin(), sides.end(), [](const BoundarySide& side) {
    return side.kind == ConditionKind::flux &&
           std::all_of(side.kappa.begin(), side.kappa.end(), [](double value) { return value == 0.0; });
  });
}

double Grid::penalty_bound() const {
  const SbpTable& table = sbp_table(order);
  return constant() ? table.penalty_bound : table.variable_penalty_bound;
}

double Grid::penalty() const {
  return tau > 0.0 ? tau : 2.0 * penalty_bound();
}

Index Grid::least_intervals() const {
  const SbpTable& table = sbp_table(order);
  if (constant()) return table.min_intervals;
  // The transposed first derivative has the widest closures: StencilRows of 2 x (width + half) rows at least.
  const Index transposed_rows = 2 * std::max(table.derivative.width, table.derivative.n_rows + order / 2) + 1;
  return has_cross(*this) ? std::max<Index>(table.min_intervals_variable, transposed_rows - 1)
                          : table.min_intervals_variable;
}

SideLayout::SideLayout(const Block& block, Side side) {
  const Index last_slow = (block.n_slow - 1) * block.n_fast, last_fast = block.n_fast - 1;
  const bool lower = side.end == End::lower;
  n = side.across_slow ? block.n_fast : block.n_slow;
  first = block.offset + (lower ? 0 : side.across_slow ? last_slow : last_fast);
  along = side.across_slow ? 1 : block.n_fast;
  inward = (side.across_slow ? block.n_fast : 1) * (lower ? 1 : -1);
  h_along = side.across_slow ? block.h_fast : block.h_slow;
  h_inward = side.across_slow ? block.h_slow : block.h_fast;
}

std::vector<double> penalty_scale(const Grid& grid, const Block& block, Side side) {
  const SbpTable& table = sbp_table(grid.order);
  const SideLayout layout(block, side);
  const std::vector<double>& normal = side.across_slow ? block.c.slow : block.c.fast;
  const double h = layout.h_inward, end_weight = table.weights.front();
  std::vector<double> scale;
  for (Index m = 0; m < layout.n; ++m) {
    const Index point = layout.first - block.offset + m * layout.along;
    // The smaller eigenvalue of C bounds both parts of the flux; without a mixed entry the normal one alone matters.
    const auto smallest = [&](Index p) {
      const double a = coefficient_at(block.c.slow, p), b = coefficient_at(block.c.fast, p);
      const double cross = coefficient_at(block.c.cross, p);
      return block.c.cross.empty() ? coefficient_at(normal, p) : 0.5 * (a + b - std::hypot(a - b, 2.0 * cross));
    };
    double least = smallest(point);
    for (int k = 1; k < table.penalty_reach; ++k) least = std::min(least, smallest(point + k * layout.inward));
    const double c = coefficient_at(normal, point), cross = coefficient_at(block.c.cross, point);
    scale.push_back(c * c / (h * least) + cross * cross / (grid.penalty_bound() * end_weight * h * smallest(point)));
  }
  return scale;
}

bool can_coarsen(const Grid& grid) {
  return n_coarsenings(grid) > 0;
}

int n_coarsenings(const Grid& grid) {
  const Index least = grid.least_intervals();
  int n = 0;
  const auto can_be_halved = [&](const Block& block) {
    const Index slow = (block.n_slow - 1) >> n, fast = (block.n_fast - 1) >> n;
    return slow % 2 == 0 && fast % 2 == 0 && slow / 2 >= least && fast / 2 >= least;
  };
  while (std::all_of(grid.blocks.begin(), grid.blocks.end(), can_be_halved)) ++n;
  return n;
}

Index coarsest_size(const Grid& grid) {
  const int n = n_coarsenings(grid);
  Index size = 0;
  for (const Block& block : grid.blocks) size += (((block.n_slow - 1) >> n) + 1) * (((block.n_fast - 1) >> n) + 1);
  return size;
}

Grid coarsened(const Grid& grid) {
  Grid coarse;  // no copy of the coefficients
  coarse.order = grid.order;
  coarse.tau = grid.tau;
  coarse.sides = grid.sides;
  coarse.interfaces = grid.interfaces;
  Index offset = 0;
  for (const Block& fine : grid.blocks) {
    const auto half = [&](const std::vector<double>& values) { return every_second(values, fine.n_slow, fine.n_fast); };
    coarse.blocks.push_back({fine.n_slow / 2 + 1,
                             fine.n_fast / 2 + 1,
                             2.0 * fine.h_slow,
                             2.0 * fine.h_fast,
                             offset,
                             {half(fine.c.slow), half(fine.c.fast), half(fine.c.cross)}});
    offset += coarse.blocks.back().size();
  }
  for (BoundarySide& side : coarse.sides)
    side.kappa = every_second(side.kappa, 1, static_cast<Index>(side.kappa.size()));
  return coarse;
}

std::vector<double> norm_weights(const Grid& grid) {
  std::vector<double> weights;
  weights.reserve(static_cast<std::size_t>(grid.size()));
  for (const Block& block : grid.blocks) {
    const std::vector<double> slow = sbp_weights(grid.order, block.n_slow, block.h_slow);
    const std::vector<double> fast = sbp_weights(grid.order, block.n_fast, block.h_fast);
    for (double a : slow)
      for (double b : fast) weights.push_back(a * b);
  }
  return weights;
}

}  // namespace gwrm::sbp
