// What is left of a system in a step too short for anything but dt, the constraints and their multipliers to count:
//   m w + G q = r,   D w = c,   B w = g
// as S(z) for a small z (spatial_factors.hpp), where the rows of D and B are z times as large.
#pragma once

#include "weighted_residual/preconditioner/spatial_factors.hpp"

namespace gwrm {

// By the structured preconditioner of the system, in double precision; none where it has but a dense one.
FactorResult instantaneous_factors(const WindowSystem& system, const SpatialLayout& layout, double z);

// y = S(z) x with these factors' operators.
void apply_instantaneous(const WindowSystem& system, const SpatialFactors& factors, double z,
                         std::span<const std::complex<double>> x, std::span<std::complex<double>> y);

}  // namespace gwrm
