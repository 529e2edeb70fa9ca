// A number made of one field, the same for all times: an integral over some axes and values at points of the others.
#pragma once

#include <complex>
#include <optional>
#include <span>
#include <vector>

#include "weighted_residual/preconditioner/tensor_operators.hpp"

namespace gwrm {

// The sum over terms of factor prod_axes (row . coefficients).
struct SeparableFunctional {
  struct Term {
    double factor = 1.0;
    std::vector<RowVector> rows;  // per axis of the field, ascending
  };
  std::vector<Term> terms;
  std::complex<double> operator()(std::span<const std::complex<double>> coefficients) const;
};

// Of the terms of a row, coefficients by their means; nothing where they hold another field, or values along an axis.
// axes: of the field.
std::optional<SeparableFunctional> separable_functional(const WindowSystem& system, const std::vector<RowTerm>& terms,
                                                        double factor, int field, const std::vector<int>& axes,
                                                        const CoefficientMeans& means);

}  // namespace gwrm
