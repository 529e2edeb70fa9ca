// The ratio of gamma functions that connects Chebyshev and Legendre polynomials.
//
// Formula   Lambda(z) = Gamma(z + 1/2) / Gamma(z + 1), z > -1/2; Lambda(z + 1) = Lambda(z) (z + 1/2) / (z + 1).
//           From z = 40 on, with y = (z + 1/4)^-2,
//             Lambda = (z + 1/4)^-1/2 (1 - y/64 + 21 y^2/2^13 - 671 y^3/2^19 + 180323 y^4/2^27 - ..).
// Errors    relative, below 1e-17 where long double has 64 bits: the recurrence takes 40 steps at most.
// Source    Slevinsky (2018), section 2 of the paper on polynomial transforms; the series is that of Bogaert, Michiels
//           and Fostier (2012).
#pragma once

namespace gwrm {

long double gamma_ratio(long double z);

}  // namespace gwrm
