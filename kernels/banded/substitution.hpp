// Triangular systems of one or two couplings, one after the other: what every banded matrix that a batch shares comes
// to once it is factored.
//
// Formula   A sweep:  x_i = scale_i y_i - first_i x_{i-1} - second_i x_{i-2}  (side lower; upper: i+1, i+2), with
//           x = 0 outside the rows. The solution is what the last sweep makes of the one before it.
//             bidiagonal    one sweep, distance 1 in `first`, distance 2 in `second`
//             tridiagonal   L z = y and U x = z: two sweeps with `first`
//             pentadiagonal the same with both
// Device    kernels/banded/substitution_steps.cuh, kernels/banded/second_order_steps.cuh.
#pragma once

#include <memory>
#include <vector>

#include "kernels/banded/banded_batch.hpp"

namespace gwrm {

template <class Number>
struct Sweep {
  Side side = Side::lower;
  std::vector<Number> scale, first, second;  // of n rows; empty: ones, zeros, zeros
};

template <class Number>
struct Substitution {
  std::vector<Sweep<Number>> sweeps;
  BandedStatus status = BandedStatus::solved;
};

// The plan of a shared matrix. Arguments as checked, and a chosen variant.
template <class Number>
std::unique_ptr<BandedPlan<Number>> make_substitution_plan(const Context& context, const BandedShape& shape,
                                                           Substitution<Number> substitution, BandedVariant variant);

namespace cpu {
template <class Number>
std::unique_ptr<BandedPlan<Number>> make_substitution_plan(const BandedShape& shape, Substitution<Number> substitution);
}
namespace cuda {
template <class Number>
std::unique_ptr<BandedPlan<Number>> make_substitution_plan(const Context& context, const BandedShape& shape,
                                                           const Substitution<Number>& substitution,
                                                           BandedVariant variant);
// Of sweeps with two couplings, contiguous, by hybrid.
template <class Number>
std::unique_ptr<BandedPlan<Number>> make_second_order_plan(const Context& context, const BandedShape& shape,
                                                           const Substitution<Number>& substitution);
}  // namespace cuda

}  // namespace gwrm
