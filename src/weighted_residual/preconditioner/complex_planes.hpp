// Complex tensors as real ones: real and imaginary parts are the first dimension ("planes"), so that real matrices act
// on both at once. Dimensions below are counted without it.
#pragma once

#include <complex>
#include <span>
#include <vector>

#include "core/matrix.hpp"

namespace gwrm {

Array planes(std::span<const std::complex<double>> values, const Shape& extents);
void from_planes(const Array& a, std::span<std::complex<double>> values);

// A real matrix along one dimension.
Array along(const Matrix& matrix, const Array& x, std::size_t dimension);
// Some modes along a dimension.
Array pick(const Array& x, std::size_t dimension, const std::vector<Index>& modes);
// a += factor * b.
void add(Array& a, std::complex<double> factor, const Array& b);

}  // namespace gwrm
