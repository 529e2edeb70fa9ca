#include "expression/point_steps.hpp"

#include <fmt/format.h>

#include "core/errors.hpp"

namespace gwrm::expression {
namespace {

std::string formula(const PointStep& step) {
  if (step.op == Op::number) return fmt::format("{:a}", step.value);
  const std::string a = slot_name(step.first), b = slot_name(step.second);
  switch (step.op) {
    case Op::negate:
      return "-" + a;
    case Op::add:
      return a + " + " + b;
    case Op::subtract:
      return a + " - " + b;
    case Op::multiply:
      return a + " * " + b;
    case Op::divide:
      return a + " / " + b;
    case Op::power:
      return step.second < 0 ? fmt::format("gwrm_power({}, {})", a, static_cast<int>(step.value))
                             : fmt::format("pow({}, {})", a, b);
    case Op::call:
      break;
    default:
      throw Error(ExitStatus::internal_error, "PointStep: an integral is no statement about one point");
  }
  switch (step.function) {
    case Function::abs:
      return fmt::format("fabs({})", a);
    case Function::sign:
      return fmt::format("gwrm_sign({})", a);
    case Function::step:
      return fmt::format("gwrm_step({})", a);
    case Function::min:
      return fmt::format("gwrm_minimum({}, {})", a, b);
    case Function::max:
      return fmt::format("gwrm_maximum({}, {})", a, b);
    case Function::atan2:
      return fmt::format("atan2({}, {})", a, b);
    default:
      return fmt::format("{}({})", function_name(step.function), a);
  }
}

}  // namespace

std::string slot_name(int slot) {
  return fmt::format("s{}", slot);
}

std::string statement(const PointStep& step) {
  return fmt::format("const double {} = {};\n", slot_name(step.slot), formula(step));
}

}  // namespace gwrm::expression
