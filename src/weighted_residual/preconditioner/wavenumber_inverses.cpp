// The inverses of all blocks of a system whose every axis is Fourier's (wavenumber_operators.hpp).
#include <algorithm>
#include <cmath>

#include "core/thread_errors.hpp"
#include "weighted_residual/preconditioner/wavenumber_operators.hpp"

namespace gwrm {
namespace {

using Complex = std::complex<double>;

constexpr Index kMatricesForThreads = 4096;  // matrices: below, waking a thread takes as long as inverting them
constexpr double kTinyPivot = 1e-14;         // of a matrix whose rows and columns have largest entries near 1

// |Re| + |Im| of all entries: as good for scales and pivots as the absolute values, whose roots take as long as the
// rest.
template <class Entries>
auto sizes(const Entries& entries) {
  return entries.unaryExpr([](const Complex& z) { return std::abs(z.real()) + std::abs(z.imag()); });
}

// The inverse of a small matrix by Gauss and Jordan, rows and columns scaled to size 1.
class SmallInverse {
 public:
  explicit SmallInverse(Index n) : n_(n), row_scale_(n), column_scale_(n), pivots_(at(static_cast<int>(n))) {}

  // In place, row-major. False if it is singular to round-off.
  bool invert(Complex* a) {
    if (is_diagonal(a)) {  // fields that do not depend on each other, or a single one
      bool regular = true;
      for (Index i = 0; i < n_; ++i) {
        Complex& entry = a[i * (n_ + 1)];
        regular &= entry != 0.0 && std::isfinite(entry.real()) && std::isfinite(entry.imag());
        entry = 1.0 / entry;
      }
      return regular;
    }
    Eigen::Map<ComplexMatrix> s(a, n_, n_);
    row_scale_ = sizes(s).rowwise().maxCoeff();
    if (!(row_scale_.minCoeff() > 0.0) || !row_scale_.allFinite()) return false;
    s = row_scale_.cwiseInverse().asDiagonal() * s;
    column_scale_ = sizes(s).colwise().maxCoeff();
    if (!(column_scale_.minCoeff() > 0.0)) return false;
    s = s * column_scale_.cwiseInverse().asDiagonal();
    for (Index c = 0; c < n_; ++c) {
      Index pivot = c;
      const double largest = sizes(s.col(c).tail(n_ - c)).maxCoeff(&pivot);
      pivot += c;
      if (!(largest > kTinyPivot)) return false;
      pivots_[static_cast<std::size_t>(c)] = pivot;
      if (pivot != c) s.row(c).swap(s.row(pivot));
      const Complex inverse = 1.0 / s(c, c);
      s(c, c) = 1.0;
      s.row(c) *= inverse;
      for (Index r = 0; r < n_; ++r) {
        if (r == c) continue;
        const Complex factor = s(r, c);
        s(r, c) = 0.0;
        if (factor != 0.0) s.row(r) -= factor * s.row(c);
      }
    }
    for (Index c = n_; c-- > 0;)
      if (pivots_[static_cast<std::size_t>(c)] != c) s.col(c).swap(s.col(pivots_[static_cast<std::size_t>(c)]));
    s = column_scale_.cwiseInverse().asDiagonal() * s * row_scale_.cwiseInverse().asDiagonal();
    return s.allFinite();
  }

 private:
  bool is_diagonal(const Complex* a) const {
    for (Index i = 0; i < n_ * n_; ++i)
      if (i % (n_ + 1) != 0 && a[i] != 0.0) return false;
    return true;
  }

  Index n_;
  Eigen::VectorXd row_scale_;
  Eigen::VectorXd column_scale_;
  std::vector<Index> pivots_;
};

}  // namespace

// Laid out for products along the vectors: entry (i, j) of all inverses for one z side by side.
LuStatus wavenumber_inverses(const WavenumberOperators& operators, const std::vector<Complex>& z, int n_threads,
                             std::vector<Complex>& inverses) {
  const Index n = operators.size, square = n * n, n_vectors = operators.n_vectors();
  const Index n_z = static_cast<Index>(z.size());
  const Index n_chunks = std::min<Index>(n_vectors, 4 * n_threads);
  inverses.assign(static_cast<std::size_t>(n_z * square * n_vectors), Complex(0.0));
  std::vector<char> regular(static_cast<std::size_t>(n_chunks), 1);
  bool all_take_part = true;
  for (const WavenumberPlace& place : operators.fields) all_take_part &= place.lacks == 0;
  ThreadErrors errors;
#pragma omp parallel for schedule(dynamic) num_threads(n_threads) if (n_vectors * n_z > kMatricesForThreads)
  for (Index chunk = 0; chunk < n_chunks; ++chunk)
    errors.run([&] {
      std::vector<Complex> s(static_cast<std::size_t>(square)), symbols(operators.terms.size());
      SmallInverse whole(n);
      for (Index w = chunk * n_vectors / n_chunks; w < (chunk + 1) * n_vectors / n_chunks; ++w) {
        const Wavenumbers k = operators.wavenumbers(w);
        std::vector<Index> rows, columns;
        if (!all_take_part) {
          rows = operators.active(operators.rows, k);
          columns = operators.active(operators.fields, k);
        }
        const bool whole_matrix =
            all_take_part || (static_cast<Index>(rows.size()) == n && rows.size() == columns.size());
        for (std::size_t t = 0; t < symbols.size(); ++t)
          symbols[t] = operators.terms[t].values(0, 0) * operators.symbol(operators.terms[t], k);
        for (Index iz = 0; iz < n_z; ++iz) {
          std::fill(s.begin(), s.end(), Complex(0.0));
          for (std::size_t t = 0; t < symbols.size(); ++t) {
            const WavenumberTerm& term = operators.terms[t];
            Complex value = symbols[t];
            for (int p = 0; p < term.power; ++p) value *= z[static_cast<std::size_t>(iz)];
            s[static_cast<std::size_t>(term.row * n + term.column)] += value;
          }
          Complex* const target = inverses.data() + iz * square * n_vectors + w;
          if (whole_matrix) {
            if (!whole.invert(s.data())) regular[static_cast<std::size_t>(chunk)] = 0;
            for (Index i = 0; i < square; ++i) target[i * n_vectors] = s[static_cast<std::size_t>(i)];
            continue;
          }
          if (rows.size() != columns.size()) {
            regular[static_cast<std::size_t>(chunk)] = 0;
            continue;
          }
          const Index m = static_cast<Index>(rows.size());
          std::vector<Complex> part;
          for (Index row : rows)
            for (Index column : columns) part.push_back(s[static_cast<std::size_t>(row * n + column)]);
          if (!SmallInverse(m).invert(part.data())) regular[static_cast<std::size_t>(chunk)] = 0;
          for (Index i = 0; i < m; ++i)
            for (Index j = 0; j < m; ++j)
              target[(columns[static_cast<std::size_t>(i)] * n + rows[static_cast<std::size_t>(j)]) * n_vectors] =
                  part[static_cast<std::size_t>(i * m + j)];
        }
      }
    });
  errors.rethrow();
  return std::all_of(regular.begin(), regular.end(), [](char one) { return one != 0; }) ? LuStatus::regular
                                                                                        : LuStatus::singular;
}

}  // namespace gwrm
