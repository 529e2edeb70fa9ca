// The rows of the operator's matrix, term by term as in grid_operator.hpp.
#include "core/thread_errors.hpp"
#include "problems/sbp_sat/grid_operator.hpp"

namespace gwrm::sbp {
namespace {

// Where the point (j, i) of a block lies seen from one of its sides.
struct Place {
  Index along, inwards;
};
Place seen_from(const Block& block, Side side, Index j, Index i) {
  const Index across = side.across_slow ? j : i, last = (side.across_slow ? block.n_slow : block.n_fast) - 1;
  return {side.across_slow ? i : j, side.end == End::lower ? across : last - across};
}

}  // namespace

void GridOperator::stiffness_row(const BlockPart& part, Index j, Index i, RowEntries& entries) const {
  const Block& block = part.block;
  const Index here = block.offset + j * block.n_fast + i;
  if (part.constant) {
    const SeparableOperator& a = *part.constant;
    Index k = 0;
    for (double value : a.slow.row(j, k))
      entries.emplace_back(block.offset + k++ * block.n_fast + i, a.fast_weights[at(i)] * value);
    for (double value : a.fast.row(i, k)) entries.emplace_back(here - i + k++, a.slow_weights[at(j)] * value);
    return;
  }
  const VariableStiffness& a = *part.variable;
  RowEntries line;
  add_variable_row(*a.table, block.n_slow, block.h_slow, j, part.slow_values() + i, block.n_fast, a.fast_weights[at(i)],
                   line);
  for (const auto& [k, value] : line) entries.emplace_back(block.offset + k * block.n_fast + i, value);
  line.clear();
  add_variable_row(*a.table, block.n_fast, block.h_fast, i, part.fast_values() + j * block.n_fast, 1,
                   a.slow_weights[at(j)], line);
  for (const auto& [k, value] : line) entries.emplace_back(here - i + k, value);
}

void GridOperator::cross_row(const BlockPart& part, Index j, Index i, RowEntries& entries) const {
  const Block& block = part.block;
  const MixedStiffness& mixed = *part.mixed;
  const auto flux_weight = [&](Index k, Index l) { return mixed.weight[at(k * block.n_fast + l)]; };
  Index k = 0;
  for (double transposed_value : mixed.slow_transposed.row(j, k)) {
    Index l = 0;
    for (double value : mixed.fast.row(i, l))
      entries.emplace_back(block.offset + k * block.n_fast + l++, transposed_value * flux_weight(k, i) * value);
    ++k;
  }
  Index l = 0;
  for (double transposed_value : mixed.fast_transposed.row(i, l)) {
    for (double value : mixed.slow.row(j, k))
      entries.emplace_back(block.offset + k++ * block.n_fast + l, transposed_value * flux_weight(j, l) * value);
    ++l;
  }
}

void GridOperator::side_row(const SidePart& part, Index j, Index i, RowEntries& entries) const {
  const SideFlux& flux = part.flux;
  const auto [m, inwards] = seen_from(blocks_[part.side.block].block, part.side.side, j, i);
  if (part.side.kind == ConditionKind::flux) {
    if (inwards == 0 && !part.side.kappa.empty())
      entries.emplace_back(flux.node(m), part.side.kappa[at(m)] * flux.weights()[at(m)]);
    return;
  }
  if (inwards >= flux.depth()) return;
  if (inwards == 0) {
    entries.emplace_back(flux.node(m), part.penalty[at(m)] * flux.weights()[at(m)]);
    flux.add_row(m, -flux.weights()[at(m)], entries);
  }
  RowEntries column;
  flux.add_column(m, inwards, 1.0, column);
  for (const auto& [other, value] : column) entries.emplace_back(flux.node(other), -flux.weights()[at(other)] * value);
}

void GridOperator::interface_row(const InterfacePart& part, bool in_lower, Index j, Index i,
                                 RowEntries& entries) const {
  const SideFlux& own = in_lower ? part.lower : part.upper;
  const Block& block = blocks_[in_lower ? part.lower_block : part.upper_block].block;
  const bool across_slow = own.layout().along == 1;
  const auto [m, inwards] = seen_from(block, {across_slow, in_lower ? End::upper : End::lower}, j, i);
  if (inwards >= own.depth()) return;
  const double sign = in_lower ? 1.0 : -1.0;  // of this block in the jump
  const auto add_jump = [&](Index other, double value) {
    entries.emplace_back(part.lower.node(other), value);
    entries.emplace_back(part.upper.node(other), -value);
  };
  if (inwards == 0) {
    const double weight = sign * own.weights()[at(m)];
    add_jump(m, weight * part.penalty[at(m)]);
    part.lower.add_row(m, -weight * part.lower_weight[at(m)], entries);
    part.upper.add_row(m, weight * part.upper_weight[at(m)], entries);
  }
  RowEntries column;
  own.add_column(m, inwards, 1.0, column);
  const std::vector<double>& flux_weight = in_lower ? part.lower_weight : part.upper_weight;
  for (const auto& [other, value] : column)
    add_jump(other, -sign * own.weights()[at(other)] * flux_weight[at(other)] * value);
}

void GridOperator::row(Index n, RowEntries& entries) const {
  std::size_t b = 0;
  while (b + 1 < blocks_.size() && n >= blocks_[b + 1].block.offset) ++b;
  const BlockPart& part = blocks_[b];
  const Index j = (n - part.block.offset) / part.block.n_fast, i = (n - part.block.offset) % part.block.n_fast;
  const int number = static_cast<int>(b);
  stiffness_row(part, j, i, entries);
  if (part.mixed) cross_row(part, j, i, entries);
  for (const SidePart& side : sides_)
    if (side.side.block == number) side_row(side, j, i, entries);
  for (const InterfacePart& edge : interfaces_) {
    if (edge.lower_block == number) interface_row(edge, true, j, i, entries);
    if (edge.upper_block == number) interface_row(edge, false, j, i, entries);
  }
}

CsrMatrix GridOperator::assemble() const {
  return assemble_csr(size_, [this](Index i, RowEntries& entries) { row(i, entries); });
}

std::vector<double> GridOperator::diagonal() const {
  std::vector<double> result(at(size_), 0.0);
  ThreadErrors errors;
#pragma omp parallel
  {
    RowEntries entries;
#pragma omp for schedule(static)
    for (Index i = 0; i < size_; ++i)
      errors.run([&] {
        entries.clear();
        row(i, entries);
        for (const auto& [column, value] : entries)
          if (column == i) result[at(i)] += value;
      });
  }
  errors.rethrow();
  return result;
}

}  // namespace gwrm::sbp
