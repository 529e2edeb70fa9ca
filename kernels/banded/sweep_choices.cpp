#include "kernels/banded/sweep_choices.hpp"

#include <string>

namespace gwrm {
namespace {

// What two families differ in: header, tables, function, shapes of blocks, systems beside each other (untried first).
struct Family {
  const char *header, *tables, *function;
  std::array<int, 3> systems;
  DownAndUpShape (*shape)(LaneRows, int, int);
  int (*bytes)(LaneRows, int, DownAndUpShape);
};
constexpr Family kFirstOrder{"substitution_steps.cuh", "SweepTables",    "sweep_down_and_up", {2, 1, 4},
                             down_and_up_shape,        down_and_up_bytes};
constexpr Family kSecondOrder{"second_order_steps.cuh", "SecondOrderTables", "second_order_down_and_up", {1, 2, 4},
                              second_order_shape,       second_order_bytes};

KernelChoice choice(const Family& family, LaneRows lanes, DownAndUpShape shape) {
  const auto text = [](int value) { return std::to_string(value); };
  const std::string tables = std::string(family.tables) + "<double>";
  return {
      "#define GWRM_BOTH_SIDES __device__\n"
      "#include \"kernels/banded/" +
          std::string(family.header) +
          "\"\n"
          "using namespace gwrm::banded;\n"
          "extern \"C\" __global__ void __launch_bounds__(" +
          text(32 * shape.warps) + ", " + text(shape.blocks) +
          ")\n"
          "kernel(BatchOfRows<double> batch, " +
          tables + " down, " + tables +
          " up) {\n"
          "  extern __shared__ __align__(16) double shared[];\n"
          "  " +
          family.function + "<" + text(lanes.rows) + ", " + text(shape.systems) + ", " + text(shape.warps) + ", " +
          text(lanes.team) +
          ">(batch, down, up, shared);\n"
          "}\n",
      32 * shape.warps, shape.systems_of_block(lanes), family.bytes(lanes, 1, shape)};
}

template <std::size_t kCount>
std::vector<KernelChoice> choices(const Family& family, const std::array<LaneRows, kCount>& all, Index n) {
  std::vector<KernelChoice> result;
  for (const LaneRows& lanes : all) {
    if (n > lanes.count()) continue;
    for (int systems : family.systems) result.push_back(choice(family, lanes, family.shape(lanes, 1, systems)));
    break;
  }
  return result;
}

}  // namespace

std::vector<KernelChoice> down_and_up_choices(Index n) {
  return choices(kFirstOrder, kDownAndUpOfOneDouble, n);
}
std::vector<KernelChoice> second_order_choices(Index n) {
  return choices(kSecondOrder, kSecondOrderOfOneDouble, n);
}

}  // namespace gwrm
