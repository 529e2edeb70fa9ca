#include "kernels/transform/fourier_lines.hpp"

#include <algorithm>
#include <utility>

#include "core/errors.hpp"
#include "core/vector_clones.hpp"
#include "kernels/transform/fourier_butterflies.hpp"

namespace gwrm::cpu {
namespace {

using butterfly::load, butterfly::Number, butterfly::store;
using butterfly::operator+, butterfly::operator-, butterfly::operator*;

// One group of a pass: all q and lanes at one p, `count` = s lanes numbers next to each other, the first of which these
// are. x_k lies at k `from`, y_r at r `to`; `w` holds the factors exp(-2 pi i r p / L), r >= 1. twiddled: false where
// they are 1 (p = 0).
template <int radix, bool twiddled, class Real>
GWRM_INLINE void short_transforms(const double* x_re, const double* x_im, Index from, double* y_re, double* y_im,
                                  Index to, const double* w) {
  const auto get = [&](Index k) GWRM_LAMBDA_INLINE {
    return Number<Real>{load<Real>(x_re + k * from), load<Real>(x_im + k * from)};
  };
  const auto put = [&](Index r, Number<Real> a) GWRM_LAMBDA_INLINE {
    if constexpr (twiddled)
      if (r > 0) {
        const double c = w[2 * r - 2], s = w[2 * r - 1];
        a = {c * a.re - s * a.im, c * a.im + s * a.re};
      }
    store(y_re + r * to, a.re);
    store(y_im + r * to, a.im);
  };
  Number<Real> x[radix];
  const auto all = [&]<std::size_t... r>(std::index_sequence<r...>) GWRM_LAMBDA_INLINE {
    ((x[r] = get(r)), ...);
    butterfly::transform(x);
    (put(r, x[r]), ...);
  };
  all(std::make_index_sequence<radix>());
}

template <int radix, bool twiddled, int width>
GWRM_INLINE void group(const double* x_re, const double* x_im, Index from, double* y_re, double* y_im, Index count,
                       const double* w) {
  Index i = 0;
  for (; i + width <= count; i += width)
    short_transforms<radix, twiddled, butterfly::Vector<width>>(x_re + i, x_im + i, from, y_re + i, y_im + i, count, w);
  for (; i < count; ++i)
    short_transforms<radix, twiddled, double>(x_re + i, x_im + i, from, y_re + i, y_im + i, count, w);
}

template <int radix, int width>
GWRM_INLINE void pass_of(const FourierPass& pass, const double* table, Index lanes, Planes x, Planes y) {
  const Index count = pass.s * lanes, from = pass.m * count;
  const double* w = table + pass.factors;
  group<radix, false, width>(x.re, x.im, from, y.re, y.im, count, w);
  for (Index p = 1; p < pass.m; ++p)
    group<radix, true, width>(x.re + p * count, x.im + p * count, from, y.re + p * radix * count,
                              y.im + p * radix * count, count, w + p * 2 * (radix - 1));
}

// Any odd radix: with s_k = x_k + x_(R-k), d_k = x_k - x_(R-k), k <= (R-1)/2,
//   y_r, y_(R-r) = x_0 + sum_k cos(2 pi r k / R) s_k -+ i sum_k sin(2 pi r k / R) d_k.
template <class Real>
GWRM_INLINE void any_transforms(Index radix, const double* root, const double* x_re, const double* x_im, Index from,
                                double* y_re, double* y_im, Index to, const double* w) {
  constexpr Index kMost = (kLargestRadix - 1) / 2;
  const Index half = (radix - 1) / 2;
  const auto get = [&](Index k) GWRM_LAMBDA_INLINE {
    return Number<Real>{load<Real>(x_re + k * from), load<Real>(x_im + k * from)};
  };
  const auto put = [&](Index r, Number<Real> a) GWRM_LAMBDA_INLINE {
    if (w != nullptr && r > 0) {
      const double c = w[2 * r - 2], s = w[2 * r - 1];
      a = {c * a.re - s * a.im, c * a.im + s * a.re};
    }
    store(y_re + r * to, a.re);
    store(y_im + r * to, a.im);
  };
  Number<Real> s[kMost], d[kMost];
  const Number<Real> x0 = get(0);
  Number<Real> sum = x0;
  for (Index k = 0; k < half; ++k) {
    const Number<Real> a = get(k + 1), b = get(radix - 1 - k);
    s[k] = a + b;
    d[k] = a - b;
    sum = sum + s[k];
  }
  put(0, sum);
  for (Index r = 1; r <= half; ++r) {
    Number<Real> even = x0, odd{};
    for (Index k = 0, t = r; k < half; ++k, t += r) {
      if (t >= radix) t -= radix;
      even = even + root[2 * t] * s[k];
      odd = odd - root[2 * t + 1] * turned(d[k]);  // the table holds exp(-2 pi i t / R)
    }
    put(r, even + odd);
    put(radix - r, even - odd);
  }
}

template <int width>
GWRM_INLINE void pass_of_any(const FourierPass& pass, const double* table, Index lanes, Planes x, Planes y) {
  const Index count = pass.s * lanes, from = pass.m * count, radix = pass.radix;
  const double* root = table + pass.roots;
  for (Index p = 0; p < pass.m; ++p) {
    const double* w = p == 0 ? nullptr : table + pass.factors + p * 2 * (radix - 1);
    const Index in = p * count, out = p * radix * count;
    Index i = 0;
    for (; i + width <= count; i += width)
      any_transforms<butterfly::Vector<width>>(radix, root, x.re + in + i, x.im + in + i, from, y.re + out + i,
                                               y.im + out + i, count, w);
    for (; i < count; ++i)
      any_transforms<double>(radix, root, x.re + in + i, x.im + in + i, from, y.re + out + i, y.im + out + i, count, w);
  }
}

// One function for one line and for kLanes: which it is matters to the loops above at their ends only, and the many
// registers of the radices take the compiler long.
template <int width>
GWRM_INLINE void one_pass_of(const FourierPass& pass, const double* table, Index lanes, Planes x, Planes y) {
  switch (pass.radix) {
    case 2:
      return pass_of<2, width>(pass, table, lanes, x, y);
    case 3:
      return pass_of<3, width>(pass, table, lanes, x, y);
    case 4:
      return pass_of<4, width>(pass, table, lanes, x, y);
    case 5:
      return pass_of<5, width>(pass, table, lanes, x, y);
    case 6:
      return pass_of<6, width>(pass, table, lanes, x, y);
    case 8:
      return pass_of<8, width>(pass, table, lanes, x, y);
    case 9:
      return pass_of<9, width>(pass, table, lanes, x, y);
    case 10:
      return pass_of<10, width>(pass, table, lanes, x, y);
    case 12:
      return pass_of<12, width>(pass, table, lanes, x, y);
    default:
      return pass_of_any<width>(pass, table, lanes, x, y);
  }
}

GWRM_VECTOR_WIDTHS(void one_pass(const FourierPass& pass, const double* table, Index lanes, Planes x, Planes y),
                   one_pass_of<width>(pass, table, lanes, x, y))

Planes all_passes(const FourierPlan& plan, int n_lanes, Planes x, Planes scratch) {
  for (const FourierPass& pass : plan.passes()) {
    one_pass(pass, plan.table(), n_lanes, x, scratch);
    std::swap(x, scratch);
  }
  return x;
}

// y_j = f x_j (conjugate: f* x_j) for all lanes of every position j < n.
GWRM_VECTOR_CLONES void multiply(const std::complex<double>* f, bool conjugate, Index n, Index lanes, Planes x,
                                 Planes y) {
  for (Index j = 0; j < n; ++j) {
    const double c = f[j].real(), s = conjugate ? -f[j].imag() : f[j].imag();
    for (Index i = j * lanes; i < (j + 1) * lanes; ++i) {
      const double a = x.re[i], b = x.im[i];
      y.re[i] = c * a - s * b;
      y.im[i] = c * b + s * a;
    }
  }
}

Planes by_convolution(const FourierPlan& plan, int n_lanes, Planes x, Planes scratch) {
  const FourierPlan& wide = *plan.convolution();
  const Index used = plan.length() * n_lanes, all = wide.length() * n_lanes;
  multiply(plan.chirp().data(), true, plan.length(), n_lanes, x, x);
  std::fill(x.re + used, x.re + all, 0.0);
  std::fill(x.im + used, x.im + all, 0.0);
  Planes y = all_passes(wide, n_lanes, x, scratch), other = y.re == x.re ? scratch : x;
  multiply(plan.kernel().data(), false, wide.length(), n_lanes, y, y);
  y = all_passes(wide, n_lanes, y.exchanged(), other.exchanged()).exchanged();  // back
  multiply(plan.chirp().data(), true, plan.length(), n_lanes, y, y);
  return y;
}

}  // namespace

Planes fourier_lines(const FourierPlan& plan, int n_lanes, Planes x, Planes scratch) {
  if (n_lanes != 1 && n_lanes != kLanes) throw ShapeError("Fourier transform: 1 or 8 lines side by side");
  return plan.convolution() ? by_convolution(plan, n_lanes, x, scratch) : all_passes(plan, n_lanes, x, scratch);
}

}  // namespace gwrm::cpu
