// Eigenvalues and eigenvectors of a pencil P(l) v = 0.
//
// All of them     with a shift s that is no eigenvalue, l = s + 1/mu and P(s + d) = Q_0 + d Q_1 + d^2 Q_2:
//                     (mu^2 Q_0 + mu Q_1 + Q_2) v = 0,   M = -Q_0^{-1} Q_1  (or, squared, [-Q_0^{-1} Q_1, -Q_0^{-1}
//                     Q_2; 1, 0])
//                 has the eigenvalues mu (LAPACK's dgeev). Conditions and constraints, whose rows hold no l, give
//                 mu = 0: they stand apart from the eigenvalues near s instead of spoiling them, as infinite
//                 eigenvalues do in the QZ iteration.
// Near the shift  Arnoldi's method (solver/arnoldi.hpp) on the same M, (P_0 + s P_1)^{-1} by whatever solver the
//                 equations have. A complex shift: complex_shift.hpp.
// Condition       of a simple eigenvalue |x| |z| / |z . x|, x the mode and z its left mode as a functional of
//                 coefficients (z^H M = mu z^H), both in the norm of mean squares over the domain: by how much more
//                 than the operator, relatively, an eigenvalue may change. 1 for self-adjoint problems.
// Source          Saad, Numerical Methods for Large Eigenvalue Problems, 4.1, 6.2, 8.1; Golub and Van Loan, 7.7.
#pragma once

#include <complex>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/matrix.hpp"
#include "problems/eigenvalue/pencil.hpp"

namespace gwrm {

struct Mode {
  std::complex<double> value;
  Eigen::VectorXcd vector;  // coefficients, size() of the pencil
  double condition = 0.0;   // 0: not known
  // y of y^H P(l) = 0, as long as `vector`; empty: not known. What pairs it with a mode x is y^H P'(l) x, which is zero
  // for the modes of other eigenvalues (of a squared eigenvalue: of the companion form).
  Eigen::VectorXcd left = {};
  // z of z^H x, 1 for itself and 0 for the other modes that are known: what takes the place of P'^H y where the pencil
  // is too large for left modes (point_spectrum.hpp); empty there where these are.
  Eigen::VectorXcd dual = {};
  // The left mode as functions, in the place of the unknowns (left_modes.hpp); empty: not known.
  Eigen::VectorXcd left_functions = {};
};

// left: z of z . x, the functional of coefficients.
double condition_of(const Eigen::VectorXcd& right, const Eigen::VectorXcd& left, const Eigen::VectorXd& shares);

// With eigenvalues up to kReach times as far from the shift as the nearest one; of a complex pair the one with positive
// imaginary part.
std::vector<Mode> all_modes(const Pencil& pencil, double shift);
inline constexpr double kReach = 1e7;

// Adds to modes, found beside an earlier shift, those of another shift that are not among them, to the rounding of the
// latter's mu. An earlier shift so near an eigenvalue that the others are hidden needs a second one; where there are no
// others, because conditions alone hold the eigenvalue, the second one is far from everything and adds nothing.
void add_others(std::vector<Mode>& modes, double shift, const std::vector<Mode>& others);

// Overwrites v with P(s)^{-1} v; false: it could not.
using ShiftInverse = std::function<bool(Eigen::VectorXd& v)>;

// The `wanted` modes nearest to the shift, to a relative residual of `tolerance` in mu; fewer where there are no more
// or they do not converge. interrupted: may be empty.
std::vector<Mode> modes_near(const Pencil& pencil, double shift, const ShiftInverse& inverse, std::size_t wanted,
                             double tolerance, const std::function<bool()>& interrupted);

}  // namespace gwrm
