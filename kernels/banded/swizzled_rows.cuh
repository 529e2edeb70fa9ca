// The rows of a warp's piece in shared memory, 16 bytes at a time on every way: from memory past the registers, to the
// lanes, which have kRows consecutive rows each, and back.
//
// Device only: the CPU reads rows where they lie.
//
//   units of two doubles, U of a lane;  unit u of lane t at  t U + (u ^ s(t)),  s(t) = t U / 8 mod U (U < 8), t mod 8
//   (U >= 8)
// so that eight lanes, which take one unit each at once, meet all banks, and so do neighbouring units of a lane and of
// the next ones. One double a lane (a single row) lies as it does in memory.
// Units travel whole where all arrays begin on 16 bytes and systems have an even number of doubles (whole_units), else
// double by double.
#pragma once

#include "kernels/banded/asynchronous_rows.cuh"

namespace gwrm::banded {

__device__ inline void copy_unit(double* shared, const double* global) {
#ifdef __CUDA_ARCH__
  asm volatile(
      "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(shared))),
      "l"(global));
#else
  shared[0] = global[0];
  shared[1] = global[1];
#endif
}

// Whether all systems of the arrays begin on 16 bytes.
template <class Number, class... Arrays>
__device__ inline bool whole_units(long long n, const Arrays*... arrays) {
  const auto bits = (reinterpret_cast<unsigned long long>(arrays) | ...);
  return (n * BandedNumber<Number>::kWords) % 2 == 0 && bits % 16 == 0;
}

template <int kRows, class Number>
struct SwizzledRows {
  static constexpr int kWords = BandedNumber<Number>::kWords, kOfLane = kRows * kWords, kDoubles = kLanes * kOfLane;
  static constexpr int kUnits = (kOfLane + 1) / 2;
  static_assert((kUnits & (kUnits - 1)) == 0, "units of a lane change places with one another");
  double* words;  // kDoubles, on 16 bytes

  __device__ static int place_of_unit(int lane, int unit) {
    const int shift = kUnits >= 8 ? lane % 8 : lane * kUnits / 8 % kUnits;
    return 2 * (lane * kUnits + (unit ^ shift));
  }
  // Of double k of the piece as it lies in memory.
  __device__ static int place_of_double(int k) {
    return kOfLane == 1 ? k : place_of_unit(k / kOfLane, k % kOfLane / 2) + k % 2;
  }

  __device__ Number get(int row) const {
    Number value = number<Number>(0.0);
    for (int w = 0; w < kWords; ++w) BandedNumber<Number>::set_word(value, w, words[place_of_double(row * kWords + w)]);
    return value;
  }
  __device__ void set(int row, Number value) const {
    for (int w = 0; w < kWords; ++w) words[place_of_double(row * kWords + w)] = BandedNumber<Number>::word(value, w);
  }

  // A lane's rows to its registers and back.
  __device__ void take(Number (&rows)[kRows]) const {
    const int lane = lane_of_warp();
    if constexpr (kOfLane == 1) {
      rows[0] = words[lane];
    } else {
#pragma unroll
      for (int u = 0; u < kUnits; ++u) {
        const double2 unit = *reinterpret_cast<const double2*>(words + place_of_unit(lane, u));
        BandedNumber<Number>::set_word(rows[2 * u / kWords], 0, unit.x);
        BandedNumber<Number>::set_word(rows[(2 * u + 1) / kWords], (2 * u + 1) % kWords, unit.y);
      }
    }
  }
  __device__ void put(const Number (&rows)[kRows]) const {
    const int lane = lane_of_warp();
    if constexpr (kOfLane == 1) {
      words[lane] = rows[0];
    } else {
#pragma unroll
      for (int u = 0; u < kUnits; ++u) {
        double2 unit;
        unit.x = BandedNumber<Number>::word(rows[2 * u / kWords], 0);
        unit.y = BandedNumber<Number>::word(rows[(2 * u + 1) / kWords], (2 * u + 1) % kWords);
        *reinterpret_cast<double2*>(words + place_of_unit(lane, u)) = unit;
      }
    }
  }

  // `count` rows from memory, the others `missing`; there behind wait_for_rows.
  __device__ void send(const Number* first, int count, Number missing, bool whole) const {
    const auto* from = reinterpret_cast<const double*>(first);
    const int lane = lane_of_warp(), n_doubles = count * kWords;
    const auto fill = [&](int k) { words[place_of_double(k)] = BandedNumber<Number>::word(missing, k % kWords); };
    if (kOfLane > 1 && whole) {
#pragma unroll
      for (int r = 0; r < kUnits; ++r) {
        const int k = r * kLanes + lane;
        if (2 * k < n_doubles) {
          copy_unit(words + place_of_unit(k / kUnits, k % kUnits), from + 2 * k);
        } else {
          fill(2 * k);
          fill(2 * k + 1);
        }
      }
      return;
    }
#pragma unroll 1
    for (int k = lane; k < kDoubles; k += kLanes) {
      if (k < n_doubles)
        copy_word(words + place_of_double(k), from + k);
      else
        fill(k);
    }
  }
  // To memory. The room may be used again behind it.
  __device__ void return_to(Number* first, int count, bool whole) const {
    auto* to = reinterpret_cast<double*>(first);
    const int lane = lane_of_warp(), n_doubles = count * kWords;
    if (kOfLane > 1 && whole) {
#pragma unroll
      for (int r = 0; r < kUnits; ++r) {
        const int k = r * kLanes + lane;
        if (2 * k < n_doubles)
          *reinterpret_cast<double2*>(to + 2 * k) =
              *reinterpret_cast<const double2*>(words + place_of_unit(k / kUnits, k % kUnits));
      }
    } else {
#pragma unroll 1
      for (int k = lane; k < n_doubles; k += kLanes) to[k] = words[place_of_double(k)];
    }
    __syncwarp();
  }
};

// The same places as warp_rows.cuh has, with what SwizzledRows does: double by double.
template <int kRows, class Number>
struct PaddedRows {
  static constexpr int kDoubles = kWordsOfRows<Number, kRows>;
  double* words;  // kDoubles

  __device__ void send(const Number* first, int count, Number missing, bool) const {
    send_rows<kRows, Number>({first, count, 1}, missing, words);
  }
  __device__ void take(Number (&rows)[kRows]) const {
    const int start = place_of<kRows>(lane_of_warp() * kRows);
#pragma unroll
    for (int j = 0; j < kRows; ++j) rows[j] = taken<kRows, Number>(words, start + j);
  }
  __device__ void put(const Number (&rows)[kRows]) const {
    const int start = place_of<kRows>(lane_of_warp() * kRows);
#pragma unroll
    for (int j = 0; j < kRows; ++j) banded::put<kRows>(words, start + j, rows[j]);
  }
  __device__ void return_to(Number* first, int count, bool) const {
    return_rows<kRows, Number>(words, {first, count, 1});
  }
};

// What sweeps down and up take: of one double a number padded rows are up to 4 % faster on an H200, of two the swizzled
// ones (2.75 TB/s at 1024 complex rows, padded ones 2.44 on another day).
template <int kRows, class Number, int kWords = BandedNumber<Number>::kWords>
struct SweepRooms {
  using Rows = SwizzledRows<kRows, Number>;
};
template <int kRows, class Number>
struct SweepRooms<kRows, Number, 1> {
  using Rows = PaddedRows<kRows, Number>;
};

}  // namespace gwrm::banded
