#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <mutex>

#include "core/buffer.hpp"
#include "core/errors.hpp"
#include "core/parallel_loop.hpp"
#include "core/thread_scratch.hpp"
#include "core/vector_clones.hpp"
#include "kernels/transform/fourier_butterflies.hpp"
#include "kernels/transform/fourier_lines.hpp"
#include "kernels/transform/fourier_series.hpp"
#include "kernels/transform/roots_of_unity.hpp"

namespace gwrm {
namespace {

constexpr int kPair = 2 * cpu::kLanes;          // real lines at once
constexpr double kFourierWorkForThreads = 1e5;  // numbers: below, waking threads may take longer

std::shared_ptr<const FourierPlan> plan_of(Index length) {
  static std::mutex mutex;
  static std::map<Index, std::shared_ptr<const FourierPlan>> known;
  const std::lock_guard lock(mutex);
  std::shared_ptr<const FourierPlan>& plan = known[length];
  if (plan == nullptr) plan = std::make_shared<const FourierPlan>(length);
  return plan;
}

// Sixteen real lines side by side, eight and eight: lane i of a transform is line i in its real and line i + 8 in its
// imaginary part, entry k at k * stride.
struct Lines {
  double *re, *im;
  Index stride;
};
Lines side_by_side(double* numbers, Index stride) {
  return {numbers, numbers + cpu::kLanes, stride};
}
Lines lines_in(cpu::Planes planes) {
  return {planes.re, planes.im, cpu::kLanes};
}
GWRM_INLINE double* line(const Lines& lines, int i) {
  return i < cpu::kLanes ? lines.re + i : lines.im + (i - cpu::kLanes);
}

// Where such lines lie in a tensor: entry k of line i at first[i] + k * stride.
struct LinePlaces {
  Index first[kPair];
  Index stride;
  int count;  // lines there are
  bool side_by_side() const { return count == kPair && stride > 1 && first[kPair - 1] == first[0] + kPair - 1; }
};

using cpu::butterfly::load, cpu::butterfly::store, cpu::butterfly::Vector;

typedef double Four __attribute__((vector_size(32)));

// rows of four numbers each to columns, and back
GWRM_INLINE void turn(Four& a, Four& b, Four& c, Four& d) {
  const Four ab_low = __builtin_shufflevector(a, b, 0, 4, 2, 6);
  const Four ab_high = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Four cd_low = __builtin_shufflevector(c, d, 0, 4, 2, 6);
  const Four cd_high = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
  c = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
  d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

// `n_lines` neighbours of each of n rows.
template <int n_lines>
GWRM_INLINE void copy_rows(const double* x, Index from, double* y, Index to, Index n) {
  for (Index k = 0; k < n; ++k) __builtin_memcpy(y + k * to, x + k * from, n_lines * sizeof(double));
}

// piece(i, n): pieces of 8, 4, 2 and 1 lines that lie side by side in the tensor and in one half, from line i on.
template <class Piece>
GWRM_INLINE void for_neighbours(const LinePlaces& places, int i, const Piece& piece) {
  while (i < places.count) {
    int n = 1;
    while (n < cpu::kLanes && i % (2 * n) == 0 && i + 2 * n <= places.count &&
           places.first[i + 2 * n - 1] == places.first[i] + 2 * n - 1)
      n *= 2;
    piece(i, n);
    i += n;
  }
}

GWRM_INLINE void copy_rows(int n_lines, const double* x, Index from, double* y, Index to, Index n) {
  if (n_lines == 8)
    copy_rows<8>(x, from, y, to, n);
  else if (n_lines == 4)
    copy_rows<4>(x, from, y, to, n);
  else if (n_lines == 2)
    copy_rows<2>(x, from, y, to, n);
  else
    copy_rows<1>(x, from, y, to, n);
}

// The lines of the tensor x, side by side in memory of their own; missing ones are zero.
GWRM_VECTOR_CLONES void gather(const LinePlaces& places, const double* x, Index n, Lines y) {
  for (double* half : {y.re, y.im})
    if (places.count < (half == y.re ? cpu::kLanes : kPair))
      for (Index k = 0; k < n; ++k)
        for (int i = 0; i < cpu::kLanes; ++i) half[k * y.stride + i] = 0.0;
  int i = 0;
  if (places.stride == 1)
    for (; i + 4 <= places.count; i += 4) {
      const double *r0 = x + places.first[i], *r1 = x + places.first[i + 1], *r2 = x + places.first[i + 2],
                   *r3 = x + places.first[i + 3];
      double* to = line(y, i);
      Index k = 0;
      for (; k + 4 <= n; k += 4, to += 4 * y.stride) {
        Four a = load<Four>(r0 + k), b = load<Four>(r1 + k), c = load<Four>(r2 + k), d = load<Four>(r3 + k);
        turn(a, b, c, d);
        store(to, a);
        store(to + y.stride, b);
        store(to + 2 * y.stride, c);
        store(to + 3 * y.stride, d);
      }
      for (; k < n; ++k, to += y.stride)
        for (int j = 0; j < 4; ++j) to[j] = x[places.first[i + j] + k];
    }
  for_neighbours(places, i, [&](int first, int n_lines) GWRM_LAMBDA_INLINE {
    copy_rows(n_lines, x + places.first[first], places.stride, line(y, first), y.stride, n);
  });
}

GWRM_VECTOR_CLONES void scatter(const LinePlaces& places, Lines x, Index n, double* y) {
  int i = 0;
  if (places.stride == 1)
    for (; i + 4 <= places.count; i += 4) {
      double *r0 = y + places.first[i], *r1 = y + places.first[i + 1], *r2 = y + places.first[i + 2],
             *r3 = y + places.first[i + 3];
      const double* from = line(x, i);
      Index k = 0;
      for (; k + 4 <= n; k += 4, from += 4 * x.stride) {
        Four a = load<Four>(from), b = load<Four>(from + x.stride), c = load<Four>(from + 2 * x.stride),
             d = load<Four>(from + 3 * x.stride);
        turn(a, b, c, d);
        store(r0 + k, a);
        store(r1 + k, b);
        store(r2 + k, c);
        store(r3 + k, d);
      }
      for (; k < n; ++k, from += x.stride)
        for (int j = 0; j < 4; ++j) y[places.first[i + j] + k] = from[j];
    }
  for_neighbours(places, i, [&](int first, int n_lines) GWRM_LAMBDA_INLINE {
    copy_rows(n_lines, line(x, first), x.stride, y + places.first[first], places.stride, n);
  });
}

// X_k = h_k(f) + i h_k(g), X_{n-k} = conj h_k(f) + i conj h_k(g) with h_k = w_k (c_k - i s_k) of the two lines of a
// lane.
template <int width>
GWRM_INLINE void spectra_of(Index degree, Index n, const double* w, double factor, Lines x, double* re, double* im) {
  using Real = Vector<width>;
  constexpr int lanes = cpu::kLanes;
  for (int i = 0; i < lanes; i += width) {
    store(re + i, factor * w[0] * load<Real>(x.re + i));
    store(im + i, factor * w[0] * load<Real>(x.im + i));
  }
  for (Index k = 1; k <= degree; ++k) {
    const double *s_re = x.re + (2 * k - 1) * x.stride, *s_im = x.im + (2 * k - 1) * x.stride;
    const double *c_re = s_re + x.stride, *c_im = s_im + x.stride;
    const double a = factor * w[2 * k], b = factor * w[2 * k + 1];
    double *low_re = re + k * lanes, *low_im = im + k * lanes;
    double *high_re = re + (n - k) * lanes, *high_im = im + (n - k) * lanes;
    for (int i = 0; i < lanes; i += width) {
      const Real c_f = load<Real>(c_re + i), s_f = load<Real>(s_re + i), c_g = load<Real>(c_im + i),
                 s_g = load<Real>(s_im + i);
      const Real f_re = a * c_f + b * s_f, f_im = b * c_f - a * s_f;
      const Real g_re = a * c_g + b * s_g, g_im = b * c_g - a * s_g;
      store(low_re + i, f_re - g_im);
      store(low_im + i, f_im + g_re);
      store(high_re + i, f_re + g_im);
      store(high_im + i, g_re - f_im);
    }
  }
  for (Index i = (degree + 1) * lanes; i < (n - degree) * lanes; i += width) {
    store(re + i, Real{});
    store(im + i, Real{});
  }
}
GWRM_VECTOR_WIDTHS(void spectra(Index degree, Index n, const double* w, double factor, Lines x, double* re, double* im),
                   spectra_of<width>(degree, n, w, factor, x, re, im))

// c_k - i s_k = w_k F_k, 2 F_k = X_k + conj X_{n-k} and 2 i G_k = X_k - conj X_{n-k} of the two lines.
template <int width>
GWRM_INLINE void coefficients_of(Index degree, Index n, const double* w, double factor, const double* re,
                                 const double* im, Lines y) {
  using Real = Vector<width>;
  constexpr int lanes = cpu::kLanes;
  for (int i = 0; i < lanes; i += width) {
    store(y.re + i, factor * w[0] * load<Real>(re + i));
    store(y.im + i, factor * w[0] * load<Real>(im + i));
  }
  for (Index k = 1; k <= degree; ++k) {
    const double a = 0.5 * factor * w[2 * k], b = 0.5 * factor * w[2 * k + 1];
    const double *low_re = re + k * lanes, *low_im = im + k * lanes;
    const double *high_re = re + (n - k) * lanes, *high_im = im + (n - k) * lanes;
    double *s_re = y.re + (2 * k - 1) * y.stride, *s_im = y.im + (2 * k - 1) * y.stride;
    double *c_re = s_re + y.stride, *c_im = s_im + y.stride;
    for (int i = 0; i < lanes; i += width) {
      const Real l_re = load<Real>(low_re + i), l_im = load<Real>(low_im + i), h_re = load<Real>(high_re + i),
                 h_im = load<Real>(high_im + i);
      const Real f_re = l_re + h_re, f_im = l_im - h_im, g_re = l_im + h_im, g_im = h_re - l_re;
      store(c_re + i, a * f_re - b * f_im);
      store(s_re + i, -(a * f_im + b * f_re));
      store(c_im + i, a * g_re - b * g_im);
      store(s_im + i, -(a * g_im + b * g_re));
    }
  }
}
GWRM_VECTOR_WIDTHS(void coefficients(Index degree, Index n, const double* w, double factor, const double* re,
                                     const double* im, Lines y),
                   coefficients_of<width>(degree, n, w, factor, re, im, y))

template <int width>
GWRM_INLINE void copy_of(Index n, Lines x, Lines y) {
  for (Index j = 0; j < n; ++j)
    for (int i = 0; i < cpu::kLanes; i += width) {
      store(y.re + j * y.stride + i, load<Vector<width>>(x.re + j * x.stride + i));
      store(y.im + j * y.stride + i, load<Vector<width>>(x.im + j * x.stride + i));
    }
}
GWRM_VECTOR_WIDTHS(void copy(Index n, Lines x, Lines y), copy_of<width>(n, x, y))

struct Workspace {
  Buffer planes, interleaved;
};
Workspace& workspace() {
  return thread_scratch<Workspace>();
}

// FourierScratch for n numbers that begins with a line of the cache: vectors that lie in two take twice the time.
double* aligned_room(Buffer& buffer, Index n) {
  constexpr std::uintptr_t kBytes = cpu::kLanes * sizeof(double);
  const auto address = reinterpret_cast<std::uintptr_t>(buffer.reserve(n + cpu::kLanes));
  return reinterpret_cast<double*>((address + kBytes - 1) / kBytes * kBytes);
}

// Numbers between the planes, which otherwise lie a power of two apart and take each other's place in the cache.

// The planes of one transform: its input, and as much again.
struct FourierScratch {
  cpu::Planes input, scratch;
  explicit FourierScratch(const FourierPlan& plan) {
    const Index plane = plan.work_length() * cpu::kLanes + kPlanePadding;
    double* const place = aligned_room(workspace().planes, 4 * plane);
    input = {place, place + plane};
    scratch = {place + 2 * plane, place + 3 * plane};
  }
};

}  // namespace

FourierSeries::FourierSeries(Kind kind, Index degree, Index n, int order) : kind_(kind), degree_(degree) {
  if (degree < 0 || n <= 2 * degree || order < 0 || (kind == Kind::analysis && order > 0))
    throw ShapeError("a Fourier series of degree " + std::to_string(degree) +
                     " takes more than twice as many points, " + std::to_string(n) +
                     " given, and only its synthesis derivatives");
  plan_ = plan_of(n);
  // Synthesis: (i k)^m exp(i pi k / n) / 2, twice that for k = 0, where both halves of the spectrum meet.
  // Analysis: 2 exp(-i pi k / n) / n, half of that for k = 0.
  const std::complex<double> turn[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  for (Index k = 0; k <= degree; ++k) {
    const std::complex<double> shift = half_turns(k, n);
    std::complex<double> w;
    if (kind == Kind::synthesis)
      w = (k == 0 ? 1.0 : 0.5) * std::pow(static_cast<double>(k), order) * turn[order % 4] * shift;
    else
      w = (k == 0 ? 1.0 : 2.0) / static_cast<double>(n) * std::conj(shift);
    factors_.push_back(w.real());
    factors_.push_back(w.imag());
  }
}

namespace {

// A series on sixteen lines.
struct Sixteen {
  Index degree;
  const FourierPlan& plan;
  const double* factors;

  void synthesis(double factor, const double* x, const LinePlaces& from, double* y, const LinePlaces& to) const {
    const Index n = plan.length(), n_coefficients = 2 * degree + 1;
    const FourierScratch room(plan);
    Lines source = side_by_side(const_cast<double*>(x) + from.first[0], from.stride);  // is only read
    if (!from.side_by_side()) {
      source = side_by_side(aligned_room(workspace().interleaved, n_coefficients * kPair), kPair);
      gather(from, x, n_coefficients, source);
    }
    spectra(degree, n, factors, factor, source, room.input.re, room.input.im);
    const cpu::Planes values =
        cpu::fourier_lines(plan, cpu::kLanes, room.input.exchanged(), room.scratch.exchanged()).exchanged();
    if (to.side_by_side())
      copy(n, lines_in(values), side_by_side(y + to.first[0], to.stride));
    else
      scatter(to, lines_in(values), n, y);
  }

  void analysis(double factor, const double* x, const LinePlaces& from, double* y, const LinePlaces& to) const {
    const Index n = plan.length(), n_coefficients = 2 * degree + 1;
    const FourierScratch room(plan);
    if (from.side_by_side())
      copy(n, side_by_side(const_cast<double*>(x) + from.first[0], from.stride), lines_in(room.input));
    else
      gather(from, x, n, lines_in(room.input));
    const cpu::Planes spectrum = cpu::fourier_lines(plan, cpu::kLanes, room.input, room.scratch);
    const bool direct = to.side_by_side();
    const Lines target = direct ? side_by_side(y + to.first[0], to.stride)
                                : side_by_side(aligned_room(workspace().interleaved, n_coefficients * kPair), kPair);
    coefficients(degree, n, factors, factor, spectrum.re, spectrum.im, target);
    if (!direct) scatter(to, target, n_coefficients, y);
  }
};

}  // namespace

void FourierSeries::apply(double factor, const double* x, Index outer, Index inner, double* y) const {
  const Index n_lines = outer * inner, n_groups = (n_lines + kPair - 1) / kPair;
  const bool in_threads = static_cast<double>(n_lines * n_points()) > kFourierWorkForThreads && n_groups > 1 &&
                          omp_get_max_threads() > 1 && omp_in_parallel() == 0;
  const auto places_of = [&](Index group, Index extent) {
    LinePlaces places{};
    places.stride = inner;
    places.count = static_cast<int>(std::min<Index>(kPair, n_lines - group * kPair));
    Index outside = group * kPair, inside = 0;
    if (inner > 1) {
      inside = outside % inner;
      outside /= inner;
    }
    for (int i = 0; i < places.count; ++i) {
      places.first[i] = outside * extent * inner + inside;
      if (++inside == inner) {
        inside = 0;
        ++outside;
      }
    }
    return places;
  };
  const Sixteen lines{degree_, *plan_, factors_.data()};
  for_each_index(n_groups, in_threads, omp_get_max_threads(), [&](Index group) {
    const LinePlaces from = places_of(group, cols()), to = places_of(group, rows());
    if (kind_ == Kind::synthesis)
      lines.synthesis(factor, x, from, y, to);
    else
      lines.analysis(factor, x, from, y, to);
  });
}

}  // namespace gwrm
