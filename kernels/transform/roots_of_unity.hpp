// Points of the unit circle at rational parts of a turn, each correct to the last bit or nearly so.
//
// Formula   half_turns(p, q) = exp(i pi p / q), for any whole p and q >= 1.
// Errors    below 0.51 units in the last place of each part: the angle is reduced in whole numbers to [0, pi/4], sine
//           and cosine are taken there in long double and rounded once. Parts that are 0 or +-1 are exact, and what
//           symmetry says is equal has the same bits.
#pragma once

#include <complex>

namespace gwrm {

std::complex<double> half_turns(long long numerator, long long denominator);

}  // namespace gwrm
