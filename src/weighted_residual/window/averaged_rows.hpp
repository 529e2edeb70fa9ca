// The linearised rows of a window, averaged over its time points: the spatial operators behind the structured solvers.
//
// In nodal (Radau) time the Jacobian is sum_p (h/2)^p Q^p (x) B_p with B_p the coefficients of what the rows hold of
// p-fold integrals of the unknowns, if these coefficients are replaced by their means over the window (weights w_j /
// 2). Then Q's eigenvector of lambda meets S(z) = sum_p z^p B_p, z = lambda h/2.   Source: docs/numerics.md 4.1.
#pragma once

#include <string>
#include <vector>

#include "weighted_residual/window/window_system.hpp"

namespace gwrm {

// Why this system has no time-averaged form: chebyshev weighting, an unknown without t, something that holds several
// times at once (a restriction or integral in t); empty if it has one. A steady problem has (one point of time, p = 0).
std::string averaging_unsupported_reason(const Model& model, const SystemPlan& plan);

// Whether an equation or a condition holds an integral over the axis, be it of data: of none of its points alone.
bool integrates_over(const Model& model, int axis);

// Where the numbers of one time point are: spatial unknowns field by field, spatial rows block by block.
struct SpatialLayout {
  explicit SpatialLayout(const WindowSystem& system);
  Index n_times = 1;
  Index size = 0;
  std::vector<Index> fields;  // offset of each field; fields.size() is one more than there are fields
  std::vector<Index> rows;    // of each row block, likewise; one of means has no rows of its own

  // A window's vector (unknowns or rows, offsets as given) as a matrix n_times x size, and back.
  Matrix gather(std::span<const double> v, const std::vector<Index>& offsets) const;
  void scatter(const Matrix& values, const std::vector<Index>& offsets, std::span<double> v) const;
};

// Averages of the coefficients: extent 1 along time.
std::vector<Array> time_averages(const WindowSystem& system, const Linearisation& at_x);

// The highest p in use.
int highest_power(const WindowSystem& system);

}  // namespace gwrm
