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
// rounding   moves a simple eigenvalue l with the condition number K by about eps K |l|, which is added to the
//            estimate. If that is as large as the distance of the next eigenvalue, the two are one defective
//            eigenvalue, which rounding parts by the square root of eps (a Jordan block of n by eps^(1/n)): the error
//            of each is up to their distance (Wilkinson, The Algebraic Eigenvalue Problem, 2.22-2.26; Golub and Van
//            Loan, 7.2.2).
// equations  and conditions of a mode in its own matrices: |P(l) v| relative to sum |l^k| |P_k| |v|, one value per
// block
//            of rows (backward error; Higham and Tisseur, Linear Algebra and its Applications 351, 2002).
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
  double residual = 0.0;           // of its equations and conditions; 0: not known
  std::vector<double> moved = {};  // per unknown: largest distance, relative to its own largest magnitude
};

// The mean distance of the two eigenvalues next to eigenvalue k.
double separation_of(const std::vector<Mode>& modes, std::size_t k);

// What the error of eigenvalue k is relative to: its magnitude or, where that is larger, the separation.
double size_of(const std::vector<Mode>& modes, std::size_t k);

// By how much rounding may move eigenvalue k and, relatively, its mode.
struct RoundingOfMode {
  double value = 0.0, mode = 0.0;
};
RoundingOfMode rounding_of(const std::vector<Mode>& modes, std::size_t k);

// How far the mode on the finer pencil is from the other; both may have any factor.
std::vector<double> distances(const Pencil& pencil, const Mode& mode, const Pencil& finer, const Mode& other);

// Residuals, tails and conditions of all modes, of each kind the largest, and known values.
std::vector<Check> check_modes(const Case& the_case, const Pencil& pencil, const Pencil& finer,
                               const std::vector<Mode>& modes);

// `verification.values` in the result.
std::vector<Check> check_known_values(const Case& the_case, const Solution& solution);

}  // namespace gwrm
