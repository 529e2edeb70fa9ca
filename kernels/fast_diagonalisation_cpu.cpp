#include <cblas.h>
#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/errors.hpp"
#include "core/matrix.hpp"
#include "kernels/fast_diagonalisation.hpp"

namespace gwrm {
namespace {

bool is_mirrored(const StencilRows& a) {
  return std::equal(a.first.begin(), a.first.end(), (a.n_closure == a.n ? a.first : a.last).rbegin()) &&
         std::equal(a.interior.begin(), a.interior.end(), a.interior.rbegin());
}

// Eigenpairs of a symmetric matrix; the vectors take its place, as rows.
std::vector<double> diagonalise(Matrix& a) {
  const auto n = static_cast<lapack_int>(a.rows());
  std::vector<double> values(static_cast<std::size_t>(n));
  if (LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', n, a.data(), n, values.data()) != 0)
    throw ShapeError("fast diagonalisation: the eigenvalues were not found");
  return values;
}

// The part of a mirrored matrix that acts on even (sign 1) or odd (sign -1) vectors, in the orthonormal basis of
// (e_i + sign e_{n-1-i})/sqrt(2), and e_m for the middle of an odd n.
Matrix mirrored_part(const Matrix& a, double sign) {
  const Index n = a.rows(), pairs = n / 2, size = sign > 0.0 ? n - pairs : pairs;
  Matrix part(size, size);
  for (Index i = 0; i < size; ++i)
    for (Index j = 0; j < size; ++j) {
      const bool middle_i = i == pairs, middle_j = j == pairs;
      const double value = a(i, j) + (middle_j ? 0.0 : sign * a(i, n - 1 - j));
      part(i, j) = middle_i == middle_j ? value : middle_j ? std::sqrt(2.0) * a(i, j) : value / std::sqrt(2.0);
    }
  return part;
}

void add_mirrored_modes(const Matrix& a, double sign, Index first, LineModes& modes) {
  const Index n = a.rows(), pairs = n / 2;
  Matrix part = mirrored_part(a, sign);
  const std::vector<double> values = diagonalise(part);
  modes.values.insert(modes.values.end(), values.begin(), values.end());
  for (Index k = 0; k < part.rows(); ++k)
    for (Index i = 0; i < part.rows(); ++i) {
      const double value = i == pairs ? part(k, i) : part(k, i) / std::sqrt(2.0);
      modes.vectors(i, first + k) = value;
      if (i != pairs) modes.vectors(n - 1 - i, first + k) = sign * value;
    }
}

}  // namespace

LineModes line_modes(const StencilRows& a, const std::vector<double>& weights) {
  const Index n = a.n;
  Vector scale(n);
  for (Index i = 0; i < n; ++i) scale[i] = 1.0 / std::sqrt(weights[static_cast<std::size_t>(i)]);
  Matrix matrix = dense(a);
  matrix = scale.asDiagonal() * matrix * scale.asDiagonal();
  LineModes modes;
  modes.vectors.resize(n, n);
  if (is_mirrored(a)) {
    modes.vectors.setZero();
    add_mirrored_modes(matrix, 1.0, 0, modes);
    add_mirrored_modes(matrix, -1.0, n - n / 2, modes);
  } else {
    modes.values = diagonalise(matrix);
    modes.vectors = matrix.transpose();
  }
  modes.vectors = scale.asDiagonal() * modes.vectors;
  const double largest = *std::max_element(modes.values.begin(), modes.values.end());
  const double rounding = 1e2 * static_cast<double>(n) * std::numeric_limits<double>::epsilon() * largest;
  for (double& value : modes.values) {
    if (value < -rounding) throw ShapeError("fast diagonalisation: the operator is not positive semidefinite");
    if (value < rounding) value = 0.0;
  }
  return modes;
}

namespace cpu {
namespace {

class HostFastDiagonalisation : public FastDiagonalisation {
 public:
  explicit HostFastDiagonalisation(const SeparableOperator& a)
      : slow_(line_modes(a.slow, a.slow_weights)), fast_(line_modes(a.fast, a.fast_weights)) {
    smallest_ = std::numeric_limits<double>::infinity();
    inverse_.resize(a.slow.n, a.fast.n);
    for (Index j = 0; j < a.slow.n; ++j)
      for (Index i = 0; i < a.fast.n; ++i) {
        const double sum = slow_.values[static_cast<std::size_t>(j)] + fast_.values[static_cast<std::size_t>(i)];
        inverse_(j, i) = sum > 0.0 ? 1.0 / sum : 0.0;
        if (sum > 0.0) smallest_ = std::min(smallest_, sum);
      }
    half_.resize(a.slow.n, a.fast.n);
    modal_.resize(a.slow.n, a.fast.n);
  }

  void solve(const double* b, double* u) override {
    const int m = static_cast<int>(slow_.vectors.rows()), n = static_cast<int>(fast_.vectors.rows());
    const double *slow = slow_.vectors.data(), *fast = fast_.vectors.data();
    const auto product = [](CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int rows, int columns, int inner, const double* x,
                            int lx, const double* y, int ly, double* z) {
      cblas_dgemm(CblasRowMajor, ta, tb, rows, columns, inner, 1.0, x, lx, y, ly, 0.0, z, columns);
    };
    product(CblasTrans, CblasNoTrans, m, n, m, slow, m, b, n, half_.data());
    product(CblasNoTrans, CblasNoTrans, m, n, n, half_.data(), n, fast, n, modal_.data());
    modal_.array() *= inverse_.array();
    product(CblasNoTrans, CblasNoTrans, m, n, m, slow, m, modal_.data(), n, half_.data());
    product(CblasNoTrans, CblasTrans, m, n, n, half_.data(), n, fast, n, u);
  }

 private:
  LineModes slow_, fast_;
  Matrix inverse_, half_, modal_;
};

}  // namespace

std::unique_ptr<FastDiagonalisation> make_fast_diagonalisation(const SeparableOperator& a) {
  return std::make_unique<HostFastDiagonalisation>(a);
}

}  // namespace cpu
}  // namespace gwrm
