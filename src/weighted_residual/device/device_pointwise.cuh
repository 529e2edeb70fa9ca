// Expressions evaluated at all points of a window by kernels that are compiled for the case, or, where no compiler is
// there, interpreted (kernels/device/point_interpreter.cuh).
//
// A kernel makes all the outputs of one shape in one pass: it reads each of their inputs once. Its text depends on the
// expressions and on which inputs vary along which axes, not on how many points there are, so that windows, degrees and
// runs share the compiled code.
#pragma once

#include "kernels/device/device_pool.cuh"
//
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/array.hpp"
#include "expression/point_steps.hpp"
#include "kernels/device/point_interpreter.cuh"
#include "kernels/device/run_time_compiler.cuh"

namespace gwrm::cuda {

// A tensor on the device; an extent 1 broadcasts.
struct DeviceTensor {
  const double* data = nullptr;
  Shape shape;
};

// One output: the operations for one point, the inputs they read, and the slot of the value. A slot means the same
// value in all outputs of a set.
struct PointwiseOutput {
  struct Input {
    int slot = -1;
    DeviceTensor tensor;
  };
  std::vector<expression::PointStep> steps;
  std::vector<Input> inputs;
  int value = -1;
  double* target = nullptr;
  Shape shape;
};

class DevicePointwise {
 public:
  // A set of outputs that are evaluated together; outputs of one shape go into one kernel. Steps that several outputs
  // have are done once.
  int add(const std::string& name, const std::vector<PointwiseOutput>& outputs);
  // Compiles, or finds the program among those that were compiled before. interpreted: the sets are to be interpreted.
  void compile(const DeviceHandles& handles, std::map<std::string, std::shared_ptr<const DeviceProgram>>& known,
               bool interpreted);
  void run(const DeviceHandles& handles, int set) const;

 private:
  // The outputs of one shape.
  struct Kernel {
    std::string name;
    Shape shape;
    std::vector<PointwiseOutput::Input> inputs;  // of all outputs, each slot once
    std::vector<expression::PointStep> steps;    // likewise
    std::vector<std::pair<int, double*>> outputs;
    // Compiled: its code and the struct that the text declares, word by word.
    const void* function = nullptr;
    unsigned n_blocks = 1;
    std::vector<std::uint64_t> arguments;
    // Interpreted.
    std::unique_ptr<PointProgram> program;
  };
  static Kernel gather(const std::string& name, const std::vector<const PointwiseOutput*>& outputs);
  static std::string write(Kernel& kernel);
  static std::unique_ptr<PointProgram> translate(const DeviceHandles& handles, const Kernel& kernel);

  std::vector<std::vector<Kernel>> sets_;
  std::shared_ptr<const DeviceProgram> program_;
};

}  // namespace gwrm::cuda
