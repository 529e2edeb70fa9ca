#include <cblas.h>

#include <algorithm>
#include <limits>

#include "core/vector_clones.hpp"
#include "kernels/sbp_sat/fast_diagonalisation.hpp"

namespace gwrm {
namespace cpu {
namespace {

// Values of the modes that are not there are infinite: what belongs to them stays zero.
GWRM_VECTOR_CLONES void divide_row(double slow, Index n, const double* fast, double* modal) {
#pragma omp simd
  for (Index i = 0; i < n; ++i) {
    const double sum = slow + fast[i];
    modal[i] = sum > 0.0 ? modal[i] / sum : 0.0;
  }
}

class HostFastDiagonalisation : public FastDiagonalisation {
 public:
  HostFastDiagonalisation(const SeparableOperator& a, LineSplit split)
      : slow_(std::make_shared<LineModes>(line_modes(a.slow, a.slow_weights, split))),
        fast_(has_equal_lines(a) ? slow_ : std::make_shared<LineModes>(line_modes(a.fast, a.fast_weights, split))) {
    smallest_ = std::numeric_limits<double>::infinity();
    for (double slow : slow_->values)
      for (double fast : fast_->values)
        if (slow + fast > 0.0) smallest_ = std::min(smallest_, slow + fast);
    parts_.resize(slow_->values.size() * fast_->values.size());
    other_.resize(parts_.size());  // zeros, also where no part writes
  }

  void solve(const double* b, double* u) override {
    const EvenOddSplit &slow = slow_->fold, &fast = fast_->fold;
    fold(slow, fast, b, parts_.data());
    along_slow(CblasNoTrans, parts_.data(), other_.data());
    along_fast(CblasTrans, other_.data(), parts_.data());
    const Index n = fast.extent();
#pragma omp parallel for schedule(static) if (static_cast <Index>(parts_.size()) > kPointsForThreads)
    for (Index j = 0; j < slow.extent(); ++j)
      divide_row(slow_->values[static_cast<std::size_t>(j)], n, fast_->values.data(), parts_.data() + j * n);
    along_slow(CblasTrans, parts_.data(), other_.data());
    along_fast(CblasNoTrans, other_.data(), parts_.data());
    unfold(slow, fast, parts_.data(), u);
  }

 private:
  // y = op(V) x in the rows of each part ...
  void along_slow(CBLAS_TRANSPOSE op, const double* x, double* y) const {
    const EvenOddSplit& slow = slow_->fold;
    const int width = fast_->fold.extent();
    for (Index p = 0; p < slow.n_parts; ++p) {
      const Index first = p * slow.pitch;
      const int size = slow.size(static_cast<int>(p));
      cblas_dgemm(CblasRowMajor, op, CblasNoTrans, size, width, size, 1.0, slow_->vectors.data() + first * slow.pitch,
                  slow.pitch, x + first * width, width, 0.0, y + first * width, width);
    }
  }
  // ... and y = x op(V) in the columns of each.
  void along_fast(CBLAS_TRANSPOSE op, const double* x, double* y) const {
    const EvenOddSplit& fast = fast_->fold;
    const int width = fast.extent(), rows = slow_->fold.extent();
    for (Index p = 0; p < fast.n_parts; ++p) {
      const Index first = p * fast.pitch;
      const int size = fast.size(static_cast<int>(p));
      cblas_dgemm(CblasRowMajor, CblasNoTrans, op, rows, size, size, 1.0, x + first, width,
                  fast_->vectors.data() + first * fast.pitch, fast.pitch, 0.0, y + first, width);
    }
  }

  std::shared_ptr<const LineModes> slow_, fast_;
  std::vector<double> parts_, other_;
};

}  // namespace

std::unique_ptr<FastDiagonalisation> make_fast_diagonalisation(const SeparableOperator& a, LineSplit split) {
  return std::make_unique<HostFastDiagonalisation>(a, split);
}

double fast_diagonalisation_memory(const SeparableOperator& a) {
  const auto square = [](const EvenOddSplit& fold) { return static_cast<double>(fold.pitch) * fold.pitch; };
  const EvenOddSplit slow = fold_of(a.slow, a.slow_weights), fast = fold_of(a.fast, a.fast_weights);
  const double parts = static_cast<double>(slow.extent()) * fast.extent();
  double modes = slow.n_parts * square(slow);
  if (!has_equal_lines(a)) modes += fast.n_parts * square(fast);
  const double workspace_of_lapack = 2.0 * std::max(square(slow), square(fast));
  return 8.0 * (modes + std::max(2.0 * parts, workspace_of_lapack));
}

}  // namespace cpu
}  // namespace gwrm
