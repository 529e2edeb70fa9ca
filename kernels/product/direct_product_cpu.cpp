// The folded direct sums of direct_product_cuda.cu: for each outer index I one matrix product B_I A_I through the BLAS,
// summed over I. In one dimension, where B_I is a single row, vectorised sums.
//
// Threads share the I among themselves, each with its own sum, and call the BLAS with one thread: threads of ours and
// of the BLAS in turn, both of which wait in loops, took 25 times as long on 16 cores as one thread.
#include <cblas.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/blas.hpp"
#include "kernels/product/product_cpu.hpp"

namespace gwrm::cpu {
namespace {

class LineProduct final : public ProductPlan<double> {
 public:
  LineProduct(Index n, Index batch) : n_(n), batch_(batch) {}

  // The even extension of one series of each: a'_|j|, j = -(n-1)..2(n-1), zeros beyond the degree.
  std::size_t workspace_bytes() const override { return static_cast<std::size_t>(3 * n_ * batch_) * sizeof(double); }

  void multiply(const double* a, const double* b, double* c, void* workspace) const override {
    double* extensions = static_cast<double*>(workspace);
    for (Index item = 0; item < batch_; ++item) {
      double* middle = extensions + item * 3 * n_ + n_ - 1;
      for (Index j = 0; j < n_; ++j) middle[j] = middle[-j] = a[item * n_ + j];
      for (Index j = n_; j <= 2 * n_; ++j) middle[j] = 0.0;
      middle[0] *= 2.0;
    }
    const bool parallel = n_ * n_ * batch_ >= 400000;
#pragma omp parallel for schedule(static, 16) if (parallel)
    for (Index flat = 0; flat < n_ * batch_; ++flat) {
      const Index item = flat / n_, l = flat - item * n_;
      const double* middle = extensions + item * 3 * n_ + n_ - 1 + l;
      const double* row = b + item * n_;
      double sum = 0.0;
#pragma omp simd reduction(+ : sum)
      for (Index m = 0; m < n_; ++m) sum += row[m] * (middle[-m] + middle[m]);
      c[flat] = (l == 0 ? 0.25 : 0.5) * sum;
    }
  }

 private:
  Index n_, batch_;
};

// The index rule of the folded sums, as in direct_product_cuda.cu: the row |K +- I| of the outer dimensions for each
// choice of signs, -1 where it leaves the series.
std::vector<Index> rows_of_signs(const Shape& outer, Index K, Index I) {
  std::vector<Index> rows(std::size_t{1} << outer.size(), 0);
  Index stride = 1;
  for (std::size_t d = outer.size(); d-- > 0; stride *= outer[d]) {
    const Index k = K / stride % outer[d], i = I / stride % outer[d];
    for (std::size_t s = 0; s < rows.size(); ++s) {
      const Index index = (s >> d) & 1 ? k + i : std::abs(k - i);
      rows[s] = rows[s] < 0 || index >= outer[d] ? -1 : rows[s] + index * stride;
    }
  }
  return rows;
}

// 2^(number of zero indices) of a row.
double doubled_first(const Shape& outer, Index row) {
  double weight = 1.0;
  for (std::size_t d = outer.size(); d-- > 0; row /= outer[d]) weight *= row % outer[d] == 0 ? 2.0 : 1.0;
  return weight;
}

constexpr double kDirectWorkForThreads = 1e6;  // multiply-adds, a tenth of a millisecond

class DirectProduct final : public ProductPlan<double> {
 public:
  DirectProduct(const Shape& shape, Index batch)
      : outer_(shape.begin(), shape.end() - 1), n_rows_(element_count(outer_)), n_(shape.back()), batch_(batch) {
    for (Index K = 0; K < n_rows_; ++K) weights_.push_back(doubled_first(outer_, K));
    const double work = std::pow(static_cast<double>(n_rows_ * n_), 2);
    if (work > kDirectWorkForThreads) n_parts_ = std::min<Index>(n_rows_, omp_get_max_threads());
  }

  // b', and for each part B_I, A_I, the extension of a row and the sum (that of the first is c).
  std::size_t workspace_bytes() const override {
    return static_cast<std::size_t>(n_rows_ * n_ + n_parts_ * part_size()) * sizeof(double);
  }

  void multiply(const double* a, const double* b, double* c, void* workspace) const override {
    std::optional<SingleThreadedBlas> single;
    if (n_parts_ > 1 && omp_in_parallel() == 0) single.emplace();
    for (Index item = 0; item < batch_; ++item) {
      const Index start = item * n_rows_ * n_;
      multiply_one(a + start, b + start, c + start, static_cast<double*>(workspace));
    }
  }

 private:
  Index part_size() const { return (2 * n_rows_ + n_ + 3) * n_; }

  void multiply_one(const double* a, const double* b, double* c, double* primed) const {
    const Index size = n_rows_ * n_;
    double* const parts = primed + size;
    for (Index entry = 0; entry < size; ++entry)
      primed[entry] = weights_[static_cast<std::size_t>(entry / n_)] * b[entry];
    const int rows = static_cast<int>(n_rows_), n = static_cast<int>(n_);
#pragma omp parallel for schedule(static) if (n_parts_ > 1)
    for (Index part = 0; part < n_parts_; ++part) {
      double *left = parts + part * part_size(), *right = left + size, *extension = right + n_ * n_;
      double* sum = part == 0 ? c : extension + 3 * n_;
      const Index first = n_rows_ * part / n_parts_, end = n_rows_ * (part + 1) / n_parts_;
      for (Index I = first; I < end; ++I) {
        fill_left(primed, I, left);
        fill_right(a + I * n_, extension, right);
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, n, n, 1.0, left, n, right, n,
                    I == first ? 0.0 : 1.0, sum, n);
      }
    }
    const double scale = std::ldexp(1.0, -static_cast<int>(outer_.size()) - 1);
#pragma omp parallel for schedule(static) if (n_parts_ > 1)
    for (Index K = 0; K < n_rows_; ++K) {
      double* row = c + K * n_;
      for (Index part = 1; part < n_parts_; ++part) {
        const double* sum = parts + (part + 1) * part_size() - size + K * n_;
#pragma omp simd
        for (Index l = 0; l < n_; ++l) row[l] += sum[l];
      }
      for (Index l = 0; l < n_; ++l) row[l] *= scale / weights_[static_cast<std::size_t>(K)];
      row[0] *= 0.5;
    }
  }

  // B_I[K, m] = sum over the signs of b'_{|K +- I|, m}.
  void fill_left(const double* primed, Index I, double* left) const {
    for (Index K = 0; K < n_rows_; ++K) {
      double* target = left + K * n_;
      std::fill(target, target + n_, 0.0);
      for (Index row : rows_of_signs(outer_, K, I)) {
        if (row < 0) continue;
#pragma omp simd
        for (Index m = 0; m < n_; ++m) target[m] += primed[row * n_ + m];
      }
    }
  }

  // A_I[m, l] = a'_|l-m| + a'_{l+m}; extension: room for the even extension of the row, as in LineProduct.
  void fill_right(const double* row, double* extension, double* right) const {
    double* middle = extension + n_ - 1;
    for (Index j = 0; j < n_; ++j) middle[j] = middle[-j] = row[j];
    std::fill(middle + n_, middle + 2 * n_, 0.0);
    middle[0] *= 2.0;
    for (Index m = 0; m < n_; ++m) {
      double* target = right + m * n_;
#pragma omp simd
      for (Index l = 0; l < n_; ++l) target[l] = middle[l - m] + middle[l + m];
    }
  }

  Shape outer_;
  Index n_rows_, n_, batch_, n_parts_ = 1;
  std::vector<double> weights_;
};

}  // namespace

std::unique_ptr<ProductPlan<double>> direct_product(const Shape& shape, Index batch) {
  if (shape.size() == 1) return std::make_unique<LineProduct>(shape[0], batch);
  return std::make_unique<DirectProduct>(shape, batch);
}

}  // namespace gwrm::cpu
