// Banded systems for tests, and what their solutions are: elimination with row exchanges in quadruple precision, of one
// system at a time, from the diagonals of the matrix.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "kernels/banded/banded_batch.hpp"
#include "kernels/quadruple.hpp"
#include "kernels/random_array.hpp"

namespace gwrm::test {

// A real matrix of some diagonals, and elimination with row exchanges.
template <class Real>
class BandElimination {
 public:
  BandElimination(Index n, Index lower, Index upper)
      : n_(n), lower_(lower), width_(2 * lower + upper + 1), rows_(static_cast<std::size_t>(n * width_), 0) {}
  // Column j of row i, -lower <= j - i <= lower + upper.
  Real& operator()(Index i, Index j) { return rows_[static_cast<std::size_t>(i * width_ + j - i + lower_)]; }

  std::vector<Real> solution(std::vector<Real> y) {
    const auto size = [](Real a) { return a < 0 ? -a : a; };
    for (Index k = 0; k < n_; ++k) {
      const Index last_row = std::min(k + lower_, n_ - 1), last_column = std::min(k + width_ - lower_ - 1, n_ - 1);
      Index pivot = k;
      for (Index i = k + 1; i <= last_row; ++i)
        if (size((*this)(i, k)) > size((*this)(pivot, k))) pivot = i;
      if (pivot != k) {
        for (Index j = k; j <= last_column; ++j) std::swap((*this)(k, j), (*this)(pivot, j));
        std::swap(y[static_cast<std::size_t>(k)], y[static_cast<std::size_t>(pivot)]);
      }
      for (Index i = k + 1; i <= last_row; ++i) {
        const Real factor = (*this)(i, k) / (*this)(k, k);
        if (factor == 0) continue;
        for (Index j = k; j <= last_column; ++j) (*this)(i, j) -= factor * (*this)(k, j);
        y[static_cast<std::size_t>(i)] -= factor * y[static_cast<std::size_t>(k)];
      }
    }
    for (Index k = n_; k-- > 0;) {
      Real& x = y[static_cast<std::size_t>(k)];
      for (Index j = k + 1; j <= std::min(k + width_ - lower_ - 1, n_ - 1); ++j)
        x -= (*this)(k, j) * y[static_cast<std::size_t>(j)];
      x /= (*this)(k, k);
    }
    return y;
  }

 private:
  Index n_, lower_, width_;
  std::vector<Real> rows_;
};
using QuadrupleBand = BandElimination<Quadruple>;

inline std::vector<Quadruple> parts(double a) {
  return {a};
}
inline std::vector<Quadruple> parts(DoubleDouble a) {
  return {quadruple(a)};
}
inline std::vector<Quadruple> parts(Complex a) {
  return {a.real, a.imaginary};
}

template <class Number>
Number random_number(Random& random) {
  Number a = number<Number>(random.number());
  if constexpr (BandedNumber<Number>::kWords == 2)
    BandedNumber<Number>::set_word(a, 1,
                                   std::is_same_v<Number, DoubleDouble> ? 0x1p-54 * random.number() : random.number());
  return a;
}

// A batch: bands by their offset (column minus row), of n numbers if `shared`, else as the right-hand sides lie.
template <class Number>
struct BandedBatch {
  BandedShape shape;
  bool shared = false;
  std::map<int, std::vector<Number>> bands;
  std::vector<Number> y;

  std::size_t size() const { return static_cast<std::size_t>(shape.n * shape.batch); }
  std::size_t place(Index i, Index b) const {
    return static_cast<std::size_t>(i * shape.row_step() + b * shape.system_step());
  }
  Number entry(int offset, Index i, Index b) const {
    return bands.at(offset)[shared ? static_cast<std::size_t>(i) : place(i, b)];
  }
  void set_entry(int offset, Index i, Index b, Number value) {
    bands[offset].resize(shared ? static_cast<std::size_t>(shape.n) : size());
    bands[offset][shared ? static_cast<std::size_t>(i) : place(i, b)] = value;
  }
  // matrix(offset, row, system) for the entries; y random in (-1, 1).
  template <class Matrix>
  static BandedBatch make(const BandedShape& shape, bool shared, const std::vector<int>& offsets, Random& random,
                          const Matrix& matrix) {
    BandedBatch batch{shape, shared, {}, {}};
    for (int offset : offsets)
      for (Index b = 0; b < (shared ? 1 : shape.batch); ++b)
        for (Index i = 0; i < shape.n; ++i) batch.set_entry(offset, i, b, matrix(offset, i, b));
    batch.y.resize(batch.size());
    for (Number& value : batch.y) value = random_number<Number>(random);
    return batch;
  }
  const Number* band(int offset) const { return bands.count(offset) != 0 ? bands.at(offset).data() : nullptr; }

  // The solution of system b, real and imaginary parts one after the other.
  std::vector<Quadruple> solution(Index b) const {
    const Index n_parts = static_cast<Index>(parts(Number{}).size());
    const auto width = [&](int offset) { return offset <= 0 && n_parts == 1 ? 0 : n_parts * (offset + 1) - 1; };
    QuadrupleBand band(n_parts * shape.n, width(std::max(0, -bands.begin()->first)),
                       width(std::max(0, bands.rbegin()->first)));
    std::vector<Quadruple> right;
    for (Index i = 0; i < shape.n; ++i) {
      for (Quadruple part : parts(y[place(i, b)])) right.push_back(part);
      if (bands.count(0) == 0)
        for (Index p = 0; p < n_parts; ++p) band(n_parts * i + p, n_parts * i + p) = 1;
      for (const auto& [offset, values] : bands) {
        const Index j = i + offset;
        if (j < 0 || j >= shape.n) continue;
        const std::vector<Quadruple> value = parts(entry(offset, i, b));
        band(n_parts * i, n_parts * j) = value[0];
        if (n_parts == 1) continue;
        band(2 * i + 1, 2 * j + 1) = value[0];
        band(2 * i, 2 * j + 1) = -value[1];
        band(2 * i + 1, 2 * j) = value[1];
      }
    }
    return band.solution(std::move(right));
  }

  // Largest error over largest value, of the given system.
  double error(const std::vector<Number>& x, Index b) const {
    const std::vector<Quadruple> exact = solution(b);
    Quadruple largest = 0, error = 0;
    std::size_t k = 0;
    for (Index i = 0; i < shape.n; ++i)
      for (Quadruple part : parts(x[place(i, b)])) {
        const Quadruple value = exact[k++], difference = part - value;
        largest = std::max(largest, value < 0 ? -value : value);
        if (!(difference == difference)) return NAN;
        error = std::max(error, difference < 0 ? -difference : difference);
      }
    return static_cast<double>(error / largest);
  }
  // Of the first and the last.
  double error(const std::vector<Number>& x) const {
    double worst = 0.0;
    for (Index b : shape.batch == 1 ? std::vector<Index>{0} : std::vector<Index>{0, shape.batch - 1}) {
      const double here = error(x, b);
      if (!(here <= worst)) worst = here;
    }
    return worst;
  }
  // Largest |A x - y| over all systems, in extended precision: what an error in a system that error() did not look at
  // would show.
  double residual(const std::vector<Number>& x) const {
    using Wide = std::conditional_t<std::is_same_v<Number, DoubleDouble>, Quadruple, long double>;
    struct Part {
      Wide real, imaginary;
    };
    const auto part = [](const Number& a) -> Part {
      if constexpr (std::is_same_v<Number, double>) return {a, 0};
      if constexpr (std::is_same_v<Number, DoubleDouble>) return {quadruple(a), 0};
      if constexpr (std::is_same_v<Number, Complex>) return {a.real, a.imaginary};
    };
    Wide worst = 0;
    std::vector<Part> sums(size());
    for (std::size_t k = 0; k < size(); ++k) {
      const Part right = part(y[k]), unit = bands.count(0) == 0 ? part(x[k]) : Part{0, 0};
      sums[k] = {unit.real - right.real, unit.imaginary - right.imaginary};
    }
    for (const auto& [offset, values] : bands)
      for (Index b = 0; b < shape.batch; ++b)
        for (Index i = std::max<Index>(0, -offset); i < std::min<Index>(shape.n, shape.n - offset); ++i) {
          const Part a = part(values[shared ? static_cast<std::size_t>(i) : place(i, b)]),
                     v = part(x[place(i + offset, b)]);
          Part& sum = sums[place(i, b)];
          sum.real += a.real * v.real - a.imaginary * v.imaginary;
          sum.imaginary += a.real * v.imaginary + a.imaginary * v.real;
        }
    for (const Part& sum : sums)
      for (Wide value : {sum.real, sum.imaginary}) {
        if (!(value == value)) return NAN;
        worst = std::max(worst, value < 0 ? -value : value);
      }
    return static_cast<double>(worst);
  }
};

// Unit in the last place that results are measured in.
template <class Number>
constexpr double unit_of() {
  return std::is_same_v<Number, DoubleDouble> ? 0x1p-104 : 0x1p-53;
}

inline constexpr Index kBandedSizes[] = {1, 2, 31, 32, 33, 255, 256, 257, 1000, 1025, 2048, 5000};

}  // namespace gwrm::test
