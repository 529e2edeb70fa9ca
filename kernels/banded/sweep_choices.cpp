#include "kernels/banded/sweep_choices.hpp"

#include <string>

namespace gwrm {
namespace {

KernelChoice choice(LaneRows lanes, DownAndUpShape shape) {
  const auto text = [](int value) { return std::to_string(value); };
  return {
      "#define GWRM_BOTH_SIDES __device__\n"
      "#include \"kernels/banded/substitution_steps.cuh\"\n"
      "using namespace gwrm::banded;\n"
      "extern \"C\" __global__ void __launch_bounds__(" +
          text(32 * shape.warps) + ", " + text(shape.blocks) +
          ")\n"
          "kernel(BatchOfRows<double> batch, SweepTables<double> down, SweepTables<double> up) {\n"
          "  extern __shared__ double shared[];\n"
          "  sweep_down_and_up<" +
          text(lanes.rows) + ", " + text(shape.systems) + ", " + text(shape.warps) + ", " + text(lanes.team) +
          ">(batch, down, up, shared);\n"
          "}\n",
      32 * shape.warps, shape.systems_of_block(lanes), down_and_up_bytes(lanes, 1, shape)};
}

}  // namespace

std::vector<KernelChoice> down_and_up_choices(Index n) {
  std::vector<KernelChoice> result;
  for (const LaneRows& lanes : kDownAndUpOfOneDouble) {
    if (n > lanes.count()) continue;
    for (int systems : {untried_systems(1), 1, 4})
      result.push_back(choice(lanes, down_and_up_shape(lanes, 1, systems)));
    break;
  }
  return result;
}

}  // namespace gwrm
