// Conjugate gradients on the chip: what kernels/sbp_sat/device_cg_on_chip.cu, its leader and its workers have in
// common.
//
// Contract: kernels/sbp_sat/device_poisson.hpp
#pragma once

#include "kernels/sbp_sat/device_cg.cuh"
#include "kernels/sbp_sat/separable_operator_device.cuh"

namespace gwrm::cuda::on_chip {

constexpr int kWorkerWarps = 11, kWorkers = kWorkerWarps * kWarpSize;  // 3 columns each of 1025
constexpr int kThreads = kWorkers + kWarpSize;                         // 168 registers
constexpr int kMaxColumns = 3;                                        // per worker
constexpr int kRows = 8;                                               // of 1025 rows over 132 multiprocessors
constexpr int kEnd = 3, kWidth = 4, kKinds = 2 * kEnd + 1;             // closures: rows, and entries of a row
constexpr int kMaxBlocks = 5 * kWarpSize;                             // 5: sums that a lane of the leader reads
constexpr int kMaxTotals = 3;
constexpr unsigned kAllLanes = 0xffffffffu;

// A matrix of one dimension by kinds of rows: the first and the last three, and all others between them.
struct Rows {
  int n;
  double entries[kKinds][kWidth];  // interior: the three around the diagonal and 0
  double weights[kKinds], diagonal[kKinds];

  __host__ __device__ int kind(int i) const { return i < kEnd ? i : i >= n - kEnd ? i - n + kKinds : kEnd; }
  // The column of the first entry of row i.
  __host__ __device__ int begin(int i) const { return i < kEnd ? 0 : i >= n - kEnd ? n - kWidth : i - 1; }
};

struct Operator {
  Rows slow, fast;
  double here, slow_neighbour, fast_neighbour;  // entries of A where both rows are interior ones
};

// Strips of kRows rows. Where they are too many they overlap: such rows are updated twice, with the same numbers, and
// count in the upper strip only where it is the first that has them.
struct Strips {
  int n_blocks, common, extra;  // of two neighbours `common` rows are the same, of the first `extra` pairs one more
  __host__ __device__ int first(int block) const { return block * (kRows - common) - (block < extra ? block : extra); }
  // The first row of a strip that the one below does not have.
  __host__ __device__ int counted_from(int block) const { return block == 0 ? 0 : first(block - 1) + kRows; }
};

// A number in two halves, each with its tag: 8 bytes are written and read at once, 16 need not be.
struct alignas(16) Tagged {
  unsigned low, low_tag, high, high_tag;
};

struct Exchange {
  Tagged* edges;  // [parity][block][for the strip below, above][column of a worker][worker] of w
  Tagged* sums;   // [parity][sum][block]
};

__device__ inline void publish(Tagged* place, double value, unsigned tag) {
  const auto low = static_cast<unsigned>(__double2loint(value)), high = static_cast<unsigned>(__double2hiint(value));
  asm volatile("st.volatile.global.v4.u32 [%0], {%1, %2, %3, %2};" ::"l"(place), "r"(low), "r"(tag), "r"(high)
               : "memory");
}
__device__ inline Tagged look_at(const Tagged* place) {
  Tagged found;
  asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(found.low), "=r"(found.low_tag), "=r"(found.high), "=r"(found.high_tag)
               : "l"(place)
               : "memory");
  return found;
}
__device__ inline double number(const Tagged& found) {
  return __hiloint2double(static_cast<int>(found.high), static_cast<int>(found.low));
}
// The number of this tag, waiting for it if `found` is an older one.
__device__ inline double await(const Tagged* place, Tagged found, unsigned tag) {
  while (found.low_tag != tag || found.high_tag != tag) found = look_at(place);
  return number(found);
}

// All threads of the block, workers and leader, each from its own code.
__device__ inline void meet() {
  __syncwarp();
  asm volatile("bar.sync 1, %0;" ::"n"(kThreads) : "memory");
}

// Sums over the warp: of sums[0] in lanes 0 to 15, of sums[1] in the others, of sums[2] in all.
template <int n_sums>
__device__ inline void warp_sums(double (&sums)[n_sums]) {
  const bool lower = threadIdx.x % kWarpSize < kWarpSize / 2;
  const double other = __shfl_xor_sync(kAllLanes, lower ? sums[1] : sums[0], kWarpSize / 2);
  double two = (lower ? sums[0] : sums[1]) + other;
#pragma unroll
  for (int offset = kWarpSize / 4; offset > 0; offset /= 2) two += __shfl_xor_sync(kAllLanes, two, offset);
  sums[0] = sums[1] = two;
  if constexpr (n_sums == 3) {
#pragma unroll
    for (int offset = kWarpSize / 2; offset > 0; offset /= 2) sums[2] += __shfl_xor_sync(kAllLanes, sums[2], offset);
  }
}
// The lane that has sum k.
__device__ constexpr int lane_of(int k) {
  return k == 1 ? kWarpSize / 2 : k;
}

// What the warps of a block tell each other, besides `Vectors`.
struct Common {
  double corners[kRows + 3][2 * kWidth];                  // z, rows -1 .. kRows: the first and last columns
  alignas(16) double left_ends[kWorkerWarps + 2][kRows];  // z of a warp's outer columns
  alignas(16) double right_ends[kWorkerWarps + 2][kRows];
  double of_warps[kMaxTotals][kWorkerWarps];
  double diagonal[kRows + 2][kKinds], inverse[kRows + 2][kKinds];  // of A and S, rows -1 .. kRows
  double alpha, beta;
  bool goes_on;
};

// Of every worker its own: [row][column][worker].
template <int columns>
struct Vectors {
  double w[kRows][columns][kWorkers], x[kRows][columns][kWorkers], s[kRows][columns][kWorkers];
  double s_outside[2][columns][kWorkers];  // rows -1 and kRows
};

}  // namespace gwrm::cuda::on_chip
