#include "core/device_handles.cuh"

#include <cusparse.h>

#include <string>

#include "bench/banded/banded_peers.hpp"
#include "core/errors.hpp"

namespace gwrm::bench::cuda {
namespace {

void check(cusparseStatus_t status, const char* call) {
  if (status != CUSPARSE_STATUS_SUCCESS) throw DeviceError(std::string(call) + ": " + cusparseGetErrorString(status));
}
#define GWRM_SPARSE(call) check((call), #call)

constexpr int kThreads = 256;

// y_i -= s_i y_{i-d};  s_i = -s_i s_{i-d};  d *= 2, from one half of the shared memory to the other.
__global__ void __launch_bounds__(kThreads)
    shared_memory_kernel(int n, const double* __restrict__ off, const double* __restrict__ y, double* __restrict__ x) {
  extern __shared__ double memory[];
  double *right = memory, *s = memory + n, *next_right = memory + 2 * n, *next_s = memory + 3 * n;
  const long long start = static_cast<long long>(blockIdx.x) * n;
  for (int i = static_cast<int>(threadIdx.x); i < n; i += kThreads) {
    right[i] = y[start + i];
    s[i] = i == 0 ? 0.0 : off[i];
  }
  __syncthreads();
  for (int d = 1; d < n; d *= 2) {
    for (int i = static_cast<int>(threadIdx.x); i < n; i += kThreads) {
      next_right[i] = i < d ? right[i] : right[i] - s[i] * right[i - d];
      next_s[i] = i < d ? 0.0 : -(s[i] * s[i - d]);
    }
    __syncthreads();
    double* kept = right;
    right = next_right;
    next_right = kept;
    kept = s;
    s = next_s;
    next_s = kept;
  }
  for (int i = static_cast<int>(threadIdx.x); i < n; i += kThreads) x[start + i] = right[i];
}

}  // namespace

struct CusparseSolver::Library {
  Library(const Context& context, const BandedShape& of_batch, bool is_shared, const DeviceBands& of_matrix)
      : handles(*context.device()), shape(of_batch), shared(is_shared), bands(of_matrix) {
    five = bands.second_lower != nullptr;
    interleaved = shape.layout == BatchLayout::interleaved;
    GWRM_SPARSE(cusparseCreate(&handle));
    GWRM_SPARSE(cusparseSetStream(handle, handles.stream));
    n = static_cast<int>(shape.n), batch = static_cast<int>(shape.batch);
    if (name() == nullptr) return;
    if (interleaved) {
      size = static_cast<std::size_t>(shape.n * shape.batch);
      copies.reserve<double>(5 * size);
    }
    std::size_t bytes = 0;
    double* x = copies.as<double>();
    if (five)
      GWRM_SPARSE(cusparseDgpsvInterleavedBatch_bufferSizeExt(handle, 0, n, copy(0), copy(1), copy(2), copy(3), copy(4),
                                                              x, batch, &bytes));
    else if (interleaved)
      GWRM_SPARSE(
          cusparseDgtsvInterleavedBatch_bufferSizeExt(handle, 0, n, copy(1), copy(2), copy(3), x, batch, &bytes));
    else if (shared)
      GWRM_SPARSE(cusparseDgtsv2_nopivot_bufferSizeExt(handle, n, batch, bands.lower, bands.diagonal, bands.upper, x, n,
                                                       &bytes));
    else
      GWRM_SPARSE(cusparseDgtsv2StridedBatch_bufferSizeExt(handle, n, bands.lower, bands.diagonal, bands.upper, x,
                                                           batch, n, &bytes));
    workspace.reserve<char>(bytes + 1);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() { static_cast<void>(cusparseDestroy(handle)); }

  const char* name() const {
    if (five) return interleaved && !shared ? "gpsvInterleavedBatch" : nullptr;
    if (interleaved) return shared ? nullptr : "gtsvInterleavedBatch";
    return n < 3 ? nullptr : shared ? "gtsv2_nopivot" : "gtsv2StridedBatch";
  }
  double* copy(std::size_t k) const { return copies.as<double>() + k * size; }
  void restore() const {
    if (!interleaved) return;
    const double* all[] = {bands.second_lower, bands.lower, bands.diagonal, bands.upper, bands.second_upper};
    for (std::size_t k = 0; k < 5; ++k)
      if (all[k] != nullptr)
        GWRM_DEVICE(cudaMemcpyAsync(copy(k), all[k], size * sizeof(double), cudaMemcpyDeviceToDevice, handles.stream));
  }
  void solve(double* x) const {
    char* room = workspace.as<char>();
    if (five)
      GWRM_SPARSE(
          cusparseDgpsvInterleavedBatch(handle, 0, n, copy(0), copy(1), copy(2), copy(3), copy(4), x, batch, room));
    else if (interleaved)
      GWRM_SPARSE(cusparseDgtsvInterleavedBatch(handle, 0, n, copy(1), copy(2), copy(3), x, batch, room));
    else if (shared)
      GWRM_SPARSE(cusparseDgtsv2_nopivot(handle, n, batch, bands.lower, bands.diagonal, bands.upper, x, n, room));
    else
      GWRM_SPARSE(cusparseDgtsv2StridedBatch(handle, n, bands.lower, bands.diagonal, bands.upper, x, batch, n, room));
  }

  const DeviceHandles& handles;
  BandedShape shape;
  bool shared, five = false, interleaved = false;
  DeviceBands bands;
  int n = 0, batch = 0;
  std::size_t size = 0;
  cusparseHandle_t handle = nullptr;
  gwrm::cuda::DeviceBuffer copies, workspace;
};

CusparseSolver::CusparseSolver(const Context& context, const BandedShape& shape, bool shared, const DeviceBands& bands)
    : library_(std::make_unique<Library>(context, shape, shared, bands)) {}
CusparseSolver::~CusparseSolver() = default;
const char* CusparseSolver::name() const {
  return library_->name();
}
void CusparseSolver::solve(double* x) {
  library_->solve(x);
}
void CusparseSolver::restore() {
  library_->restore();
}
bool CusparseSolver::overwrites_matrix() const {
  return library_->interleaved;
}

void solve_in_shared_memory(const Context& context, const BandedShape& shape, const double* off, const double* y,
                            double* x) {
  const std::size_t bytes = 4 * sizeof(double) * static_cast<std::size_t>(shape.n);
  if (bytes > 48 * 1024)
    GWRM_DEVICE(cudaFuncSetAttribute(shared_memory_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     static_cast<int>(bytes)));
  shared_memory_kernel<<<static_cast<unsigned>(shape.batch), kThreads, bytes, context.device()->stream>>>(
      static_cast<int>(shape.n), off, y, x);
  GWRM_LAUNCHED(shared_memory_kernel);
}

}  // namespace gwrm::bench::cuda
