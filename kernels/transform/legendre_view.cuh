// A plan of associated Legendre transforms as device code sees it, in the memory of either side.
//
// Contract: kernels/transform/associated_legendre.hpp
#pragma once

#include <algorithm>
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

// A plan in the memory of the device.
struct LegendreView {
  long long degree, n_groups;
  ConstLegendreTables tables;
  const double* origin;                      // per group
  const double *variable, *cosine, *weight;  // per lane of all groups
  const double* start;
  const Range* ranges;  // per order, parity and group

  __host__ __device__ long long n_warps() const { return (n_groups + kGroups - 1) / kGroups; }
  __host__ __device__ long long coefficient_place(long long m) const { return m * (degree + 1) - m * (m - 1) / 2; }
  __host__ __device__ long long n_coefficients() const { return (degree + 1) * (degree + 2) / 2; }
  __host__ __device__ long long n_values() const { return (degree + 1) * n_groups * kGroupNumbers; }
};

// Forms turn where t passes zero, about the middle of where the recurrence stands as it is on the CPU (t from 1 to -1);
// where it begins there, its first number is that of sums.
inline std::vector<Range> ranges_of(const AssociatedLegendrePlan& plan) {
  std::vector<Range> ranges;
  for (Index m = 0; m <= plan.degree(); ++m)
    for (const LegendreParity parity : {LegendreParity::even, LegendreParity::odd})
      for (std::size_t b = 0; b < plan.blocks().size(); ++b) {
        AssociatedLegendrePlan::Ranges r{};
        if (plan.n_functions(m, parity) > 0) r = plan.ranges(m, parity, b);
        const int turn = r.differences_end == 0 ? 0 : (r.differences_end + r.plain_end) / 2;
        ranges.insert(ranges.end(), static_cast<std::size_t>(plan.blocks()[b].n_groups),
                      {r.first, std::max(turn, static_cast<int>(r.first))});
      }
  return ranges;
}

// In the memory of the host.
inline LegendreView view_of(const AssociatedLegendrePlan& plan, const std::vector<Range>& ranges) {
  return {plan.degree(), plan.n_groups(),    plan.tables(0, LegendreParity::even), plan.origin(), plan.variable(),
          plan.cosine(), plan.lane_weight(), plan.start(0, LegendreParity::even),  ranges.data()};
}

}  // namespace gwrm::legendre
