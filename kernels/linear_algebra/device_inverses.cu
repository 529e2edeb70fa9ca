#include "kernels/linear_algebra/device_inverses.cuh"

#include <algorithm>

#include "core/device_libraries.cuh"
#include "core/errors.hpp"
#include "kernels/linear_algebra/inverse_steps.cuh"

namespace gwrm::cuda {
namespace {

// Of a batch, matrix after matrix.
struct Work {
  double2 *w = nullptr, *y = nullptr;
  double *row_scale = nullptr, *column_scale = nullptr;
  int* pivots = nullptr;
};

__global__ void __launch_bounds__(kInverseThreads) scale_matrices_kernel(double2* a, int n, Work work, int* status) {
  const long long m = blockIdx.x;
  if (threadIdx.x == 0) status[m] = kInverseRegular;
  __syncthreads();
  scale_matrix(a + m * n * n, n, work.row_scale + m * n, work.column_scale + m * n, status + m);
}

__global__ void __launch_bounds__(kInverseThreads)
    eliminate_panels_kernel(double2* a, int n, int first, int width, Work work, int* status) {
  extern __shared__ double2 panel[];
  __shared__ InverseShared shared;
  const long long m = blockIdx.x;
  eliminate_panel(a + m * n * n, n, first, width, panel, shared, work.w + m * n * kPanelColumns, work.pivots + m * n,
                  status + m);
}

__global__ void __launch_bounds__(kInverseThreads)
    move_pivot_rows_kernel(double2* a, int n, int first, int width, Work work) {
  const long long m = blockIdx.x;
  move_pivot_rows(a + m * n * n, n, first, width, work.pivots + m * n, work.y + m * n * kPanelColumns);
}

__global__ void __launch_bounds__(kInverseThreads) finish_inverses_kernel(double2* a, int n, Work work, int* status) {
  extern __shared__ double2 row[];
  const long long m = blockIdx.x;
  finish_inverse(a + m * n * n, n, work.pivots + m * n, work.row_scale + m * n, work.column_scale + m * n, row,
                 reinterpret_cast<int*>(row + n), status + m);
}

int shared_memory_limit() {
  int device = 0, bytes = 0;
  GWRM_DEVICE(cudaGetDevice(&device));
  GWRM_DEVICE(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  return bytes - static_cast<int>(sizeof(InverseShared)) - 256;
}

template <class Kernel>
void allow_shared_memory(Kernel* kernel, int bytes) {
  GWRM_DEVICE(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
}

}  // namespace

std::size_t inverse_workspace(int n, std::size_t count) {
  return count * static_cast<std::size_t>(n) * (2 * kPanelColumns * sizeof(double2) + 2 * sizeof(double) + sizeof(int));
}

void invert(const DeviceHandles& handles, double2* matrices, int n, std::size_t count, void* workspace, int* status) {
  if (n > kLargestInverse) throw ShapeError("inverses on the device: larger than " + std::to_string(kLargestInverse));
  if (n == 0 || count == 0) return;
  const std::size_t numbers = count * static_cast<std::size_t>(n);
  Work work;
  work.w = static_cast<double2*>(workspace);
  work.y = work.w + numbers * kPanelColumns;
  work.row_scale = reinterpret_cast<double*>(work.y + numbers * kPanelColumns);
  work.column_scale = work.row_scale + numbers;
  work.pivots = reinterpret_cast<int*>(work.column_scale + numbers);

  const auto n_blocks = static_cast<unsigned>(count);
  const int limit = shared_memory_limit(), column = n * static_cast<int>(sizeof(double2));
  int widest = kPanelColumns;
  while (widest > 1 && widest * column > limit) widest /= 2;
  const int of_a_row = column + n * static_cast<int>(sizeof(int));
  allow_shared_memory(eliminate_panels_kernel, std::min(n, widest) * column);
  allow_shared_memory(finish_inverses_kernel, of_a_row);

  scale_matrices_kernel<<<n_blocks, kInverseThreads, 0, handles.stream>>>(matrices, n, work, status);
  GWRM_LAUNCHED(scale_matrices_kernel);
  const cuDoubleComplex one{1.0, 0.0};
  for (int first = 0; first < n; first += widest) {
    const int width = std::min(widest, n - first);
    eliminate_panels_kernel<<<n_blocks, kInverseThreads, static_cast<std::size_t>(width * column), handles.stream>>>(
        matrices, n, first, width, work, status);
    GWRM_LAUNCHED(eliminate_panels_kernel);
    move_pivot_rows_kernel<<<n_blocks, kInverseThreads, 0, handles.stream>>>(matrices, n, first, width, work);
    GWRM_LAUNCHED(move_pivot_rows_kernel);
    // Row-major A += W Y is column-major A^T += Y^T W^T.
    const long long stride = static_cast<long long>(n) * kPanelColumns;
    GWRM_DEVICE(cublasZgemmStridedBatched(handles.blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, width, &one, work.y, n, stride,
                                          work.w, kPanelColumns, stride, &one, matrices, n,
                                          static_cast<long long>(n) * n, static_cast<int>(count)));
  }
  finish_inverses_kernel<<<n_blocks, kInverseThreads, static_cast<std::size_t>(of_a_row), handles.stream>>>(
      matrices, n, work, status);
  GWRM_LAUNCHED(finish_inverses_kernel);
}

}  // namespace gwrm::cuda
