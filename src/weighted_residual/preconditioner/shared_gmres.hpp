// GMRES (solver/gmres.hpp) of vectors that several ranks share: one cycle, directions kept.
//
// The matrix takes unknowns to rows, the preconditioner rows to unknowns, and a rank holds as many of either as the
// layout gives it. Sums are SharedVectors::dots, so that all ranks see the same bits, on any number of them, and decide
// alike; Gram-Schmidt as in kernels/linear_algebra/gram_schmidt.hpp, two or four such sums an iteration.
#pragma once

#include "solver/gmres.hpp"
#include "weighted_residual/window/shared_vectors.hpp"

namespace gwrm {

// By all ranks: b of `rows`, x of the unknowns, each its own part. limits.interrupted is empty for all ranks or none;
// one that says so ends it for all.
GmresResult shared_gmres(const LinearOperator& a, const LinearOperator& preconditioner, const SharedVectors& rows,
                         Communicator& ranks, std::span<const double> b, std::span<double> x,
                         const KrylovTolerance& tolerance, const GmresLimits& limits);

}  // namespace gwrm
