// noise(amplitude, seed): a smooth function of space whose coefficients are random numbers, the same on every machine.
//
// Formula       sum over modes k = (k_x, k_y, k_z), all 0 left out, of g(seed, k) s(k) f_kx(x) f_ky(y) f_kz(z), for the
//               axes of space that the domain has.
// Functions     of a periodic axis 1, and for k = 1, 2, .. cos(k theta) (mode k) and sin(k theta) (mode -k), theta =
//               2 pi (x - lower)/(upper - lower); else the Chebyshev polynomials T_k, k = 0, 1, ..
// Modes         |k_x| <= half of the degree along x, or the number in the text. Numbers g do not depend on it: with a
//               higher degree modes are added and all others keep their values.
// Spectrum      s(k) = c / ((1 + |k_x|) (1 + |k_y|) (1 + |k_z|)); c such that the mean square, over the box and over
// all
//               seeds, tends to 1 with the number of modes (along a Chebyshev axis in its weight 1/sqrt(1 - xi^2)).
// Numbers       g is uniform in (-sqrt 3, sqrt 3), so that its mean is 0 and its variance 1: h = mix(seed + G), then
// for
//               x, y, z in turn h = mix(h + G (1 + k mod 2^64)), an axis that is not there having k = 0;
//               g = sqrt 3 (2 (floor(h / 2^11) + 1/2) / 2^53 - 1). mix is the output function of SplitMix64, G its
//               increment 0x9e3779b97f4a7c15. Whole numbers only: the same bits everywhere.
// Source        G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "expression/expression.hpp"

namespace gwrm::expression {

inline constexpr int kMostNoiseModes = 1000;      // along an axis
inline constexpr double kMostNoiseNumbers = 1e7;  // of one function

// modes -1: those of symbols.noise. CaseError where there is no axis of space, or no number of modes.
std::shared_ptr<const DataFunction> noise_function(const Symbols& symbols, std::uint64_t seed, int modes);

// g(seed, k) of k = (k_x, k_y, k_z).
double noise_number(std::uint64_t seed, const std::array<std::int64_t, 3>& k);

}  // namespace gwrm::expression
