#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/errors.hpp"
#include "kernels/linear_algebra/dense_lu.hpp"
#include "kernels/linear_algebra/lu_null_vectors.hpp"
#include "kernels/linear_algebra/lu_scaling.hpp"

namespace gwrm::cpu {
namespace {

constexpr std::size_t kRowsForThreads = 300;  // some ten microseconds of scaling: below, waking threads takes longer

class DenseLuCpu final : public DenseLu {
 public:
  LuStatus factor(std::span<const double> matrix, Index n) override {
    if (n < 0 || static_cast<Index>(matrix.size()) != n * n) throw ShapeError("DenseLu: the matrix is not n x n");
    n_ = n;
    reciprocal_condition_ = 1.0;
    if (n == 0) return status_ = LuStatus::regular;

    lu_.assign(matrix.begin(), matrix.end());
    if (!equilibrate()) {
      reciprocal_condition_ = 0.0;
      return status_ = LuStatus::not_finite;
    }
    const double norm = one_norm();
    const lapack_int size = static_cast<lapack_int>(n);
    pivots_.resize(static_cast<std::size_t>(n));
    // The _work variants: the plain ones would read the matrix once more in search of NaN.
    const lapack_int zero_pivot = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, size, size, lu_.data(), size, pivots_.data());
    reciprocal_condition_ = 0.0;
    if (zero_pivot == 0) {
      std::vector<double> work(4 * static_cast<std::size_t>(n));
      std::vector<lapack_int> integer_work(static_cast<std::size_t>(n));
      LAPACKE_dgecon_work(LAPACK_COL_MAJOR, '1', size, lu_.data(), size, norm, &reciprocal_condition_, work.data(),
                          integer_work.data());
    }
    // Written so that a NaN counts as singular.
    return status_ = reciprocal_condition_ >= kSingularReciprocalCondition ? LuStatus::regular : LuStatus::singular;
  }

  void solve(std::span<double> right_hand_side) const override {
    require(LuStatus::regular, "solve");
    if (static_cast<Index>(right_hand_side.size()) != n_)
      throw ShapeError("DenseLu: the right-hand side has not n values");
    if (n_ == 0) return;
    const lapack_int size = static_cast<lapack_int>(n_);
    for (std::size_t i = 0; i < row_scale_.size(); ++i) right_hand_side[i] *= row_scale_[i];
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', size, 1, lu_.data(), size, pivots_.data(), right_hand_side.data(), size);
    for (std::size_t i = 0; i < column_scale_.size(); ++i) right_hand_side[i] *= column_scale_[i];
  }

  double reciprocal_condition() const override { return reciprocal_condition_; }

  Dependency dependency() const override {
    require(LuStatus::singular, "dependency");
    std::vector<Index> pivots(pivots_.size());
    std::transform(pivots_.begin(), pivots_.end(), pivots.begin(),
                   [](lapack_int p) { return static_cast<Index>(p) - 1; });
    return lu_null_vectors(lu_, pivots, row_scale_, column_scale_);
  }

 private:
  // lu_ <- R lu_ C; false if an entry is not finite.
  bool equilibrate() {
    const std::size_t n = static_cast<std::size_t>(n_);
    row_scale_.assign(n, 0.0);
    column_scale_.assign(n, 1.0);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) {
        const double value = std::abs(lu_[i + j * n]);
        if (!std::isfinite(value)) return false;
        row_scale_[i] = std::max(row_scale_[i], value);
      }
    for (double& scale : row_scale_) scale = power_of_two_scale(scale);
#pragma omp parallel for schedule(static) if (n > kRowsForThreads)
    for (std::size_t j = 0; j < n; ++j) {
      double* column = lu_.data() + j * n;
      double largest = 0.0;
      for (std::size_t i = 0; i < n; ++i) {
        column[i] *= row_scale_[i];
        largest = std::max(largest, std::abs(column[i]));
      }
      column_scale_[j] = power_of_two_scale(largest);
      for (std::size_t i = 0; i < n; ++i) column[i] *= column_scale_[j];
    }
    return true;
  }

  double one_norm() const {
    const std::size_t n = static_cast<std::size_t>(n_);
    double norm = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0.0;
      for (std::size_t i = 0; i < n; ++i) sum += std::abs(lu_[i + j * n]);
      norm = std::max(norm, sum);
    }
    return norm;
  }

  void require(LuStatus status, const char* what) const {
    if (status_ != status) throw ShapeError(std::string("DenseLu: ") + what + "() does not fit the status of factor()");
  }

  Index n_ = 0;
  LuStatus status_ = LuStatus::not_finite;
  std::vector<double> lu_, row_scale_, column_scale_;
  std::vector<lapack_int> pivots_;
  double reciprocal_condition_ = 0.0;
};

}  // namespace

std::unique_ptr<DenseLu> make_dense_lu() {
  return std::make_unique<DenseLuCpu>();
}

}  // namespace gwrm::cpu
