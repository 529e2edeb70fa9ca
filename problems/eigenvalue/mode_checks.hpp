// Whether modes are right.
//
// estimate   each mode once more on finer subdomains (problems/time_spectral/finer_comparison.hpp), by inverse
// iteration
//            from it: how far its eigenvalue moves, relative to its magnitude or, where that is larger, to the mean
//            distance of the two next ones (an eigenvalue 0 beside 1, 4, 9 is judged against 2.5); how far the unknowns
//            move, relative to their largest magnitudes.
// Spurious   modes are those that have no counterpart there within a tenth of the distance of the next ones, nor to the
//            tolerance: a discretisation has as many eigenvalues as unknowns, and the highest are its own (Boyd,
//            Chebyshev and Fourier Spectral Methods, 7.6, whose intermodal separation this is).
// residual, tail, boundary   of a real mode as of the steady solution that it is
// (problems/time_spectral/verification.hpp);
//            of a complex one |P(l) v| over the magnitudes that it adds up, on the finer subdomains, and the tails.
#pragma once

#include <vector>

#include "output/report.hpp"
#include "problems/eigenvalue/modes.hpp"

namespace gwrm {

struct JudgedMode {
  Mode mode;
  std::complex<double> finer_value = 0.0;
  double error = 0.0;              // |finer value - value|
  double size = 0.0;               // what it is relative to (size_of)
  std::vector<double> moved = {};  // per unknown: largest distance, relative to its own largest magnitude
};

// The mean distance of the two eigenvalues next to eigenvalue k.
double separation_of(const std::vector<Mode>& modes, std::size_t k);

// What the error of eigenvalue k is relative to: its magnitude or, where that is larger, the separation.
double size_of(const std::vector<Mode>& modes, std::size_t k);

// How far the mode on the finer pencil is from the other; both may have any factor.
std::vector<double> distances(const Pencil& pencil, const Mode& mode, const Pencil& finer, const Mode& other);

// Residuals, tails and conditions of all modes, of each kind the largest, and known values.
std::vector<Check> check_modes(const Case& the_case, const Pencil& pencil, const Pencil& finer,
                               const std::vector<Mode>& modes);

// `verification.values` in the result.
std::vector<Check> check_known_values(const Case& the_case, const Solution& solution);

}  // namespace gwrm
