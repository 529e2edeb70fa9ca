#include <lapacke.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "core/device_handles.cuh"
#include "core/errors.hpp"
#include "kernels/dense_lu.hpp"
#include "kernels/lu_null_vectors.hpp"
#include "kernels/lu_scaling.hpp"
#include "kernels/lu_scan.cuh"

namespace gwrm::cuda {
namespace {

class DenseLuCuda final : public DenseLu {
 public:
  explicit DenseLuCuda(DeviceHandles& handles) : handles_(handles) {}

  LuStatus factor(std::span<const double> matrix, Index n) override {
    if (n < 0 || static_cast<Index>(matrix.size()) != n * n) throw ShapeError("DenseLu: the matrix is not n x n");
    n_ = n;
    factored_ = false;
    reciprocal_condition_ = 1.0;
    if (n == 0) return status_ = LuStatus::regular;

    const std::size_t size = static_cast<std::size_t>(n);
    double* device_matrix = matrix_.reserve<double>(size * size);
    vector_.reserve<double>(size);
    handles_.upload(device_matrix, matrix.data(), matrix.size());
    reciprocal_condition_ = 0.0;
    if (!equilibrate_on_device(handles_, device_matrix, n, row_scale_, column_scale_))
      return status_ = LuStatus::not_finite;
    const LuScan scan = scan_lines(handles_, device_matrix, n);
    if (scan.dependent_lines) return status_ = LuStatus::singular;
    if (factor_on_device()) reciprocal_condition_ = estimate_reciprocal_condition(scan.one_norm);
    // Written so that a NaN counts as singular.
    return status_ = reciprocal_condition_ >= kSingularReciprocalCondition ? LuStatus::regular : LuStatus::singular;
  }

  void solve(std::span<double> right_hand_side) const override {
    require(LuStatus::regular, "solve");
    if (static_cast<Index>(right_hand_side.size()) != n_) throw ShapeError("DenseLu: the right-hand side has not n values");
    if (n_ == 0) return;
    for (std::size_t i = 0; i < row_scale_.size(); ++i) right_hand_side[i] *= row_scale_[i];
    solve_scaled(right_hand_side, CUBLAS_OP_N);
    for (std::size_t i = 0; i < column_scale_.size(); ++i) right_hand_side[i] *= column_scale_[i];
  }

  double reciprocal_condition() const override { return reciprocal_condition_; }

  Dependency dependency() const override {
    require(LuStatus::singular, "dependency");
    const std::size_t size = static_cast<std::size_t>(n_);
    std::vector<double> entries(size * size);
    handles_.download(entries.data(), matrix_.as<double>(), entries.size());
    if (factored_) {
      std::vector<std::int64_t> swaps(size);
      handles_.download(swaps.data(), pivots_.as<std::int64_t>(), size);
      std::vector<Index> pivots(size);
      std::transform(swaps.begin(), swaps.end(), pivots.begin(), [](std::int64_t p) { return static_cast<Index>(p) - 1; });
      return lu_null_vectors(entries, pivots, row_scale_, column_scale_);
    }
    // Singular before it was factored: the scaled matrix is factored on the host, for the diagnosis alone.
    const std::unique_ptr<DenseLu> host = cpu::make_dense_lu();
    if (host->factor(entries, n_) != LuStatus::singular)
      throw Error(ExitStatus::internal_error, "DenseLu: device and host disagree about a singular matrix");
    Dependency dependency = host->dependency();
    rescale(dependency.row_weights, row_scale_);
    rescale(dependency.column_weights, column_scale_);
    return dependency;
  }

 private:
  // False if a pivot is exactly zero.
  bool factor_on_device() {
    const std::int64_t n = n_;
    double* matrix = matrix_.as<double>();
    std::int64_t* pivots = pivots_.reserve<std::int64_t>(static_cast<std::size_t>(n));
    int* info = info_.reserve<int>(1);
    std::size_t device_bytes = 0, host_bytes = 0;
    GWRM_DEVICE(cusolverDnXgetrf_bufferSize(handles_.solver, handles_.solver_parameters, n, n, CUDA_R_64F, matrix, n,
                                            CUDA_R_64F, &device_bytes, &host_bytes));
    std::vector<char> host_work(host_bytes);
    char* device_work = handles_.scratch[0].reserve<char>(device_bytes);
    GWRM_DEVICE(cusolverDnXgetrf(handles_.solver, handles_.solver_parameters, n, n, CUDA_R_64F, matrix, n, pivots, CUDA_R_64F,
                                 device_work, device_bytes, host_work.data(), host_bytes, info));
    int zero_pivot = 0;
    handles_.download(&zero_pivot, info, 1);
    if (zero_pivot < 0) throw DeviceError("cusolverDnXgetrf: argument " + std::to_string(-zero_pivot) + " is invalid");
    factored_ = true;
    return zero_pivot == 0;
  }

  // x <- S^-1 x or S^-T x for the scaled matrix S.
  void solve_scaled(std::span<double> x, cublasOperation_t operation) const {
    double* vector = vector_.as<double>();
    int* info = info_.as<int>();
    handles_.upload(vector, x.data(), x.size());
    GWRM_DEVICE(cusolverDnXgetrs(handles_.solver, handles_.solver_parameters, operation, n_, 1, CUDA_R_64F,
                                 matrix_.as<double>(), n_, pivots_.as<std::int64_t>(), CUDA_R_64F, vector, n_, info));
    handles_.download(x.data(), vector, x.size());
  }

  // Hager's and Higham's estimate of |S^-1|_1: LAPACK's dlacn2 asks for a few solves with S and its transpose.
  double estimate_reciprocal_condition(double one_norm) const {
    const std::size_t size = static_cast<std::size_t>(n_);
    std::vector<double> v(size), x(size);
    std::vector<lapack_int> signs(size);
    lapack_int request = 0, state[3] = {0, 0, 0};
    double inverse_norm = 0.0;
    for (;;) {
      LAPACKE_dlacn2_work(static_cast<lapack_int>(n_), v.data(), x.data(), signs.data(), &inverse_norm, &request, state);
      if (request == 0) break;
      solve_scaled(x, request == 1 ? CUBLAS_OP_N : CUBLAS_OP_T);
      if (!std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); })) return 0.0;
    }
    return inverse_norm > 0.0 ? 1.0 / inverse_norm / one_norm : 0.0;
  }

  static void rescale(std::vector<double>& weights, const std::vector<double>& scale) {
    double largest = 0.0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      weights[i] *= scale[i];
      largest = std::max(largest, std::abs(weights[i]));
    }
    for (double& weight : weights) weight /= largest;
  }

  void require(LuStatus status, const char* what) const {
    if (status_ != status) throw ShapeError(std::string("DenseLu: ") + what + "() does not fit the status of factor()");
  }

  DeviceHandles& handles_;
  Index n_ = 0;
  LuStatus status_ = LuStatus::not_finite;
  bool factored_ = false;
  double reciprocal_condition_ = 0.0;
  std::vector<double> row_scale_, column_scale_;
  DeviceBuffer matrix_, pivots_, vector_, info_;
};

}  // namespace

std::unique_ptr<DenseLu> make_dense_lu(const Context& context) { return std::make_unique<DenseLuCuda>(*context.device()); }

}  // namespace gwrm::cuda
