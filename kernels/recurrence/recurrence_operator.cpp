// The constants and tables of the block recurrences, in double-double.
#include "kernels/recurrence/block_recurrence.hpp"

namespace gwrm {
namespace {

DoubleDoubleMatrix product(const DoubleDoubleMatrix& a, const DoubleDoubleMatrix& b) {
  return {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
}

// (w, s) -> (w + F s', s') with s' = s + g w.
DoubleDoubleMatrix shooting_step(DoubleDouble scale, DoubleDouble growth) {
  return {kOne + scale * growth, scale, growth, kOne};
}

DoubleDoubleMatrix matrix_power(DoubleDoubleMatrix base, Index exponent) {
  DoubleDoubleMatrix result{kOne, DoubleDouble{}, DoubleDouble{}, kOne};
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) result = product(base, result);
    base = product(base, base);
  }
  return result;
}

// 1 - r^0, 1 - r^1, ... as double-doubles, so that r near 1 keeps its digits.
std::vector<DoubleDouble> losses(DoubleDouble decay) {
  std::vector<DoubleDouble> list{DoubleDouble{}};
  while (list.size() <= at(kRecurrenceBlock)) list.push_back(list.back() + decay * (kOne - list.back()));
  return list;
}

DecayTable decay_table(const std::vector<DoubleDouble>& losses_of_powers) {
  DecayTable table;
  for (const DoubleDouble& loss : losses_of_powers) {
    const bool small = loss.high < 0.5;
    table.loss.push_back(loss.high);
    table.kept.push_back(small ? 1.0 : (kOne - loss).high);
    table.lost.push_back(small ? loss.high : 0.0);
  }
  return table;
}

}  // namespace

RecurrenceOperator poisson_recurrence(DoubleDouble scale, double correction) {
  RecurrenceOperator op;
  op.kind = RecurrenceKind::poisson;
  op.scale = scale;
  op.correction = correction;
  for (std::size_t j = 0; j < at(kRecurrenceBlock); ++j) {
    const double behind = static_cast<double>(at(kRecurrenceBlock) - j);  // steps from f_j to the end of the block
    op.first_weights.push_back(behind);
    op.second_weights.push_back(1.0);
    op.sum_weights.push_back(behind * (behind - 1.0) / 2.0);
  }
  return op;
}

RecurrenceOperator shooting_recurrence(DoubleDouble scale, DoubleDouble growth, double correction) {
  RecurrenceOperator op;
  op.kind = RecurrenceKind::shooting;
  op.scale = scale;
  op.growth = growth;
  op.correction = correction;
  const DoubleDoubleMatrix step = shooting_step(scale, growth);
  op.block_step = matrix_power(step, kRecurrenceBlock);
  op.chunk_step = matrix_power(step, kRecurrenceChunk);
  // f enters s' as -1 and with it w' as -F; each step behind it applies the matrix once more.
  DoubleDouble first = -scale, second{-1.0, 0.0};
  op.first_weights.resize(at(kRecurrenceBlock));
  op.second_weights.resize(at(kRecurrenceBlock));
  for (std::size_t j = at(kRecurrenceBlock); j-- > 0;) {
    op.first_weights[j] = first.high;
    op.second_weights[j] = second.high;
    const DoubleDouble next = step[0] * first + step[1] * second;
    second = step[2] * first + step[3] * second;
    first = next;
  }
  return op;
}

RecurrenceOperator two_sided_recurrence(DoubleDouble gain, DoubleDouble forward_decay, DoubleDouble backward_decay,
                                        double correction) {
  RecurrenceOperator op;
  op.kind = RecurrenceKind::two_sided;
  op.scale = gain;
  op.forward_decay = forward_decay;
  op.backward_decay = backward_decay;
  op.correction = correction;
  op.forward_block = power(kOne - forward_decay, kRecurrenceBlock);
  op.forward_chunk = power(kOne - forward_decay, kRecurrenceChunk);
  op.backward_block = power(kOne - backward_decay, kRecurrenceBlock);
  op.backward_chunk = power(kOne - backward_decay, kRecurrenceChunk);
  const std::vector<DoubleDouble> forward = losses(forward_decay), backward = losses(backward_decay);
  op.forward = decay_table(forward);
  op.backward = decay_table(backward);
  for (std::size_t j = 0; j < at(kRecurrenceBlock); ++j) {
    op.first_weights.push_back((kOne - forward[at(kRecurrenceBlock) - 1 - j]).high);
    op.second_weights.push_back((kOne - backward[j + 1]).high);
  }
  return op;
}

std::size_t recurrence_workspace_size(Index n_points) {
  return static_cast<std::size_t>((n_points + kRecurrenceChunk - 1) / kRecurrenceChunk);
}

RecurrenceState homogeneous_steps(const RecurrenceOperator& op, const RecurrenceState& state, Index count) {
  RecurrenceState result = state;
  const double m = static_cast<double>(count);
  switch (op.kind) {
    case RecurrenceKind::poisson:
      // count (count - 1) / 2 may need more than 53 bits
      if (op.with_sum)
        result.sum = state.sum + state.first * m + op.scale * (state.second * (two_product(m, m - 1.0) * 0.5));
      result.first = state.first + op.scale * (state.second * m);
      return result;
    case RecurrenceKind::shooting: {
      const DoubleDoubleMatrix steps = count == kRecurrenceBlock   ? op.block_step
                                       : count == kRecurrenceChunk ? op.chunk_step
                                                                   : homogeneous_matrix(op, count);
      result.first = steps[0] * state.first + steps[1] * state.second;
      result.second = steps[2] * state.first + steps[3] * state.second;
      return result;
    }
    case RecurrenceKind::two_sided:
      break;
  }
  const bool block = count == kRecurrenceBlock, chunk = count == kRecurrenceChunk;
  result.first = state.first * (block   ? op.forward_block
                                : chunk ? op.forward_chunk
                                        : power(kOne - op.forward_decay, count));
  result.second = state.second * (block   ? op.backward_block
                                  : chunk ? op.backward_chunk
                                          : power(kOne - op.backward_decay, count));
  return result;
}

DoubleDoubleMatrix homogeneous_matrix(const RecurrenceOperator& op, Index count) {
  if (op.kind == RecurrenceKind::two_sided)
    return {power(kOne - op.forward_decay, count), DoubleDouble{}, DoubleDouble{},
            power(kOne - op.backward_decay, count)};
  return matrix_power(shooting_step(op.scale, op.growth), count);
}

RecurrenceState totals_of_one(const RecurrenceOperator& op, Index n_points) {
  const DoubleDouble n{static_cast<double>(n_points), 0.0}, two{2.0, 0.0}, three{3.0, 0.0};
  const DoubleDouble pairs = n * (n + kOne) / two;
  return {-(op.scale * pairs), -n, -(op.scale * (pairs * (n - kOne) / three))};
}

}  // namespace gwrm
