#include "core/device_handles.cuh"

#include <cmath>
#include <memory>

#include "kernels/device_cg.cuh"
#include "kernels/device_sums.cuh"
#include "kernels/fast_diagonalisation.hpp"
#include "kernels/line_modes_device.cuh"
#include "kernels/separable_operator_device.cuh"

namespace gwrm::cuda {

namespace {

__global__ void scale_kernel(int n_slow, int n_fast, const double* slow, const double* fast, double* modal) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n_fast) return;
  for (int j = static_cast<int>(blockIdx.y); j < n_slow; j += static_cast<int>(gridDim.y)) {
    const double sum = slow[j] + fast[i];
    modal[static_cast<long long>(j) * n_fast + i] *= sum > 0.0 ? 1.0 / sum : 0.0;
  }
}

// x += u; r = b - q and the sum of its squares.
__global__ void refine_kernel(long long n, const double* u, double* x) {
  const long long k = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (k < n) x[k] += u[k];
}
__global__ void residual_kernel(long long n, const double* b, const double* q, double* r, double* partial) {
  double sums[1] = {0.0};
  for (long long k = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; k < n;
       k += static_cast<long long>(gridDim.x) * blockDim.x) {
    const double residual = b[k] - q[k];
    r[k] = residual;
    sums[0] += residual * residual;
  }
  leave_sums(sums, partial);
}
__global__ void collect_square_kernel(const double* partial, unsigned n_blocks, double* square) {
  double totals[1];
  collect_sums(partial, n_blocks, totals);
  if (threadIdx.x == 0) *square = totals[0];
}

class DeviceModes {
 public:
  DeviceModes(DeviceHandles& handles, const SeparableOperator& a)
      : handles_(handles),
        slow_(std::make_shared<DeviceLine>(handles, a.slow, a.slow_weights)),
        fast_(has_equal_lines(a) ? slow_ : std::make_shared<DeviceLine>(handles, a.fast, a.fast_weights)),
        m_(slow_->n()),
        n_(fast_->n()) {
    scratch_ = memory_.reserve<double>(static_cast<std::size_t>(m_) * static_cast<std::size_t>(n_));
  }

  // v: a right-hand side on entry, its solution on return. Row-major arrays are cuBLAS's transposes: C = A B row by row
  // is C^T = B^T A^T column by column.
  void solve(double* v) {
    const double *slow = slow_->vectors(), *fast = fast_->vectors();
    product(CUBLAS_OP_N, CUBLAS_OP_N, m_, n_, m_, slow, m_, v, n_, scratch_);
    product(CUBLAS_OP_N, CUBLAS_OP_T, m_, n_, n_, scratch_, n_, fast, n_, v);
    const dim3 grid(static_cast<unsigned>((n_ + 255) / 256), static_cast<unsigned>(m_ < 1024 ? m_ : 1024));
    scale_kernel<<<grid, 256, 0, handles_.stream>>>(m_, n_, slow_->values(), fast_->values(), v);
    GWRM_LAUNCHED(scale_kernel);
    product(CUBLAS_OP_T, CUBLAS_OP_N, m_, n_, m_, slow, m_, v, n_, scratch_);
    product(CUBLAS_OP_N, CUBLAS_OP_N, m_, n_, n_, scratch_, n_, fast, n_, v);
  }

 private:
  // z = op(x) op(y), all row-major; z: rows x columns.
  void product(cublasOperation_t op_x, cublasOperation_t op_y, int rows, int columns, int inner, const double* x,
               int x_width, const double* y, int y_width, double* z) {
    const double one = 1.0, zero = 0.0;
    GWRM_DEVICE(
        cublasDgemm(handles_.blas, op_y, op_x, columns, rows, inner, &one, y, y_width, x, x_width, &zero, z, columns));
  }

  DeviceHandles& handles_;
  std::shared_ptr<const DeviceLine> slow_, fast_;
  int m_, n_;
  DeviceBuffer memory_;
  double* scratch_ = nullptr;
};

}  // namespace

DeviceCgResult solve_by_fast_diagonalisation(const Context& context, const SeparableOperator& a,
                                             const std::vector<double>& b, std::vector<double>& x, int n_solves) {
  constexpr unsigned kThreads = 256, kBlocks = 1056;
  DeviceHandles& handles = *context.device();
  const DeviceSeparableTables tables(handles, a);
  DeviceModes modes(handles, a);
  CgVectors v(handles, b, {false, 0.0, n_solves}, kBlocks);
  const std::size_t n = b.size();
  const auto size = static_cast<long long>(n);
  double *right_hand_side = v.r, *r = v.p, *correction = v.p_other;
  GWRM_DEVICE(cudaMemcpyAsync(r, right_hand_side, n * sizeof(double), cudaMemcpyDeviceToDevice, handles.stream));
  cudaEvent_t begin = nullptr, end = nullptr;
  GWRM_DEVICE(cudaEventCreate(&begin));
  GWRM_DEVICE(cudaEventCreate(&end));
  GWRM_DEVICE(cudaEventRecord(begin, handles.stream));
  for (int solve = 1; solve <= n_solves; ++solve) {
    GWRM_DEVICE(cudaMemcpyAsync(correction, r, n * sizeof(double), cudaMemcpyDeviceToDevice, handles.stream));
    modes.solve(correction);
    refine_kernel<<<static_cast<unsigned>((n + kThreads - 1) / kThreads), kThreads, 0, handles.stream>>>(
        size, correction, v.x);
    GWRM_LAUNCHED(refine_kernel);
    apply_on_device(handles, tables, v.x, v.q);
    residual_kernel<<<kBlocks, kThreads, 0, handles.stream>>>(size, right_hand_side, v.q, r, v.partial);
    GWRM_LAUNCHED(residual_kernel);
    collect_square_kernel<<<1, kCollectors, 0, handles.stream>>>(v.partial, kBlocks, v.history + solve);
    GWRM_LAUNCHED(collect_square_kernel);
  }
  GWRM_DEVICE(cudaEventRecord(end, handles.stream));
  DeviceCgResult result;
  result.residuals.resize(static_cast<std::size_t>(n_solves) + 1);
  handles.download(result.residuals.data(), v.history, result.residuals.size());
  handles.download(x.data(), v.x, n);
  float milliseconds = 0.0f;
  GWRM_DEVICE(cudaEventElapsedTime(&milliseconds, begin, end));
  GWRM_DEVICE(cudaEventDestroy(begin));
  GWRM_DEVICE(cudaEventDestroy(end));
  result.milliseconds = milliseconds;
  result.iterations = n_solves;
  for (int solve = 1; solve <= n_solves; ++solve)
    result.residuals[static_cast<std::size_t>(solve)] = std::sqrt(result.residuals[static_cast<std::size_t>(solve)]);
  result.status = std::isfinite(result.residuals.back()) ? DeviceCgStatus::converged : DeviceCgStatus::not_finite;
  return result;
}

}  // namespace gwrm::cuda
