// A tape as statements of C++.
#include <fmt/format.h>

#include <algorithm>

#include "core/errors.hpp"
#include "expression/tape.hpp"

namespace gwrm::expression {

bool Tape::has_integral() const {
  return std::any_of(instructions_.begin(), instructions_.end(),
                     [](const Instruction& instruction) { return instruction.op == Op::integral; });
}

Tape::Statements Tape::statements(std::span<const int> outputs) const {
  const std::size_t n_leaves = leaves_.size();
  std::vector<bool> needed(n_leaves + instructions_.size(), false);
  for (int output : outputs) needed[static_cast<std::size_t>(outputs_[static_cast<std::size_t>(output)])] = true;
  for (std::size_t slot = needed.size(); slot-- > n_leaves;)
    if (needed[slot])
      for (int argument : {instructions_[slot - n_leaves].first, instructions_[slot - n_leaves].second})
        if (argument >= 0) needed[static_cast<std::size_t>(argument)] = true;

  const auto name = [&](int slot) {
    const auto index = static_cast<std::size_t>(slot);
    if (index < n_leaves) return fmt::format("leaf{}", slot);
    const Instruction& instruction = instructions_[index - n_leaves];
    return instruction.op == Op::number ? fmt::format("({:a})", instruction.value) : fmt::format("s{}", slot);
  };
  const auto formula = [&](const Instruction& instruction) {
    const std::string a = name(instruction.first);
    switch (instruction.op) {
      case Op::negate:
        return "-" + a;
      case Op::add:
        return a + " + " + name(instruction.second);
      case Op::subtract:
        return a + " - " + name(instruction.second);
      case Op::multiply:
        return a + " * " + name(instruction.second);
      case Op::divide:
        return a + " / " + name(instruction.second);
      case Op::power:
        return instruction.second < 0 ? fmt::format("gwrm_power({}, {})", a, static_cast<int>(instruction.value))
                                      : fmt::format("pow({}, {})", a, name(instruction.second));
      case Op::call:
        break;
      default:
        throw Error(ExitStatus::internal_error, "Tape: an integral is no statement about one point");
    }
    switch (instruction.function) {
      case Function::abs:
        return fmt::format("fabs({})", a);
      case Function::sign:
        return fmt::format("gwrm_sign({})", a);
      case Function::step:
        return fmt::format("gwrm_step({})", a);
      case Function::min:
        return fmt::format("gwrm_minimum({}, {})", a, name(instruction.second));
      case Function::max:
        return fmt::format("gwrm_maximum({}, {})", a, name(instruction.second));
      default:
        return fmt::format("{}({})", function_name(instruction.function), a);
    }
  };

  Statements result;
  for (std::size_t slot = 0; slot < needed.size(); ++slot) {
    if (!needed[slot]) continue;
    if (slot < n_leaves) {
      result.leaves.push_back(static_cast<int>(slot));
    } else if (const Instruction& instruction = instructions_[slot - n_leaves]; instruction.op != Op::number) {
      result.text += fmt::format("const double s{} = {};\n", slot, formula(instruction));
    }
  }
  for (int output : outputs) result.values.push_back(name(outputs_[static_cast<std::size_t>(output)]));
  return result;
}

}  // namespace gwrm::expression
