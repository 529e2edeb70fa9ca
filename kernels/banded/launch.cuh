// What launches of the banded solvers have in common: how many rows a lane takes, how many systems a block.
//
// Device only: the CPU has no launches.
#pragma once

#include "core/device_handles.cuh"
//
#ifndef GWRM_BOTH_SIDES
#define GWRM_BOTH_SIDES __host__ __device__
#endif
#include "kernels/banded/warp_rows.cuh"
//
#include <type_traits>
#include <utility>

#include "kernels/banded/banded_batch.hpp"

namespace gwrm::banded {

template <int... kRows>
using RowsList = std::integer_sequence<int, kRows...>;

// launch(std::integral_constant<int, kRows>) for the first of the list with room for n rows in a warp, or else the
// last.
template <int... kRows, class Launch>
void with_rows(RowsList<kRows...>, long long n, const Launch& launch) {
  bool launched = false;
  int left = sizeof...(kRows);
  const auto try_rows = [&](auto rows) {
    --left;
    if (launched || (n > kLanes * decltype(rows)::value && left > 0)) return;
    launch(rows);
    launched = true;
  };
  (try_rows(std::integral_constant<int, kRows>{}), ...);
}

template <int... kRows>
constexpr int longest(RowsList<kRows...>) {
  int most = 0;
  ((most = kRows > most ? kRows : most), ...);
  return most;
}

// Rows of a lane and warps of a system (a team is a block of its own where there are more than one).
template <int rows, int team>
struct Lanes {
  static constexpr int kRows = rows, kTeam = team, kCount = kLanes * rows * team;
};
template <class... Choices>
struct LanesList {};

// launch(Lanes<kRows, kTeam>{}) for the first of the list with room for n rows, or else the last.
template <class... Choices, class Launch>
void with_lanes(LanesList<Choices...>, long long n, const Launch& launch) {
  bool launched = false;
  int left = sizeof...(Choices);
  const auto try_choice = [&](auto lanes) {
    --left;
    if (launched || (n > decltype(lanes)::kCount && left > 0)) return;
    launch(lanes);
    launched = true;
  };
  (try_choice(Choices{}), ...);
}

template <class... Choices>
constexpr int longest(LanesList<Choices...>) {
  int most = 0;
  ((most = Choices::kCount > most ? Choices::kCount : most), ...);
  return most;
}

// A kernel with `words` doubles of dynamic shared memory a block.
template <class... Arguments>
void launch_with_words(void (*kernel)(Arguments...), unsigned n_blocks, int n_warps, int words, cudaStream_t stream,
                       Arguments... arguments) {
  const int bytes = 8 * words;
  if (bytes > 48 * 1024) GWRM_DEVICE(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  kernel<<<n_blocks, static_cast<unsigned>(kLanes * n_warps), static_cast<std::size_t>(bytes), stream>>>(arguments...);
}

// Warps of a block with `words` doubles of shared memory each: four, or as many as fit into 48 KB.
constexpr int warps_with(int words) {
  return words * 8 * 4 <= 48 * 1024 ? 4 : words * 8 * 2 <= 48 * 1024 ? 2 : 1;
}

// Blocks of a multiprocessor for kernels that keep so many doubles in a lane's registers: without a bound the compiler
// reads coefficients so far ahead that half of the warps fit. 24 warps leave 80 registers each, 16 warps 128, 12 168.
constexpr int blocks_with(int doubles_of_lane, int n_warps) {
  const int warps = doubles_of_lane <= 16 ? 24 : doubles_of_lane <= 32 ? 16 : doubles_of_lane <= 56 ? 12 : 8;
  return warps / n_warps;
}

constexpr int kThreadsOfSystems = 128;  // a thread a system: registers are few, 16 blocks fill a multiprocessor

inline unsigned blocks_for(long long batch, int per_block) {
  return static_cast<unsigned>((batch + per_block - 1) / per_block);
}

inline int* status_numbers(BandedStatus* status) {
  static_assert(sizeof(BandedStatus) == sizeof(int));
  return reinterpret_cast<int*>(status);
}

}  // namespace gwrm::banded
