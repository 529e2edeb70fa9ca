// Transient Rayleigh-Benard convection by a semi-implicit multistep method of third or fourth order, one thread:
// diffusion by backward differences, the rest extrapolated (Ascher, Ruuth, Wetton, SIAM J. Numer. Anal. 32 (1995) 797).
//
// Space     Fourier along x, Chebyshev along y with rows in the ultraspherical basis (Olver and Townsend 2013).
// Pressure
//           and u are eliminated wavenumber by wavenumber, which leaves an equation of fourth order for v,
//             d/dt (L v) = Pr L L v - Pr Ra k^2 T - (i k (-k^2 - d^2) S + k^2 d Q),  L = d^2 - k^2,
//           S = u v, Q = u u - v v; u = i v'/k, and for k = 0 u_t = Pr u'' - S'. T is the departure from 1 - y. The
//           inverse of each implicit operator, times the operators of its right-hand side, is made once, in long
//           double.
// Products  on points by the 3/2 rule, transforms by FFTW along x and as matrices along y.
//
//     convection_sbdf ORDER STEPS M N ANSWER    writes u, v, T at 17 x 17 points, both ends of the period among them as
//     raw doubles; prints the times of the
//                                               steps alone, "seconds W processor P"
#include <fftw3.h>

#include <array>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "ultraspherical.hpp"

namespace {

using Complex = std::complex<double>;

constexpr double kRa = 5000.0, kPr = 1.0, kWave = 3.117, kHeat = 2.0, kEnd = 0.2;

double source(double t) {
  return kHeat * std::pow(20.0 * t, 4) * std::exp(-std::pow(20.0 * t, 2));
}

// One wavenumber's vector of coefficients, real and imaginary parts.
struct Column {
  std::vector<double> re, im;
  explicit Column(int n = 0) : re(n, 0.0), im(n, 0.0) {}
};

// Column by column, in double precision.
struct Map {
  int n = 0;
  std::vector<double> a;
  Map() = default;
  explicit Map(const Square& s) : n(s.n), a(s.a.size()) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) a[static_cast<std::size_t>(j) * n + i] = static_cast<double>(s(i, j));
  }
  void add(const Column& x, Column& y) const {
    double* __restrict re = y.re.data();
    double* __restrict im = y.im.data();
    for (int j = 0; j < n; ++j) {
      const double* __restrict column = a.data() + static_cast<std::size_t>(j) * n;
      const double r = x.re[j], i = x.im[j];
      for (int l = 0; l < n; ++l) {
        re[l] += column[l] * r;
        im[l] += column[l] * i;
      }
    }
  }
};

// c <- i factor c
void turn(Column& c, double factor) {
  for (std::size_t j = 0; j < c.re.size(); ++j) {
    const double re = c.re[j];
    c.re[j] = -factor * c.im[j];
    c.im[j] = factor * re;
  }
}

// What is new at a time: unknowns, products, per wavenumber.
struct Level {
  std::vector<Column> v, t, s, q, ut, vt;  // v of wavenumber 0 holds u there
  double heat = 0.0;
};

class Convection {
 public:
  Convection(int order, int steps, int m, int n)
      : order_(order), steps_(steps), dt_(kEnd / steps), m_(m), n_(n + 1), nx_(2), ny_(3 * (n + 1) / 2) {
    while (nx_ < 3 * m + 1) nx_ *= 2;
    if (nx_ * 3 / 4 >= 3 * m + 1) nx_ = nx_ * 3 / 4;
    half_ = nx_ / 2 + 1;
    if (order == 3) {
      a_ = {11.0 / 6.0, -3.0, 1.5, -1.0 / 3.0, 0.0};
      b_ = {3.0, -3.0, 1.0, 0.0};
    } else {
      a_ = {25.0 / 12.0, -4.0, 3.0, -4.0 / 3.0, 0.25};
      b_ = {4.0, -6.0, 4.0, -1.0};
    }
    make_operators();
    make_transforms();
    Level rest;
    for (std::vector<Column>* one : {&rest.v, &rest.t, &rest.s, &rest.q, &rest.ut, &rest.vt})
      one->assign(m_ + 1, Column(n_));
    levels_.assign(order_, rest);
  }

  void run() {
    for (int i = 0; i < steps_; ++i) step(i);
  }

  // u, v, T, at 17 x 17 points, both ends of the period among them, rows along y.
  std::vector<double> answer() const {
    std::vector<double> values;
    const Level& now = levels_[newest_];
    for (int field = 0; field < 3; ++field)
      for (int i = 0; i <= 16; ++i)
        for (int j = 0; j < 17; ++j) {
          const double x = i / 16.0, y = j / 16.0, angle = std::acos(std::min(1.0, std::max(-1.0, 2.0 * y - 1.0)));
          double sum = field == 2 ? 1.0 - y : 0.0;
          for (int k = 0; k <= m_; ++k) {
            if (field == 1 && k == 0) continue;
            Column c = field == 2 ? now.t[k] : now.v[k];
            if (field == 0 && k > 0) velocity(now.v[k], k, c);
            Complex value = 0.0;
            for (int l = 0; l < n_; ++l) value += Complex(c.re[l], c.im[l]) * std::cos(l * angle);
            sum += (k == 0 ? 1.0 : 2.0) * (value * std::polar(1.0, 2.0 * M_PI * k * x)).real();
          }
          values.push_back(sum);
        }
    return values;
  }

 private:
  struct Wavenumber {
    Map of_v, of_s, of_q, of_t;     // the right-hand side of v
    Map t_of_t, t_of_ut, t_of_vt;   // and of T
    std::vector<double> t_of_heat;  // of sin(pi y)
  };

  void make_operators() {
    const std::vector<Real> sine = sine_coefficients();
    for (int wave = 0; wave <= m_; ++wave) {
      const Real k = static_cast<Real>(kWave) * wave, a0 = a_[0], dt = dt_;
      Wavenumber w;
      {  // T
        const Square one = rows(n_, 0, 2), lap = rows(n_, 2, 2) + (-k * k) * one;
        Square left = a0 * one + (-dt) * lap;
        set_walls(left, 2);
        const Square solve = inverse(left);
        Square mass = one, slope = dt * rows(n_, 1, 2);
        clear_walls(mass, 2);
        clear_walls(slope, 2);
        const Square of_t = solve * mass;
        w.t_of_t = Map(of_t);
        w.t_of_ut = Map((dt * k) * of_t);
        w.t_of_vt = Map(solve * slope);
        if (wave == 1)
          for (int i = 0; i < n_; ++i) {
            Real sum = 0.0L;
            for (int j = 0; j < n_; ++j) sum += of_t(i, j) * sine[j];
            w.t_of_heat.push_back(static_cast<double>(0.5L * dt * sum));
          }
      }
      if (wave == 0) {  // u
        const Square one = rows(n_, 0, 2);
        Square left = a0 * one + (-dt * kPr) * rows(n_, 2, 2);
        set_walls(left, 2);
        const Square solve = inverse(left);
        Square mass = one, slope = dt * rows(n_, 1, 2);
        clear_walls(mass, 2);
        clear_walls(slope, 2);
        w.of_v = Map(solve * mass);
        w.of_s = Map(solve * slope);
      } else {
        const Square one = rows(n_, 0, 4), second = rows(n_, 2, 4), lap = second + (-k * k) * one;
        const Square twice = rows(n_, 4, 4) + (-2.0L * k * k) * second + (k * k * k * k) * one;
        Square left = a0 * lap + (-dt * kPr) * twice;
        set_walls(left, 4);
        const Square solve = inverse(left);
        Square mass = lap, s = (dt * k) * (second + (k * k) * one), q = (-dt * k * k) * rows(n_, 1, 4),
               t = (-dt * kPr * kRa * k * k) * one;
        for (Square* each : {&mass, &s, &q, &t}) clear_walls(*each, 4);
        w.of_v = Map(solve * mass);
        w.of_s = Map(solve * s);
        w.of_q = Map(solve * q);
        w.of_t = Map(solve * t);
      }
      waves_.push_back(std::move(w));
    }
  }

  // Of sin(pi y) = cos(pi s/2), s = 2 y - 1, by Gauss's rule.
  std::vector<Real> sine_coefficients() const {
    constexpr int kPoints = 64;
    const Real pi = std::acos(-1.0L);
    std::vector<Real> c(n_, 0.0L);
    for (int i = 0; i < kPoints; ++i) {
      const Real angle = pi * (i + 0.5L) / kPoints, value = std::cos(pi / 2.0L * std::cos(angle));
      for (int j = 0; j < n_; ++j) c[j] += value * std::cos(j * angle) * (j == 0 ? 1.0L : 2.0L) / kPoints;
    }
    return c;
  }

  void make_transforms() {
    to_points_.resize(static_cast<std::size_t>(ny_) * n_);
    to_modes_.resize(to_points_.size());
    for (int i = 0; i < ny_; ++i)
      for (int j = 0; j < n_; ++j) {
        const double value = std::cos(j * M_PI * (i + 0.5) / ny_);
        to_points_[static_cast<std::size_t>(i) * n_ + j] = value;
        to_modes_[static_cast<std::size_t>(j) * ny_ + i] = value * (j == 0 ? 1.0 : 2.0) / (ny_ * double(nx_));
      }
    for (double*& field : values_) field = fftw_alloc_real(static_cast<std::size_t>(ny_) * nx_);
    spectrum_ = fftw_alloc_complex(static_cast<std::size_t>(ny_) * half_);
    forward_ =
        fftw_plan_many_dft_r2c(1, &nx_, ny_, values_[0], nullptr, 1, nx_, spectrum_, nullptr, 1, half_, FFTW_PATIENT);
    backward_ =
        fftw_plan_many_dft_c2r(1, &nx_, ny_, spectrum_, nullptr, 1, half_, values_[0], nullptr, 1, nx_, FFTW_PATIENT);
    modes_.resize(static_cast<std::size_t>(n_) * 2 * (m_ + 1));
  }

  // u = i v'/k
  void velocity(const Column& v, int wave, Column& u) const {
    derivative_of(v.re, u.re);
    derivative_of(v.im, u.im);
    turn(u, 1.0 / (kWave * wave));
  }

  void derivative_of(const std::vector<double>& c, std::vector<double>& d) const {
    d[n_ - 1] = 0.0;
    if (n_ > 1) d[n_ - 2] = 4.0 * (n_ - 1) * c[n_ - 1];
    for (int j = n_ - 3; j >= 0; --j) d[j] = d[j + 2] + 4.0 * (j + 1) * c[j + 1];
    d[0] *= 0.5;
  }

  void to_values(const std::vector<Column>& field, double* values) {
    const int columns = 2 * (m_ + 1);
    for (int k = 0; k <= m_; ++k)
      for (int j = 0; j < n_; ++j) {
        modes_[static_cast<std::size_t>(j) * columns + 2 * k] = field[k].re[j];
        modes_[static_cast<std::size_t>(j) * columns + 2 * k + 1] = field[k].im[j];
      }
    auto* spectrum = reinterpret_cast<double*>(spectrum_);
    for (int i = 0; i < ny_; ++i) {
      double* __restrict row = spectrum + static_cast<std::size_t>(i) * 2 * half_;
      for (int c = 0; c < 2 * half_; ++c) row[c] = 0.0;
      for (int j = 0; j < n_; ++j) {
        const double factor = to_points_[static_cast<std::size_t>(i) * n_ + j];
        const double* __restrict from = modes_.data() + static_cast<std::size_t>(j) * columns;
        for (int c = 0; c < columns; ++c) row[c] += factor * from[c];
      }
    }
    fftw_execute_dft_c2r(backward_, spectrum_, values);
  }

  void to_columns(double* values, std::vector<Column>& field) {
    fftw_execute_dft_r2c(forward_, values, spectrum_);
    const int columns = 2 * (m_ + 1);
    const auto* spectrum = reinterpret_cast<const double*>(spectrum_);
    for (int j = 0; j < n_; ++j) {
      double* __restrict row = modes_.data() + static_cast<std::size_t>(j) * columns;
      for (int c = 0; c < columns; ++c) row[c] = 0.0;
      for (int i = 0; i < ny_; ++i) {
        const double factor = to_modes_[static_cast<std::size_t>(j) * ny_ + i];
        const double* __restrict from = spectrum + static_cast<std::size_t>(i) * 2 * half_;
        for (int c = 0; c < columns; ++c) row[c] += factor * from[c];
      }
      for (int k = 0; k <= m_; ++k) {
        field[k].re[j] = row[2 * k];
        field[k].im[j] = row[2 * k + 1];
      }
    }
  }

  // Products at the newest level.
  void multiply(Level& now) {
    std::vector<Column>& u = scratch_;
    u.assign(m_ + 1, Column(n_));
    u[0] = now.v[0];
    for (int k = 1; k <= m_; ++k) velocity(now.v[k], k, u[k]);
    const Column mean = now.v[0];
    to_values(u, values_[0]);
    now.v[0] = Column(n_);
    to_values(now.v, values_[1]);
    now.v[0] = mean;
    to_values(now.t, values_[2]);
    const std::size_t count = static_cast<std::size_t>(ny_) * nx_;
    for (std::size_t i = 0; i < count; ++i) {
      const double a = values_[0][i], b = values_[1][i], t = values_[2][i];
      values_[0][i] = a * b;
      values_[1][i] = a * a - b * b;
      values_[2][i] = a * t;
      values_[3][i] = b * t;
    }
    to_columns(values_[0], now.s);
    to_columns(values_[1], now.q);
    to_columns(values_[2], now.ut);
    to_columns(values_[3], now.vt);
  }

  const Level& back(int i) const { return levels_[(newest_ - i + 2 * order_) % order_]; }

  // sum_i factors[i] field at i steps back
  Column mixed(std::vector<Column> Level::*field, int wave, const double* factors) const {
    Column sum(n_);
    for (int i = 0; i < order_; ++i) {
      const Column& one = (back(i).*field)[wave];
      for (int j = 0; j < n_; ++j) {
        sum.re[j] += factors[i] * one.re[j];
        sum.im[j] += factors[i] * one.im[j];
      }
    }
    return sum;
  }

  void step(int index) {
    std::array<double, 4> past{};
    double heat = 0.0;
    for (int i = 0; i < order_; ++i) {
      past[i] = -a_[i + 1];
      heat += b_[i] * back(i).heat;
    }
    std::vector<Column> v(m_ + 1, Column(n_)), t(m_ + 1, Column(n_));
    for (int k = 0; k <= m_; ++k) {
      const Wavenumber& w = waves_[k];
      Column s = mixed(&Level::s, k, b_.data());
      w.of_v.add(mixed(&Level::v, k, past.data()), v[k]);
      if (k == 0) {
        for (std::size_t j = 0; j < s.re.size(); ++j) s.re[j] = -s.re[j];
        w.of_s.add(s, v[k]);
      } else {
        turn(s, 1.0);
        w.of_s.add(s, v[k]);
        w.of_q.add(mixed(&Level::q, k, b_.data()), v[k]);
        w.of_t.add(mixed(&Level::t, k, b_.data()), v[k]);
      }
      // T: v of the gradient of 1 - y, too
      Column mass = mixed(&Level::t, k, past.data());
      if (k > 0) {
        const Column own = mixed(&Level::v, k, b_.data());
        for (int j = 0; j < n_; ++j) {
          mass.re[j] += dt_ * own.re[j];
          mass.im[j] += dt_ * own.im[j];
        }
      }
      w.t_of_t.add(mass, t[k]);
      Column ut = mixed(&Level::ut, k, b_.data()), vt = mixed(&Level::vt, k, b_.data());
      turn(ut, -1.0);
      for (int j = 0; j < n_; ++j) {
        vt.re[j] = -vt.re[j];
        vt.im[j] = -vt.im[j];
      }
      w.t_of_ut.add(ut, t[k]);
      w.t_of_vt.add(vt, t[k]);
      if (k == 1)
        for (int j = 0; j < n_; ++j) t[k].re[j] += heat * w.t_of_heat[j];
    }
    newest_ = (newest_ + 1) % order_;
    Level& now = levels_[newest_];
    now.v = std::move(v);
    now.t = std::move(t);
    now.heat = source((index + 1) * dt_);
    multiply(now);
  }

  int order_, steps_;
  double dt_;
  int m_, n_, nx_, ny_, half_ = 0, newest_ = 0;
  std::array<double, 5> a_{};
  std::array<double, 4> b_{};
  std::vector<Wavenumber> waves_;
  std::vector<Level> levels_;
  std::vector<Column> scratch_;
  std::vector<double> to_points_, to_modes_, modes_;
  std::array<double*, 4> values_{};
  fftw_complex* spectrum_ = nullptr;
  fftw_plan forward_ = nullptr, backward_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  Convection flow(std::atoi(argv[1]), std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]));
  const auto begin = std::chrono::steady_clock::now();
  const std::clock_t used = std::clock();
  flow.run();
  const double processor = static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const std::vector<double> values = flow.answer();
  std::FILE* file = std::fopen(argv[5], "wb");
  if (file == nullptr || std::fwrite(values.data(), sizeof(double), values.size(), file) != values.size()) return 1;
  std::fclose(file);
  std::printf("seconds %.6f processor %.6f\n", seconds, processor);
  return 0;
}
