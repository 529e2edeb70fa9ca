// What a case says along a periodic axis has to repeat with its length: an equation, condition, initial value or exact
// solution whose ends differ is no function on the circle, and its Fourier series converges like 1/k.
//
// An equation is periodic along x if it maps periodic functions to periodic ones. That is tried: all unknowns and their
// derivatives get arbitrary values, the same at both ends of x, and the residual has to be the same there; so have
// integrands of integrals over x, whose equal weights are exact for periodic functions alone.
#pragma once

#include "weighted_residual/model/model.hpp"

namespace gwrm {

// The difference of the two ends, relative to the largest value along the axis, that is taken for rounding.
inline constexpr double kSamePeriodicValue = 1e-10;

// CaseError at the place of what is not periodic, with the part that is not and its two values; of what is continuous
// across the ends with another slope a line in model.warnings.
void check_periodic_data(Model& model, const Case& the_case);

}  // namespace gwrm
