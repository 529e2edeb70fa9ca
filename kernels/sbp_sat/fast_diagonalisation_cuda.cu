#include "core/device_libraries.cuh"

#include <algorithm>
#include <cmath>
#include <memory>

#include "kernels/device/device_stopwatch.cuh"
#include "kernels/device/device_sums.cuh"
#include "kernels/sbp_sat/device_cg.cuh"
#include "kernels/sbp_sat/fast_diagonalisation.hpp"
#include "kernels/sbp_sat/even_odd_split.cuh"
#include "kernels/sbp_sat/line_modes_device.cuh"
#include "kernels/sbp_sat/separable_operator_device.cuh"

namespace gwrm::cuda {

namespace {

// Values of the modes that are not there are infinite: what belongs to them stays zero.
__global__ void scale_kernel(int n_slow, int n_fast, const double* slow, const double* fast, double* modal) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n_fast) return;
  const double value = fast[i];
  for (int j = static_cast<int>(blockIdx.y); j < n_slow; j += static_cast<int>(gridDim.y)) {
    const double sum = slow[j] + value;
    modal[static_cast<long long>(j) * n_fast + i] *= sum > 0.0 ? 1.0 / sum : 0.0;
  }
}

// r = b - A u as cpu::separable_residual() and the sum of its squares. A block takes rows, its threads their columns.
template <int half>
__global__ void residual_kernel(DeviceSeparable a, const double* b, const double* u, double* r, double* partial) {
  double sums[1] = {0.0};
  for (int j = static_cast<int>(blockIdx.y); j < a.slow.n; j += static_cast<int>(gridDim.y))
    for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < a.fast.n;
         i += static_cast<int>(gridDim.x * blockDim.x)) {
      const double here = u[a.place(j, i)];
      const double along_slow = a.slow.row_of_differences<half>(j, here, [&](int row) { return u[a.place(row, i)]; });
      const double along_fast =
          a.fast.row_of_differences<half>(i, here, [&](int column) { return u[a.place(j, column)]; });
      const double residual = b[a.place(j, i)] - (a.fast.weight(i) * along_slow + a.slow.weight(j) * along_fast);
      r[a.place(j, i)] = residual;
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
  DeviceModes(DeviceHandles& handles, const SeparableOperator& a, LineSplit split)
      : handles_(handles),
        slow_(std::make_shared<DeviceLine>(handles, a.slow, a.slow_weights, split)),
        fast_(has_equal_lines(a) ? slow_ : std::make_shared<DeviceLine>(handles, a.fast, a.fast_weights, split)) {
    const std::size_t size = slow_->n_values() * fast_->n_values();
    parts_ = memory_.reserve<double>(2 * size);
    other_ = parts_ + size;
  }

  // x += the solution for r.
  void add_solution(const double* r, double* x) {
    const EvenOddSplit &slow = slow_->fold(), &fast = fast_->fold();
    fold_on_device(handles_, slow, fast, r, parts_);
    along_slow(CUBLAS_OP_N, parts_, other_);
    along_fast(CUBLAS_OP_T, other_, parts_);
    const int m = slow.extent(), n = fast.extent();
    const dim3 grid(static_cast<unsigned>((n + 255) / 256), static_cast<unsigned>(m < 1024 ? m : 1024));
    scale_kernel<<<grid, 256, 0, handles_.stream>>>(m, n, slow_->values(), fast_->values(), parts_);
    GWRM_LAUNCHED(scale_kernel);
    along_slow(CUBLAS_OP_T, parts_, other_);
    along_fast(CUBLAS_OP_N, other_, parts_);
    add_unfolded_on_device(handles_, slow, fast, parts_, x);
  }

 private:
  // Products of all parts of a direction in one call, which wants parts of one size: that of the pitch, at most
  // kAlignment - 1 rows of zeros more than a part needs (one more in the odd half of an odd number of points).
  // Row-major arrays are cuBLAS's transposes: C = A B row by row is C^T = B^T A^T column by column.

  // y = op(V) x in the rows of each part.
  void along_slow(cublasOperation_t op, const double* x, double* y) {
    const int p = slow_->fold().pitch, width = fast_->fold().extent();
    const long long part = static_cast<long long>(p) * width;
    product(CUBLAS_OP_N, op, width, p, p, x, width, part, slow_->vectors(), p, squared(p), y, width, part,
            slow_->fold().n_parts);
  }
  // y = x op(V) in the columns of each part.
  void along_fast(cublasOperation_t op, const double* x, double* y) {
    const int p = fast_->fold().pitch, width = fast_->fold().extent(), rows = slow_->fold().extent();
    product(op, CUBLAS_OP_N, p, rows, p, fast_->vectors(), p, squared(p), x, width, p, y, width, p,
            fast_->fold().n_parts);
  }
  void product(cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, const double* a, int lda,
               long long to_next_a, const double* b, int ldb, long long to_next_b, double* c, int ldc,
               long long to_next_c, int count) {
    const double one = 1.0, zero = 0.0;
    GWRM_DEVICE(cublasDgemmStridedBatched(handles_.blas, op_a, op_b, m, n, k, &one, a, lda, to_next_a, b, ldb,
                                          to_next_b, &zero, c, ldc, to_next_c, count));
  }
  static long long squared(int p) { return static_cast<long long>(p) * p; }

  DeviceHandles& handles_;
  std::shared_ptr<const DeviceLine> slow_, fast_;
  DeviceBuffer memory_;
  double *parts_ = nullptr, *other_ = nullptr;
};

}  // namespace

DeviceCgResult solve_by_fast_diagonalisation(const Context& context, const SeparableOperator& a,
                                             const std::vector<double>& b, std::vector<double>& x, int n_solves,
                                             LineSplit split) {
  constexpr unsigned kThreads = 256, kMaxRows = 1024;
  DeviceHandles& handles = *context.device();
  const DeviceSeparableTables tables(handles, a);
  DeviceModes modes(handles, a, split);
  const DeviceSeparable& view = tables.view();
  const dim3 grid(static_cast<unsigned>(std::min((view.fast.n + 255) / 256, 16)),
                  std::min(static_cast<unsigned>(view.slow.n), kMaxRows));
  const unsigned n_blocks = grid.x * grid.y;
  CgVectors v(handles, b, {false, 0.0, n_solves}, n_blocks);
  const std::size_t n = b.size();
  double *right_hand_side = v.r, *r = v.p;
  GWRM_DEVICE(cudaMemcpyAsync(r, right_hand_side, n * sizeof(double), cudaMemcpyDeviceToDevice, handles.stream));
  DeviceStopwatch watch(handles);
  watch.start();
  for (int solve = 1; solve <= n_solves; ++solve) {
    modes.add_solution(r, v.x);
    const auto find_residual = [&](auto kernel) {
      kernel<<<grid, kThreads, 0, handles.stream>>>(view, right_hand_side, v.x, r, v.partial);
      GWRM_LAUNCHED(residual_kernel);
    };
    if (tables.half() == 1)
      find_residual(residual_kernel<1>);
    else
      tables.half() == 2 ? find_residual(residual_kernel<2>) : find_residual(residual_kernel<3>);
    collect_square_kernel<<<1, kCollectors, 0, handles.stream>>>(v.partial, n_blocks, v.history + solve);
    GWRM_LAUNCHED(collect_square_kernel);
  }
  watch.stop();
  DeviceCgResult result;
  result.residuals.resize(static_cast<std::size_t>(n_solves) + 1);
  handles.download(result.residuals.data(), v.history, result.residuals.size());
  handles.download(x.data(), v.x, n);
  result.milliseconds = watch.milliseconds();
  result.iterations = n_solves;
  for (int solve = 1; solve <= n_solves; ++solve)
    result.residuals[static_cast<std::size_t>(solve)] = std::sqrt(result.residuals[static_cast<std::size_t>(solve)]);
  result.status = std::isfinite(result.residuals.back()) ? DeviceCgStatus::converged : DeviceCgStatus::not_finite;
  return result;
}

}  // namespace gwrm::cuda
