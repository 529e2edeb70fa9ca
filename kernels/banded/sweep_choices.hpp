// How sweeps down and up (kernels/banded/substitution_steps.cuh; with two couplings
// kernels/banded/second_order_steps.cuh) lie in the lanes of a device, and the choices that a
// trial has between kernels that give the same bits (kernels/device/tuned_kernel.hpp).
//
// Rows of a lane and warps of a system decide the order of operations: they depend on n and the number of doubles of a
// number alone. More than 16 doubles of a lane leave too few warps to keep the memory busy, so that longer systems take
// more warps, as far as lanes have rows. Systems beside each other, which share coefficients, and the blocks that a
// multiprocessor is to hold, which bounds registers, change no bits.
#pragma once

#include <array>
#include <vector>

#include "core/array.hpp"
#include "kernels/device/tuned_kernel.hpp"

namespace gwrm {

struct LaneRows {
  int rows, team;  // of a lane; warps of a system
  constexpr Index count() const { return Index{32} * rows * team; }
};
inline constexpr std::array<LaneRows, 8> kDownAndUpOfOneDouble{
    {{1, 1}, {2, 1}, {4, 1}, {8, 1}, {16, 1}, {8, 4}, {8, 8}, {16, 8}}};
inline constexpr std::array<LaneRows, 6> kDownAndUpOfTwoDoubles{{{1, 1}, {4, 1}, {8, 1}, {8, 2}, {8, 4}, {8, 8}}};
inline constexpr std::array<LaneRows, 7> kSecondOrderOfOneDouble{
    {{1, 1}, {2, 1}, {4, 1}, {8, 1}, {16, 1}, {16, 2}, {16, 4}}};
inline constexpr std::array<LaneRows, 5> kSecondOrderOfTwoDoubles{{{1, 1}, {4, 1}, {4, 2}, {4, 4}, {4, 8}}};

// A kernel of sweep_down_and_up or second_order_down_and_up: systems beside each other, warps of a block, blocks of a
// multiprocessor.
struct DownAndUpShape {
  int systems, warps, blocks;
  constexpr int systems_of_block(LaneRows lanes) const { return systems * warps / lanes.team; }
};
// Doubles of shared memory of a warp for one system.
constexpr int words_of_warp(int rows, int n_doubles) {
  return n_doubles * 32 * rows + (n_doubles == 1 && rows % 2 == 0 ? 31 : 0);
}
constexpr DownAndUpShape down_and_up_shape(LaneRows lanes, int n_doubles, int systems) {
  const int words = systems * words_of_warp(lanes.rows, n_doubles) * 8, numbers = systems * n_doubles * lanes.rows;
  // Four warps a block, or as many as fit into 48 KB.
  const int warps = lanes.team > 1 ? lanes.team : words * 4 <= 48 * 1024 ? 4 : words * 2 <= 48 * 1024 ? 2 : 1;
  // 24 warps leave 80 registers each, 16 warps 128, 12 warps 168.
  const int on_multiprocessor = numbers <= 8 || (numbers <= 16 && lanes.team > 1)    ? 24
                                : numbers <= 24 || (numbers <= 32 && lanes.team > 1) ? 16
                                : numbers <= 48                                      ? 12
                                                                                     : 8;
  return {systems, warps, on_multiprocessor / warps > 0 ? on_multiprocessor / warps : 1};
}
constexpr int untried_systems(int n_doubles) {
  return n_doubles == 1 ? 2 : 1;
}
// Shared memory of a block in bytes.
constexpr int down_and_up_bytes(LaneRows lanes, int n_doubles, DownAndUpShape shape) {
  const int ends = lanes.team > 1 ? 2 * lanes.team * (shape.systems + 1) * n_doubles : 0;
  return 8 * (shape.warps * shape.systems * words_of_warp(lanes.rows, n_doubles) + ends);
}

// With two couplings a lane keeps more beside its rows: 16 numbers take 128 registers, 32 take 168.
constexpr DownAndUpShape second_order_shape(LaneRows lanes, int n_doubles, int systems) {
  const int numbers = systems * n_doubles * lanes.rows;
  const int warps = down_and_up_shape(lanes, n_doubles, systems).warps;
  const int on_multiprocessor = numbers <= 8 ? 24 : numbers <= 16 ? 16 : numbers <= 32 ? 12 : 8;
  return {systems, warps, on_multiprocessor / warps > 0 ? on_multiprocessor / warps : 1};
}
constexpr int second_order_bytes(LaneRows lanes, int n_doubles, DownAndUpShape shape) {
  const int ends = lanes.team > 1 ? 4 * lanes.team * shape.systems * n_doubles : 0;
  return 8 * (shape.warps * shape.systems * 32 * lanes.rows * n_doubles + ends);
}

// For systems of n rows of double, the untried one first; empty where n is longer than the longest team's registers.
// Products of complex and double-double numbers are sums of two products, of which a compiler fuses one or the other as
// it likes: their kernels would not give the same bits.
std::vector<KernelChoice> down_and_up_choices(Index n);
std::vector<KernelChoice> second_order_choices(Index n);

}  // namespace gwrm
