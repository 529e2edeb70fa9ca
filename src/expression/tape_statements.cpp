// A tape as operations on one point.
#include <algorithm>

#include "core/errors.hpp"
#include "expression/tape.hpp"

namespace gwrm::expression {

bool Tape::has_integral() const {
  return std::any_of(instructions_.begin(), instructions_.end(),
                     [](const Instruction& instruction) { return instruction.op == Op::integral; });
}

Tape::Steps Tape::steps(int output) const {
  const std::size_t n_leaves = leaves_.size();
  std::vector<bool> needed(n_leaves + instructions_.size(), false);
  Steps result;
  result.value = outputs_[static_cast<std::size_t>(output)];
  needed[static_cast<std::size_t>(result.value)] = true;
  for (std::size_t slot = needed.size(); slot-- > n_leaves;)
    if (needed[slot])
      for (int argument : {instructions_[slot - n_leaves].first, instructions_[slot - n_leaves].second})
        if (argument >= 0) needed[static_cast<std::size_t>(argument)] = true;
  for (std::size_t slot = 0; slot < needed.size(); ++slot) {
    if (!needed[slot]) continue;
    if (slot < n_leaves) {
      result.leaves.push_back(static_cast<int>(slot));
      continue;
    }
    const Instruction& instruction = instructions_[slot - n_leaves];
    if (instruction.op == Op::integral)
      throw Error(ExitStatus::internal_error, "Tape: an integral is no operation on one point");
    result.steps.push_back({instruction.op, instruction.function, instruction.value, instruction.first,
                            instruction.second, static_cast<int>(slot)});
  }
  return result;
}

}  // namespace gwrm::expression
