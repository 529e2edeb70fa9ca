// Products through the points by matrix products of the BLAS, split by parity as in matrix_product_cuda.cu.
//
// The coefficients are sorted first, even indices before odd ones along every dimension. The cosines at the H upper
// points then act on the two halves apart, and what stands at the points are even and odd parts, 2^d of them for each
// of the H1 x ... x Hd points of the upper orthant; sums and differences over the mirrored points give the values, once
// for all dimensions, around the multiplication. The same way back.
#include <cblas.h>
#include <omp.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "core/blas.hpp"
#include "core/thread_errors.hpp"
#include "kernels/product/product_cpu.hpp"
#include "kernels/transform/chebyshev_matrices.hpp"

namespace gwrm::cpu {
namespace {

// Pieces that the threads share, each a product of the BLAS with one thread: rows where the dimension is the last one,
// else columns.
constexpr Index kRows = 32, kColumns = 64;
constexpr double kMatrixWorkForThreads = 5e5;  // multiply-adds
constexpr Index kWorthOneBlasThread = 5000;    // points: below, nothing is worth threads

struct ParityMatrices {
  Index n_even, n_odd, n_half;
  Matrix to_even, to_odd;      // H x n_even, H x n_odd
  Matrix from_even, from_odd;  // n_even x H, n_odd x H
};

ParityMatrices matrices_of(Index n) {
  ParityMatrices m;
  m.n_even = (n + 1) / 2;
  m.n_odd = n / 2;
  m.n_half = (product_points(n) + 1) / 2;
  const Matrix to_points = values_from_coefficients(2 * m.n_half, n - 1);
  const Matrix to_coefficients = coefficients_from_values(n - 1, 2 * m.n_half);
  m.to_even.resize(m.n_half, m.n_even);
  m.to_odd.resize(m.n_half, m.n_odd);
  m.from_even.resize(m.n_even, m.n_half);
  m.from_odd.resize(m.n_odd, m.n_half);
  for (Index k = 0; k < n; ++k)
    for (Index j = 0; j < m.n_half; ++j) {
      (k % 2 == 0 ? m.to_even : m.to_odd)(j, k / 2) = to_points(j, k);
      (k % 2 == 0 ? m.from_even : m.from_odd)(k / 2, j) = to_coefficients(k, j);
    }
  return m;
}

// y[o, j, i] = sum_k A[j, k] x[o, k, i] with o and i of `outer` and `inner` entries; x and y point to the first of the
// rows that A reads and writes, of x_rows and y_rows along the dimension.
void apply(const Matrix& matrix, Index outer, Index inner, const double* x, Index x_rows, double* y, Index y_rows) {
  const int m = static_cast<int>(matrix.rows()), n = static_cast<int>(matrix.cols());
  if (m == 0) return;
  if (n == 0) {  // a series of one coefficient has no odd part
    for (Index o = 0; o < outer; ++o) std::fill_n(y + o * y_rows * inner, m * inner, 0.0);
    return;
  }
  const double work = static_cast<double>(matrix.size()) * static_cast<double>(outer * inner);
  const bool in_threads = work > kMatrixWorkForThreads;
  if (inner == 1) {
#pragma omp parallel for schedule(static) if (in_threads)
    for (Index o = 0; o < outer; o += kRows)
      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(std::min(kRows, outer - o)), m, n, 1.0,
                  x + o * x_rows, static_cast<int>(x_rows), matrix.data(), n, 0.0, y + o * y_rows,
                  static_cast<int>(y_rows));
    return;
  }
  const int width = static_cast<int>(inner);
  const Index per_outer = (inner + kColumns - 1) / kColumns;
#pragma omp parallel for schedule(static) if (in_threads)
  for (Index piece = 0; piece < outer * per_outer; ++piece) {
    const Index o = piece / per_outer, first = piece % per_outer * kColumns;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, static_cast<int>(std::min(kColumns, inner - first)), n,
                1.0, matrix.data(), n, x + o * x_rows * inner + first, width, 0.0, y + o * y_rows * inner + first,
                width);
  }
}

class MatrixProduct final : public ProductPlan<double> {
 public:
  MatrixProduct(const Shape& shape, Index batch) : shape_(shape), batch_(batch), size_(element_count(shape)) {
    for (Index n : shape) matrices_.push_back(matrices_of(n));
    for (const ParityMatrices& m : matrices_) largest_ *= 2 * m.n_half;
    sorted_ = {0};
    for (Index n : shape) {  // place in the sorted series of each coefficient
      std::vector<Index> next;
      for (Index place : sorted_)
        for (Index k = 0; k < n; ++k) next.push_back(place * n + (k % 2 == 0 ? k / 2 : (n + 1) / 2 + k / 2));
      sorted_ = std::move(next);
    }
    for (std::size_t part = 0; part < std::size_t{1} << shape.size(); ++part) {
      Index offset = 0;
      for (std::size_t d = 0; d < shape.size(); ++d)
        offset = offset * 2 * matrices_[d].n_half + ((part >> d) & 1 ? matrices_[d].n_half : 0);
      part_offsets_.push_back(offset);
    }
  }

  std::size_t workspace_bytes() const override { return 3 * static_cast<std::size_t>(largest_) * sizeof(double); }

  void multiply(const double* a, const double* b, double* c, void* workspace) const override {
    std::optional<SingleThreadedBlas> single;
    if (largest_ > kWorthOneBlasThread && omp_in_parallel() == 0) single.emplace();
    double* first = static_cast<double*>(workspace);
    double *second = first + largest_, *spare = second + largest_;
    for (Index item = 0; item < batch_; ++item) {
      double* at_a = to_points(a + item * size_, first, spare);
      double* free_a = at_a == first ? spare : first;
      double* at_b = to_points(b + item * size_, second, free_a);
      multiply_points(at_a, at_b);
      from_points(at_a, at_b, c + item * size_);
    }
  }

 private:
  // Returns whichever of `here` and `there` holds the result.
  double* to_points(const double* series, double* here, double* there) const {
    for (std::size_t k = 0; k < sorted_.size(); ++k) here[sorted_[k]] = series[k];
    Index outer = 1, inner = size_;
    for (std::size_t d = 0; d < shape_.size(); ++d) {
      const ParityMatrices& m = matrices_[d];
      inner /= shape_[d];
      apply(m.to_even, outer, inner, here, shape_[d], there, 2 * m.n_half);
      apply(m.to_odd, outer, inner, here + m.n_even * inner, shape_[d], there + m.n_half * inner, 2 * m.n_half);
      std::swap(here, there);
      outer *= 2 * m.n_half;
    }
    return here;
  }

  void from_points(double* here, double* there, double* series) const {
    Index outer = largest_, inner = 1;
    for (std::size_t d = shape_.size(); d-- > 0;) {
      const ParityMatrices& m = matrices_[d];
      outer /= 2 * m.n_half;
      apply(m.from_even, outer, inner, here, 2 * m.n_half, there, shape_[d]);
      apply(m.from_odd, outer, inner, here + m.n_half * inner, 2 * m.n_half, there + m.n_even * inner, shape_[d]);
      std::swap(here, there);
      inner *= shape_[d];
    }
    for (std::size_t k = 0; k < sorted_.size(); ++k) series[k] = here[sorted_[k]];
  }

  // Parts to values at the 2^d mirrored points, the products of the values, and their sums and differences back.
  void multiply_points(double* a, const double* b) const {
    const std::size_t n_parts = part_offsets_.size();
    const Index inner = matrices_.back().n_half, n_lines = orthant_size() / inner;
    ThreadErrors errors;
#pragma omp parallel for if (largest_ >= 50000)
    for (Index line = 0; line < n_lines; ++line)
      errors.run([&] {
        std::vector<double> p(n_parts), q(n_parts);
        const Index start = line_start(line);
        for (Index j = 0; j < inner; ++j) {
          for (std::size_t part = 0; part < n_parts; ++part) {
            p[part] = a[start + j + part_offsets_[part]];
            q[part] = b[start + j + part_offsets_[part]];
          }
          sums_and_differences(p);
          sums_and_differences(q);
          for (std::size_t part = 0; part < n_parts; ++part) p[part] *= q[part];
          sums_and_differences(p);
          for (std::size_t part = 0; part < n_parts; ++part) a[start + j + part_offsets_[part]] = p[part];
        }
      });
    errors.rethrow();
  }

  static void sums_and_differences(std::vector<double>& parts) {
    for (std::size_t bit = 1; bit < parts.size(); bit *= 2)
      for (std::size_t part = 0; part < parts.size(); ++part)
        if ((part & bit) == 0) {
          const double p = parts[part], q = parts[part | bit];
          parts[part] = p + q;
          parts[part | bit] = p - q;
        }
  }

  Index orthant_size() const {
    return largest_ >> shape_.size();
  }

  // Of the points with outer indices number `line` in the upper orthant.
  Index line_start(Index line) const {
    Index start = 0, stride = 2 * matrices_.back().n_half;
    for (std::size_t d = shape_.size() - 1; d-- > 0;) {
      start += line % matrices_[d].n_half * stride;
      line /= matrices_[d].n_half;
      stride *= 2 * matrices_[d].n_half;
    }
    return start;
  }

  Shape shape_;
  Index batch_, size_, largest_ = 1;
  std::vector<ParityMatrices> matrices_;
  std::vector<Index> sorted_;
  std::vector<Index> part_offsets_;
};

}  // namespace

std::unique_ptr<ProductPlan<double>> matrix_product(const Shape& shape, Index batch) {
  return std::make_unique<MatrixProduct>(shape, batch);
}

}  // namespace gwrm::cpu
