// Sums and updates of long vectors, each in one pass over memory.
//
// Sums are taken over blocks of kLongVectorBlock values, then over the blocks in order: the same bits with any number
// of threads. workspace: long_vector_workspace(n) doubles.
//
// On the device these are parts of the kernels of an iteration (kernels/sbp_sat/device_cg_loop.cuh), whose sums never
// leave it.
#pragma once

#include <cstddef>

#include "core/array.hpp"

namespace gwrm {

inline constexpr Index kLongVectorBlock = 4096;
inline constexpr Index kPointsForThreads = 20000;  // below, waking threads takes longer than one pass over memory

inline std::size_t long_vector_workspace(Index n) {
  return 2 * static_cast<std::size_t>((n + kLongVectorBlock - 1) / kLongVectorBlock);
}

struct ResidualSums {
  double plain = 0.0;   // r.r
  double scaled = 0.0;  // r.S r
};

// An iteration of Chronopoulos and Gear, its coefficients and its sums; z = S r.
struct OnePassStep {
  double beta = 0.0, alpha = 0.0;
  double alpha_before = 0.0;  // of the step before this one where x has not had it
};
struct OnePassSums {
  double plain = 0.0, scaled = 0.0, curvature = 0.0;  // r.r, r.z, z.A z
};

namespace cpu {

double dot(Index n, const double* x, const double* y, double* workspace);

// x += a p; r -= a q; the sums of the new r, with the diagonal matrix S = diag(s), the identity where s is null.
ResidualSums step(Index n, double a, const double* p, const double* q, const double* s, double* x, double* r,
                  double* workspace);

// The same for a part of the vectors, by one thread.
ResidualSums step_row(Index n, double a, const double* p, const double* q, const double* s, double* x, double* r);

// y = x + b y.
void add_scaled(Index n, const double* x, double b, double* y);

}  // namespace cpu
}  // namespace gwrm
