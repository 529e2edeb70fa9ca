// E = D G of saddle_operators.hpp, a sum of one operator per axis: its parts, found among the terms of the rows, and
// its Schur forms.
#pragma once

#include <complex>
#include <vector>

#include "weighted_residual/preconditioner/saddle_operators.hpp"

namespace gwrm {

// Rows with their averaged coefficients, and the operators of the unknowns that are no multipliers.
struct SaddleRows {
  const WindowSystem& system;
  const SpatialLayout& layout;
  const CoefficientMeans& means;
  const std::vector<std::complex<double>>& z;
  const std::vector<TensorField>& velocities;

  // Place of a field among `velocities`; their number: it is not there.
  std::size_t velocity_of(int field) const;
  double mean_of(const RowTerm& term) const;
  // A term along one axis on the modes of the row's test functions: modes x unknowns.
  Matrix tested(const RowBlock& row, const RowTerm& term, int axis) const;
};

// The only axis of space along which a term is differentiated; -1: none; -2: several.
int derived_axis(const Model& model, const RowTerm& term);
bool is_restricted(const RowTerm& term);

// What one term of c and one of p's in the equation of its unknown add to E along an axis.
struct LaplacianPart {
  Matrix matrix;
  double factor = 1.0;  // of d, where both are derivatives
  bool is_laplacian = false, is_condition = false;
  int power = 0;
  std::size_t velocity = 0;                   // place among the tensor fields
  std::vector<std::complex<double>> weights;  // per z, the caller's to set
};
using LaplacianParts = std::vector<std::vector<LaplacianPart>>;  // per axis of p

// On the axes of pair.laplacian. common: gets the tensor fields that c and the gradient of p have in common.
LaplacianParts laplacian_parts(const SaddleRows& rows, const SaddlePair& pair, std::vector<std::size_t>& common);

// The weighted sums of the parts in Schur form, into pair.laplacian: one real matrix for all z where the parts differ
// by a factor that depends on z, and that a power where it is one. Left null vectors into pair.left_null where
// has_kernel. False: not of this form.
bool factor_laplacian(const std::vector<std::complex<double>>& z, const LaplacianParts& parts, SaddlePair& pair);

}  // namespace gwrm
