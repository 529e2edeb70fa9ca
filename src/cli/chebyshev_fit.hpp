// Least-squares Chebyshev series through values at given points: what `gwrm transform` computes for data that do not
// lie at the nodes of the transform.
#pragma once

#include <vector>

#include "core/array.hpp"

namespace gwrm::cli {

// Condition number above which a fit is not accepted: rounding and noise of the data may grow by this factor.
inline constexpr double kLargestCondition = 1e3;

// The sum over i, j of (sum_n a_n T_n(x_i) - f_i)^2 is minimised by the normal equations, whose matrix has the entries
// (m_{j+k} + m_{|j-k|}) / 2 with m_k = sum_i T_k(x_i). Iterative refinement with residuals at the points removes the
// loss of accuracy by the squared condition number.
class ChebyshevFit {
 public:
  // points: different numbers within [-1, 1], at least one.
  explicit ChebyshevFit(std::vector<double> points);

  Index n_points() const { return static_cast<Index>(points_.size()); }
  // Condition number in the 2-norm of the matrix T_n(x_i), n < n_modes <= most_modes(), estimated from below, to a few
  // percent where it is large; infinite above about 1e7.
  double condition(Index n_modes) const;
  // Limited by the number of points, by degree 4096 and by the memory for the matrix (512 MB).
  Index most_modes() const;
  // The largest number of modes with a condition number up to kLargestCondition.
  Index well_conditioned_modes() const;

  // f: batch x n_points, a: batch x n_modes, the last dimension fastest.
  std::vector<double> coefficients(const std::vector<double>& f, Index batch, Index n_modes) const;
  std::vector<double> values(const std::vector<double>& a, Index batch, Index n_modes) const;

 private:
  std::vector<double> points_;
  std::vector<double> moments_;  // m_k
};

}  // namespace gwrm::cli
