// The separable operator of order 2 as a kernel takes it by value, without a table to ask memory for: three entries in
// every row but the first and last kEndRows, and rows of A that reach two points to either side at most.
//
// Contract: kernels/sbp_sat/separable_operator.hpp
#pragma once

#include "core/device_handles.cuh"
#include "kernels/sbp_sat/separable_operator.hpp"

namespace gwrm::cuda {

constexpr int kEndRows = 3, kEndEntries = 4, kReach = 2;

// A row near an end; entries[k] belongs to the point k of that end, counted inwards.
struct EndRow {
  double entries[kEndEntries];
  double relative_weight;  // to that of an interior row
  double diagonal;
};

struct ShortRows {
  int n;
  double side, centre, weight;              // of an interior row
  EndRow lower[kEndRows], upper[kEndRows];  // upper[0] is the last row

  __device__ bool is_interior(int i) const { return i >= kEndRows && i < n - kEndRows; }
};

// Whether the matrix has this form; n >= 8.
bool are_short(const StencilRows& rows);
ShortRows short_rows(const StencilRows& rows, const std::vector<double>& weights);

// What a lane of a warp that treats a strip of neighbouring columns knows of A in its own column: A v of a row from v
// of this row, of which the neighbouring lanes have the neighbouring columns, and of the rows below and above.
// `edge`: some column of the warp is not interior.
class ShortColumn {
 public:
  __device__ ShortColumn(const ShortRows& slow, const ShortRows& fast, int i) {
    double band[2 * kReach + 1] = {0.0, fast.side, fast.centre, fast.side, 0.0};
    weight_ = fast.weight;
    diagonal_ = fast.centre;
    if (!fast.is_interior(i)) {
      const bool is_lower = i < kEndRows;
      const int row = is_lower ? i : fast.n - 1 - i;
      const EndRow& end = is_lower ? fast.lower[row] : fast.upper[row];
      weight_ *= end.relative_weight;
      diagonal_ = end.diagonal;
#pragma unroll
      for (int offset = -kReach; offset <= kReach; ++offset) {
        const int k = is_lower ? row + offset : row - offset;
        band[offset + kReach] = k >= 0 && k < kEndEntries ? end.entries[k] : 0.0;
      }
    }
    slow_centre_ = weight_ * slow.centre;
    vertical_ = weight_ * slow.side;
    far_left_ = slow.weight * band[0];
    left_ = slow.weight * band[1];
    centre_ = slow.weight * band[2] + slow_centre_;
    right_ = slow.weight * band[3];
    far_right_ = slow.weight * band[4];
  }

  // Of an interior row. What lies above is known last.
  template <bool edge>
  __device__ double image(double below, double v, double above) const {
    double sum = centre_ * v + vertical_ * below;
    sum += left_ * __shfl_up_sync(kLanes, v, 1) + right_ * __shfl_down_sync(kLanes, v, 1);
    if constexpr (edge)
      sum += far_left_ * __shfl_up_sync(kLanes, v, kReach) + far_right_ * __shfl_down_sync(kLanes, v, kReach);
    return sum + vertical_ * above;
  }
  // Of row `row` from an end, where v[0 ... kEndEntries) are the rows from that end.
  template <bool edge>
  __device__ double image_at_end(const EndRow& end, int row, const double (&v)[kEndEntries]) const {
    const double along_fast = image<edge>(0.0, v[row], 0.0) - slow_centre_ * v[row];
    double along_slow = 0.0;
#pragma unroll
    for (int k = 0; k < kEndEntries; ++k) along_slow += end.entries[k] * v[k];
    return weight_ * along_slow + end.relative_weight * along_fast;
  }

  __device__ double inverse_diagonal() const {
    return 1.0 / centre_;
  }
  __device__ double inverse_diagonal_at_end(const ShortRows& slow, const EndRow& end) const {
    return 1.0 / (end.diagonal * weight_ + end.relative_weight * slow.weight * diagonal_);
  }

 private:
  static constexpr unsigned kLanes = 0xffffffffu;
  double weight_, diagonal_;  // of fast in this column
  double far_left_, left_, centre_, right_, far_right_, vertical_, slow_centre_;
};

}  // namespace gwrm::cuda
