// Rows of a system to shared memory on their way past the registers: as many arrays as a warp has room for are on the
// way at once, which is what reading at the memory's speed takes where few warps fit.
//
// Device only: the CPU reads rows where they lie. On the host, in tests, the copies are made at once.
#pragma once

#include "kernels/banded/warp_rows.cuh"

namespace gwrm::banded {

__device__ inline void copy_word(double* shared, const double* global) {
#ifdef __CUDA_ARCH__
  asm volatile(
      "cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(shared))),
      "l"(global));
#else
  *shared = *global;
#endif
}

// Numbers of memory to the room as fetch_rows has them, there behind wait_for_rows.
template <int kRows, class Number>
__device__ inline void send_rows(Piece<const Number> piece, Number missing, double* room) {
  constexpr int kWords = BandedNumber<Number>::kWords;
  const int lane = lane_of_warp();
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const int row = r * kLanes + lane, place = place_of<kRows>(row);
    if (row < piece.count) {
      const double* words = reinterpret_cast<const double*>(piece.first + static_cast<long long>(row) * piece.step);
      for (int k = 0; k < kWords; ++k) copy_word(room + k * WarpRows<kRows>::kPlaces + place, words + k);
    } else {
      put<kRows>(room, place, missing);
    }
  }
}

// Of all that this warp's lanes have sent.
__device__ inline void wait_for_rows() {
#ifdef __CUDA_ARCH__
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
  __syncwarp();
}

// Memory to registers. `room` may be used again behind it.
template <int kRows, class Number>
__device__ inline void load_rows(Piece<const Number> piece, Number missing, double* room, Number (&rows)[kRows]) {
  send_rows<kRows>(piece, missing, room);
  wait_for_rows();
  const int start = place_of<kRows>(lane_of_warp() * kRows);
#pragma unroll
  for (int j = 0; j < kRows; ++j) rows[j] = taken<kRows, Number>(room, start + j);
  __syncwarp();
}

// The room's numbers to memory. It may be used again behind it.
template <int kRows, class Number>
__device__ inline void return_rows(const double* room, Piece<Number> piece) {
  const int lane = lane_of_warp();
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const int row = r * kLanes + lane;
    if (row < piece.count)
      piece.first[static_cast<long long>(row) * piece.step] = taken<kRows, Number>(room, place_of<kRows>(row));
  }
  __syncwarp();
}

}  // namespace gwrm::banded
