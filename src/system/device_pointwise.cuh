// Expressions evaluated at all points of a window by kernels that are compiled for the case.
//
// A kernel makes all the outputs of one shape in one pass: it reads each of their inputs once. Its text depends on the
// expressions and on which inputs vary along which axes, not on how many points there are, so that windows, degrees and
// runs share the compiled code.
#pragma once

#include "kernels/device_pool.cuh"
//
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/matrix.hpp"
#include "kernels/run_time_compiler.cuh"

namespace gwrm::cuda {

// A tensor on the device; an extent 1 broadcasts.
struct DeviceTensor {
  const double* data = nullptr;
  Shape shape;
};

// One output: the statements for one point, the inputs they read, and the expression that is the value.
struct PointwiseOutput {
  std::string statements, value;
  std::vector<std::string> names;  // of the inputs in the statements
  std::vector<DeviceTensor> inputs;
  double* target = nullptr;
  Shape shape;
};

class DevicePointwise {
 public:
  // `functions`: text in front of the kernels.
  explicit DevicePointwise(std::string functions) : text_(std::move(functions)) {}

  // A set of outputs that are evaluated together; outputs of one shape go into one kernel. Statements of several
  // outputs may be the same text: it is written once.
  int add(const std::string& name, const std::vector<PointwiseOutput>& outputs);
  // Compiles, or finds the program among those that were compiled before.
  void compile(std::map<std::string, std::shared_ptr<const DeviceProgram>>& known);
  void run(const DeviceHandles& handles, int set) const;

 private:
  struct Kernel {
    std::string name;
    const void* function = nullptr;
    unsigned n_blocks = 1;
    std::vector<std::uint64_t> arguments;  // the struct that the text declares, word by word
  };
  Kernel make(const std::string& name, const std::vector<const PointwiseOutput*>& outputs);

  std::string text_;
  std::vector<std::vector<Kernel>> sets_;
  std::shared_ptr<const DeviceProgram> program_;
};

}  // namespace gwrm::cuda
