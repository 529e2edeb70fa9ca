// A Fourier series through numbers at points that lie anywhere, in one, two or three dimensions, by least squares.
//
// Formula   F minimises sum_j w_j |y_j - sum_n F_n exp(i n.x_j)|^2,  n_d = -N_d/2 .. ceil(N_d/2) - 1; of all minimisers
//           the one of least |F|_2. With E_jn = exp(i n.x_j): E* W E F = E* W y.
//           Of real y and odd N_d, F_-n is the conjugate of F_n: a real series a_0 + sum a_k cos k x + b_k sin k x with
//           a_0 = F_0, a_k = 2 Re F_k, b_k = -2 Im F_k.
// Method    Conjugate gradients on the normal equations in the form that keeps r = y - E F (CGLS: Hestenes and Stiefel,
//           J. Res. NBS 49 (1952) 409, section 10; Bjoerck, Numerical Methods for Least Squares Problems (1996),
//           algorithm 7.4.1), from F = 0. E and E* are transforms of type 2 and 1 of
//           kernels/transform/nonuniform_fourier.hpp, adjoint to round-off.
// Weights   w_j >= 0. Weights that stand for the part of the period that is nearest to each point (in one dimension
//           half the distance between its neighbours) even out points of uneven density, and lower the number of iterations;
//           weights 1 / sigma_j^2 are right for errors sigma_j that do not depend on each other.
// Ends      when |E* W r|_2 <= tolerance |E* W y|_2, the gradient relative to its first value (converged), or after
//           max_iterations (stalled: F is the best in the space searched so far).
// Too few points, gaps   `condition` is sqrt(largest / least eigenvalue) of E* W E as the iteration has met them, a
//           lower bound of the condition number of W^(1/2) E; errors of y come into F with at most
//           1 / sqrt(least eigenvalue). Random points, many more than modes, give 1 to 3; a gap makes it grow like
//           exp(N gap / 4) (Slepian, Bell Syst. Tech. J. 57 (1978) 1371), and the iteration stall.
//           `underdetermined`: fewer points of positive weight than modes, so that other series fit as well.
// Cost      two transforms an iteration; in a well-conditioned case the gradient falls by
//           (condition - 1)/(condition + 1) each, at least.
// Memory    16 bytes a point three times, and a mode three times, beside the transforms'.
// Errors    ShapeError: as of NonuniformPlan; a number of values or weights other than that of the points; a weight
//           that is negative or not finite, or no positive one; a tolerance outside (0, 1).
// Determinism  two runs give the same bits, with any number of threads.
#pragma once

#include <complex>
#include <functional>
#include <span>
#include <vector>

#include "core/array.hpp"

namespace gwrm {

enum class FitStatus { converged, underdetermined, stalled, not_finite, interrupted };

struct FourierFitOptions {
  double tolerance = 1e-12;
  int max_iterations = 200;
  double transform_tolerance = 1e-14;  // of NonuniformPlan
  std::span<const double> weights;     // none: all 1
  int n_threads = 1;
  std::function<bool(int iteration, double gradient)> watch;  // false: stop; may be empty
};

struct FourierFit {
  FitStatus status = FitStatus::stalled;    // underdetermined: converged, and not the only one
  std::vector<std::complex<double>> modes;  // F, the last dimension fastest
  int iterations = 0;
  double gradient = 0.0;  // |E* W r|_2 / |E* W y|_2 at the end
  double residual = 0.0;  // sqrt(sum w_j |r_j|^2 / sum w_j)
  double condition = 1.0;
};

// coordinates[d][j], angles of period 2 pi; values[j].
FourierFit fit_fourier_series(std::span<const Index> modes, std::span<const std::span<const double>> coordinates,
                              std::span<const std::complex<double>> values, const FourierFitOptions& options);

}  // namespace gwrm
