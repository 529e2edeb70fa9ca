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
#include "kernels/banded/sweep_choices.hpp"

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
  static constexpr int kRows = rows, kTeam = team;
  static constexpr LaneRows kLaneRows{rows, team};
};

// launch(Lanes<rows, team>{}) for the first of the choices with room for n rows, or else the last.
template <const auto& kChoices, class Launch>
void with_lanes(long long n, const Launch& launch) {
  bool launched = false;
  const auto try_choice = [&](auto lanes, bool is_last) {
    if (launched || (n > lanes.kLaneRows.count() && !is_last)) return;
    launch(lanes);
    launched = true;
  };
  const auto try_all = [&]<std::size_t... k>(std::index_sequence<k...>) {
    (try_choice(Lanes<kChoices[k].rows, kChoices[k].team>{}, k + 1 == sizeof...(k)), ...);
  };
  try_all(std::make_index_sequence<kChoices.size()>{});
}

// launch(lanes, std::bool_constant<pieces>{}): with pieces for the last of the choices where it has no room for n rows.
template <const auto& kChoices, class Launch>
void with_lanes_or_pieces(long long n, const Launch& launch) {
  with_lanes<kChoices>(n, [&](auto lanes) {
    constexpr bool kIsLast = lanes.kLaneRows.count() == kChoices.back().count();
    if constexpr (kIsLast) {
      if (n > lanes.kLaneRows.count()) return launch(lanes, std::true_type{});
    }
    launch(lanes, std::false_type{});
  });
}

// A kernel with dynamic shared memory of a block.
template <class... Arguments>
void launch_with_bytes(void (*kernel)(Arguments...), unsigned n_blocks, int n_warps, int bytes, cudaStream_t stream,
                       Arguments... arguments) {
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
