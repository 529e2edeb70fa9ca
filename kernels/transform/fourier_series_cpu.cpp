#include <omp.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "core/buffer.hpp"
#include "core/errors.hpp"
#include "core/thread_errors.hpp"
#include "core/thread_scratch.hpp"
#include "core/vector_clones.hpp"
#include "kernels/transform/fourier_butterflies.hpp"
#include "kernels/transform/fourier_lines.hpp"
#include "kernels/transform/fourier_series.hpp"
#include "kernels/transform/roots_of_unity.hpp"

namespace gwrm {
namespace {

constexpr int kPair = 2 * cpu::kLanes;  // real lines at once
constexpr double kWorthThreads = 1e5;   // numbers: below, waking threads may take longer

std::shared_ptr<const FourierPlan> plan_of(Index length) {
  static std::mutex mutex;
  static std::map<Index, std::shared_ptr<const FourierPlan>> known;
  const std::lock_guard lock(mutex);
  std::shared_ptr<const FourierPlan>& plan = known[length];
  if (plan == nullptr) plan = std::make_shared<const FourierPlan>(length);
  return plan;
}

// Sixteen real lines side by side: entry k of line i at k * stride + i. Lane i of a transform is line i in its real
// and line i + 8 in its imaginary part.
struct Lines {
  double* numbers;
  Index stride;
};

// Where such lines lie in a tensor: entry k of line i at first[i] + k * stride.
struct Places {
  Index first[kPair];
  Index stride;
  int count;  // lines there are
  bool side_by_side() const { return count == kPair && stride > 1 && first[kPair - 1] == first[0] + kPair - 1; }
};

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

// The lines of the tensor x, side by side in memory of their own; missing ones are zero.
GWRM_VECTOR_CLONES void gather(const Places& places, const double* x, Index n, double* y) {
  using cpu::butterfly::load, cpu::butterfly::store;
  int i = 0;
  if (places.stride == 1)
    for (; i + 4 <= places.count; i += 4) {
      const double *r0 = x + places.first[i], *r1 = x + places.first[i + 1], *r2 = x + places.first[i + 2],
                   *r3 = x + places.first[i + 3];
      Index k = 0;
      for (; k + 4 <= n; k += 4) {
        Four a = load<Four>(r0 + k), b = load<Four>(r1 + k), c = load<Four>(r2 + k), d = load<Four>(r3 + k);
        turn(a, b, c, d);
        double* const to = y + k * kPair + i;
        store(to, a);
        store(to + kPair, b);
        store(to + 2 * kPair, c);
        store(to + 3 * kPair, d);
      }
      for (; k < n; ++k)
        for (int j = 0; j < 4; ++j) y[k * kPair + i + j] = x[places.first[i + j] + k];
    }
  for (; i < kPair; ++i)
    for (Index k = 0; k < n; ++k) y[k * kPair + i] = i < places.count ? x[places.first[i] + k * places.stride] : 0.0;
}

GWRM_VECTOR_CLONES void scatter(const Places& places, const double* x, Index n, double* y) {
  using cpu::butterfly::load, cpu::butterfly::store;
  int i = 0;
  if (places.stride == 1)
    for (; i + 4 <= places.count; i += 4) {
      double *r0 = y + places.first[i], *r1 = y + places.first[i + 1], *r2 = y + places.first[i + 2],
             *r3 = y + places.first[i + 3];
      Index k = 0;
      for (; k + 4 <= n; k += 4) {
        const double* const from = x + k * kPair + i;
        Four a = load<Four>(from), b = load<Four>(from + kPair), c = load<Four>(from + 2 * kPair),
             d = load<Four>(from + 3 * kPair);
        turn(a, b, c, d);
        store(r0 + k, a);
        store(r1 + k, b);
        store(r2 + k, c);
        store(r3 + k, d);
      }
      for (; k < n; ++k)
        for (int j = 0; j < 4; ++j) y[places.first[i + j] + k] = x[k * kPair + i + j];
    }
  for (; i < places.count; ++i)
    for (Index k = 0; k < n; ++k) y[places.first[i] + k * places.stride] = x[k * kPair + i];
}

// X_k = h_k(f) + i h_k(g), X_{n-k} = conj h_k(f) + i conj h_k(g) with h_k = w_k (c_k - i s_k) of the two lines of a
// lane.
GWRM_VECTOR_CLONES void spectra(Index degree, Index n, const double* w, double factor, Lines x, double* re,
                                double* im) {
  constexpr int lanes = cpu::kLanes;
  for (int i = 0; i < lanes; ++i) re[i] = factor * w[0] * x.numbers[i];
  for (int i = 0; i < lanes; ++i) im[i] = factor * w[0] * x.numbers[lanes + i];
  for (Index k = 1; k <= degree; ++k) {
    const double *s_re = x.numbers + (2 * k - 1) * x.stride, *s_im = s_re + lanes;
    const double *c_re = s_re + x.stride, *c_im = c_re + lanes;
    const double a = factor * w[2 * k], b = factor * w[2 * k + 1];
    double *low_re = re + k * lanes, *low_im = im + k * lanes;
    double *high_re = re + (n - k) * lanes, *high_im = im + (n - k) * lanes;
    for (int i = 0; i < lanes; ++i) {
      const double f_re = a * c_re[i] + b * s_re[i], f_im = b * c_re[i] - a * s_re[i];
      const double g_re = a * c_im[i] + b * s_im[i], g_im = b * c_im[i] - a * s_im[i];
      low_re[i] = f_re - g_im;
      low_im[i] = f_im + g_re;
      high_re[i] = f_re + g_im;
      high_im[i] = g_re - f_im;
    }
  }
  for (Index k = degree + 1; k < n - degree; ++k)
    for (int i = 0; i < lanes; ++i) re[k * lanes + i] = im[k * lanes + i] = 0.0;
}

// c_k - i s_k = w_k F_k, 2 F_k = X_k + conj X_{n-k} and 2 i G_k = X_k - conj X_{n-k} of the two lines.
GWRM_VECTOR_CLONES void coefficients(Index degree, Index n, const double* w, double factor, const double* re,
                                     const double* im, Lines y) {
  constexpr int lanes = cpu::kLanes;
  for (int i = 0; i < lanes; ++i) y.numbers[i] = factor * w[0] * re[i];
  for (int i = 0; i < lanes; ++i) y.numbers[lanes + i] = factor * w[0] * im[i];
  for (Index k = 1; k <= degree; ++k) {
    const double a = 0.5 * factor * w[2 * k], b = 0.5 * factor * w[2 * k + 1];
    const double *low_re = re + k * lanes, *low_im = im + k * lanes;
    const double *high_re = re + (n - k) * lanes, *high_im = im + (n - k) * lanes;
    double *s_re = y.numbers + (2 * k - 1) * y.stride, *s_im = s_re + lanes;
    double *c_re = s_re + y.stride, *c_im = c_re + lanes;
    for (int i = 0; i < lanes; ++i) {
      const double f_re = low_re[i] + high_re[i], f_im = low_im[i] - high_im[i];
      const double g_re = low_im[i] + high_im[i], g_im = high_re[i] - low_re[i];
      c_re[i] = a * f_re - b * f_im;
      s_re[i] = -(a * f_im + b * f_re);
      c_im[i] = a * g_re - b * g_im;
      s_im[i] = -(a * g_im + b * g_re);
    }
  }
}

GWRM_VECTOR_CLONES void read_values(Index n, Lines x, double* re, double* im) {
  for (Index j = 0; j < n; ++j)
    for (int i = 0; i < cpu::kLanes; ++i) {
      re[j * cpu::kLanes + i] = x.numbers[j * x.stride + i];
      im[j * cpu::kLanes + i] = x.numbers[j * x.stride + cpu::kLanes + i];
    }
}
GWRM_VECTOR_CLONES void write_values(Index n, const double* re, const double* im, Lines y) {
  for (Index j = 0; j < n; ++j)
    for (int i = 0; i < cpu::kLanes; ++i) {
      y.numbers[j * y.stride + i] = re[j * cpu::kLanes + i];
      y.numbers[j * y.stride + cpu::kLanes + i] = im[j * cpu::kLanes + i];
    }
}

struct Workspace {
  Buffer first, second, from, to;
};
Workspace& workspace() {
  return thread_scratch<Workspace>();
}

cpu::Planes planes(Buffer& buffer, Index length) {
  double* const memory = buffer.reserve(2 * length * cpu::kLanes);
  return {memory, memory + length * cpu::kLanes};
}

}  // namespace

FourierSeries::FourierSeries(Kind kind, Index degree, Index n, int order)
    : kind_(kind), degree_(degree), order_(order) {
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

void FourierSeries::transform(double factor, const double* x, Index from, double* y, Index to) const {
  const cpu::Planes a = planes(workspace().first, plan_->work_length());
  const cpu::Planes b = planes(workspace().second, plan_->work_length());
  const Lines source{const_cast<double*>(x), from}, target{y, to};  // the source is only read
  if (kind_ == Kind::synthesis) {
    spectra(degree_, n_points(), factors_.data(), factor, source, a.re, a.im);
    const cpu::Planes f = cpu::fourier_lines(*plan_, cpu::kLanes, a.exchanged(), b.exchanged()).exchanged();
    write_values(n_points(), f.re, f.im, target);
  } else {
    read_values(n_points(), source, a.re, a.im);
    const cpu::Planes f = cpu::fourier_lines(*plan_, cpu::kLanes, a, b);
    coefficients(degree_, n_points(), factors_.data(), factor, f.re, f.im, target);
  }
}

void FourierSeries::apply(double factor, const double* x, Index outer, Index inner, double* y) const {
  const Index n_lines = outer * inner, n_groups = (n_lines + kPair - 1) / kPair;
  const bool in_threads = static_cast<double>(n_lines * n_points()) > kWorthThreads && n_groups > 1 &&
                          omp_get_max_threads() > 1 && omp_in_parallel() == 0;
  const auto places_of = [&](Index group, Index extent) {
    Places places{};
    places.stride = inner;
    places.count = static_cast<int>(std::min<Index>(kPair, n_lines - group * kPair));
    for (int i = 0; i < places.count; ++i) {
      const Index line = group * kPair + i;
      places.first[i] = line / inner * extent * inner + line % inner;
    }
    return places;
  };
  ThreadErrors errors;
#pragma omp parallel for schedule(static) if (in_threads)
  for (Index group = 0; group < n_groups; ++group)
    errors.run([&] {
      const Places from = places_of(group, cols()), to = places_of(group, rows());
      if (from.side_by_side() && to.side_by_side())
        return transform(factor, x + from.first[0], inner, y + to.first[0], inner);
      double *gathered = workspace().from.reserve(cols() * kPair), *result = workspace().to.reserve(rows() * kPair);
      gather(from, x, cols(), gathered);
      transform(factor, gathered, kPair, result, kPair);
      scatter(to, result, rows(), y);
    });
  errors.rethrow();
}

}  // namespace gwrm
