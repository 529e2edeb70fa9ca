#include <algorithm>

#include "kernels/device/device_sums.cuh"
#include "kernels/sbp_sat/device_cg_loop.cuh"
#include "kernels/sbp_sat/separable_operator_device.cuh"
#include "bench/measure/timing.hpp"

namespace gwrm::cuda {

namespace {

constexpr int kThreads = 256;
constexpr int kLanes = 4;  // threads of one CSR row: rows have 5, 9 or 13 entries

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

template <class Sparse>
CgProduct product_with(const DeviceHandles& handles, const Sparse& matrix) {
  const unsigned n_blocks = blocks_for(lanes(matrix) * matrix.n);
  return {n_blocks, [&handles, matrix, n_blocks](const double* p, double* q, double* partial, const CgState* state) {
            product_kernel<<<n_blocks, kThreads, 0, handles.stream>>>(matrix, p, q, partial, state);
            GWRM_LAUNCHED(product_kernel);
          }};
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
  product_with(handles, matrix).launch(device_u, device_q, nullptr, nullptr);
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
  DeviceBuffer scale_memory;
  const double* s = nullptr;
  std::vector<double> scale;
  if (options.jacobi) {
    scale = diagonal_of(a);
    for (double& value : scale) value = 1.0 / value;
    s = sent(handles, scale_memory, scale.data(), scale.size());
  }
  const CgProduct product = product_with(handles, matrix);
  return cg_loop(handles, product, s, b, x, options);
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

double time_product(const Context& context, const CsrMatrix& a) {
  DeviceHandles& handles = *context.device();
  SentMatrix memory;
  const DeviceCsr matrix = memory.send(handles, a);
  return time_product(context, product_with(handles, matrix), a.n);
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
    const CgProduct product = product_with(handles, stored);
    return time([&] { product.launch(v.r, v.q, nullptr, nullptr); });
  };
  DevicePartTimes times;
  times.matrix_free = time([&] { apply_on_device(handles, tables, v.r, v.q); });
  times.csr = product_time(csr);
  times.ell = product_time(ell);
  times.direction = time([&] { launch_direction(handles, csr.n, nullptr, v.r, v.p, v.state); });
  times.dot = time([&] {
    launch_dot(handles, csr.n, v.p, v.q, v.partial);
    collect_curvature_kernel<<<1, kCollectors, 0, handles.stream>>>(v.partial, kSweepBlocks, v.state);
  });
  // alpha and beta are zero: the vectors stay as they are.
  times.step = time([&] {
    launch_step(handles, csr.n, nullptr, v.p, v.q, v.x, v.r, v.partial, v.state);
    collect_start_kernel<<<1, kCollectors, 0, handles.stream>>>(v.partial, kSweepBlocks, v.state);
  });
  return times;
}

}  // namespace gwrm::cuda
