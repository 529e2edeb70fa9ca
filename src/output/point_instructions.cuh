// The operations of a tape at one point (expression/point_steps.hpp) as a program that the device interprets
// (kernels/device/point_interpreter.cuh).
#pragma once

#include "kernels/device/point_interpreter.cuh"
//
#include <map>
#include <span>
#include <vector>

#include "expression/point_steps.hpp"

namespace gwrm::cuda {

// `input_of`: the number of the input that a slot is loaded from, which happens where it is first wanted: fewer
// registers. Output o is what is in slot outputs[o].
std::vector<PointInstruction> point_instructions(std::span<const expression::PointStep> steps,
                                                 std::map<int, int> input_of, std::span<const int> outputs);

}  // namespace gwrm::cuda
