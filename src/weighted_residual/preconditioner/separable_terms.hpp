// One term of the averaged rows as a tensor product: a factor or matrix along each axis, the coefficient averaged over
// all axes but the one along which it acts. The couplings between unknowns, which tensor_factors.cpp leaves out.
#pragma once

#include <complex>
#include <optional>
#include <span>
#include <vector>

#include "weighted_residual/preconditioner/tensor_operators.hpp"

namespace gwrm {

// y = M x along one axis, where M often only takes some of the entries.
struct AxisAction {
  std::vector<Index> picked;  // row i is entry picked[i]; empty: `matrix` says
  Matrix matrix;
  bool is_identity(Index n) const;  // on n entries
};

// Adds z^power factor (M_1 (x) M_2 (x) ..) u to some spatial rows, u one field.
struct SeparableTerm {
  int field = -1;
  Index row = 0, column = 0;          // of the first of its rows and unknowns among the spatial ones
  Shape row_extents, column_extents;  // per axis, 1 along time
  std::vector<AxisAction> actions;    // per axis
  double factor = 1.0;
  int power = 0;

  // y[rows] += scale factor M u; both as long as all spatial rows.
  void add_to(std::complex<double> scale, std::span<const std::complex<double>> x,
              std::span<std::complex<double>> y) const;
};

// A term of the row block at this place among the system's; nothing for an integral.
std::optional<SeparableTerm> separable_term(const WindowSystem& system, const SpatialLayout& layout, std::size_t block,
                                            const RowTerm& term, const CoefficientMeans& means);

// The values of a term at the points of one axis, coefficient and all (that is, its profile there): points x unknowns.
Matrix values_along(const WindowSystem& system, const RowTerm& term, int axis, const CoefficientMeans& means);

}  // namespace gwrm
