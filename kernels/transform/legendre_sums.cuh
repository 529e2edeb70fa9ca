// Sums over associated Legendre functions, and over nodes, on the device.
//
// Contract: kernels/transform/associated_legendre.hpp
//
// Signs     behind the turn q_k = (-1)^k p_k (legendre_steps.cuh): synthesis keeps sums over even and odd k apart,
//           analysis has its values with both signs.
// Analysis  sums over nodes: a lane's two, then the 32 lanes' by exchanges that halve the numbers a lane has (9 for the
//           8 numbers of 4 functions), then the warps' of a block one after the other: always in the same order.
#pragma once

#include "kernels/transform/legendre_steps.cuh"

namespace gwrm::legendre {

inline constexpr int kSpan = 32;  // functions from barrier to barrier of analysis

// Values of an order and parity at the nodes of a warp; kFields fields whose numbers are a_step and values_step doubles
// apart.
template <int kFields>
__device__ void sum_functions(const LegendreView& view, long long m, bool odd, long long warp, const double* a,
                              long long a_step, double* values, long long values_step, Room<kFields>& room) {
  static_assert(kFields * kChunk <= kLanes);
  const Functions functions{view, m, odd};
  Recurrence recurrence(functions, warp);
  const int n = functions.n(), lane = recurrence.lane(), mine = lane % kChunk, field = lane / kChunk;
  double sum[kFields][kPairs][2][2];  // over even and odd k; re, im
#pragma unroll
  for (int i = 0; i < 4 * kPairs * kFields; ++i) (&sum[0][0][0][0])[i] = 0.0;
  const auto fold = [&](int r) {
#pragma unroll
    for (int f = 0; f < kFields; ++f)
#pragma unroll
      for (int c = 0; c < 2; ++c) {
        sum[f][r][0][c] += sum[f][r][1][c];
        sum[f][r][1][c] = 0.0;
      }
  };

  // Of this lane: function k + mine of a field.
  double re = 0.0, im = 0.0;
  const auto read = [&](int k) {
    re = im = 0.0;
    if (k >= n || field >= kFields) return;
    const double* from = a + field * a_step + 2 * functions.place(k);
    re = from[0];
    im = from[1];
  };
  read(recurrence.begin() + mine);
  for (int k = recurrence.begin(); k < n; k += kChunk) {
    const double scale = recurrence.stage(room, k);
    if (field < kFields) {
      room.coefficients[field][2 * mine] = scale * re;
      room.coefficients[field][2 * mine + 1] = scale * im;
    }
    read(k + kChunk + mine);
    __syncwarp();
    recurrence.run(
        room, k,
        [&](int i, const double* q) {
#pragma unroll
          for (int f = 0; f < kFields; ++f)
#pragma unroll
            for (int c = 0; c < 2; ++c) {
              const double coefficient = room.coefficients[f][2 * i + c];
#pragma unroll
              for (int r = 0; r < kPairs; ++r) sum[f][r][i % 2][c] += coefficient * q[r];
            }
        },
        fold);
    __syncwarp();
  }

#pragma unroll
  for (int r = 0; r < kPairs; ++r) {
    if (!recurrence.exists(r)) continue;
    const double factor = odd ? view.cosine[recurrence.node(r)] : 1.0, sign = recurrence.turned(r) ? -1.0 : 1.0;
#pragma unroll
    for (int f = 0; f < kFields; ++f)
#pragma unroll
      for (int c = 0; c < 2; ++c)
        values[f * values_step + recurrence.value_place(r) + c * kGroup] =
            factor * (sum[f][r][0][c] + sign * sum[f][r][1][c]);
  }
}

// The sum over the lanes of number lane / 4 of eight, in the lanes that are a multiple of 4.
__device__ inline double sum_of_lanes(const double (&number)[8], int lane) {
  double four[4], two[2];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const bool upper = (lane & 16) != 0;
    const double kept = upper ? number[i + 4] : number[i], given = upper ? number[i] : number[i + 4];
    four[i] = kept + __shfl_xor_sync(0xffffffffu, given, 16);
  }
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const bool upper = (lane & 8) != 0;
    const double kept = upper ? four[i + 2] : four[i], given = upper ? four[i] : four[i + 2];
    two[i] = kept + __shfl_xor_sync(0xffffffffu, given, 8);
  }
  const bool upper = (lane & 4) != 0;
  const double kept = upper ? two[1] : two[0], given = upper ? two[0] : two[1];
  double sum = kept + __shfl_xor_sync(0xffffffffu, given, 4);
  sum += __shfl_xor_sync(0xffffffffu, sum, 2);
  return sum + __shfl_xor_sync(0xffffffffu, sum, 1);
}

// Shared memory of a block of analysis: the warps' sums of a span of functions, twice, so that one barrier is enough.
template <int kFields, int kWarps>
struct Sums {
  double of_warp[2][kWarps][kFields][2 * kSpan];
};

// Coefficients of an order and parity, by all threads of a block of n_warps warps.
template <int kFields, int kWarps>
__device__ void project(const LegendreView& view, long long m, bool odd, int n_warps, const double* values,
                        long long values_step, double* a, long long a_step, Room<kFields>* rooms,
                        Sums<kFields, kWarps>& sums) {
  const Functions functions{view, m, odd};
  const int n = functions.n(), warp = static_cast<int>(threadIdx.x) / kLanes;
  Room<kFields>& room = rooms[warp];
  int turn = 0;
  for (long long first_warp = 0; first_warp < view.n_warps(); first_warp += n_warps) {
    Recurrence recurrence(functions, first_warp + warp);
    const int lane = recurrence.lane();
    double value[kFields][kPairs][2][2];  // for even and odd k; re, im
#pragma unroll
    for (int r = 0; r < kPairs; ++r) {
      const double weight = recurrence.exists(r) ? view.weight[recurrence.node(r)] : 0.0;
      const double factor = odd ? view.cosine[recurrence.node(r)] * weight : weight;
#pragma unroll
      for (int f = 0; f < kFields; ++f)
#pragma unroll
        for (int c = 0; c < 2; ++c)
          value[f][r][0][c] = value[f][r][1][c] =
              recurrence.exists(r) ? factor * values[f * values_step + recurrence.value_place(r) + c * kGroup] : 0.0;
    }
    const auto change_sign = [&](int r) {
#pragma unroll
      for (int f = 0; f < kFields; ++f)
#pragma unroll
        for (int c = 0; c < 2; ++c) value[f][r][1][c] = -value[f][r][0][c];
    };
    for (int span = 0; span < n; span += kSpan, turn ^= 1) {
      for (int k = span; k < span + kSpan && k < n; k += kChunk) {
        if (k < recurrence.begin()) {
          if (lane < 2 * kChunk)
#pragma unroll
            for (int f = 0; f < kFields; ++f) sums.of_warp[turn][warp][f][2 * (k - span) + lane] = 0.0;
          continue;
        }
        recurrence.stage(room, k);
        __syncwarp();
        double number[kFields][8];  // of four functions
        recurrence.run(
            room, k,
            [&](int i, const double* q) {
#pragma unroll
              for (int f = 0; f < kFields; ++f) {
#pragma unroll
                for (int c = 0; c < 2; ++c) {
                  double sum = q[0] * value[f][0][i % 2][c];
#pragma unroll
                  for (int r = 1; r < kPairs; ++r) sum += q[r] * value[f][r][i % 2][c];
                  number[f][2 * (i % 4) + c] = sum;
                }
                if (i % 4 < 3) continue;
                const double sum = sum_of_lanes(number[f], lane);
                if (lane % 4 == 0) sums.of_warp[turn][warp][f][2 * (k - span + i - 3) + lane / 4] = sum;
              }
            },
            change_sign);
        __syncwarp();
      }
      __syncthreads();
      for (int i = static_cast<int>(threadIdx.x); i < kFields * 2 * kSpan; i += n_warps * kLanes) {
        const int f = i / (2 * kSpan), j = i % (2 * kSpan), k = span + j / 2;
        if (k >= n) continue;
        double sum = 0.0;
        for (int w = 0; w < n_warps; ++w) sum += sums.of_warp[turn][w][f][j];
        sum *= view.rows[functions.table() + k].scale;
        double& to = a[f * a_step + 2 * functions.place(k) + j % 2];
        to = first_warp == 0 ? sum : to + sum;
      }
    }
  }
}

}  // namespace gwrm::legendre
