// A plan of associated Legendre transforms as device code sees it, in the memory of either side.
//
// Contract: kernels/transform/associated_legendre.hpp
#pragma once

#include <string.h>

#include <vector>

#include "kernels/transform/associated_legendre.hpp"

namespace gwrm::legendre {

inline constexpr int kLanes = 32;
inline constexpr int kGroup = AssociatedLegendrePlan::kLanes;  // nodes of a group
inline constexpr int kGroupNumbers = AssociatedLegendrePlan::kGroupNumbers;
inline constexpr int kPairs = 2;                          // of a lane: they share coefficients and slopes
inline constexpr int kGroups = kPairs * kLanes / kGroup;  // of a warp

// The functions k of a group of nodes: nothing before first, q_k = (-1)^k p_k from turn on, first <= turn.
struct Range {
  int first, turn;
};

// The tables of a function in one place. slope = high + what has no room beside it, high of at most 24 bits, so that
// high times an origin is exact; low: the rest of slope, in twice the precision.
struct alignas(16) TableRow {
  double slope, low, polar, polar_rest, equatorial, scale;
};
__host__ __device__ inline double high_part(double slope) {
  unsigned long long bits;
  memcpy(&bits, &slope, sizeof(bits));
  bits &= ~((1ULL << 29) - 1);
  memcpy(&slope, &bits, sizeof(bits));
  return slope;
}

// A plan in the memory of the device.
struct LegendreView {
  long long degree, n_groups;
  const TableRow* rows;
  const double* origin;                      // per group
  const double *variable, *cosine, *weight;  // per lane of all groups
  const double* start;
  const Range* ranges;  // per order, parity and group

  __host__ __device__ long long n_warps() const { return (n_groups + kGroups - 1) / kGroups; }
  __host__ __device__ long long coefficient_place(long long m) const { return m * (degree + 1) - m * (m - 1) / 2; }
  __host__ __device__ long long n_coefficients() const { return (degree + 1) * (degree + 2) / 2; }
  __host__ __device__ long long n_values() const { return (degree + 1) * n_groups * kGroupNumbers; }
};

// Forms turn where t passes -1/2 at the last node of a group, in the middle of where the recurrence stands as it is on
// the CPU (t from 0 to -1).
inline std::vector<Range> ranges_of(const AssociatedLegendrePlan& plan) {
  std::vector<Range> ranges;
  for (Index m = 0; m <= plan.degree(); ++m)
    for (const LegendreParity parity : {LegendreParity::even, LegendreParity::odd}) {
      const int n = static_cast<int>(plan.n_functions(m, parity));
      const ConstLegendreTables tables = plan.tables(m, parity);
      for (std::size_t b = 0; b < plan.blocks().size(); ++b)
        for (Index i = 0; i < plan.blocks()[b].n_groups; ++i) {
          const Index group = plan.blocks()[b].first_group + i;
          const double sine_squared = plan.origin()[group] + plan.variable()[(group + 1) * kGroup - 1];
          const auto is_before = [&](int k) {  // the table's first number has p_(-1) in it
            return tables.slope[k] * sine_squared + tables.polar[k] + (k == 0 ? 1.0 : 2.0) >= -0.5;
          };
          const int first = n == 0 ? 0 : plan.ranges(m, parity, b).first;
          int turn = first;
          for (int end = n; turn < end;) {  // t falls as k grows
            const int middle = (turn + end) / 2;
            if (is_before(middle))
              turn = middle + 1;
            else
              end = middle;
          }
          ranges.push_back({first, turn});
        }
    }
  return ranges;
}

inline std::vector<TableRow> rows_of(const AssociatedLegendrePlan& plan) {
  std::vector<TableRow> rows;
  const ConstLegendreTables all = plan.tables(0, LegendreParity::even);
  for (Index i = 0; i < plan.n_coefficients(); ++i) {
    const double slope = all.slope[i], low = (slope - high_part(slope)) + static_cast<double>(all.slope_rest[i]);
    rows.push_back({slope, low, all.polar[i], static_cast<double>(all.polar_rest[i]), all.equatorial[i], all.scale[i]});
  }
  return rows;
}

// In the memory of the host.
inline LegendreView view_of(const AssociatedLegendrePlan& plan, const std::vector<TableRow>& rows,
                            const std::vector<Range>& ranges) {
  return {plan.degree(),   plan.n_groups(), rows.data(),        plan.origin(),
          plan.variable(), plan.cosine(),   plan.lane_weight(), plan.start(0, LegendreParity::even),
          ranges.data()};
}

}  // namespace gwrm::legendre
