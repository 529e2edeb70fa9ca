#include <algorithm>

#include "kernels/device_cg.cuh"
#include "kernels/device_sums.cuh"
#include "kernels/separable_operator_device.cuh"
#include "kernels/timing.hpp"

namespace gwrm::cuda {

namespace {

constexpr int kThreads = 256;
constexpr int kLanes = 4;                // threads of one CSR row: rows have 5, 9 or 13 entries
constexpr unsigned kSweepBlocks = 1056;  // of the pointwise kernels: 8 on each of 132 multiprocessors

struct DeviceCsr {
  long long n;
  const long long* row_start;
  const int* columns;
  const double* values;
};
struct DeviceEll {
  long long n;
  int width;
  const int* columns;
  const double* values;
};

// (A u)[row]; all lanes of a row get it.
__device__ double product(const DeviceCsr& a, const double* u, long long row, int lane) {
  double sum = 0.0;
  for (long long k = a.row_start[row] + lane; k < a.row_start[row + 1]; k += kLanes)
    sum += a.values[k] * u[a.columns[k]];
  for (int offset = kLanes / 2; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset, kLanes);
  return sum;
}
__device__ double product(const DeviceEll& a, const double* u, long long row, int) {
  double sum = 0.0;
  for (int k = 0; k < a.width; ++k) sum += a.values[k * a.n + row] * u[a.columns[k * a.n + row]];
  return sum;
}
__host__ __device__ constexpr int lanes(const DeviceCsr&) {
  return kLanes;
}
__host__ __device__ constexpr int lanes(const DeviceEll&) {
  return 1;
}

// q = A u; with `state` alpha from u.A u.
template <class Sparse>
__global__ void product_kernel(Sparse a, const double* u, double* q, double* partial, const CgState* state) {
  if (state != nullptr && state->done != 0) return;
  const long long thread = blockIdx.x * static_cast<long long>(kThreads) + threadIdx.x;
  const long long row = thread / lanes(a);
  const int lane = static_cast<int>(thread % lanes(a));
  double sums[1] = {0.0};
  // Whole warps take part in the exchange between lanes: rows beyond the end repeat the last one.
  const double image = product(a, u, row < a.n ? row : a.n - 1, lane);
  if (row < a.n && lane == 0) {
    q[row] = image;
    sums[0] = u[row] * image;
  }
  if (state == nullptr) return;
  leave_sums(sums, partial);
}

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

template <class T>
const T* sent(DeviceHandles& handles, DeviceBuffer& buffer, const T* host, std::size_t count) {
  T* device = buffer.reserve<T>(count);
  handles.upload(device, host, count);
  return device;
}

struct SentMatrix {
  DeviceBuffer starts, columns, values;

  DeviceCsr send(DeviceHandles& handles, const CsrMatrix& a) {
    static_assert(sizeof(std::int64_t) == sizeof(long long));
    return {a.n, sent(handles, starts, reinterpret_cast<const long long*>(a.row_start.data()), a.row_start.size()),
            sent(handles, columns, a.columns.data(), a.columns.size()),
            sent(handles, values, a.values.data(), a.values.size())};
  }
  DeviceEll send(DeviceHandles& handles, const EllMatrix& a) {
    return {a.n, a.width, sent(handles, columns, a.columns.data(), a.columns.size()),
            sent(handles, values, a.values.data(), a.values.size())};
  }
};

unsigned blocks_for(long long n_threads) {
  return static_cast<unsigned>((n_threads + kThreads - 1) / kThreads);
}

template <class Host>
void apply(const Context& context, const Host& a, const double* u, double* q) {
  DeviceHandles& handles = *context.device();
  SentMatrix memory;
  const auto matrix = memory.send(handles, a);
  const auto n = static_cast<std::size_t>(a.n);
  double* device_u = handles.scratch[0].reserve<double>(n);
  double* device_q = handles.scratch[1].reserve<double>(n);
  handles.upload(device_u, u, n);
  product_kernel<<<blocks_for(lanes(matrix) * a.n), kThreads, 0, handles.stream>>>(matrix, device_u, device_q, nullptr,
                                                                                   nullptr);
  GWRM_LAUNCHED(product_kernel);
  handles.download(q, device_q, n);
}

std::vector<double> diagonal_of(const CsrMatrix& a) {
  return diagonal(a);
}
std::vector<double> diagonal_of(const EllMatrix& a) {
  std::vector<double> values(static_cast<std::size_t>(a.n), 0.0);
  for (std::size_t k = 0; k < a.values.size(); ++k) {
    const std::size_t row = k % values.size();
    if (a.columns[k] == static_cast<std::int32_t>(row)) values[row] += a.values[k];
  }
  return values;
}

template <class Host>
DeviceCgResult cg(const Context& context, const Host& a, const std::vector<double>& b, std::vector<double>& x,
                  const DeviceCgOptions& options) {
  DeviceHandles& handles = *context.device();
  SentMatrix memory;
  const auto matrix = memory.send(handles, a);
  const unsigned product_blocks = blocks_for(lanes(matrix) * a.n);
  CgVectors v(handles, b, options, kMostSums * static_cast<long long>(std::max(product_blocks, kSweepBlocks)));
  DeviceBuffer scale_memory;
  const double* s = nullptr;
  std::vector<double> scale;
  if (options.jacobi) {
    scale = diagonal_of(a);
    for (double& value : scale) value = 1.0 / value;
    s = sent(handles, scale_memory, scale.data(), scale.size());
  }
  start_kernel<<<kSweepBlocks, kThreads, 0, handles.stream>>>(a.n, s, v.r, v.partial);
  GWRM_LAUNCHED(start_kernel);
  collect_start_kernel<<<1, kCollectors, 0, handles.stream>>>(v.partial, kSweepBlocks, v.state);
  GWRM_LAUNCHED(collect_start_kernel);
  return replay(
      handles, v,
      [&] {
        for (int k = 0; k < kRecorded; ++k) {
          direction_kernel<<<blocks_for(a.n), kThreads, 0, handles.stream>>>(a.n, s, v.r, v.p, v.state);
          GWRM_LAUNCHED(direction_kernel);
          product_kernel<<<product_blocks, kThreads, 0, handles.stream>>>(matrix, v.p, v.q, v.partial, v.state);
          GWRM_LAUNCHED(product_kernel);
          collect_curvature_kernel<<<1, kCollectors, 0, handles.stream>>>(v.partial, product_blocks, v.state);
          GWRM_LAUNCHED(collect_curvature_kernel);
          step_kernel<<<kSweepBlocks, kThreads, 0, handles.stream>>>(a.n, s, v.p, v.q, v.x, v.r, v.partial, v.state);
          GWRM_LAUNCHED(step_kernel);
          collect_both_kernel<<<1, kCollectors, 0, handles.stream>>>(v.partial, kSweepBlocks, v.history, v.state);
          GWRM_LAUNCHED(collect_both_kernel);
        }
      },
      x);
}

}  // namespace

void csr_apply(const Context& context, const CsrMatrix& a, const double* u, double* q) {
  apply(context, a, u, q);
}
void ell_apply(const Context& context, const EllMatrix& a, const double* u, double* q) {
  apply(context, a, u, q);
}
DeviceCgResult cg_csr(const Context& context, const CsrMatrix& a, const std::vector<double>& b, std::vector<double>& x,
                      const DeviceCgOptions& options) {
  return cg(context, a, b, x, options);
}
DeviceCgResult cg_ell(const Context& context, const EllMatrix& a, const std::vector<double>& b, std::vector<double>& x,
                      const DeviceCgOptions& options) {
  return cg(context, a, b, x, options);
}

DevicePartTimes time_parts(const Context& context, const SeparableOperator& a, const CsrMatrix& matrix) {
  DeviceHandles& handles = *context.device();
  const DeviceSeparableTables tables(handles, a);
  SentMatrix csr_memory, ell_memory;
  const DeviceCsr csr = csr_memory.send(handles, matrix);
  const EllMatrix host_ell = to_ell(matrix);
  const DeviceEll ell = ell_memory.send(handles, host_ell);
  const auto time = [&](const auto& call) { return cuda::time_calls(context, call).median; };
  const std::vector<double> b(static_cast<std::size_t>(a.size()), 1.0);
  CgVectors v(handles, b, {false, 0.0, 1}, kMostSums * std::max(blocks_for(kLanes * csr.n), kSweepBlocks));
  const auto product_time = [&](const auto& stored) {
    return time([&] {
      product_kernel<<<blocks_for(lanes(stored) * stored.n), kThreads, 0, handles.stream>>>(stored, v.r, v.q, nullptr,
                                                                                            nullptr);
    });
  };
  DevicePartTimes times;
  times.matrix_free = time([&] { apply_on_device(handles, tables, v.r, v.q); });
  times.csr = product_time(csr);
  times.ell = product_time(ell);
  times.direction = time(
      [&] { direction_kernel<<<blocks_for(csr.n), kThreads, 0, handles.stream>>>(csr.n, nullptr, v.r, v.p, v.state); });
  times.dot = time([&] {
    dot_kernel<<<kSweepBlocks, kThreads, 0, handles.stream>>>(csr.n, v.p, v.q, v.partial);
    collect_curvature_kernel<<<1, kCollectors, 0, handles.stream>>>(v.partial, kSweepBlocks, v.state);
  });
  // alpha and beta are zero: the vectors stay as they are.
  times.step = time([&] {
    step_kernel<<<kSweepBlocks, kThreads, 0, handles.stream>>>(csr.n, nullptr, v.p, v.q, v.x, v.r, v.partial, v.state);
    collect_start_kernel<<<1, kCollectors, 0, handles.stream>>>(v.partial, kSweepBlocks, v.state);
  });
  GWRM_LAUNCHED(step_kernel);
  return times;
}

}  // namespace gwrm::cuda
