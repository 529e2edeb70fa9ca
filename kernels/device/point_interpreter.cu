#include "kernels/device/point_interpreter.cuh"

#include <algorithm>
#include <map>

#include "core/errors.hpp"

namespace gwrm::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr std::size_t kMaxBlocks = 132 * 8;  // of an H200, resident at once

struct DeviceInput {
  const double* data;
  std::size_t strides[kPointAxes];
};

struct Extents {
  unsigned n[kPointAxes];
  int count;
};

__device__ double whole_power(double base, int exponent) {
  double result = 1.0;
  for (unsigned bits = exponent < 0 ? -exponent : exponent; bits != 0; bits >>= 1) {
    if (bits & 1u) result *= base;
    base *= base;
  }
  return exponent < 0 ? 1.0 / result : result;
}

__device__ double evaluate(PointOp op, double a, double b, double value) {
  switch (op) {
    case PointOp::number:
      return value;
    case PointOp::whole_power:
      return whole_power(a, static_cast<int>(value));
    case PointOp::negate:
      return -a;
    case PointOp::add:
      return a + b;
    case PointOp::subtract:
      return a - b;
    case PointOp::multiply:
      return a * b;
    case PointOp::divide:
      return a / b;
    case PointOp::power:
      return pow(a, b);
    case PointOp::minimum:
      return a < b || isnan(a) ? a : b;
    case PointOp::maximum:
      return a > b || isnan(a) ? a : b;
    case PointOp::atan2:
      return atan2(a, b);
    case PointOp::abs:
      return fabs(a);
    case PointOp::sign:
      return a > 0 ? 1.0 : a < 0 ? -1.0 : a;
    case PointOp::step:
      return a > 0 ? 1.0 : a < 0 ? 0.0 : a + 0.5;
    case PointOp::sqrt:
      return sqrt(a);
    case PointOp::exp:
      return exp(a);
    case PointOp::log:
      return log(a);
    case PointOp::erf:
      return erf(a);
    case PointOp::sin:
      return sin(a);
    case PointOp::cos:
      return cos(a);
    case PointOp::tan:
      return tan(a);
    case PointOp::asin:
      return asin(a);
    case PointOp::acos:
      return acos(a);
    case PointOp::atan:
      return atan(a);
    case PointOp::sinh:
      return sinh(a);
    case PointOp::cosh:
      return cosh(a);
    case PointOp::tanh:
      return tanh(a);
    case PointOp::load:
    case PointOp::store:
      break;
  }
  return 0.0;
}

// All threads are at the same instruction.
__global__ void __launch_bounds__(kThreads)
    interpret_kernel(const PointInstruction* __restrict__ program, int n_instructions,
                     const DeviceInput* __restrict__ inputs, double* const* __restrict__ outputs, const Extents extents,
                     std::size_t n) {
  double registers[kPointRegisters];
  for (std::size_t p = blockIdx.x * std::size_t{kThreads} + threadIdx.x; p < n;
       p += gridDim.x * std::size_t{kThreads}) {
    unsigned index[kPointAxes];
    std::size_t rest = p;
    for (int axis = extents.count; axis-- > 0;) {
      index[axis] = static_cast<unsigned>(rest % extents.n[axis]);
      rest /= extents.n[axis];
    }
    for (int i = 0; i < n_instructions; ++i) {
      const PointInstruction now = program[i];
      if (now.op == PointOp::load) {
        const DeviceInput& input = inputs[now.first];
        std::size_t place = 0;
        for (int axis = 0; axis < extents.count; ++axis) place += index[axis] * input.strides[axis];
        registers[now.target] = input.data[place];
      } else if (now.op == PointOp::store) {
        outputs[now.target][p] = registers[now.first];
      } else {
        const double a = now.first < 0 ? 0.0 : registers[now.first], b = now.second < 0 ? 0.0 : registers[now.second];
        registers[now.target] = evaluate(now.op, a, b, now.value);
      }
    }
  }
}

template <typename T>
T* send(const DeviceHandles& handles, DeviceBuffer& buffer, const std::vector<T>& values) {
  T* const target = buffer.reserve<T>(std::max<std::size_t>(1, values.size()));
  handles.upload(target, values.data(), values.size());
  // `values` may go: copies from pageable memory have left it when the call returns.
  return target;
}

}  // namespace

int allocate_registers(std::vector<PointInstruction>& program) {
  const auto reads = [](const PointInstruction& instruction) {
    return instruction.op == PointOp::load ? std::vector<int>()
                                           : std::vector<int>{instruction.first, instruction.second};
  };
  std::map<int, std::size_t> last_use;
  for (std::size_t i = 0; i < program.size(); ++i)
    for (int value : reads(program[i]))
      if (value >= 0) last_use[value] = i;
  std::map<int, int> place;  // of the values alive
  std::vector<int> free;
  int n_registers = 0;
  for (std::size_t i = 0; i < program.size(); ++i) {
    PointInstruction& now = program[i];
    const std::vector<int> values = reads(now);
    if (!values.empty()) {
      if (now.first >= 0) now.first = place.at(values[0]);
      if (now.second >= 0) now.second = place.at(values[1]);
    }
    for (int value : values)
      if (const auto alive = place.find(value); alive != place.end() && last_use.at(value) == i) {
        free.push_back(alive->second);
        place.erase(alive);
      }
    if (now.op == PointOp::store) continue;
    if (free.empty()) free.push_back(n_registers++);
    const int value = now.target;
    now.target = free.back();
    if (last_use.count(value) == 0) continue;  // nobody asks for it: the register stays free
    free.pop_back();
    place[value] = now.target;
  }
  return n_registers;
}

PointProgram::PointProgram(const DeviceHandles& handles, const Shape& extents, const std::vector<Input>& inputs,
                           const std::vector<double*>& outputs, std::vector<PointInstruction> program)
    : n_points_(static_cast<std::size_t>(element_count(extents))),
      extents_(extents.begin(), extents.end()),
      n_instructions_(static_cast<int>(program.size())) {
  if (extents.size() > static_cast<std::size_t>(kPointAxes)) throw MemoryError("the interpreter has room for 8 axes");
  if (const int n_registers = allocate_registers(program); n_registers > kPointRegisters)
    throw MemoryError("the equations need " + std::to_string(n_registers) + " values at a time, the interpreter has " +
                      std::to_string(kPointRegisters));
  std::vector<DeviceInput> sent;
  for (const Input& input : inputs) {
    DeviceInput& on_device = sent.emplace_back();
    on_device.data = input.data;
    std::fill(std::begin(on_device.strides), std::end(on_device.strides), 0);
    std::copy(input.strides.begin(), input.strides.end(), on_device.strides);
  }
  send(handles, instructions_, program);
  send(handles, inputs_, sent);
  send(handles, outputs_, outputs);
}

void PointProgram::run(const DeviceHandles& handles) const {
  if (n_points_ == 0) return;
  Extents extents{};
  extents.count = static_cast<int>(extents_.size());
  std::copy(extents_.begin(), extents_.end(), extents.n);
  const auto n_blocks = static_cast<unsigned>(std::min((n_points_ + kThreads - 1) / kThreads, kMaxBlocks));
  interpret_kernel<<<n_blocks, kThreads, 0, handles.stream>>>(instructions_.as<PointInstruction>(), n_instructions_,
                                                              inputs_.as<DeviceInput>(), outputs_.as<double*>(),
                                                              extents, n_points_);
  GWRM_LAUNCHED(interpret_kernel);
}

}  // namespace gwrm::cuda
