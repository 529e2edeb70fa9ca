#include "kernels/sbp_sat/device_cg_loop.cuh"

#include <algorithm>

#include "kernels/device/device_sums.cuh"

namespace gwrm::cuda {
namespace {

constexpr int kThreads = 256;

__global__ void start_kernel(long long n, const double* s, const double* r, double* partial) {
  double sums[1] = {0.0};
  for (long long k = blockIdx.x * static_cast<long long>(kThreads) + threadIdx.x; k < n;
       k += static_cast<long long>(gridDim.x) * kThreads)
    sums[0] += r[k] * r[k] * (s == nullptr ? 1.0 : s[k]);
  leave_sums(sums, partial);
}

__global__ void dot_kernel(long long n, const double* u, const double* v, double* partial) {
  double sums[1] = {0.0};
  for (long long k = blockIdx.x * static_cast<long long>(kThreads) + threadIdx.x; k < n;
       k += static_cast<long long>(gridDim.x) * kThreads)
    sums[0] += u[k] * v[k];
  leave_sums(sums, partial);
}

__global__ void direction_kernel(long long n, const double* s, const double* r, double* p, const CgState* state) {
  const long long k = blockIdx.x * static_cast<long long>(kThreads) + threadIdx.x;
  if (state->done != 0 || k >= n) return;
  p[k] = (s == nullptr ? 1.0 : s[k]) * r[k] + state->beta * p[k];
}

__global__ void step_kernel(long long n, const double* s, const double* p, const double* q, double* x, double* r,
                            double* partial, const CgState* state) {
  if (state->done != 0) return;
  const double alpha = state->alpha;
  double sums[2] = {0.0, 0.0};
  for (long long k = blockIdx.x * static_cast<long long>(kThreads) + threadIdx.x; k < n;
       k += static_cast<long long>(gridDim.x) * kThreads) {
    x[k] += alpha * p[k];
    const double residual = r[k] - alpha * q[k];
    r[k] = residual;
    sums[0] += residual * residual;
    sums[1] += residual * residual * (s == nullptr ? 1.0 : s[k]);
  }
  leave_sums(sums, partial);
}

}  // namespace

void launch_direction(const DeviceHandles& handles, long long n, const double* s, const double* r, double* p,
                      const CgState* state) {
  const auto n_blocks = static_cast<unsigned>((n + kThreads - 1) / kThreads);
  direction_kernel<<<n_blocks, kThreads, 0, handles.stream>>>(n, s, r, p, state);
  GWRM_LAUNCHED(direction_kernel);
}

void launch_dot(const DeviceHandles& handles, long long n, const double* u, const double* v, double* partial) {
  dot_kernel<<<kSweepBlocks, kThreads, 0, handles.stream>>>(n, u, v, partial);
  GWRM_LAUNCHED(dot_kernel);
}

void launch_step(const DeviceHandles& handles, long long n, const double* s, const double* p, const double* q,
                 double* x, double* r, double* partial, const CgState* state) {
  step_kernel<<<kSweepBlocks, kThreads, 0, handles.stream>>>(n, s, p, q, x, r, partial, state);
  GWRM_LAUNCHED(step_kernel);
}

DeviceCgResult cg_loop(DeviceHandles& handles, const CgProduct& product, const double* s, const std::vector<double>& b,
                       std::vector<double>& x, const DeviceCgOptions& options) {
  const auto n = static_cast<long long>(b.size());
  CgVectors v(handles, b, options, kMaxSums * static_cast<long long>(std::max(product.n_blocks, kSweepBlocks)));
  start_kernel<<<kSweepBlocks, kThreads, 0, handles.stream>>>(n, s, v.r, v.partial);
  GWRM_LAUNCHED(start_kernel);
  collect_start_kernel<<<1, kCollectors, 0, handles.stream>>>(v.partial, kSweepBlocks, v.state);
  GWRM_LAUNCHED(collect_start_kernel);
  const auto record = [&] {
    for (int k = 0; k < kRecorded; ++k) {
      launch_direction(handles, n, s, v.r, v.p, v.state);
      product.launch(v.p, v.q, v.partial, v.state);
      collect_curvature_kernel<<<1, kCollectors, 0, handles.stream>>>(v.partial, product.n_blocks, v.state);
      GWRM_LAUNCHED(collect_curvature_kernel);
      launch_step(handles, n, s, v.p, v.q, v.x, v.r, v.partial, v.state);
      collect_both_kernel<<<1, kCollectors, 0, handles.stream>>>(v.partial, kSweepBlocks, v.history, v.state);
      GWRM_LAUNCHED(collect_both_kernel);
    }
  };
  return replay(handles, v, record, x);
}

}  // namespace gwrm::cuda
