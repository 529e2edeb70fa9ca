// Modes more exactly, by dense factors.
//
// Step    inverse iteration w = P(l)^{-1} P'(l) v, l' = l - (w . v)/(w . w), with the factors of P(l).
// Cost    8/3 n^3 operations for the factors of each mode.
#pragma once

#include <complex>
#include <optional>

#include "core/matrix.hpp"
#include "problems/eigenvalue/modes.hpp"

namespace gwrm {

// The modes of one pencil nearest to given ones, by dense factors.
class ModePolisher {
 public:
  explicit ModePolisher(const Pencil& pencil);
  // Nothing where the iteration does not settle.
  std::optional<Mode> nearest(const Mode& mode) const;

 private:
  Eigen::MatrixXcd at(std::complex<double> l) const;

  const Pencil& pencil_;
  Eigen::MatrixXd matrices_[3];
};

}  // namespace gwrm
