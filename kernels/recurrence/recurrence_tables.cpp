#include "kernels/recurrence/recurrence_tables.hpp"

#include <algorithm>

namespace gwrm::recurrence {
namespace {

constexpr std::size_t kLast = kItems - 1;  // where the weights begin: recurrence_layout.hpp

Propagator product(const Propagator& a, const Propagator& b) {
  const auto entry = [&](int row, int column) {
    return a.entry[2 * row] * b.entry[column] + a.entry[2 * row + 1] * b.entry[2 + column];
  };
  return {{entry(0, 0), entry(0, 1), entry(1, 0), entry(1, 1)}};
}

DoubleDouble backward_root(const RecurrenceOperator& op) {
  return kOne - op.backward_decay;
}

// Of `count` points.
Propagator propagator(const RecurrenceOperator& op, Index count) {
  const DoubleDoubleMatrix matrix = homogeneous_matrix(op, count);
  Propagator result;
  std::copy(matrix.begin(), matrix.end(), result.entry);
  return result;
}

}  // namespace

std::vector<Propagator> propagators(const RecurrenceOperator& op, Index count, Index n) {
  std::vector<Propagator> list{propagator(op, 0)};
  const Propagator step = propagator(op, count);
  while (static_cast<Index>(list.size()) < n) list.push_back(product(step, list.back()));
  return list;
}

std::vector<DoubleDouble> backward_powers(const RecurrenceOperator& op, Index count, Index n) {
  std::vector<DoubleDouble> list{kOne};
  const DoubleDouble step = power(backward_root(op), count);
  while (static_cast<Index>(list.size()) < n) list.push_back(step * list.back());
  return list;
}

ReactionTables reaction_tables(const RecurrenceOperator& op) {
  ReactionTables tables{};
  const std::vector<Propagator> fine = propagators(op, 1, kItems), coarse = propagators(op, kItems, kLanes + 1);
  std::copy(fine.begin(), fine.end(), tables.fine);
  std::copy(coarse.begin(), coarse.end(), tables.coarse);
  for (std::size_t m = 0; m < kItems; ++m) {
    const DoubleDouble* const steps = fine[m].entry;
    if (op.kind == RecurrenceKind::two_sided) {
      tables.last_first[kLast + m] = steps[0].high;
      tables.behind[kLast + m] = steps[3];
      tables.from_first[m] = (steps[3] * backward_root(op)).high;
    } else {  // f enters s as -1 and with it w as -F
      tables.last_first[kLast + m] = -(steps[0] * op.scale + steps[1]).high;
      tables.last_second[kLast + m] = -(steps[2] * op.scale + steps[3]).high;
    }
  }
  return tables;
}

ReactionConstants reaction_constants(const RecurrenceOperator& op) {
  ReactionConstants constants{};
  constants.scale = op.scale;
  constants.growth = op.growth.high;
  constants.forward_decay = op.forward_decay.high;
  constants.backward_decay = op.backward_decay.high;
  constants.correction = op.correction;
  for (int level = 0; level < kLevels; ++level) {
    const Propagator lanes = propagator(op, static_cast<Index>(kItems) << level);
    for (int k = 0; k < 4; ++k) constants.scan[level][k] = lanes.entry[k].high;
  }
  for (int j = 0; j < kItems; ++j) constants.forward[j] = propagator(op, j + 1).entry[0];
  return constants;
}

ReactionLayout reaction_layout(const RecurrenceOperator& op, Index n_points, Index tiles_per_warp, int n_blocks) {
  const Index run = tiles_per_warp * kTile, block = run * kWarps;
  const auto rest = [&](Index length) { return n_points - (n_points - 1) / length * length; };
  ReactionLayout layout{};
  layout.n_points = n_points;
  layout.tiles_per_warp = tiles_per_warp;
  layout.n_blocks = n_blocks;
  layout.tile = propagator(op, kTile);
  layout.run = propagator(op, run);
  layout.last_tile = propagator(op, rest(kTile));
  layout.last_run = propagator(op, rest(run));
  layout.last_block = propagator(op, rest(block));
  return layout;
}

RecurrenceState totals_of_blocks(const RecurrenceOperator& op, const ReactionLayout& layout,
                                 const std::vector<Pair>& of_blocks, const std::vector<Propagator>& blocks) {
  const std::size_t n = of_blocks.size();
  const auto steps_of = [&](std::size_t b) { return b + 1 < n ? blocks[1].entry : layout.last_block.entry; };
  RecurrenceState total;
  for (std::size_t b = 0; b < n; ++b) {
    const DoubleDouble* const steps = steps_of(b);
    const RecurrenceState before = total;
    total.first = steps[0] * before.first + steps[1] * before.second + of_blocks[b].first;
    total.second = steps[2] * before.first + steps[3] * before.second + of_blocks[b].second;
  }
  if (op.kind != RecurrenceKind::two_sided) return total;
  total.second = {};  // runs backwards
  for (std::size_t b = n; b-- > 0;) total.second = steps_of(b)[3] * total.second + of_blocks[b].second;
  return total;
}

// w = -F sum (N - i) f_i, s = -sum f_i, and the sum of all w is -F sum (N - i)(N - i - 1)/2 f_i.
RecurrenceState totals_of_moments(const RecurrenceOperator& op, Index n_points, DoubleDouble zero, DoubleDouble one,
                                  DoubleDouble square) {
  const double n = static_cast<double>(n_points);
  RecurrenceState totals{-(op.scale * (zero * n - one)), -zero, {}};
  if (op.with_sum) totals.sum = -(op.scale * ((two_product(n, n - 1.0) * zero - one * (2.0 * n - 1.0) + square) * 0.5));
  return totals;
}

}  // namespace gwrm::recurrence
