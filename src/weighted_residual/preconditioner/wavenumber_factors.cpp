// Systems with Fourier axes, solved wavenumber by wavenumber (wavenumber_operators.hpp).
//
// Every axis Fourier's: for each z and each vector of wavenumbers the inverse of one F x F matrix (F fields), in double
// precision: a linear problem with constant coefficients is solved to round-off, systems included. A solve takes
// O(n F) operations: to exponentials, products, back; nothing of it depends on the degrees.
// One bounded axis besides: for each z and each vector of wavenumbers the LU of the coupled system of all fields along
// it, n_b F unknowns. 8 (n_b F)^2 bytes in single precision and 8/3 (n_b F)^3 operations for each, 8 (n_b F)^2 for a
// solve. Where z is real (a steady problem) opposite wavenumbers have conjugate matrices, and where an axis has even
// derivatives only equal ones: these are factored once.
// Parts     of a solve: ranges of wavenumbers along the first Fourier axis.
// Determinism  the same bits on every run and for any number of threads.
#include <algorithm>
#include <cmath>

#include "core/buffer.hpp"
#include "core/parallel_loop.hpp"
#include "core/thread_errors.hpp"
#include "core/thread_scratch.hpp"
#include "core/vector_clones.hpp"
#include "weighted_residual/preconditioner/wavenumber_operators.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"

namespace gwrm {
namespace {

using Complex = std::complex<double>;

// Pairs (s, c) of sines and cosines become (c - i s, c + i s), the exponentials of +k and -k.
// values: outer x n x inner; from place `first` on along the middle, odd places are sines.
GWRM_VECTOR_CLONES void to_exponentials(double* values, Index outer, Index n, Index inner, Index first) {
  for (Index o = 0; o < outer; ++o)
    for (Index j = first; j + 1 < n; j += 2) {
      double* s = values + 2 * (o * n + j) * inner;
      double* c = s + 2 * inner;
      for (Index i = 0; i < inner; ++i) {
        const double s_re = s[2 * i], s_im = s[2 * i + 1], c_re = c[2 * i], c_im = c[2 * i + 1];
        s[2 * i] = c_re + s_im;
        s[2 * i + 1] = c_im - s_re;
        c[2 * i] = c_re - s_im;
        c[2 * i + 1] = c_im + s_re;
      }
    }
}

// The inverse: c = (p + m) / 2, s = i (p - m) / 2.
GWRM_VECTOR_CLONES void from_exponentials(double* values, Index outer, Index n, Index inner, Index first) {
  for (Index o = 0; o < outer; ++o)
    for (Index j = first; j + 1 < n; j += 2) {
      double* p = values + 2 * (o * n + j) * inner;
      double* m = p + 2 * inner;
      for (Index i = 0; i < inner; ++i) {
        const double p_re = p[2 * i], p_im = p[2 * i + 1], m_re = m[2 * i], m_im = m[2 * i + 1];
        p[2 * i] = 0.5 * (m_im - p_im);
        p[2 * i + 1] = 0.5 * (p_re - m_re);
        m[2 * i] = 0.5 * (p_re + m_re);
        m[2 * i + 1] = 0.5 * (p_im + m_im);
      }
    }
}

// y = a b, or y += a b, number by number.
template <bool adds>
GWRM_INLINE void multiply_numbers(const double* a, const double* b, Index n, double* y) {
  for (Index i = 0; i < n; ++i) {
    const double re = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
    const double im = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
    y[2 * i] = adds ? y[2 * i] + re : re;
    y[2 * i + 1] = adds ? y[2 * i + 1] + im : im;
  }
}
GWRM_VECTOR_CLONES void products(const double* a, const double* b, Index n, double* y) {
  multiply_numbers<false>(a, b, n, y);
}
GWRM_VECTOR_CLONES void add_products(const double* a, const double* b, Index n, double* y) {
  multiply_numbers<true>(a, b, n, y);
}

double* parts_of(Complex* values) {
  return reinterpret_cast<double*>(values);
}
const double* parts_of(const Complex* values) {
  return reinterpret_cast<const double*>(values);
}

class WavenumberFactors : public SpatialFactors {
 public:
  WavenumberFactors(WavenumberOperators operators, std::vector<Complex> z, int n_threads)
      : operators_(std::move(operators)), z_(std::move(z)), n_vectors_(operators_.n_vectors()), n_threads_(n_threads) {
    // The axes count from the last: extents of 1 come first.
    shift_ = kMaxWavenumberAxes - operators_.axes.size();
    for (std::size_t a = 0; a < operators_.axes.size(); ++a) extents_[shift_ + a] = operators_.axes[a].n;
    const Index pair = 2 * std::max<Index>(1, n_vectors_ / extents_[shift_] * operators_.size);
    pairs_per_part_ = operators_.pairs_per_part;
    if (pairs_per_part_ == 0) pairs_per_part_ = std::max<Index>(1, (kPartSize + pair - 1) / pair);
    first_ = operators_.axes.front().first;
    n_parts_ = ((first_ + extents_[shift_] + 1) / 2 - first_pair() + pairs_per_part_ - 1) / pairs_per_part_;
    for (const std::vector<WavenumberPlace>* places : {&operators_.rows, &operators_.fields})
      for (const WavenumberPlace& place : *places) all_take_part_ &= place.lacks == 0;
  }

  std::size_t n_parts() const override { return static_cast<std::size_t>(n_parts_); }

  void solve(std::size_t k, std::span<const Complex> b, std::span<Complex> x) const override {
    for_parts([&](Index part) { solve_part(static_cast<std::size_t>(part), k, b, x); });
  }

  void solve_part(std::size_t part, std::size_t k, std::span<const Complex> b, std::span<Complex> x) const override {
    const Box box = box_of(static_cast<Index>(part));
    Complex* right = memory().right.reserve(operators_.size * box.size);
    Complex* solution = memory().solution.reserve(operators_.size * box.size);
    gather(operators_.rows, box, b, right);
    map(to_exponentials, box, right);
    solve_box(k, box, right, solution);
    map(from_exponentials, box, solution);
    scatter(operators_.fields, box, solution, x);
  }

  void apply(int p, std::span<const Complex> x, std::span<Complex> y) const override {
    std::fill(y.begin(), y.end(), Complex(0.0));
    for_parts([&](Index part) {
      const Box box = box_of(part);
      Complex* right = memory().right.reserve(operators_.size * box.size);
      Complex* result = memory().solution.reserve(operators_.size * box.size);
      gather(operators_.fields, box, x, right);
      map(to_exponentials, box, right);
      std::fill_n(result, operators_.size * box.size, Complex(0.0));
      for (const WavenumberTerm& term : operators_.terms)
        if (term.power == p) add_term(term, box, right, result);
      map(from_exponentials, box, result);
      scatter(operators_.rows, box, result, y);
    });
  }

 protected:
  // A range of coefficients along the first Fourier axis, all of the others. Its wavenumber vectors are consecutive.
  struct Box {
    std::array<Index, kMaxWavenumberAxes> extents{1, 1, 1};
    Index part = 0;
    Index place = 0;   // along the first Fourier axis, and ...
    Index first = 0;   // ... among those that are held
    Index vector = 0;  // the first one
    Index size = 1;    // number of vectors
  };

  // right, solution: operators_.size x box.size.
  virtual void solve_box(std::size_t k, const Box& box, const Complex* right, Complex* solution) const = 0;

  // Kept by each thread from call to call.
  struct Memory {
    BufferOf<Complex> right, solution, line;
  };
  static Memory& memory() { return thread_scratch<Memory>(); }

  Index first_pair() const { return (first_ + 1) / 2; }

  // Where threads solve or apply side by side already, each does so alone.
  template <class Body>
  void for_parts(const Body& body) const {
    for_each_index_dynamically(n_parts_, n_threads_ > 1 && n_parts_ > 1, n_threads_, body);
  }

  Box box_of(Index part) const {
    // Wavenumbers k_0 .. k_1 - 1 along the first axis: places 2 k - 1 and 2 k.
    const Index n = extents_[shift_], k_0 = first_pair() + part * pairs_per_part_, k_1 = k_0 + pairs_per_part_;
    Box box;
    box.part = part;
    box.extents = extents_;
    box.place = k_0 == 0 ? 0 : 2 * k_0 - 1;
    box.first = box.place - first_;
    box.extents[shift_] = std::min(first_ + n, 2 * k_1 - 1) - box.place;
    box.vector = box.first * (n_vectors_ / n);
    box.size = element_count({box.extents.begin(), box.extents.end()});
    return box;
  }

  // Calls copy(target, source, n, stride) for the lines of the numbers of a place in the box: offsets in the box and in
  // memory.
  template <class Copy>
  void for_lines(const WavenumberPlace& place, const Box& box, const Copy& copy) const {
    if ((place.lacks & 1u) != 0 && box.place > 0) return;
    std::array<Index, kMaxWavenumberAxes> counts = box.extents, strides{};
    for (std::size_t a = 0; a < operators_.axes.size(); ++a) {
      strides[shift_ + a] = place.strides[a];
      if ((place.lacks >> a & 1u) != 0) counts[shift_ + a] = 1;
    }
    for (Index j = 0; j < place.count; ++j)
      for (Index i0 = 0; i0 < counts[0]; ++i0)
        for (Index i1 = 0; i1 < counts[1]; ++i1)
          copy((place.first + j) * box.size + (i0 * box.extents[1] + i1) * box.extents[2],
               place.offset + j * place.stride + box.first * strides[shift_] + i0 * strides[0] + i1 * strides[1],
               counts[2], strides[2]);
  }

  void gather(const std::vector<WavenumberPlace>& places, const Box& box, std::span<const Complex> from,
              Complex* to) const {
    for (const WavenumberPlace& place : places) {
      if (place.lacks != 0) std::fill_n(to + place.first * box.size, place.count * box.size, Complex(0.0));
      for_lines(place, box, [&](Index target, Index source, Index n, Index stride) {
        for (Index i = 0; i < n; ++i) to[target + i] = from[static_cast<std::size_t>(source + i * stride)];
      });
    }
  }

  void scatter(const std::vector<WavenumberPlace>& places, const Box& box, const Complex* from,
               std::span<Complex> to) const {
    for (const WavenumberPlace& place : places)
      for_lines(place, box, [&](Index source, Index target, Index n, Index stride) {
        for (Index i = 0; i < n; ++i) to[static_cast<std::size_t>(target + i * stride)] = from[source + i];
      });
  }

  template <class Map>
  void map(const Map& along, const Box& box, Complex* values) const {
    Index outer = operators_.size, inner = box.size;
    for (std::size_t a = 0; a < kMaxWavenumberAxes; ++a) {
      const Index n = box.extents[a];
      inner /= std::max<Index>(1, n);
      if (a >= shift_ && !operators_.axes[a - shift_].even)
        along(parts_of(values), outer, n, inner, a == shift_ && box.place > 0 ? 0 : 1);
      outer *= n;
    }
  }

  void add_term(const WavenumberTerm& term, const Box& box, const Complex* x, Complex* y) const {
    for (Index w = 0; w < box.size; ++w) {
      const Complex factor = operators_.symbol(term, operators_.wavenumbers(box.vector + w));
      if (factor == 0.0) continue;
      for (Index i = 0; i < term.values.rows(); ++i) {
        Complex sum = 0.0;
        for (Index j = 0; j < term.values.cols(); ++j) sum += term.values(i, j) * x[(term.column + j) * box.size + w];
        y[(term.row + i) * box.size + w] += factor * sum;
      }
    }
  }

  const WavenumberOperators operators_;
  const std::vector<Complex> z_;
  const Index n_vectors_;
  const int n_threads_;
  bool all_take_part_ = true;  // in all wavenumbers
  std::array<Index, kMaxWavenumberAxes> extents_{1, 1, 1};
  std::size_t shift_ = 0;
  Index first_ = 0;  // place along the first axis from which on numbers are held
  Index pairs_per_part_ = 1, n_parts_ = 1;
};

// Every axis Fourier's.
class PeriodicFactors final : public WavenumberFactors {
 public:
  PeriodicFactors(WavenumberOperators operators, std::vector<Complex> z, int n_threads, std::vector<Complex> inverses)
      : WavenumberFactors(std::move(operators), std::move(z), n_threads), inverses_(std::move(inverses)) {
    // Entries that are zero for all wavenumbers of a part: of fields that do not depend on each other.
    const Index square = operators_.size * operators_.size;
    couples_.assign(static_cast<std::size_t>(n_parts_ * square), false);
    const auto n_entries = static_cast<Index>(inverses_.size()) / std::max<Index>(1, n_vectors_);
    for (Index part = 0; part < n_parts_; ++part) {
      const Box box = box_of(part);
      for (Index entry = 0; entry < n_entries; ++entry) {
        const Complex* of_box = inverses_.data() + entry * n_vectors_ + box.vector;
        if (std::any_of(of_box, of_box + box.size, [](const Complex& value) { return value != 0.0; }))
          couples_[static_cast<std::size_t>(part * square + entry % square)] = true;
      }
    }
  }

 private:
  void solve_box(std::size_t k, const Box& box, const Complex* right, Complex* solution) const override {
    const Index n = operators_.size;
    const Complex* inverse = inverses_.data() + static_cast<Index>(k) * n * n * n_vectors_ + box.vector;
    for (Index i = 0; i < n; ++i) {
      double* const sum = parts_of(solution + i * box.size);
      bool first = true;
      for (Index j = 0; j < n; ++j) {
        if (!couples_[static_cast<std::size_t>((box.part * n + i) * n + j)]) continue;
        const double* const factors = parts_of(inverse + (i * n + j) * n_vectors_);
        (first ? products : add_products)(factors, parts_of(right + j * box.size), box.size, sum);
        first = false;
      }
      if (first) std::fill_n(sum, 2 * box.size, 0.0);
    }
  }

  std::vector<Complex> inverses_;  // [z][row][column][vector]
  std::vector<bool> couples_;      // [part][row][column]
};

// One bounded axis besides.
class LineFactors final : public WavenumberFactors {
 public:
  LineFactors(WavenumberOperators operators, std::vector<Complex> z, int n_threads)
      : WavenumberFactors(std::move(operators), std::move(z), n_threads) {}

  LuStatus factor(Precision precision) {
    const Index n_tasks = n_vectors_ * static_cast<Index>(z_.size());
    lu_.resize(static_cast<std::size_t>(n_tasks));
    std::vector<Index> tasks;
    for (Index task = 0; task < n_tasks; ++task)
      if (alike(task / n_vectors_, task % n_vectors_).vector == task % n_vectors_) tasks.push_back(task);
    std::vector<LuStatus> status(tasks.size(), LuStatus::regular);
    ThreadErrors errors;
#pragma omp parallel for schedule(dynamic) num_threads(n_threads_)
    for (std::size_t i = 0; i < tasks.size(); ++i)
      errors.run([&] {
        const Index vector = tasks[i] % n_vectors_;
        const Wavenumbers k = operators_.wavenumbers(vector);
        ComplexMatrix s = operators_.block(z_[static_cast<std::size_t>(tasks[i] / n_vectors_)], k);
        if (!all_take_part_) {
          const std::vector<Index> rows = operators_.active(operators_.rows, k),
                                   columns = operators_.active(operators_.fields, k);
          s = ComplexMatrix(s(rows, columns));
        }
        status[i] =
            s.rows() == s.cols() ? lu_[static_cast<std::size_t>(tasks[i])].factor(s, precision) : LuStatus::singular;
      });
    errors.rethrow();
    for (LuStatus one : status)
      if (one != LuStatus::regular) return one;
    return LuStatus::regular;
  }

 private:
  struct Alike {
    Index vector;
    bool conjugate;
  };

  // The vector whose factors serve this one: |k| along axes with even derivatives only, and where z is real the
  // opposite one, whose matrix is the conjugate.
  Alike alike(Index z, Index vector) const {
    Wavenumbers k = operators_.wavenumbers(vector);
    bool decided = z_[static_cast<std::size_t>(z)].imag() != 0.0, conjugate = false;
    for (std::size_t a = 0; a < operators_.axes.size(); ++a) {
      if (operators_.axes[a].even) {
        k[a] = std::abs(k[a]);
        continue;
      }
      if (!decided && k[a] != 0) {
        decided = true;
        conjugate = k[a] < 0;
      }
      if (conjugate) k[a] = -k[a];
    }
    Index result = 0;
    for (std::size_t a = 0; a < operators_.axes.size(); ++a)
      result = result * operators_.axes[a].n + (k[a] > 0 ? 2 * k[a] - 1 : -2 * k[a]) - operators_.axes[a].first;
    return {result, conjugate};
  }

  void solve_box(std::size_t k, const Box& box, const Complex* right, Complex* solution) const override {
    const auto n = static_cast<std::size_t>(operators_.size);
    Complex* const b = memory().line.reserve(2 * operators_.size);
    Complex* const x = b + n;
    std::vector<Index> rows, columns;
    for (Index i = 0; all_take_part_ && i < operators_.size; ++i) rows.push_back(i);
    if (all_take_part_) columns = rows;
    if (!all_take_part_) std::fill_n(solution, operators_.size * box.size, Complex(0.0));
    for (Index w = 0; w < box.size; ++w) {
      const Alike served = alike(static_cast<Index>(k), box.vector + w);
      if (!all_take_part_) {
        const Wavenumbers vector = operators_.wavenumbers(box.vector + w);
        rows = operators_.active(operators_.rows, vector);
        columns = operators_.active(operators_.fields, vector);
      }
      const std::size_t m = rows.size();
      for (std::size_t i = 0; i < m; ++i) {
        const Complex value = right[rows[i] * box.size + w];
        b[i] = served.conjugate ? std::conj(value) : value;
      }
      lu_[k * static_cast<std::size_t>(n_vectors_) + static_cast<std::size_t>(served.vector)].solve({b, m}, {x, m});
      for (std::size_t i = 0; i < m; ++i)
        solution[columns[i] * box.size + w] = served.conjugate ? std::conj(x[i]) : x[i];
    }
  }

  std::vector<WideLu> lu_;  // [z][vector], those that serve others
};

}  // namespace

FactorResult wavenumber_factors(const WindowSystem& system, const SpatialLayout& layout,
                                const std::vector<Array>& averages, const std::vector<Complex>& z,
                                Precision precision) {
  WavenumberOperators operators;
  if (const LuStatus status = wavenumber_operators(system, layout, coefficient_means(system, averages), operators);
      status != LuStatus::regular)
    return {nullptr, status};
  return factor_wavenumbers(std::move(operators), z, system.context().n_threads(), precision);
}

FactorResult factor_wavenumbers(WavenumberOperators operators, const std::vector<Complex>& z, int n_threads,
                                Precision precision) {
  if (!operators.bounded) {
    std::vector<Complex> inverses;
    if (const LuStatus status = wavenumber_inverses(operators, z, n_threads, inverses); status != LuStatus::regular)
      return {nullptr, status};
    return {std::make_unique<PeriodicFactors>(std::move(operators), z, n_threads, std::move(inverses)),
            LuStatus::regular};
  }
  auto factors = std::make_unique<LineFactors>(std::move(operators), z, n_threads);
  if (const LuStatus status = factors->factor(precision); status != LuStatus::regular) return {nullptr, status};
  return {std::move(factors), LuStatus::regular};
}

}  // namespace gwrm
