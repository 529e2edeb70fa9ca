#include "weighted_residual/device/device_pointwise.cuh"

#include <algorithm>
#include <set>

#include "core/errors.hpp"
#include "output/point_instructions.cuh"

namespace gwrm::cuda {
namespace {

using expression::PointStep;
using expression::slot_name;

constexpr unsigned kThreads = 256;
constexpr std::size_t kMaxBlocks = 132 * 32;
constexpr std::size_t kMaxWords = 4000;  // of a kernel's arguments, 32764 bytes

// What the statements call, with the values of expression/scalar_functions.hpp.
constexpr const char* kFunctions = R"code(
static __device__ double gwrm_minimum(double a, double b) { return a < b || a != a ? a : b; }
static __device__ double gwrm_maximum(double a, double b) { return a > b || a != a ? a : b; }
static __device__ double gwrm_sign(double z) { return z > 0 ? 1.0 : z < 0 ? -1.0 : z; }
static __device__ double gwrm_step(double z) { return z > 0 ? 1.0 : z < 0 ? 0.0 : z + 0.5; }
static __device__ double gwrm_power(double base, int exponent) {
  double result = 1.0;
  for (unsigned bits = exponent < 0 ? -exponent : exponent; bits != 0; bits >>= 1) {
    if (bits & 1u) result *= base;
    base *= base;
  }
  return exponent < 0 ? 1.0 / result : result;
}
)code";

std::string number(std::size_t value) {
  return std::to_string(value);
}

// Strides of a tensor within one of larger extents, 0 along an axis that broadcasts.
std::vector<std::size_t> strides_in(const Shape& shape) {
  std::vector<std::size_t> strides(shape.size(), 0);
  std::size_t stride = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    if (shape[axis] > 1) strides[axis] = stride;
    stride *= static_cast<std::size_t>(shape[axis]);
  }
  return strides;
}

}  // namespace

int DevicePointwise::add(const std::string& name, const std::vector<PointwiseOutput>& outputs) {
  std::map<Shape, std::vector<const PointwiseOutput*>> by_shape;
  for (const PointwiseOutput& output : outputs) by_shape[output.shape].push_back(&output);
  sets_.emplace_back();
  for (const auto& [shape, group] : by_shape)
    sets_.back().push_back(gather(name + "_" + number(sets_.back().size()), group));
  return static_cast<int>(sets_.size()) - 1;
}

DevicePointwise::Kernel DevicePointwise::gather(const std::string& name,
                                                const std::vector<const PointwiseOutput*>& outputs) {
  Kernel kernel;
  kernel.name = name;
  kernel.shape = outputs.front()->shape;
  std::set<int> known;
  for (const PointwiseOutput* output : outputs) {
    for (const PointwiseOutput::Input& input : output->inputs)
      if (known.insert(input.slot).second) kernel.inputs.push_back(input);
    for (const PointStep& step : output->steps)
      if (known.insert(step.slot).second) kernel.steps.push_back(step);
    kernel.outputs.emplace_back(output->value, output->target);
  }
  return kernel;
}

// The text of a kernel; its arguments are set on the way.
std::string DevicePointwise::write(Kernel& kernel) {
  const Shape& shape = kernel.shape;
  const std::size_t n_axes = shape.size(), n = static_cast<std::size_t>(element_count(shape));
  if (n >= std::uint64_t{1} << 32) throw MemoryError("a tensor on the device has 2^32 points or more");
  kernel.n_blocks = static_cast<unsigned>(std::clamp<std::size_t>((n + kThreads - 1) / kThreads, 1, kMaxBlocks));
  std::vector<std::uint64_t>& words = kernel.arguments;
  words.push_back(n);
  for (Index extent : shape) words.push_back(static_cast<std::uint64_t>(extent));
  std::string body;
  std::vector<bool> wanted(n_axes, false);
  for (std::size_t i = 0; i < kernel.inputs.size(); ++i) {
    const DeviceTensor& tensor = kernel.inputs[i].tensor;
    words.push_back(reinterpret_cast<std::uint64_t>(tensor.data));
    const std::vector<std::size_t> strides = strides_in(tensor.shape);
    words.insert(words.end(), strides.begin(), strides.end());
    std::string index;
    if (tensor.shape == shape) {
      index = "p";
    } else {
      for (std::size_t axis = 0; axis < n_axes; ++axis)
        if (tensor.shape[axis] > 1) {
          wanted[axis] = true;
          index += (index.empty() ? "" : " + ") + ("i" + number(axis)) + " * (unsigned)a.in[" + number(i) +
                   "].strides[" + number(axis) + "]";
        }
      if (index.empty()) index = "0";
    }
    body += "const double " + slot_name(kernel.inputs[i].slot) + " = a.in[" + number(i) + "].data[" + index + "];\n";
  }
  // An array of no inputs is declared with one element.
  if (kernel.inputs.empty()) words.insert(words.end(), 1 + n_axes, 0);
  for (const PointStep& step : kernel.steps) body += expression::statement(step);
  for (std::size_t o = 0; o < kernel.outputs.size(); ++o) {
    words.push_back(reinterpret_cast<std::uint64_t>(kernel.outputs[o].second));
    body += "a.out[" + number(o) + "][p] = " + slot_name(kernel.outputs[o].first) + ";\n";
  }
  if (words.size() > kMaxWords) throw DeviceError("the equations have more terms than a kernel has room for");

  const std::string axes = number(std::max<std::size_t>(1, n_axes)), type = kernel.name + "_arguments";
  std::string text = "struct " + type + " { unsigned long long n, extents[" + axes +
                     "]; struct { const double* data; unsigned long long strides[" + axes + "]; } in[" +
                     number(std::max<std::size_t>(1, kernel.inputs.size())) + "]; double* out[" +
                     number(kernel.outputs.size()) + "]; };\n";
  text += "extern \"C\" __global__ void __launch_bounds__(" + number(kThreads) + ") " + kernel.name +
          "(const __grid_constant__ " + type + " a) {\n" +
          "for (unsigned long long p = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; p < a.n; " +
          "p += gridDim.x * (unsigned long long)blockDim.x) {\n";
  if (std::find(wanted.begin(), wanted.end(), true) != wanted.end()) {
    text += "unsigned rest = (unsigned)p;\n";
    for (std::size_t axis = n_axes; axis-- > 0;) {
      if (wanted[axis])
        text += "const unsigned i" + number(axis) + " = rest % (unsigned)a.extents[" + number(axis) + "];\n";
      text += "rest /= (unsigned)a.extents[" + number(axis) + "];\n";
    }
  }
  return text + body + "}\n}\n";
}

std::unique_ptr<PointProgram> DevicePointwise::translate(const DeviceHandles& handles, const Kernel& kernel) {
  std::vector<PointProgram::Input> inputs;
  std::map<int, int> input_of;
  for (const PointwiseOutput::Input& input : kernel.inputs) {
    input_of[input.slot] = static_cast<int>(inputs.size());
    inputs.push_back({input.tensor.data, strides_in(input.tensor.shape)});
  }
  std::vector<int> slots;
  std::vector<double*> outputs;
  for (const auto& [slot, target] : kernel.outputs) {
    slots.push_back(slot);
    outputs.push_back(target);
  }
  return std::make_unique<PointProgram>(handles, kernel.shape, inputs, outputs,
                                        point_instructions(kernel.steps, std::move(input_of), slots));
}

void DevicePointwise::compile(const DeviceHandles& handles,
                              std::map<std::string, std::shared_ptr<const DeviceProgram>>& known, bool interpreted) {
  if (interpreted) {
    for (std::vector<Kernel>& set : sets_)
      for (Kernel& kernel : set) kernel.program = translate(handles, kernel);
    return;
  }
  std::string text = kFunctions;
  for (std::vector<Kernel>& set : sets_)
    for (Kernel& kernel : set) text += write(kernel);
  std::shared_ptr<const DeviceProgram>& program = known[text];
  if (program == nullptr) program = std::make_shared<DeviceProgram>(text, "the equations");
  program_ = program;
  for (std::vector<Kernel>& set : sets_)
    for (Kernel& kernel : set) kernel.function = program_->kernel(kernel.name);
}

void DevicePointwise::run(const DeviceHandles& handles, int set) const {
  for (const Kernel& kernel : sets_[static_cast<std::size_t>(set)]) {
    if (kernel.program != nullptr) {
      kernel.program->run(handles);
      continue;
    }
    void* arguments[] = {const_cast<std::uint64_t*>(kernel.arguments.data())};
    GWRM_DEVICE(cudaLaunchKernel(kernel.function, dim3(kernel.n_blocks), dim3(kThreads), arguments, 0, handles.stream));
  }
}

}  // namespace gwrm::cuda
