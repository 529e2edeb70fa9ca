#include "kernels/transform/cosine_steps.hpp"

#include <algorithm>

#include "core/vector_clones.hpp"
#include "kernels/transform/fourier_butterflies.hpp"

namespace gwrm::cpu {
namespace {

using butterfly::Number;
using butterfly::operator+, butterfly::operator-, butterfly::operator*;
using Factors = std::complex<double>;

// The planes of a Fourier transform with all lanes of a position in one Real.
template <class Real>
struct Sequence {
  Real *re, *im;
  explicit Sequence(Planes p) : re(reinterpret_cast<Real*>(p.re)), im(reinterpret_cast<Real*>(p.im)) {}
  GWRM_INLINE Number<Real> get(Index j) const { return {re[j], im[j]}; }
  GWRM_INLINE void put(Index j, Number<Real> a) const {
    re[j] = a.re;
    im[j] = a.im;
  }
};

// f a
template <class Real>
GWRM_INLINE Number<Real> product(Factors f, Number<Real> a) {
  const double c = f.real(), s = f.imag();
  return {c * a.re - s * a.im, c * a.im + s * a.re};
}
template <class Real>
GWRM_INLINE Number<Real> conjugate(Number<Real> a) {
  return {a.re, -a.im};
}

// Makhoul's order: v_j = x_2j, then the odd ones backwards, v_(N-1-j) = x_(2j+1).
GWRM_INLINE Index makhoul(Index j, Index n) {
  return 2 * j < n ? 2 * j : 2 * (n - 1 - j) + 1;
}

// ---- kind II: V = the transform of v, y_k = Re(f_k V_k), f_k = exp(-i pi k / (2N)) ----

// Even N: z_j = v_2j + i v_(2j+1), so that V_k = E_k + exp(-2 pi i k / N) O_k, E_k = (Z_k + Z*_(h-k)) / 2,
// O_k = (Z_k - Z*_(h-k)) / 2i, h = N/2. y_(N-k) = -Im(f_k V_k).
template <class Real>
GWRM_INLINE void before_second_folded(Index n, const Real* x, Sequence<Real> z) {
  for (Index j = 0; j < n / 2; ++j) z.put(j, {x[makhoul(2 * j, n)], x[makhoul(2 * j + 1, n)]});
}
template <class Real>
GWRM_INLINE void after_second_folded(Index n, const Factors* f, const Factors* w, Sequence<Real> z, Real* y) {
  const Index half = n / 2;
  const Number<Real> z0 = z.get(0);
  y[0] = z0.re + z0.im;
  y[half] = f[half].real() * (z0.re - z0.im);
  for (Index k = 1; 2 * k <= half; ++k) {
    const Number<Real> a = z.get(k), b = conjugate(z.get(half - k));
    const Number<Real> even = 0.5 * (a + b), odd = product(w[k], 0.5 * turned(a - b));
    const Number<Real> u = product(f[k], even + odd), v = product(f[half - k], conjugate(even - odd));
    y[k] = u.re;
    y[n - k] = -u.im;
    y[half - k] = v.re;
    y[half + k] = -v.im;
  }
}

template <class Real>
GWRM_INLINE void before_second(Index n, const Real* x, Sequence<Real> z) {
  for (Index j = 0; j < n; ++j) z.put(j, {x[makhoul(j, n)], Real{}});
}
template <class Real>
GWRM_INLINE void after_second(Index n, const Factors* f, Sequence<Real> z, Real* y) {
  for (Index k = 0; k < n; ++k) y[k] = product(f[k], z.get(k)).re;
}

// ---- kind III, the transpose: V_0 = x_0, V_k = f*_k (x_k - i x_(N-k)) / 2, v_j = sum_k V_k exp(2 pi i j k / N) ----

// Even N: Z_k = E_k + i O_k with E_k = V_k + V*_(h-k), O_k = (V_k - V*_(h-k)) exp(2 pi i k / N); v_2j + i v_(2j+1) =
// z_j.
template <class Real>
GWRM_INLINE void before_third_folded(Index n, const Factors* f, const Factors* w, const Real* x, Sequence<Real> z) {
  const Index half = n / 2;
  const Real middle = f[half].real() * x[half];
  z.put(0, {x[0] + middle, x[0] - middle});
  for (Index k = 1; 2 * k <= half; ++k) {
    const Number<Real> a = product(0.5 * std::conj(f[k]), Number<Real>{x[k], -x[n - k]});       // V_k
    const Number<Real> b = product(0.5 * f[half - k], Number<Real>{x[half - k], x[half + k]});  // V*_(h-k)
    const Number<Real> even = a + b, odd = product(std::conj(w[k]), a - b);
    z.put(half - k, {even.re + odd.im, odd.re - even.im});
    z.put(k, {even.re - odd.im, even.im + odd.re});
  }
}
template <class Real>
GWRM_INLINE void after_third_folded(Index n, Sequence<Real> z, Real* y) {
  for (Index j = 0; j < n / 2; ++j) {
    y[makhoul(2 * j, n)] = z.re[j];
    y[makhoul(2 * j + 1, n)] = z.im[j];
  }
}

template <class Real>
GWRM_INLINE void before_third(Index n, const Factors* f, const Real* x, Sequence<Real> z) {
  z.put(0, {x[0], Real{}});
  for (Index k = 1; k < n; ++k) z.put(k, product(0.5 * std::conj(f[k]), Number<Real>{x[k], -x[n - k]}));
}
template <class Real>
GWRM_INLINE void after_third(Index n, Sequence<Real> z, Real* y) {
  for (Index j = 0; j < n; ++j) y[makhoul(j, n)] = z.re[j];
}

// ---- kind IV ----

// Even N: z_j = (x_2j + i x_(N-1-2j)) exp(-i pi (4j+1) / (4N)), u_k = Z_k exp(-i pi k / N); y_2k = Re u_k,
// y_(N-1-2k) = -Im u_k.
template <class Real>
GWRM_INLINE void before_fourth_folded(Index n, const Factors* f, const Real* x, Sequence<Real> z) {
  for (Index j = 0; j < n / 2; ++j) z.put(j, product(f[j], Number<Real>{x[2 * j], x[n - 1 - 2 * j]}));
}
template <class Real>
GWRM_INLINE void after_fourth_folded(Index n, const Factors* w, Sequence<Real> z, Real* y) {
  for (Index k = 0; k < n / 2; ++k) {
    const Number<Real> u = product(w[k], z.get(k));
    y[2 * k] = u.re;
    y[n - 1 - 2 * k] = -u.im;
  }
}

// Odd N: with 2n+1 = +-(4a + N) and 2k+1 = +-(4b + N) modulo 4N the angle is 4 pi a b / N + pi (a + b) + pi N / 4: a
// Fourier transform F of (-1)^a x at the frequency 2b, y = (-1)^b (cos(pi N / 4) Re F + sin(pi N / 4) Im F).
template <class Real>
GWRM_INLINE void before_fourth(Index n, const Index* places, const Real* x, Sequence<Real> z) {
  for (Index a = 0; a < n; ++a) {
    const double sign = (places[a] % 2 == 0) == (a % 2 == 0) ? 1.0 : -1.0;
    z.put(a, {sign * x[places[a] / 2], Real{}});
  }
}
template <class Real>
GWRM_INLINE void after_fourth(Index n, const Index* places, Sequence<Real> z, Real* y) {
  constexpr double kHalfRoot = 0.70710678118654752440;
  const double c = n % 8 == 1 || n % 8 == 7 ? kHalfRoot : -kHalfRoot, s = n % 8 < 4 ? kHalfRoot : -kHalfRoot;
  for (Index b = 0; b < n; ++b) {
    const double sign = (places[b] % 2 == 0) == (b % 2 == 0) ? 1.0 : -1.0;
    const Number<Real> f = z.get(2 * b % n);
    y[places[b] / 2] = sign * (c * f.re + s * f.im);
  }
}

// ---- kind I: the sequence w of 2M numbers, even or odd about 0 and M, folded into z_j = w_2j + i w_(2j+1) ----
//
// W_k = E_k + exp(-i pi k / M) O_k as in kind II. Cosine: w_j = x_j / 2 and x_0, x_M whole, y_k = Re W_k. Sine:
// w_j = x_(j-1) / 2 = -w_(2M-j), y_(k-1) = -Im W_k.
template <class Real>
GWRM_INLINE Real continued(Index j, Index m, bool sine, const Real* x) {  // w_j
  const Index place = std::min(j, 2 * m - j);
  const bool is_end = place == 0 || place == m;
  if (sine) return is_end ? Real{} : (j > m ? -0.5 : 0.5) * x[place - 1];
  return (is_end ? 1.0 : 0.5) * x[place];
}
template <class Real>
GWRM_INLINE void before_first(Index m, bool sine, const Real* x, Sequence<Real> z) {
  for (Index j = 0; j < m; ++j) z.put(j, {continued(2 * j, m, sine, x), continued(2 * j + 1, m, sine, x)});
}
template <class Real>
GWRM_INLINE void after_first(Index m, bool sine, const Factors* f, Sequence<Real> z, Real* y) {
  for (Index k = sine ? 1 : 0; k < (sine ? m : m + 1); ++k) {
    const Number<Real> a = z.get(k % m), b = conjugate(z.get((m - k) % m));
    const Number<Real> w = 0.5 * (a + b) + product(f[k], 0.5 * turned(a - b));
    if (sine)
      y[k - 1] = -w.im;
    else
      y[k] = w.re;
  }
}

template <class Real>
GWRM_INLINE void before(const CosinePlan& plan, const double* numbers, Planes planes) {
  const Index n = plan.length();
  const Factors *f = plan.first_factors().data(), *w = plan.second_factors().data();
  const Real* x = reinterpret_cast<const Real*>(numbers);
  const Sequence<Real> z(planes);
  switch (plan.number()) {
    case 1:
      return before_first(plan.fourier().length(), plan.is_sine(), x, z);
    case 2:
      return plan.folded() ? before_second_folded(n, x, z) : before_second(n, x, z);
    case 3:
      return plan.folded() ? before_third_folded(n, f, w, x, z) : before_third(n, f, x, z);
    default:
      return plan.folded() ? before_fourth_folded(n, f, x, z) : before_fourth(n, plan.places().data(), x, z);
  }
}
template <class Real>
GWRM_INLINE void after(const CosinePlan& plan, Planes planes, double* numbers) {
  const Index n = plan.length();
  const Factors *f = plan.first_factors().data(), *w = plan.second_factors().data();
  Real* y = reinterpret_cast<Real*>(numbers);
  const Sequence<Real> z(planes);
  switch (plan.number()) {
    case 1:
      return after_first(plan.fourier().length(), plan.is_sine(), f, z, y);
    case 2:
      return plan.folded() ? after_second_folded(n, f, w, z, y) : after_second(n, f, z, y);
    case 3:
      return plan.folded() ? after_third_folded(n, z, y) : after_third(n, z, y);
    default:
      return plan.folded() ? after_fourth_folded(n, w, z, y) : after_fourth(n, plan.places().data(), z, y);
  }
}

GWRM_VECTOR_CLONES void before_one(const CosinePlan& plan, const double* x, Planes z) {
  before<double>(plan, x, z);
}
GWRM_VECTOR_WIDTHS(void before_lanes(const CosinePlan& plan, const double* x, Planes z),
                   before<butterfly::EightIn<width>>(plan, x, z))

GWRM_VECTOR_CLONES void after_one(const CosinePlan& plan, Planes z, double* y) {
  after<double>(plan, z, y);
}
GWRM_VECTOR_WIDTHS(void after_lanes(const CosinePlan& plan, Planes z, double* y),
                   after<butterfly::EightIn<width>>(plan, z, y))

}  // namespace

void before_fourier(const CosinePlan& plan, int n_lanes, const double* x, Planes z) {
  n_lanes == 1 ? before_one(plan, x, z) : before_lanes(plan, x, z);
}
void after_fourier(const CosinePlan& plan, int n_lanes, Planes z, double* y) {
  n_lanes == 1 ? after_one(plan, z, y) : after_lanes(plan, z, y);
}

}  // namespace gwrm::cpu
