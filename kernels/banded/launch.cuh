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
