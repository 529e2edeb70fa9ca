#include <algorithm>

#include "kernels/device/device_sums.cuh"
#include "kernels/sbp_sat/device_cg.cuh"
#include "kernels/sbp_sat/separable_operator_device.cuh"

namespace gwrm::cuda {

namespace {

// r.S r of the start.
__global__ void start_kernel(DeviceSeparable a, bool jacobi, const double* r, double* partial) {
  double sums[1] = {0.0};
  for (long long k = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; k < a.size();
       k += static_cast<long long>(gridDim.x) * blockDim.x) {
    const int j = static_cast<int>(k / a.fast.n), i = static_cast<int>(k % a.fast.n);
    sums[0] += r[k] * r[k] * (jacobi ? a.inverse_diagonal(j, i) : 1.0);
  }
  leave_sums(sums, partial);
}

// p' = S r + beta p, alpha from p'.A p'.
template <int half, int rows>
__global__ void direction_kernel(DeviceSeparable a, bool jacobi, const double* r, const double* p, double* p_new,
                                 double* partial, const CgState* state) {
  if (state->done != 0) return;
  const double beta = state->beta;
  double sums[1] = {0.0};
  walk<half, rows>(
      a,
      [&](int j, int i) {
        const long long k = a.place(j, i);
        return (jacobi ? a.inverse_diagonal(j, i) : 1.0) * r[k] + beta * p[k];
      },
      [](int, int) { return Nothing(); },
      [&](int j, int i, double value, double image, Nothing) {
        p_new[a.place(j, i)] = value;
        sums[0] += value * image;
      });
  leave_sums(sums, partial);
}

// x += alpha p, r -= alpha A p; beta from the new r.
template <int half, int rows>
__global__ void step_kernel(DeviceSeparable a, bool jacobi, const double* p, double* x, double* r, double* partial,
                            const CgState* state) {
  if (state->done != 0) return;
  const double alpha = state->alpha;
  double sums[2] = {0.0, 0.0};
  walk<half, rows>(
      a, [&](int j, int i) { return p[a.place(j, i)]; },
      [&](int j, int i) { return make_double2(x[a.place(j, i)], r[a.place(j, i)]); },
      [&](int j, int i, double value, double image, double2 before) {
        const long long k = a.place(j, i);
        x[k] = before.x + alpha * value;
        const double residual = before.y - alpha * image;
        r[k] = residual;
        sums[0] += residual * residual;
        sums[1] += residual * residual * (jacobi ? a.inverse_diagonal(j, i) : 1.0);
      });
  leave_sums(sums, partial);
}

}  // namespace

DeviceCgResult cg_graph(const Context& context, const SeparableOperator& a, const std::vector<double>& b,
                        std::vector<double>& x, const DeviceCgOptions& options) {
  DeviceHandles& handles = *context.device();
  if (one_pass_fits(a)) return cg_one_pass(handles, a, b, x, options);
  const DeviceSeparableTables tables(handles, a);
  const DeviceSeparable& view = tables.view();
  const dim3 grid = walk_grid(view);
  constexpr int kStartBlocks = 264, kStartThreads = 256;
  CgVectors v(handles, b, options, kMaxSums * std::max<long long>(kStartBlocks, 1LL * grid.x * grid.y));
  start_kernel<<<kStartBlocks, kStartThreads, 0, handles.stream>>>(view, options.jacobi, v.r, v.partial);
  GWRM_LAUNCHED(start_kernel);
  collect_start_kernel<<<1, kCollectors, 0, handles.stream>>>(v.partial, kStartBlocks, v.state);
  GWRM_LAUNCHED(collect_start_kernel);
  const unsigned n_blocks = grid.x * grid.y;
  const auto record = [&] {
    with_schedule(view, tables.half(), [&](auto half, auto rows) {
      for (int k = 0; k < kRecorded; ++k) {
        double *from = k % 2 == 0 ? v.p : v.p_other, *to = k % 2 == 0 ? v.p_other : v.p;
        direction_kernel<half(), rows()>
            <<<grid, kColumns, 0, handles.stream>>>(view, options.jacobi, v.r, from, to, v.partial, v.state);
        GWRM_LAUNCHED(direction_kernel);
        collect_curvature_kernel<<<1, kCollectors, 0, handles.stream>>>(v.partial, n_blocks, v.state);
        GWRM_LAUNCHED(collect_curvature_kernel);
        step_kernel<half(), rows()>
            <<<grid, kColumns, 0, handles.stream>>>(view, options.jacobi, to, v.x, v.r, v.partial, v.state);
        GWRM_LAUNCHED(step_kernel);
        collect_both_kernel<<<1, kCollectors, 0, handles.stream>>>(v.partial, n_blocks, v.history, v.state);
        GWRM_LAUNCHED(collect_both_kernel);
      }
    });
  };
  return replay(handles, v, record, x);
}

}  // namespace gwrm::cuda
