// Associated Legendre functions on the device: in the registers of a warp's lanes, two pairs of nodes a lane, all of
// one order and parity.
//
// Contract: kernels/transform/associated_legendre.hpp
//
// The same functions as on the CPU from the same tables, with one form of the recurrence in place of three: where
// t >= 0 differences q_k - q_(k-1), q_k = p_k, and behind that, from k = turn on, q_k = (-1)^k p_k, which makes the
// sums p_k + p_(k-1) differences too:
//   d_(k+1) = d_k + c q_k,  q_(k+1) = q_k + d_(k+1),   c = t_k - 2 or c = -t_k - 2.
// Every lane turns when its nodes do. What is the same for a group of eight nodes comes eight functions at a time
// through shared memory: the constants of c, in two parts as on the CPU, of which a lane computes those of two groups
// at one k.
#pragma once

#include "kernels/transform/legendre_view.cuh"

namespace gwrm::legendre {

inline constexpr int kChunk = 8;  // functions
static_assert(kChunk == kGroup && kLanes == 4 * kChunk);

// Those of an order and parity.
struct Functions {
  const LegendreView& view;
  long long m;
  bool odd;

  __device__ int n() const { return static_cast<int>(odd ? (view.degree - m + 1) / 2 : (view.degree - m) / 2 + 1); }
  __device__ long long table() const { return view.coefficient_place(m) + (odd ? (view.degree - m) / 2 + 1 : 0); }
  // Of function k among the coefficients.
  __device__ long long place(int k) const { return view.coefficient_place(m) + 2 * k + (odd ? 1 : 0); }
  // Zeros behind the last.
  __device__ TableRow row(int k) const {
    if (k >= n()) return {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    return view.rows[table() + k];
  }
  __device__ const Range& range(long long group) const { return view.ranges[(2 * m + odd) * view.n_groups + group]; }
  __device__ const double* start() const { return view.start + (2 * m + odd) * 2 * view.n_groups * kGroup; }
  // Of a group among the values.
  __device__ long long value_place(long long group) const {
    return (m * view.n_groups + group) * kGroupNumbers + (odd ? 2 * kGroup : 0);
  }
};

// Shared memory of a warp. Rows of constants are ten numbers apart: those of four groups in different banks.
template <int kFields>
struct Room {
  alignas(16) double slope[kChunk];
  alignas(16) double constant[kGroups][kChunk + 2];
  alignas(16) double coefficients[kFields][2 * kChunk];
};

// t - 2 where sin^2 is origin, or -t - 2 there: the larger terms first, exact but for their sum.
__device__ inline double constant_of(const TableRow& row, double origin, bool turned) {
  const double at = turned ? 1.0 - origin : origin, high = high_part(row.slope);
  return ((turned ? row.equatorial : row.polar) + high * at) + (row.low * at + (turned ? 0.0 : row.polar_rest));
}

// The recurrences of a warp's 64 pairs of nodes.
class Recurrence {
 public:
  __device__ Recurrence(const Functions& functions, long long warp)
      : functions_(functions), lane_(static_cast<int>(threadIdx.x) % kLanes) {
    const LegendreView& view = functions.view;
#pragma unroll
    for (int r = 0; r < kPairs; ++r) {
      const long long group = warp * kGroups + r * (kLanes / kGroup) + lane_ / kGroup;
      exists_[r] = group < view.n_groups;
      node_[r] = static_cast<int>(exists_[r] ? group * kGroup + lane_ % kGroup : 0);
      value_place_[r] = functions.value_place(exists_[r] ? group : 0) + lane_ % kGroup;
      origin_[r] = exists_[r] ? view.origin[group] : 0.0;
      z_[r] = exists_[r] ? view.variable[node_[r]] : 0.0;
      range_[r] = exists_[r] ? functions.range(group) : Range{functions.n(), functions.n()};
      q_[r] = d_[r] = 0.0;
      turned_[r] = false;
    }
    begin_ = functions.n();
    for (long long group = warp * kGroups; group < view.n_groups && group < (warp + 1) * kGroups; ++group) {
      const int first = functions.range(group).first;
      begin_ = first < begin_ ? first : begin_;
    }
    begin_ -= begin_ % kChunk;
    row_ = functions_.row(begin_ + lane_ % kChunk);
  }

  // The chunk with the first function that is not negligible.
  __device__ int begin() const {
    return begin_;
  }
  __device__ int lane() const {
    return lane_;
  }
  __device__ bool exists(int r) const {
    return exists_[r];
  }
  __device__ int node(int r) const {
    return node_[r];
  }
  __device__ long long value_place(int r) const {
    return value_place_[r];
  }
  __device__ bool turned(int r) const {
    return turned_[r];
  }

  // What chunk k needs, into the room; what the next needs is on its way. Returns the scale of this lane's function,
  // k + lane % 8.
  template <int kFields>
  __device__ double stage(Room<kFields>& room, int k) {
    const int mine = lane_ % kChunk;
    if (lane_ < kChunk) room.slope[mine] = row_.slope;
#pragma unroll
    for (int r = 0; r < kPairs; ++r)
      room.constant[r * (kLanes / kGroup) + lane_ / kGroup][mine] =
          constant_of(row_, origin_[r], k + mine >= range_[r].turn);
    const double scale = row_.scale;
    row_ = functions_.row(k + kChunk + mine);
    return scale;
  }

  // visit(i, q) for the functions k + i of a chunk, all i known to the compiler; when_turned(r) where the signs of a
  // pair begin to alternate.
  template <int kFields, class Visit, class Turn>
  __device__ void run(const Room<kFields>& room, int k, Visit&& visit, Turn&& when_turned) {
    bool here = false;
#pragma unroll
    for (int r = 0; r < kPairs; ++r)
      here = here || (range_[r].first >= k && range_[r].first < k + kChunk) ||
             (range_[r].turn >= k && range_[r].turn < k + kChunk);
    const bool any = __any_sync(0xffffffffu, here) != 0;
#pragma unroll
    for (int i = 0; i < kChunk; i += 2) {
      // two of each at once: half the instructions
      const double slope[2] = {room.slope[i], room.slope[i + 1]};
      double constant[kPairs][2];
#pragma unroll
      for (int r = 0; r < kPairs; ++r)
#pragma unroll
        for (int j = 0; j < 2; ++j) constant[r][j] = room.constant[r * (kLanes / kGroup) + lane_ / kGroup][i + j];
#pragma unroll
      for (int j = 0; j < 2; ++j) {
        if (any) begin_or_turn(k + i + j, when_turned);
        visit(i + j, q_);
#pragma unroll
        for (int r = 0; r < kPairs; ++r) {
          const double c = slope[j] * z_[r] + constant[r][j];
          d_[r] += c * q_[r];
          q_[r] += d_[r];
        }
      }
    }
  }

 private:
  template <class Turn>
  __device__ void begin_or_turn(int k, Turn&& when_turned) {
#pragma unroll
    for (int r = 0; r < kPairs; ++r) {
      if (!exists_[r]) continue;
      if (k == range_[r].first) {
        const double* start = functions_.start();
        q_[r] = start[node_[r]];
        // of the first of all the table knows p_(-1) = p_0, of sums -p_0, whichever form the CPU begins with
        d_[r] = k > 0 ? start[functions_.view.n_groups * kGroup + node_[r]] : range_[r].turn > 0 ? 0.0 : 2.0 * q_[r];
      }
      if (k == range_[r].turn) {  // (-1)^k p_k and (-1)^k (p_k + p_(k-1)), p_(k-1) = p_k - d_k
        d_[r] = 2.0 * q_[r] - d_[r];
        if (k % 2 == 1) {
          q_[r] = -q_[r];
          d_[r] = -d_[r];
        }
        z_[r] = -z_[r];
        turned_[r] = true;
        when_turned(r);
      }
    }
  }

  const Functions& functions_;
  int lane_, begin_;
  int node_[kPairs];
  long long value_place_[kPairs];
  bool exists_[kPairs], turned_[kPairs];
  Range range_[kPairs];
  double origin_[kPairs], z_[kPairs], q_[kPairs], d_[kPairs];
  TableRow row_;
};

}  // namespace gwrm::legendre
