// The separable operators of each unknown in Schur form: what tensor_factors.cpp builds and tensor_solve.cpp solves
// with, on the device weighted_residual/device/device_tensor_solver.cuh.
#pragma once

#include <functional>

#include "kernels/transform/complex_transform.hpp"
#include "weighted_residual/preconditioner/spatial_factors.hpp"

namespace gwrm {

// One axis of one field.
struct TensorAxis {
  int axis = -1;
  std::vector<Index> free, closed;
  Matrix lift;                    // Z: n x free
  Matrix closed_from_free;        // its rows of the closed modes: closed x free
  Matrix particular;              // M: n x closed
  Matrix conditions;              // B: closed x n; of a multiplier alone: natural_condition.hpp
  std::vector<Matrix> operators;  // per p: free x n, the derivatives along this axis; empty if there are none

  // Schur form of sum_p z^p operators[p] Z: one for all z if a single p has any, to be scaled by z^p; else one per z.
  int single_power = -1;
  std::vector<Eigen::MatrixXcd> unitary, triangle;

  std::size_t form(std::size_t k) const { return single_power >= 0 ? 0 : k; }
  std::complex<double> scale(std::complex<double> z) const {
    return single_power > 0 ? std::pow(z, single_power) : std::complex<double>(1.0);
  }
};

// A block of conditions along axis d: z^power B.
struct TensorConditions {
  std::size_t d = 0;           // place among TensorField::axes
  Index rows = 0;              // offset of the block among the spatial rows
  Index first = 0, count = 0;  // among the closed rows of the axis
  int power = 0;
};

struct TensorField {
  Index unknowns = 0, rows = 0;    // offsets of the field and of its equation among the spatial ones
  Shape extents, free_extents;     // along its axes
  std::vector<TensorAxis> axes;    // ascending
  std::vector<std::size_t> order;  // places among `axes`: conditions along an axis are said on all modes of those
                                   // before it here (EquationModel::corner_ranks), on the free ones of the rest
  std::vector<std::complex<double>> mass;  // per z
  std::vector<double> mass_powers;         // m_p
  std::vector<TensorConditions> conditions;
};

// Mean of a coefficient of the linearised rows over the window, and over all axes but one (-1: all).
using CoefficientMeans = std::function<Vector(int coefficient, int axis)>;
// Of averages over the window, which must outlive it.
CoefficientMeans coefficient_means(const WindowSystem& system, const std::vector<Array>& averages);

// The operators of every field but multipliers (multipliers.hpp), in Schur form for these z. singular: an unknown whose
// own terms do not determine it.
LuStatus tensor_operators(const WindowSystem& system, const SpatialLayout& layout, const CoefficientMeans& means,
                          const std::vector<std::complex<double>>& z, std::vector<TensorField>& fields);

// Takes the fields; single precision inside where the preconditioner can do with it.
std::unique_ptr<SpatialFactors> make_tensor_solver(std::vector<TensorField> fields, std::vector<std::complex<double>> z,
                                                   Precision precision);

}  // namespace gwrm
