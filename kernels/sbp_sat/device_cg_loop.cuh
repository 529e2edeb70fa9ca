// Conjugate gradients for whatever applies a matrix by itself: a kernel for p = S r + beta p, the product with p.A p,
// and a kernel for x and r, behind the last two one of a single block that adds up their sums.
//
// Contract: kernels/sbp_sat/device_poisson.hpp
#pragma once

#include "kernels/sbp_sat/device_cg.cuh"

namespace gwrm::cuda {

constexpr unsigned kSweepBlocks = 1056;  // of the pointwise kernels that sum: 8 on each of 132 multiprocessors

// Puts q = A p on the stream; every one of n_blocks blocks of threads leaves its part of p.A p in `partial`
// (kernels/device/device_sums.cuh). Both do nothing where the state says done; with a null state nothing but q is
// wanted.
struct CgProduct {
  unsigned n_blocks;
  std::function<void(const double* p, double* q, double* partial, const CgState* state)> launch;
};

// x starts at zero; `s`: a diagonal matrix on the device, the identity where null.
DeviceCgResult cg_loop(DeviceHandles& handles, const CgProduct& product, const double* s, const std::vector<double>& b,
                       std::vector<double>& x, const DeviceCgOptions& options);

// The parts, for those who time them. p = S r + beta p; the sum of u v; x += alpha p, r -= alpha q, the new r.r and
// r.S r. Sums are left in `partial` by kSweepBlocks blocks.
void launch_direction(const DeviceHandles& handles, long long n, const double* s, const double* r, double* p,
                      const CgState* state);
void launch_dot(const DeviceHandles& handles, long long n, const double* u, const double* v, double* partial);
void launch_step(const DeviceHandles& handles, long long n, const double* s, const double* p, const double* q,
                 double* x, double* r, double* partial, const CgState* state);

}  // namespace gwrm::cuda
