#include <cblas.h>

#include <algorithm>
#include <limits>

#include "core/matrix.hpp"
#include "kernels/fast_diagonalisation.hpp"
#include "kernels/line_modes.hpp"

namespace gwrm {
namespace cpu {
namespace {

class HostFastDiagonalisation : public FastDiagonalisation {
 public:
  explicit HostFastDiagonalisation(const SeparableOperator& a)
      : slow_(std::make_shared<LineModes>(line_modes(a.slow, a.slow_weights))),
        fast_(has_equal_lines(a) ? slow_ : std::make_shared<LineModes>(line_modes(a.fast, a.fast_weights))) {
    smallest_ = std::numeric_limits<double>::infinity();
    inverse_.resize(a.slow.n, a.fast.n);
    for (Index j = 0; j < a.slow.n; ++j)
      for (Index i = 0; i < a.fast.n; ++i) {
        const double sum = slow_->values[static_cast<std::size_t>(j)] + fast_->values[static_cast<std::size_t>(i)];
        inverse_(j, i) = sum > 0.0 ? 1.0 / sum : 0.0;
        if (sum > 0.0) smallest_ = std::min(smallest_, sum);
      }
    half_.resize(a.slow.n, a.fast.n);
    modal_.resize(a.slow.n, a.fast.n);
  }

  void solve(const double* b, double* u) override {
    const int m = static_cast<int>(slow_->values.size()), n = static_cast<int>(fast_->values.size());
    const double *slow = slow_->vectors.data(), *fast = fast_->vectors.data();
    const auto product = [](CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int rows, int columns, int inner, const double* x,
                            int lx, const double* y, int ly, double* z) {
      cblas_dgemm(CblasRowMajor, ta, tb, rows, columns, inner, 1.0, x, lx, y, ly, 0.0, z, columns);
    };
    product(CblasNoTrans, CblasNoTrans, m, n, m, slow, m, b, n, half_.data());
    product(CblasNoTrans, CblasTrans, m, n, n, half_.data(), n, fast, n, modal_.data());
    modal_.array() *= inverse_.array();
    product(CblasTrans, CblasNoTrans, m, n, m, slow, m, modal_.data(), n, half_.data());
    product(CblasNoTrans, CblasNoTrans, m, n, n, half_.data(), n, fast, n, u);
  }

 private:
  std::shared_ptr<const LineModes> slow_, fast_;
  Matrix inverse_, half_, modal_;
};

}  // namespace

std::unique_ptr<FastDiagonalisation> make_fast_diagonalisation(const SeparableOperator& a) {
  return std::make_unique<HostFastDiagonalisation>(a);
}

}  // namespace cpu
}  // namespace gwrm
