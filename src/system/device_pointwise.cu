#include "system/device_pointwise.cuh"

#include <algorithm>
#include <set>

#include "core/errors.hpp"

namespace gwrm::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr std::size_t kMostBlocks = 132 * 32;
constexpr std::size_t kMostWords = 4000;  // of a kernel's arguments, 32764 bytes

std::string number(std::size_t value) {
  return std::to_string(value);
}

// Strides of a tensor within one of larger extents, 0 along an axis that broadcasts.
std::vector<std::uint64_t> strides_in(const Shape& shape) {
  std::vector<std::uint64_t> strides(shape.size(), 0);
  std::uint64_t stride = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    if (shape[axis] > 1) strides[axis] = stride;
    stride *= static_cast<std::uint64_t>(shape[axis]);
  }
  return strides;
}

}  // namespace

int DevicePointwise::add(const std::string& name, const std::vector<PointwiseOutput>& outputs) {
  std::map<Shape, std::vector<const PointwiseOutput*>> by_shape;
  for (const PointwiseOutput& output : outputs) by_shape[output.shape].push_back(&output);
  sets_.emplace_back();
  for (const auto& [shape, group] : by_shape)
    sets_.back().push_back(make(name + "_" + number(sets_.back().size()), group));
  return static_cast<int>(sets_.size()) - 1;
}

DevicePointwise::Kernel DevicePointwise::make(const std::string& name,
                                              const std::vector<const PointwiseOutput*>& outputs) {
  const Shape& shape = outputs.front()->shape;
  const std::size_t n_axes = shape.size(), n = static_cast<std::size_t>(element_count(shape));
  if (n >= std::uint64_t{1} << 32) throw MemoryError("a tensor on the device has 2^32 points or more");
  // Inputs by name: a name means the same tensor in all outputs of a set.
  std::vector<std::string> names;
  std::vector<DeviceTensor> inputs;
  for (const PointwiseOutput* output : outputs)
    for (std::size_t i = 0; i < output->names.size(); ++i)
      if (std::find(names.begin(), names.end(), output->names[i]) == names.end()) {
        names.push_back(output->names[i]);
        inputs.push_back(output->inputs[i]);
      }

  Kernel kernel;
  kernel.name = name;
  kernel.n_blocks = static_cast<unsigned>(std::clamp<std::size_t>((n + kThreads - 1) / kThreads, 1, kMostBlocks));
  std::vector<std::uint64_t>& words = kernel.arguments;
  words.push_back(n);
  for (Index extent : shape) words.push_back(static_cast<std::uint64_t>(extent));
  std::string loads;
  std::vector<bool> wanted(n_axes, false);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    words.push_back(reinterpret_cast<std::uint64_t>(inputs[i].data));
    const std::vector<std::uint64_t> strides = strides_in(inputs[i].shape);
    words.insert(words.end(), strides.begin(), strides.end());
    std::string index;
    if (inputs[i].shape == shape) {
      index = "p";
    } else {
      for (std::size_t axis = 0; axis < n_axes; ++axis)
        if (inputs[i].shape[axis] > 1) {
          wanted[axis] = true;
          index += (index.empty() ? "" : " + ") + ("i" + number(axis)) + " * (unsigned)a.in[" + number(i) +
                   "].strides[" + number(axis) + "]";
        }
      if (index.empty()) index = "0";
    }
    loads += "const double " + names[i] + " = a.in[" + number(i) + "].data[" + index + "];\n";
  }
  for (const PointwiseOutput* output : outputs) words.push_back(reinterpret_cast<std::uint64_t>(output->target));
  if (words.size() > kMostWords) throw DeviceError("the equations have more terms than a kernel has room for");

  const std::string axes = number(std::max<std::size_t>(1, n_axes)), type = name + "_arguments";
  text_ += "struct " + type + " { unsigned long long n, extents[" + axes + "]; struct { const double* data; " +
           "unsigned long long strides[" + axes + "]; } in[" + number(std::max<std::size_t>(1, inputs.size())) +
           "]; double* out[" + number(outputs.size()) + "]; };\n";
  text_ += "extern \"C\" __global__ void __launch_bounds__(" + number(kThreads) + ") " + name +
           "(const __grid_constant__ " + type + " a) {\n" +
           "for (unsigned long long p = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; p < a.n; " +
           "p += gridDim.x * (unsigned long long)blockDim.x) {\n";
  if (std::find(wanted.begin(), wanted.end(), true) != wanted.end()) {
    text_ += "unsigned rest = (unsigned)p;\n";
    for (std::size_t axis = n_axes; axis-- > 0;) {
      if (wanted[axis])
        text_ += "const unsigned i" + number(axis) + " = rest % (unsigned)a.extents[" + number(axis) + "];\n";
      text_ += "rest /= (unsigned)a.extents[" + number(axis) + "];\n";
    }
  }
  text_ += loads;
  std::set<std::string> written;
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    // Line by line: outputs share subexpressions.
    const std::string& statements = outputs[o]->statements;
    for (std::size_t begin = 0; begin < statements.size();) {
      const std::size_t end = std::min(statements.find('\n', begin), statements.size() - 1) + 1;
      const std::string line = statements.substr(begin, end - begin);
      if (written.insert(line).second) text_ += line;
      begin = end;
    }
    text_ += "a.out[" + number(o) + "][p] = " + outputs[o]->value + ";\n";
  }
  text_ += "}\n}\n";
  // An array of no inputs is declared with one element.
  if (inputs.empty()) words.insert(words.begin() + static_cast<std::ptrdiff_t>(1 + n_axes), 1 + n_axes, 0);
  return kernel;
}

void DevicePointwise::compile(std::map<std::string, std::shared_ptr<const DeviceProgram>>& known) {
  std::shared_ptr<const DeviceProgram>& program = known[text_];
  if (program == nullptr) program = std::make_shared<DeviceProgram>(text_, "the equations");
  program_ = program;
  for (std::vector<Kernel>& set : sets_)
    for (Kernel& kernel : set) kernel.function = program_->kernel(kernel.name);
}

void DevicePointwise::run(const DeviceHandles& handles, int set) const {
  for (const Kernel& kernel : sets_[static_cast<std::size_t>(set)]) {
    void* arguments[] = {const_cast<std::uint64_t*>(kernel.arguments.data())};
    GWRM_DEVICE(cudaLaunchKernel(kernel.function, dim3(kernel.n_blocks), dim3(kThreads), arguments, 0, handles.stream));
  }
}

}  // namespace gwrm::cuda
