#include "problems/sbp_sat/grid_operator.hpp"

#include <algorithm>
#include <numeric>

#include "core/errors.hpp"

namespace gwrm::sbp {
namespace {

// A constant at every point; nothing where there are values.
std::vector<double> spread(const std::vector<double>& values, const Block& block) {
  return values.size() == 1 ? std::vector<double>(at(block.size()), values.front()) : std::vector<double>();
}

SeparableOperator constant_stiffness(const Grid& grid, const Block& block) {
  return {sbp_stiffness(grid.order, block.n_slow, block.h_slow, block.c.slow.front()),
          sbp_stiffness(grid.order, block.n_fast, block.h_fast, block.c.fast.front()),
          sbp_weights(grid.order, block.n_slow, block.h_slow), sbp_weights(grid.order, block.n_fast, block.h_fast)};
}

}  // namespace

SeparableOperator separable_operator(const Grid& grid) {
  if (!grid.separable()) throw ShapeError("separable_operator: coefficients that vary, or several blocks");
  const Block& block = grid.blocks.front();
  SeparableOperator a = constant_stiffness(grid, block);
  for (const BoundarySide& side : grid.sides) {
    StencilRows& rows = side.side.across_slow ? a.slow : a.fast;
    if (side.kind == ConditionKind::dirichlet) {
      const double c = side.side.across_slow ? block.c.slow.front() : block.c.fast.front();
      const double h = side.side.across_slow ? block.h_slow : block.h_fast;
      add_dirichlet_end(rows, grid.order, h, c, grid.penalty() * c / h, side.side.end);
    } else if (!side.kappa.empty()) {
      add_to_corner(rows, side.kappa.front(), side.side.end);
    }
  }
  return a;
}

GridOperator::GridOperator(const Grid& grid) : size_(grid.size()), weights_(norm_weights(grid)) {
  for (const Block& block : grid.blocks) blocks_.push_back(make_block(grid, block));
  for (const BoundarySide& side : grid.sides) {
    std::vector<double> penalty = penalty_scale(grid, grid.blocks[side.block], side.side);
    for (double& value : penalty) value *= grid.penalty();
    sides_.push_back({side, SideFlux(grid, side.block, side.side), std::move(penalty)});
  }
  for (const Interface& edge : grid.interfaces) {
    const Side lower{edge.across_slow, End::upper}, upper{edge.across_slow, End::lower};
    const std::vector<double> t_lower = penalty_scale(grid, grid.blocks[edge.lower], lower);
    const std::vector<double> t_upper = penalty_scale(grid, grid.blocks[edge.upper], upper);
    InterfacePart part{edge.lower, edge.upper, SideFlux(grid, edge.lower, lower), SideFlux(grid, edge.upper, upper), {},
                       {},         {}};
    if (t_lower.size() != t_upper.size()) throw ShapeError("blocks whose sides do not match point by point");
    for (std::size_t m = 0; m < t_lower.size(); ++m) {
      const double sum = t_lower[m] + t_upper[m];
      part.penalty.push_back(grid.penalty() * t_lower[m] * t_upper[m] / sum);
      part.lower_weight.push_back(t_upper[m] / sum);
      part.upper_weight.push_back(t_lower[m] / sum);
    }
    interfaces_.push_back(std::move(part));
  }
}

GridOperator::BlockPart GridOperator::make_block(const Grid& grid, const Block& block) const {
  BlockPart part;
  part.block = block;
  if (grid.constant()) {
    part.constant = constant_stiffness(grid, block);
    return part;
  }
  part.variable.emplace(grid.order, block.n_slow, block.n_fast, block.h_slow, block.h_fast);
  part.slow = spread(block.c.slow, block);
  part.fast = spread(block.c.fast, block);
  if (block.c.cross.empty()) return part;
  std::vector<double> weight(at(block.size()));
  for (Index k = 0; k < block.size(); ++k)
    weight[at(k)] = weights_[at(block.offset + k)] * coefficient_at(block.c.cross, k);
  part.mixed.emplace(grid.order, block.n_slow, block.n_fast, block.h_slow, block.h_fast, std::move(weight));
  return part;
}

void GridOperator::apply_to_differences(const double* u, double* q) const {
  std::vector<double> v(at(size_));
  for (const BlockPart& part : blocks_) {
    const double* const first = u + part.block.offset;
    const double mean = std::accumulate(first, first + part.block.size(), 0.0) / static_cast<double>(part.block.size());
    for (Index k = 0; k < part.block.size(); ++k) v[at(part.block.offset + k)] = first[k] - mean;
  }
  apply(u, v.data(), q);
}

void GridOperator::apply(const double* u, const double* v, double* q) const {
  for (const BlockPart& part : blocks_) {
    const double* block_u = v + part.block.offset;
    double* block_q = q + part.block.offset;
    if (part.constant)
      cpu::separable_apply(*part.constant, block_u, block_q);
    else
      cpu::variable_stiffness_apply(*part.variable, part.slow_values(), part.fast_values(), block_u, block_q);
    if (part.mixed) cpu::add_mixed_stiffness(*part.mixed, block_u, block_q);
  }
  for (const SidePart& part : sides_) add_side(part, u, v, q);
  for (const InterfacePart& part : interfaces_) add_interface(part, u, v, q);
}

void GridOperator::add_side(const SidePart& part, const double* u, const double* v, double* q) const {
  const SideFlux& flux = part.flux;
  const Index n = flux.layout().n;
  if (part.side.kind == ConditionKind::flux) {
    if (part.side.kappa.empty()) return;
    for (Index m = 0; m < n; ++m) q[flux.node(m)] += part.side.kappa[at(m)] * flux.weights()[at(m)] * u[flux.node(m)];
    return;
  }
  std::vector<double> outflow(at(n)), values(at(n));
  flux.apply(v, outflow.data());
  for (Index m = 0; m < n; ++m) {
    const double weight = flux.weights()[at(m)], value = u[flux.node(m)];
    q[flux.node(m)] += weight * (part.penalty[at(m)] * value - outflow[at(m)]);
    values[at(m)] = -weight * value;
  }
  flux.add_transposed(values.data(), q);
}

void GridOperator::add_interface(const InterfacePart& part, const double* u, const double* v, double* q) const {
  const Index n = part.lower.layout().n;
  std::vector<double> lower(at(n)), upper(at(n));
  part.lower.apply(v, lower.data());
  part.upper.apply(v, upper.data());
  for (Index m = 0; m < n; ++m) {
    const double weight = part.lower.weights()[at(m)];
    const double jump = u[part.lower.node(m)] - u[part.upper.node(m)];
    const double flux = part.lower_weight[at(m)] * lower[at(m)] - part.upper_weight[at(m)] * upper[at(m)];
    const double through = weight * (part.penalty[at(m)] * jump - flux);
    q[part.lower.node(m)] += through;
    q[part.upper.node(m)] -= through;
    lower[at(m)] = -weight * part.lower_weight[at(m)] * jump;
    upper[at(m)] = weight * part.upper_weight[at(m)] * jump;
  }
  part.lower.add_transposed(lower.data(), q);
  part.upper.add_transposed(upper.data(), q);
}

std::vector<double> GridOperator::right_hand_side(const std::vector<double>& source,
                                                  const std::vector<std::vector<double>>& data) const {
  if (source.size() != at(size_) || data.size() != sides_.size())
    throw ShapeError("right_hand_side: a source or data that do not fit the grid");
  std::vector<double> b(source.size());
  for (std::size_t k = 0; k < b.size(); ++k) b[k] = weights_[k] * source[k];
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    const SidePart& part = sides_[s];
    const bool dirichlet = part.side.kind == ConditionKind::dirichlet;
    std::vector<double> values(at(part.flux.layout().n));
    if (data[s].size() != values.size()) throw ShapeError("right_hand_side: data that do not fit their side");
    for (Index m = 0; m < part.flux.layout().n; ++m) {
      const double weighted = part.flux.weights()[at(m)] * data[s][at(m)];
      b[at(part.flux.node(m))] += dirichlet ? part.penalty[at(m)] * weighted : weighted;
      values[at(m)] = -weighted;
    }
    if (dirichlet) part.flux.add_transposed(values.data(), b.data());
  }
  return b;
}

std::unique_ptr<SymmetricOperator> matrix_free_operator(const Grid& grid) {
  if (grid.separable()) return std::make_unique<SeparableGridOperator>(grid);
  return std::make_unique<GridOperator>(grid);
}

}  // namespace gwrm::sbp
