// Pointwise programs that the device interprets: what serves where there is no compiler at run time
// (run_time_compiler.hpp).
//
// A program reads tensors, which broadcast where their stride is 0, and writes tensors of full extents; at every point
// it runs its instructions one after the other on registers. Values agree with expression/scalar_functions.hpp to the
// accuracy of the device's functions. Determinism: the same bits on every run.
// Cost      some ten times that of compiled code: each instruction is fetched, and the registers lie in memory.
//
// Device only: on the CPU a tape (src/expression/tape.hpp) goes through its operations once and does each for a whole
// tensor; here every point goes through all of them, so that what lies between them need not go to memory.
#pragma once

#include <vector>

#include "core/device_handles.cuh"
//
#include "core/array.hpp"

namespace gwrm::cuda {

enum class PointOp : int {
  load,         // target = input `first`
  store,        // output `target` = first
  number,       // target = value
  whole_power,  // target = first ^ value, a whole number
  negate,
  add,
  subtract,
  multiply,
  divide,
  power,
  minimum,
  maximum,
  atan2,
  abs,
  sign,
  step,
  sqrt,
  exp,
  log,
  erf,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh
};

struct PointInstruction {
  PointOp op = PointOp::number;
  int target = -1;
  int first = -1, second = -1;  // registers; -1: none
  double value = 0.0;
};

inline constexpr int kPointRegisters = 64;
inline constexpr int kPointAxes = 8;

// Gives the values of a program, each of which is written once, to as few registers as they need; returns how many.
int allocate_registers(std::vector<PointInstruction>& program);

class PointProgram {
 public:
  struct Input {
    const double* data = nullptr;
    std::vector<std::size_t> strides;  // per axis
  };
  // extents: of the outputs, at most kPointAxes. Targets are numbers of values, each written once. MemoryError if it
  // needs more than kPointRegisters at a time.
  PointProgram(const DeviceHandles& handles, const Shape& extents, const std::vector<Input>& inputs,
               const std::vector<double*>& outputs, std::vector<PointInstruction> program);
  void run(const DeviceHandles& handles) const;

 private:
  std::size_t n_points_ = 0;
  std::vector<unsigned> extents_;
  int n_instructions_ = 0;
  DeviceBuffer instructions_, inputs_, outputs_;
};

}  // namespace gwrm::cuda
