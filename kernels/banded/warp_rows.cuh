// A system of a batch in the registers of a warp: every lane has kRows consecutive rows, lane 0 the first of them.
//
// Device only: the CPU takes rows where they lie.
//
//   row of register j of lane t:  t kRows + j,  32 kRows rows in all; those that the system lacks are zero
//
// Memory is read and written in the order of its numbers, 32 neighbours at a time, and put in order in shared memory
// (`room`, kWordsOfRows doubles a number and warp, no barriers of the block). With kRows even a lane's rows begin
// one place later than its neighbour's end, so that the 32 lanes meet different banks. Numbers of two doubles lie in
// two planes. Included by device code, by tests on the host and by other rooms' kernels, behind a header that defines
// GWRM_BOTH_SIDES.
#pragma once

#include "kernels/banded/numbers.hpp"

namespace gwrm::banded {

inline constexpr int kLanes = 32;
inline constexpr unsigned kAllLanes = 0xffffffffu;

template <int kRows>
struct WarpRows {
  static constexpr int kCount = kLanes * kRows;
  static constexpr int kPadding = kRows % 2 == 0 ? 1 : 0;
  static constexpr int kPlaces = kCount + kPadding * (kLanes - 1);
};

// Doubles of shared memory for one number a row.
template <class Number, int kRows>
inline constexpr int kWordsOfRows = WarpRows<kRows>::kPlaces* BandedNumber<Number>::kWords;

template <int kRows>
__device__ inline int place_of(int row) {
  return row + WarpRows<kRows>::kPadding * (row / kRows);
}

__device__ inline int lane_of_warp() {
  return static_cast<int>(threadIdx.x) % kLanes;
}

// Exchanges between lanes, of all doubles of a number.
template <class Number>
__device__ inline Number shuffled(Number a, int lane) {
  Number result = a;
  for (int k = 0; k < BandedNumber<Number>::kWords; ++k)
    BandedNumber<Number>::set_word(result, k, __shfl_sync(kAllLanes, BandedNumber<Number>::word(a, k), lane));
  return result;
}
template <class Number>
__device__ inline Number shuffled_up(Number a, int distance) {
  Number result = a;
  for (int k = 0; k < BandedNumber<Number>::kWords; ++k)
    BandedNumber<Number>::set_word(result, k, __shfl_up_sync(kAllLanes, BandedNumber<Number>::word(a, k), distance));
  return result;
}
template <class Number>
__device__ inline Number shuffled_down(Number a, int distance) {
  Number result = a;
  for (int k = 0; k < BandedNumber<Number>::kWords; ++k)
    BandedNumber<Number>::set_word(result, k, __shfl_down_sync(kAllLanes, BandedNumber<Number>::word(a, k), distance));
  return result;
}

template <int kRows, class Number>
__device__ inline void put(double* room, int place, Number value) {
  for (int k = 0; k < BandedNumber<Number>::kWords; ++k)
    room[k * WarpRows<kRows>::kPlaces + place] = BandedNumber<Number>::word(value, k);
}
template <int kRows, class Number>
__device__ inline Number taken(const double* room, int place) {
  Number value = number<Number>(0.0);
  for (int k = 0; k < BandedNumber<Number>::kWords; ++k)
    BandedNumber<Number>::set_word(value, k, room[k * WarpRows<kRows>::kPlaces + place]);
  return value;
}

// Where a piece of a system lies: row i of it at first[i step], step = 1, or -1 for one that is taken from its end.
template <class Number>
struct Piece {
  Number* first;
  int count;  // rows that exist
  int step;
};

// Numbers of memory to the room, in which lane t's rows begin at place_of(t kRows).
template <int kRows, class Number>
__device__ inline void fetch_rows(Piece<const Number> piece, Number missing, double* room) {
  const int lane = lane_of_warp();
  Number staged[kRows];
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const int row = r * kLanes + lane;
    staged[r] = row < piece.count ? piece.first[static_cast<long long>(row) * piece.step] : missing;
  }
#pragma unroll
  for (int r = 0; r < kRows; ++r) put<kRows>(room, place_of<kRows>(r * kLanes + lane), staged[r]);
  __syncwarp();
}

template <int kRows, class Number>
__device__ inline void store_rows(const Number (&rows)[kRows], double* room, Piece<Number> piece) {
  const int lane = lane_of_warp(), start = place_of<kRows>(lane * kRows);
#pragma unroll
  for (int j = 0; j < kRows; ++j) put<kRows>(room, start + j, rows[j]);
  __syncwarp();
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const int row = r * kLanes + lane;
    if (row < piece.count)
      piece.first[static_cast<long long>(row) * piece.step] = taken<kRows, Number>(room, place_of<kRows>(row));
  }
  __syncwarp();
}

}  // namespace gwrm::banded
