#include "output/point_instructions.cuh"

namespace gwrm::cuda {
namespace {

using expression::Function;
using expression::Op;
using expression::PointStep;

PointOp operation_of(const PointStep& step) {
  switch (step.op) {
    case Op::number:
      return PointOp::number;
    case Op::negate:
      return PointOp::negate;
    case Op::add:
      return PointOp::add;
    case Op::subtract:
      return PointOp::subtract;
    case Op::multiply:
      return PointOp::multiply;
    case Op::divide:
      return PointOp::divide;
    case Op::power:
      return step.second < 0 ? PointOp::whole_power : PointOp::power;
    default:
      break;
  }
  static const std::map<Function, PointOp> functions = {
      {Function::sin, PointOp::sin},     {Function::cos, PointOp::cos},   {Function::tan, PointOp::tan},
      {Function::asin, PointOp::asin},   {Function::acos, PointOp::acos}, {Function::atan, PointOp::atan},
      {Function::sinh, PointOp::sinh},   {Function::cosh, PointOp::cosh}, {Function::tanh, PointOp::tanh},
      {Function::exp, PointOp::exp},     {Function::log, PointOp::log},   {Function::sqrt, PointOp::sqrt},
      {Function::abs, PointOp::abs},     {Function::erf, PointOp::erf},   {Function::min, PointOp::minimum},
      {Function::max, PointOp::maximum}, {Function::sign, PointOp::sign}, {Function::step, PointOp::step},
      {Function::atan2, PointOp::atan2}};
  return functions.at(step.function);
}

}  // namespace

std::vector<PointInstruction> point_instructions(std::span<const PointStep> steps, std::map<int, int> input_of,
                                                 std::span<const int> outputs) {
  std::vector<PointInstruction> program;
  const auto read = [&](int slot) {
    const auto input = input_of.find(slot);
    if (input == input_of.end()) return;
    program.push_back({PointOp::load, slot, input->second, -1, 0.0});
    input_of.erase(input);
  };
  for (const PointStep& step : steps) {
    read(step.first);
    read(step.second);
    program.push_back({operation_of(step), step.slot, step.first, step.second, step.value});
  }
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    read(outputs[o]);
    program.push_back({PointOp::store, static_cast<int>(o), outputs[o], -1, 0.0});
  }
  return program;
}

}  // namespace gwrm::cuda
