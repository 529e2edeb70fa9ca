// The small least-squares problem of GMRES: the rotations that keep the Hessenberg matrix triangular, and the rotated
// right-hand side.
#pragma once

#include <vector>

namespace gwrm {

class Hessenberg {
 public:
  explicit Hessenberg(double right_hand_side) { right_.push_back(right_hand_side); }

  // Adds the column h (entries 0 .. j+1), the last one where the space is exhausted; returns the norm of the residual.
  double add(std::vector<double> h, bool last);
  // The coefficients of the directions.
  std::vector<double> solve() const;

 private:
  std::vector<std::vector<double>> columns_;
  std::vector<double> cosines_, sines_, right_;
};

}  // namespace gwrm
