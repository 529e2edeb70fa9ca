// The scalars of a conjugate gradient iteration in device memory, and the loop that replays a recorded iteration.
//
// Contract: kernels/sbp_sat/device_poisson.hpp
#pragma once

#include <functional>

#include "core/device_handles.cuh"
#include "kernels/sbp_sat/device_poisson.hpp"

namespace gwrm::cuda {

struct CgState {
  double rz, alpha, beta;
  double stop;  // |r|^2 to reach
  int iteration, max_iterations;
  int done;  // 0: go on; else 1 + DeviceCgStatus
};

// 1/v to the last bit or two, of normal numbers, without the branches of the compiler's division.
__device__ inline double reciprocal(double v) {
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(v));
#pragma unroll
  for (int step = 0; step < 2; ++step) y = fma(y, fma(-v, y, 1.0), y);
  return y;
}

__device__ inline void end_cg(CgState* state, DeviceCgStatus status) {
  state->done = 1 + static_cast<int>(status);
}

// alpha from p.Ap.
__device__ inline void take_curvature(CgState* state, double curvature) {
  if (curvature > 0.0 && isfinite(curvature))
    state->alpha = state->rz / curvature;
  else
    end_cg(state, isfinite(curvature) ? DeviceCgStatus::not_definite : DeviceCgStatus::not_finite);
}

// |r|^2 after an iteration.
__device__ inline void take_residual(CgState* state, double square, double* history) {
  history[++state->iteration] = sqrt(square);
  if (!isfinite(square))
    end_cg(state, DeviceCgStatus::not_finite);
  else if (square <= state->stop)
    end_cg(state, DeviceCgStatus::converged);
  else if (state->iteration >= state->max_iterations)
    end_cg(state, DeviceCgStatus::stalled);
}

// r.S r after an iteration.
__device__ inline void take_product(CgState* state, double rz) {
  state->beta = state->rz == 0.0 ? 0.0 : rz / state->rz;
  state->rz = rz;
}

// The kernels of one block behind those that leave sums of n_blocks blocks in `partial`
// (kernels/device/device_sums.cuh).
constexpr int kCollectors = 1024;                                                                    // their threads
__global__ void collect_start_kernel(const double* partial, unsigned n_blocks, CgState* state);      // r.S r
__global__ void collect_curvature_kernel(const double* partial, unsigned n_blocks, CgState* state);  // p.A p
__global__ void collect_product_kernel(const double* partial, unsigned n_blocks, CgState* state);    // r.z
__global__ void collect_residual_kernel(const double* partial, unsigned n_blocks, double* history,
                                        CgState* state);  // r.r
__global__ void collect_both_kernel(const double* partial, unsigned n_blocks, double* history,
                                    CgState* state);  // r.r, r.S r

// Iterations recorded in one graph, an even number: many enough that the wait behind it does not count, few enough that
// those which find the work done do not either.
constexpr int kRecorded = 32;

// Device memory of a run: x, r and the direction (two of it, read and written in turn).
struct CgVectors {
  CgVectors(DeviceHandles& handles, const std::vector<double>& b, const DeviceCgOptions& options, long long n_partial);

  DeviceBuffer memory;
  double *x, *r, *p, *p_other, *q;
  double *partial, *history;
  CgState* state;

  // What `end`, the state behind the run, and the vectors say; x goes there.
  DeviceCgResult result(DeviceHandles& handles, const CgState& end, double milliseconds, std::vector<double>& to) const;
};

// Records `record` (an even number of iterations) once and replays it until the state says done; then x comes back.
DeviceCgResult replay(DeviceHandles& handles, CgVectors& vectors, const std::function<void()>& record,
                      std::vector<double>& x);

// One kernel per iteration, recorded in a graph: order 2 (kernels/sbp_sat/device_cg_one_pass.cu).
DeviceCgResult cg_one_pass(DeviceHandles& handles, const SeparableOperator& a, const std::vector<double>& b,
                           std::vector<double>& x, const DeviceCgOptions& options);

}  // namespace gwrm::cuda
