#include <algorithm>

#include "core/errors.hpp"
#include "kernels/device/device_sums.cuh"
#include "kernels/sbp_sat/device_cg.cuh"
#include "kernels/sbp_sat/separable_operator_device.cuh"

namespace gwrm::cuda {

namespace {

std::vector<double> diagonal_of(const StencilRows& rows) {
  std::vector<double> values;
  for (Index i = 0, first = 0; i < rows.n; ++i) {
    const auto row = rows.row(i, first);
    values.push_back(row[static_cast<std::size_t>(i - first)]);
  }
  return values;
}

template <int half, int rows>
__global__ void apply_kernel(DeviceSeparable a, const double* u, double* q) {
  walk<half, rows>(
      a, [&](int j, int i) { return u[a.place(j, i)]; }, [](int, int) { return Nothing(); },
      [&](int j, int i, double, double value, Nothing) { q[a.place(j, i)] = value; });
}

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

DeviceSeparableTables::DeviceSeparableTables(const DeviceHandles& handles, const SeparableOperator& a)
    : half_(a.fast.half) {
  if (half_ < 1 || half_ > 3 || a.slow.half != half_)
    throw ShapeError("the device has separable operators of orders 2, 4 and 6, the same in both dimensions");
  std::vector<double> tables;
  const auto fill = [&](const StencilRows& rows, const std::vector<double>& weights, DeviceRows& to) {
    to.n = static_cast<int>(rows.n);
    to.n_closure = rows.n_closure;
    to.interior_end = static_cast<int>(rows.interior_end());
    to.closure_width = rows.closure_width;
    std::copy(rows.interior.begin(), rows.interior.end(), to.interior);
    const std::vector<double> diagonal = diagonal_of(rows);
    const std::size_t middle = weights.size() / 2;
    to.interior_weight = weights[middle];
    to.interior_diagonal = diagonal[middle];
    std::vector<double> sums;
    for (Index i = 0; i < rows.n; ++i) sums.push_back(rows.row_sum(i));
    to.interior_sum = sums[middle];
    std::vector<std::size_t> places;
    for (const std::vector<double>* values : {&rows.first, &rows.last, &weights, &diagonal, &std::as_const(sums)}) {
      places.push_back(tables.size());
      tables.insert(tables.end(), values->begin(), values->end());
    }
    return places;
  };
  const auto slow = fill(a.slow, a.slow_weights, view_.slow), fast = fill(a.fast, a.fast_weights, view_.fast);
  view_.interior_inverse_diagonal = 1.0 / (view_.slow.interior_diagonal * view_.fast.interior_weight +
                                           view_.slow.interior_weight * view_.fast.interior_diagonal);
  double* memory = memory_.reserve<double>(tables.size());
  handles.upload(memory, tables.data(), tables.size());
  GWRM_DEVICE(cudaStreamSynchronize(handles.stream));  // `tables` goes
  for (auto [rows, places] : {std::pair{&view_.slow, &slow}, std::pair{&view_.fast, &fast}}) {
    const double** tables_of_rows[] = {&rows->first, &rows->last, &rows->weights, &rows->diagonal, &rows->sums};
    for (std::size_t k = 0; k < places->size(); ++k) *tables_of_rows[k] = memory + (*places)[k];
  }
}

void apply_on_device(DeviceHandles& handles, const DeviceSeparableTables& a, const double* u, double* q) {
  with_schedule(a.view(), a.half(), [&](auto half, auto rows) {
    apply_kernel<half(), rows()><<<walk_grid(a.view()), kColumns, 0, handles.stream>>>(a.view(), u, q);
    GWRM_LAUNCHED(apply_kernel);
  });
}

void separable_apply(const Context& context, const SeparableOperator& a, const double* u, double* q) {
  DeviceHandles& handles = *context.device();
  const DeviceSeparableTables tables(handles, a);
  const auto n = static_cast<std::size_t>(a.size());
  double* device_u = handles.scratch[0].reserve<double>(n);
  double* device_q = handles.scratch[1].reserve<double>(n);
  handles.upload(device_u, u, n);
  apply_on_device(handles, tables, device_u, device_q);
  handles.download(q, device_q, n);
}

DeviceCgResult cg_graph(const Context& context, const SeparableOperator& a, const std::vector<double>& b,
                        std::vector<double>& x, const DeviceCgOptions& options) {
  DeviceHandles& handles = *context.device();
  if (one_pass_fits(a)) return cg_one_pass(handles, a, b, x, options);
  const DeviceSeparableTables tables(handles, a);
  const DeviceSeparable& view = tables.view();
  const dim3 grid = walk_grid(view);
  constexpr int kStartBlocks = 264, kStartThreads = 256;
  CgVectors v(handles, b, options, kMostSums * std::max<long long>(kStartBlocks, 1LL * grid.x * grid.y));
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
