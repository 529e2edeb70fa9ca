#include "core/device_libraries.cuh"

#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "core/errors.hpp"
#include "kernels/linear_algebra/dense_lu.hpp"
#include "kernels/linear_algebra/lu_equilibrate.cuh"
#include "kernels/linear_algebra/lu_null_vectors.hpp"
#include "kernels/linear_algebra/lu_scaling.hpp"

namespace gwrm::cuda {
namespace {

// cuSOLVER 12's default algorithm (and the 32-bit cusolverDnDgetrf) does not come back when pivots become subnormal
// during the elimination, as they do when round-off is all that is left of a matrix of low rank: seen on an H200 with
// toolkit 13.0 at n = 4097 and 16384. No look at the matrix beforehand can tell. This algorithm came back from every
// singular matrix tried, at 1.5 (n = 16384) to 2 times (n = 4096) the time. A singular Jacobian has to be an error,
// never a hang.
constexpr cusolverAlgMode_t kFactorAlgorithm = CUSOLVER_ALG_1;

class DenseLuCuda final : public DenseLu {
 public:
  explicit DenseLuCuda(DeviceHandles& handles) : handles_(handles) {
    handles_.open_solver();
    GWRM_DEVICE(cusolverDnSetAdvOptions(handles_.solver_parameters, CUSOLVERDN_GETRF, kFactorAlgorithm));
  }

  LuStatus factor(std::span<const double> matrix, Index n) override {
    if (n < 0 || static_cast<Index>(matrix.size()) != n * n) throw ShapeError("DenseLu: the matrix is not n x n");
    double* const on_device = device_matrix(n);
    if (n > 0) handles_.upload(on_device, matrix.data(), matrix.size());
    return factor_device_matrix();
  }

  double* device_matrix(Index n) override {
    n_ = n;
    const std::size_t size = static_cast<std::size_t>(n);
    vector_.reserve<double>(size);
    return matrix_.reserve<double>(size * size);
  }

  LuStatus factor_device_matrix() override {
    reciprocal_condition_ = 1.0;
    if (n_ == 0) return status_ = LuStatus::regular;
    double* const matrix = matrix_.as<double>();
    reciprocal_condition_ = 0.0;
    if (!equilibrate_on_device(handles_, matrix, n_, row_scale_, column_scale_)) return status_ = LuStatus::not_finite;
    const double one_norm = one_norm_on_device(handles_, matrix, n_);
    if (factor_on_device()) reciprocal_condition_ = estimate_reciprocal_condition(one_norm);
    // Written so that a NaN counts as singular.
    return status_ = reciprocal_condition_ >= kSingularReciprocalCondition ? LuStatus::regular : LuStatus::singular;
  }

  void solve(std::span<double> right_hand_side) const override {
    require(LuStatus::regular, "solve");
    if (static_cast<Index>(right_hand_side.size()) != n_)
      throw ShapeError("DenseLu: the right-hand side has not n values");
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
    std::vector<std::int64_t> swaps(size);
    handles_.download(swaps.data(), pivots_.as<std::int64_t>(), size);
    std::vector<Index> pivots(size);
    std::transform(swaps.begin(), swaps.end(), pivots.begin(),
                   [](std::int64_t p) { return static_cast<Index>(p) - 1; });
    return lu_null_vectors(entries, pivots, row_scale_, column_scale_);
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
    GWRM_DEVICE(cusolverDnXgetrf(handles_.solver, handles_.solver_parameters, n, n, CUDA_R_64F, matrix, n, pivots,
                                 CUDA_R_64F, device_work, device_bytes, host_work.data(), host_bytes, info));
    int zero_pivot = 0;
    handles_.download(&zero_pivot, info, 1);
    if (zero_pivot < 0) throw DeviceError("cusolverDnXgetrf: argument " + std::to_string(-zero_pivot) + " is invalid");
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
      LAPACKE_dlacn2_work(static_cast<lapack_int>(n_), v.data(), x.data(), signs.data(), &inverse_norm, &request,
                          state);
      if (request == 0) break;
      solve_scaled(x, request == 1 ? CUBLAS_OP_N : CUBLAS_OP_T);
      if (!std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); })) return 0.0;
    }
    return inverse_norm > 0.0 ? 1.0 / inverse_norm / one_norm : 0.0;
  }

  void require(LuStatus status, const char* what) const {
    if (status_ != status) throw ShapeError(std::string("DenseLu: ") + what + "() does not fit the status of factor()");
  }

  DeviceHandles& handles_;
  Index n_ = 0;
  LuStatus status_ = LuStatus::not_finite;
  double reciprocal_condition_ = 0.0;
  std::vector<double> row_scale_, column_scale_;
  DeviceBuffer matrix_, pivots_, vector_, info_;
};

}  // namespace

std::unique_ptr<DenseLu> make_dense_lu(const Context& context) {
  return std::make_unique<DenseLuCuda>(*context.device());
}

}  // namespace gwrm::cuda
