#include <algorithm>
#include <array>
#include <string>

#include "core/errors.hpp"
#include "core/thread_errors.hpp"
#include "core/vector_clones.hpp"
#include "kernels/recurrence/block_recurrence.hpp"
#include "kernels/recurrence/recurrence_lanes.hpp"

namespace gwrm {
namespace {

using lanes::kLanes;
using lanes::Lanes;

// --- one block in plain double: the only loops over points ---
// `m` is at most kRecurrenceBlock.

struct BlockSums {
  double first = 0.0, second = 0.0, sum = 0.0;
};

// A scalar product in eight partial sums, whatever the compiler would make of a plain loop: the rounding error of one
// sum over a block is several times as large.
class DotProduct {
 public:
  GWRM_INLINED void add(const double* a, const double* f) {
    low_ += lanes::load(a) * lanes::load(f);
    high_ += lanes::load(a + kLanes) * lanes::load(f + kLanes);
  }
  GWRM_INLINED void add_one(double a, double f) { rest_ += a * f; }
  GWRM_INLINED double value() const {
    const Lanes sum = low_ + high_;
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + rest_;
  }

 private:
  Lanes low_{}, high_{};
  double rest_ = 0.0;
};

GWRM_VECTOR_CLONES BlockSums two_dot_products(const double* f, const double* a, const double* b, Index m) {
  DotProduct first, second;
  Index j = 0;
  for (; j + 2 * kLanes <= m; j += 2 * kLanes) {
    first.add(a + j, f + j);
    second.add(b + j, f + j);
  }
  for (; j < m; ++j) {
    first.add_one(a[j], f[j]);
    second.add_one(b[j], f[j]);
  }
  return {first.value(), second.value(), 0.0};
}

GWRM_VECTOR_CLONES BlockSums three_dot_products(const double* f, const double* a, const double* b, const double* c,
                                                Index m) {
  DotProduct first, second, sum;
  Index j = 0;
  for (; j + 2 * kLanes <= m; j += 2 * kLanes) {
    first.add(a + j, f + j);
    second.add(b + j, f + j);
    sum.add(c + j, f + j);
  }
  for (; j < m; ++j) {
    first.add_one(a[j], f[j]);
    second.add_one(b[j], f[j]);
    sum.add_one(c[j], f[j]);
  }
  return {first.value(), second.value(), sum.value()};
}

// u_j = w + F d_j - c f_j with d_0 = 0, s_{j+1} = s_j - f_j, d_{j+1} = d_j + s_{j+1}.
GWRM_VECTOR_CLONES void fill_poisson_block(const double* f, Index m, DoubleDouble w, double s, double scale,
                                           double correction, double* u) {
  const Lanes steps{0.0, 1.0, 2.0, 3.0};
  double d = 0.0;
  Index j = 0;
  for (; j + kLanes <= m; j += kLanes) {
    const Lanes values = lanes::load(f + j);
    const Lanes slopes = lanes::prefix_sums(values);                        // s - s_{j+1}
    const Lanes drops = lanes::prefix_sums(lanes::shifted_by_one(slopes));  // of d without them
    const Lanes deviation = d + steps * s - drops;
    lanes::store(u + j, w.high + ((w.low + scale * deviation) - correction * values));
    d += 4.0 * s - (drops[3] + slopes[3]);
    s -= slopes[3];
  }
  for (; j < m; ++j) {
    const double value = f[j];
    u[j] = w.high + ((w.low + scale * d) - correction * value);
    s -= value;
    d += s;
  }
}

void fill_shooting_block(const double* f, Index m, DoubleDouble w, DoubleDouble slope, double scale, double growth,
                         double correction, double* u) {
  double d = 0.0, s = slope.high;
  for (Index j = 0; j < m; ++j) {
    const double value = f[j], deviation = w.low + scale * d;
    u[j] = w.high + (deviation - correction * value);
    s += growth * (w.high + deviation) - value;
    d += s;
  }
}

// y_j = r y_{j-1} + f_j from y_{-1} = 0. loss[k] = 1 - r^k; m <= kRecurrenceBlock.
GWRM_INLINED void decaying_sums(const double* f, Index m, const double* loss, double* y) {
  const Lanes losses = lanes::load(loss + 1);
  double carry = 0.0;
  Index j = 0;
  for (; j + kLanes <= m; j += kLanes) {
    const Lanes own = lanes::decaying_sums(lanes::load(f + j), loss[1], loss[2]);
    const Lanes values = own + (carry - carry * losses);
    lanes::store(y + j, values);
    carry = values[3];
  }
  for (; j < m; ++j) y[j] = carry = (carry - carry * loss[1]) + f[j];
}

// y_j = sum over i > j of r^(i-j) f_i, i < m.
GWRM_INLINED void decaying_sums_backward(const double* f, Index m, const double* loss, double* y) {
  const Lanes losses = lanes::reversed(lanes::load(loss + 1));
  double carry = 0.0;  // y_j + f_j at the j behind
  Index j = m;
  for (; j >= kLanes; j -= kLanes) {
    const Lanes values = lanes::load(f + j - kLanes);
    const Lanes own = lanes::reversed(lanes::decaying_sums(lanes::reversed(values), loss[1], loss[2]));
    const Lanes all = own + (carry - carry * losses);
    lanes::store(y + j - kLanes, all - values);
    carry = all[0];
  }
  for (; j-- > 0;) {
    y[j] = carry - carry * loss[1];
    carry = y[j] + f[j];
  }
}

// u_j = G (P_j + Q_j) - c f_j: the carries' shares and, beside them, the block's own.
GWRM_VECTOR_CLONES void fill_two_sided_block(const double* f, Index m, DoubleDouble p, DoubleDouble q,
                                             const RecurrenceOperator& op, double* u) {
  std::array<double, kRecurrenceBlock> from_left, from_right, right_kept, right_lost;
  decaying_sums(f, m, op.forward.loss.data(), from_left.data());
  decaying_sums_backward(f, m, op.backward.loss.data(), from_right.data());
  std::reverse_copy(op.backward.kept.begin(), op.backward.kept.begin() + m, right_kept.begin());
  std::reverse_copy(op.backward.lost.begin(), op.backward.lost.begin() + m, right_lost.begin());
  const double *const left_kept = op.forward.kept.data() + 1, *const left_lost = op.forward.lost.data() + 1;
  const double gain = op.scale.high, gain_low = op.scale.low, correction = op.correction;
  for (Index j = 0; j < m; ++j) {
    const std::size_t k = static_cast<std::size_t>(j);
    const DoubleDouble carried = two_sum(p.high * left_kept[j], q.high * right_kept[k]);
    const double low =
        (p.low * left_kept[j] - p.high * left_lost[j]) + (q.low * right_kept[k] - q.high * right_lost[k]);
    const DoubleDouble w = two_sum(carried.high, carried.low + (low + (from_left[k] + from_right[k])));
    u[j] = gain * w.high + ((gain * w.low + gain_low * w.high) - correction * f[j]);
  }
}

// --- one chunk: blocks in plain double, carries between them in double-double ---

Index block_length(Index first, Index m) {
  return std::min(kRecurrenceBlock, m - first);
}

RecurrenceState operator+(const RecurrenceState& a, const RecurrenceState& b) {
  return {a.first + b.first, a.second + b.second, a.sum + b.sum};
}

// What m <= kRecurrenceBlock points of right-hand side f make of the state 0.
GWRM_INLINED RecurrenceState block_totals(const RecurrenceOperator& op, const double* f, Index m) {
  const Index skipped = kRecurrenceBlock - m;  // a shorter block takes the last weights
  const double* const first = op.first_weights.data() + skipped;
  if (op.kind == RecurrenceKind::poisson) {
    const double* const second = op.second_weights.data() + skipped;
    const BlockSums sums = op.with_sum ? three_dot_products(f, first, second, op.sum_weights.data() + skipped, m)
                                       : two_dot_products(f, first, second, m);
    return {-(op.scale * sums.first), {-sums.second, 0.0}, -(op.scale * sums.sum)};
  }
  const bool backward = op.kind == RecurrenceKind::two_sided;
  const BlockSums sums = two_dot_products(f, first, op.second_weights.data() + (backward ? 0 : skipped), m);
  return {{sums.first, 0.0}, {sums.second, 0.0}, {}};
}

// The state behind `count` points whose own totals are known. Of two_sided the first member only. The commonest case is
// written out, to be compiled for each instruction set with the chunk it stands in.
GWRM_INLINED RecurrenceState behind(const RecurrenceOperator& op, const RecurrenceState& before,
                                    const RecurrenceState& totals, Index count) {
  if (op.kind == RecurrenceKind::poisson && !op.with_sum)
    return {before.first + op.scale * (before.second * static_cast<double>(count)) + totals.first,
            before.second + totals.second,
            {}};
  return homogeneous_steps(op, before, count) + totals;
}

// Q before `count` points from Q behind them.
GWRM_INLINED DoubleDouble before(const RecurrenceOperator& op, DoubleDouble q_behind, DoubleDouble totals,
                                 Index count) {
  return homogeneous_steps(op, {{}, q_behind, {}}, count).second + totals;
}

// The totals of consecutive pieces, each of `length` points but the last, become the states before them (two_sided: P
// before and Q behind them). Returns what `start` has become at the end.
GWRM_INLINED RecurrenceState run_along(const RecurrenceOperator& op, std::span<RecurrenceState> pieces, Index length,
                                       Index n_points, const RecurrenceState& start) {
  const auto count = [&](std::size_t i) { return std::min(length, n_points - static_cast<Index>(i) * length); };
  RecurrenceState state = start;
  DoubleDouble q = start.second;
  const bool backward = op.kind == RecurrenceKind::two_sided;
  if (backward) {
    for (std::size_t i = pieces.size(); i-- > 0;) {
      const DoubleDouble own = pieces[i].second;
      pieces[i].second = q;
      q = before(op, q, own, count(i));
    }
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    RecurrenceState next = behind(op, state, pieces[i], count(i));
    const DoubleDouble q_behind = pieces[i].second;
    pieces[i] = state;
    if (backward) pieces[i].second = q_behind;
    state = next;
  }
  if (backward) state.second = q;
  return state;
}

constexpr std::size_t kBlocksPerChunk = static_cast<std::size_t>(kRecurrenceChunk / kRecurrenceBlock);

GWRM_INLINED std::size_t chunk_block_totals(const RecurrenceOperator& op, const double* f, Index m,
                                            std::array<RecurrenceState, kBlocksPerChunk>& blocks) {
  std::size_t n_blocks = 0;
  for (Index first = 0; first < m; first += kRecurrenceBlock)
    blocks[n_blocks++] = block_totals(op, f + first, block_length(first, m));
  return n_blocks;
}

GWRM_VECTOR_CLONES RecurrenceState chunk_totals(const RecurrenceOperator& op, const double* f, Index m) {
  std::array<RecurrenceState, kBlocksPerChunk> blocks;
  const std::size_t n_blocks = chunk_block_totals(op, f, m, blocks);
  return run_along(op, std::span(blocks).first(n_blocks), kRecurrenceBlock, m, {});
}

void fill_block(const RecurrenceOperator& op, const double* f, Index m, const RecurrenceState& state, double* u) {
  const double scale = op.scale.high, correction = op.correction;
  switch (op.kind) {
    case RecurrenceKind::poisson:
      return fill_poisson_block(f, m, state.first, state.second.high, scale, correction, u);
    case RecurrenceKind::shooting:
      return fill_shooting_block(f, m, state.first, state.second, scale, op.growth.high, correction, u);
    case RecurrenceKind::two_sided:
      return fill_two_sided_block(f, m, state.first, state.second, op, u);
  }
}

GWRM_VECTOR_CLONES void fill_chunk(const RecurrenceOperator& op, const double* f, Index m, const RecurrenceState& start,
                                   double* u) {
  std::array<RecurrenceState, kBlocksPerChunk> blocks;
  const std::size_t n_blocks = chunk_block_totals(op, f, m, blocks);
  run_along(op, std::span(blocks).first(n_blocks), kRecurrenceBlock, m, start);
  for (std::size_t b = 0; b < n_blocks; ++b) {
    const Index first = static_cast<Index>(b) * kRecurrenceBlock;
    fill_block(op, f + first, block_length(first, m), blocks[b], u + first);
  }
}

void fill_chunk(const RecurrenceOperator& op, const double* f, Index m, const RecurrenceState& start, float* u) {
  std::array<double, kRecurrenceChunk> rounded;
  fill_chunk(op, f, m, start, rounded.data());
  std::copy_n(rounded.begin(), m, u);
}

// --- all chunks, shared among the threads ---

template <class Work>
void for_each_chunk(const Context& context, Index n_points, Work work) {
  const Index n_chunks = static_cast<Index>(recurrence_workspace_size(n_points));
  ThreadErrors errors;
#pragma omp parallel for schedule(static) num_threads(context.n_threads()) if (n_chunks > 1)
  for (Index c = 0; c < n_chunks; ++c)
    errors.run([&] {
      const Index first = c * kRecurrenceChunk;
      work(static_cast<std::size_t>(c), first, std::min(kRecurrenceChunk, n_points - first));
    });
  errors.rethrow();
}

void check_sizes(Index n_points, std::span<RecurrenceState> workspace) {
  if (n_points < 1) throw ShapeError("block recurrence: " + std::to_string(n_points) + " points");
  if (workspace.size() != recurrence_workspace_size(n_points))
    throw ShapeError("block recurrence: the workspace has " + std::to_string(workspace.size()) + " states, " +
                     std::to_string(recurrence_workspace_size(n_points)) + " are needed");
}

template <class Value>
void fill(const Context& context, const RecurrenceOperator& op, const RecurrenceSource& f, const RecurrenceState& start,
          Index n_points, std::span<RecurrenceState> workspace, Value* u) {
  check_sizes(n_points, workspace);
  run_along(op, workspace, kRecurrenceChunk, n_points, start);
  for_each_chunk(context, n_points, [&](std::size_t c, Index first, Index m) {
    std::array<double, kRecurrenceChunk> buffer;
    fill_chunk(op, f.fetch(first, m, buffer.data()), m, workspace[c], u + first);
  });
}

}  // namespace

RecurrenceState states_at_pieces(const RecurrenceOperator& op, std::span<RecurrenceState> pieces, Index length,
                                 Index n_points, const RecurrenceState& start) {
  return run_along(op, pieces, length, n_points, start);
}

RecurrenceState recurrence_totals(const Context& context, const RecurrenceOperator& op, const RecurrenceSource& f,
                                  Index n_points, std::span<RecurrenceState> workspace) {
  check_sizes(n_points, workspace);
  for_each_chunk(context, n_points, [&](std::size_t c, Index first, Index m) {
    std::array<double, kRecurrenceChunk> buffer;
    workspace[c] = chunk_totals(op, f.fetch(first, m, buffer.data()), m);
  });
  RecurrenceState total;
  for (std::size_t c = 0; c < workspace.size(); ++c)
    total = behind(op, total, workspace[c],
                   std::min(kRecurrenceChunk, n_points - static_cast<Index>(c) * kRecurrenceChunk));
  if (op.kind != RecurrenceKind::two_sided) return total;
  total.second = {};
  for (std::size_t c = workspace.size(); c-- > 0;)
    total.second = before(op, total.second, workspace[c].second,
                          std::min(kRecurrenceChunk, n_points - static_cast<Index>(c) * kRecurrenceChunk));
  return total;
}

void recurrence_fill(const Context& context, const RecurrenceOperator& op, const RecurrenceSource& f,
                     const RecurrenceState& start, Index n_points, std::span<RecurrenceState> workspace, double* u) {
  fill(context, op, f, start, n_points, workspace, u);
}

void recurrence_fill(const Context& context, const RecurrenceOperator& op, const RecurrenceSource& f,
                     const RecurrenceState& start, Index n_points, std::span<RecurrenceState> workspace, float* u) {
  fill(context, op, f, start, n_points, workspace, u);
}

}  // namespace gwrm
