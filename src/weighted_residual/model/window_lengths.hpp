// Which windows are meant to be equally long, and how long they then are, to the bit.
//
// The edges of equal windows are rounded, 0.1, 0.2, 0.3, .., so that the differences of neighbours are not equal. The
// equations of a window take its length from here: windows of one length have the same matrix to the bit, and whichever
// of them it was factored in, the answer has the same bits - also where a run was interrupted in between.
#pragma once

#include <map>
#include <vector>

namespace gwrm {

class WindowLengths {
 public:
  WindowLengths() = default;  // of none: every length is the difference of its ends
  // edges: of a case's windows, ascending, at least two. Windows whose lengths differ by no more than the rounding of
  // edges of this size are one kind, which has their mean: so the lengths still add up to the whole time.
  explicit WindowLengths(const std::vector<double>& edges);

  // Of the window from `start` to `end`: that of its kind, or of a half, quarter, .. of such a window; else the
  // difference. It depends on nothing but the two ends.
  double of(double start, double end) const;

 private:
  std::map<double, double> known_;  // the first length of a kind, and that of all its windows
  double rounding_ = 0.0;           // by which equal lengths may differ
};

}  // namespace gwrm
