// A tape as operations on one point.
#include <algorithm>

#include "core/errors.hpp"
#include "expression/tape.hpp"

namespace gwrm::expression {

bool Tape::has_integral() const {
  return std::any_of(instructions_.begin(), instructions_.end(),
                     [](const Instruction& instruction) { return instruction.op == Op::integral; });
}

// The operations behind the value of a slot; integrals are leaves.
Tape::Steps Tape::steps_to(int slot_of_value) const {
  const std::size_t n_leaves = leaves_.size();
  const auto is_integral = [&](std::size_t slot) {
    return slot >= n_leaves && instructions_[slot - n_leaves].op == Op::integral;
  };
  std::vector<bool> needed(n_leaves + instructions_.size(), false);
  Steps result;
  result.value = slot_of_value;
  needed[static_cast<std::size_t>(result.value)] = true;
  for (std::size_t slot = needed.size(); slot-- > n_leaves;)
    if (needed[slot] && !is_integral(slot))
      for (int argument : arguments_of(instructions_[slot - n_leaves]))
        needed[static_cast<std::size_t>(argument)] = true;
  for (std::size_t slot = 0; slot < needed.size(); ++slot) {
    if (!needed[slot]) continue;
    if (slot < n_leaves) {
      result.leaves.push_back(static_cast<int>(slot));
      continue;
    }
    if (is_integral(slot)) {
      result.integrals.push_back(static_cast<int>(slot));
      continue;
    }
    const Instruction& instruction = instructions_[slot - n_leaves];
    if (instruction.op == Op::data)
      throw Error(ExitStatus::internal_error, "Tape: a value of data is no operation on one point");
    result.steps.push_back({instruction.op, instruction.function, instruction.value, instruction.first,
                            instruction.second, static_cast<int>(slot)});
  }
  return result;
}

Tape::Steps Tape::steps_around_integrals(int output) const {
  return steps_to(outputs_[static_cast<std::size_t>(output)]);
}

Tape::Steps Tape::steps(int output) const {
  Steps result = steps_around_integrals(output);
  if (!result.integrals.empty())
    throw Error(ExitStatus::internal_error, "Tape: an integral is no operation on one point");
  return result;
}

std::vector<Tape::Integral> Tape::integrals() const {
  std::vector<Integral> result;
  for (std::size_t i = 0; i < instructions_.size(); ++i)
    if (instructions_[i].op == Op::integral)
      result.push_back({instructions_[i].axis, static_cast<int>(leaves_.size() + i), steps_to(instructions_[i].first)});
  return result;
}

}  // namespace gwrm::expression
