// What comes before and after the Fourier transform of a cosine transform, for several lines side by side.
//
// Layout    x, y: [position][lane], plan.length() rows; planes as in fourier_lines.hpp, all aligned to 64 bytes. Sine
// transforms are those of the
//           cosine of the same number behind reversals and signs, which are the caller's (cosine_transform_cpu.cpp),
//           except of kind I.
// Formulas  at each step in cosine_steps.cpp.
#pragma once

#include "kernels/transform/cosine_transform.hpp"
#include "kernels/transform/fourier_lines.hpp"

namespace gwrm::cpu {

// n_lanes: 1 or kLanes.
void before_fourier(const CosinePlan& plan, int n_lanes, const double* x, Planes z);
void after_fourier(const CosinePlan& plan, int n_lanes, Planes z, double* y);

}  // namespace gwrm::cpu
