#include "problems.hpp"

#include <map>
#include <stdexcept>

namespace etdrk4 {
namespace {

constexpr double pi = std::numbers::pi;

Complex times_i(double factor, Complex z) {
  return {-factor * z.imag(), factor * z.real()};
}

// What all problems need: wavenumbers of odd derivatives and, for every mode, the factor after a forward transform: its
// scale, or zero where aliasing is removed.
struct Symbols {
  Symbols(const Grid& g, bool dealias) : grid(g) {
    for (int i = 0; i < g.half(); ++i) kx.push_back(g.odd_kx(i));
    for (int j = 0; j < g.ny; ++j) ky.push_back(g.odd_ky(j));
    for (int j = 0; j < g.ny; ++j)
      for (int i = 0; i < g.half(); ++i) {
        const bool removed =
            dealias && (3 * i > g.nx || (g.ny > 1 && 3 * std::abs(Grid::signed_index(j, g.ny)) > g.ny));
        scale.push_back(removed ? 0 : g.scale());
      }
  }

  // f(m, kx, ky) for every mode m.
  template <class F>
  void for_modes(F f) const {
    std::size_t m = 0;
    for (int j = 0; j < grid.ny; ++j)
      for (int i = 0; i < grid.half(); ++i, ++m) f(m, kx[i], ky[j]);
  }

  Grid grid;
  std::vector<double> kx, ky, scale;
};

// u_t + u u_x = L u on a line, as -(u^2/2)_x: Burgers, Kuramoto-Sivashinsky, Korteweg-de Vries-Burgers.
// L(k) = -diffusion k^2 + dispersion (-i k^3) - fourth k^4; the equation has diffusion u_xx + dispersion u_xxx - fourth
// u_xxxx.
class LineProblem final : public Problem {
 public:
  struct Parameters {
    double diffusion, dispersion, fourth;
    double (*start)(double x);
  };

  LineProblem(const Grid& grid, bool dealias, unsigned effort, const Parameters& parameters)
      : symbols_(grid, dealias), parameters_(parameters), transform_(grid, 1, effort) {}

  int n_fields() const override { return 1; }
  bool linear_is_real() const override { return parameters_.dispersion == 0; }
  Complex linear(int, double k, double) const override {
    const double k2 = k * k;
    return {-parameters_.diffusion * k2 - parameters_.fourth * k2 * k2, -parameters_.dispersion * k * k2};
  }
  double start(int, double x, double) const override { return parameters_.start(x); }

  void nonlinear(const Complex* u, Complex* result) override {
    std::copy_n(u, symbols_.grid.n_modes(), transform_.modes(0));
    transform_.backward();
    double* values = transform_.values(0);
    for (int i = 0; i < symbols_.grid.n_points(); ++i) values[i] *= values[i];
    transform_.forward();
    const Complex* square = transform_.modes(0);
    symbols_.for_modes(
        [&](std::size_t m, double k, double) { result[m] = times_i(-0.5 * k * symbols_.scale[m], square[m]); });
  }

 private:
  Symbols symbols_;
  Parameters parameters_;
  PeriodicTransform transform_;
};

// u_t + u u_x + v u_y = nu lap u, v_t + u v_x + v v_y = nu lap v on [0, 2 pi]^2; advective: derivatives times fields,
// eight transforms, or rotational: by K = (u^2 + v^2)/2, w = v_x - u_y, N_u = v w - K_x, N_v = -u w - K_y, six
// transforms. Products that are not freed of aliasing make the second less exact on equally many points: which one is
// cheaper is measured.
class Burgers2d final : public Problem {
 public:
  Burgers2d(const Grid& grid, bool dealias, unsigned effort, double nu, bool rotational)
      : symbols_(grid, dealias),
        nu_(nu),
        rotational_(rotational),
        back_(grid, rotational ? 3 : 6, effort),
        forth_(grid, rotational ? 3 : 2, effort) {}

  int n_fields() const override { return 2; }
  Complex linear(int, double kx, double ky) const override { return -nu_ * (kx * kx + ky * ky); }
  double start(int field, double x, double y) const override {
    return field == 0 ? std::cos(x) + std::sin(y) : std::cos(x) - std::sin(y);
  }

  void nonlinear(const Complex* modes, Complex* result) override {
    std::copy_n(modes, 2 * n_modes(), back_.modes(0));
    rotational_ ? rotational(modes, result) : advective(modes, result);
  }

 private:
  std::size_t n_modes() const { return static_cast<std::size_t>(symbols_.grid.n_modes()); }

  void advective(const Complex* modes, Complex* result) {
    for (int field = 0; field < 2; ++field) {
      const Complex* of = modes + field * n_modes();
      Complex *dx = back_.modes(2 + 2 * field), *dy = back_.modes(3 + 2 * field);
      symbols_.for_modes([&](std::size_t m, double kx, double ky) {
        dx[m] = times_i(kx, of[m]);
        dy[m] = times_i(ky, of[m]);
      });
    }
    back_.backward();
    const double *u = back_.values(0), *v = back_.values(1);
    for (int field = 0; field < 2; ++field) {
      const double *dx = back_.values(2 + 2 * field), *dy = back_.values(3 + 2 * field);
      double* advection = forth_.values(field);
      for (int i = 0; i < symbols_.grid.n_points(); ++i) advection[i] = u[i] * dx[i] + v[i] * dy[i];
    }
    forth_.forward();
    for (int field = 0; field < 2; ++field) {
      const Complex* advection = forth_.modes(field);
      for (std::size_t m = 0; m < n_modes(); ++m) result[field * n_modes() + m] = -symbols_.scale[m] * advection[m];
    }
  }

  void rotational(const Complex* modes, Complex* result) {
    Complex* vorticity = back_.modes(2);
    symbols_.for_modes([&](std::size_t m, double kx, double ky) {
      vorticity[m] = times_i(kx, modes[n_modes() + m]) - times_i(ky, modes[m]);
    });
    back_.backward();
    const double *u = back_.values(0), *v = back_.values(1), *w = back_.values(2);
    double *energy = forth_.values(0), *vw = forth_.values(1), *uw = forth_.values(2);
    for (int i = 0; i < symbols_.grid.n_points(); ++i) {
      energy[i] = 0.5 * (u[i] * u[i] + v[i] * v[i]);
      vw[i] = v[i] * w[i];
      uw[i] = u[i] * w[i];
    }
    forth_.forward();
    const Complex *k_modes = forth_.modes(0), *vw_modes = forth_.modes(1), *uw_modes = forth_.modes(2);
    symbols_.for_modes([&](std::size_t m, double kx, double ky) {
      result[m] = symbols_.scale[m] * (vw_modes[m] - times_i(kx, k_modes[m]));
      result[n_modes() + m] = -symbols_.scale[m] * (uw_modes[m] + times_i(ky, k_modes[m]));
    });
  }

  Symbols symbols_;
  double nu_;
  bool rotational_;
  PeriodicTransform back_, forth_;
};

// w_t + u w_x + v w_y = nu lap w, lap psi = -w, u = psi_y, v = -psi_x. In four transforms (Basdevant 1983):
// N = (d_yy - d_xx)(u v) + d_xy (u^2 - v^2).
class VorticityFlow final : public Problem {
 public:
  static constexpr double nu = 0.02;
  using Start = double (*)(double x, double y);

  VorticityFlow(const Grid& grid, bool dealias, unsigned effort, Start start)
      : start_(start), symbols_(grid, dealias), back_(grid, 2, effort), forth_(grid, 2, effort) {}

  int n_fields() const override { return 1; }
  Complex linear(int, double kx, double ky) const override { return -nu * (kx * kx + ky * ky); }
  double start(int, double x, double y) const override { return start_(x, y); }

  void nonlinear(const Complex* w, Complex* result) override {
    Complex *u_modes = back_.modes(0), *v_modes = back_.modes(1);
    symbols_.for_modes([&](std::size_t m, double kx, double ky) {
      const double k2 = kx * kx + ky * ky;
      const Complex psi = k2 > 0 ? w[m] / k2 : 0;
      u_modes[m] = times_i(ky, psi);
      v_modes[m] = times_i(-kx, psi);
    });
    back_.backward();
    const double *u = back_.values(0), *v = back_.values(1);
    double *uv = forth_.values(0), *difference = forth_.values(1);
    for (int i = 0; i < symbols_.grid.n_points(); ++i) {
      uv[i] = u[i] * v[i];
      difference[i] = (u[i] - v[i]) * (u[i] + v[i]);
    }
    forth_.forward();
    const Complex *uv_modes = forth_.modes(0), *difference_modes = forth_.modes(1);
    symbols_.for_modes([&](std::size_t m, double kx, double ky) {
      result[m] = symbols_.scale[m] * ((kx * kx - ky * ky) * uv_modes[m] - kx * ky * difference_modes[m]);
    });
  }

 private:
  Start start_;
  Symbols symbols_;
  PeriodicTransform back_, forth_;
};

// u_t = Du lap u - u v^2 + F (1 - u), v_t = Dv lap v + u v^2 - (F + k) v; all but u v^2 and F is in L.
class GrayScott2d final : public Problem {
 public:
  static constexpr double du = 1.6e-4, dv = 8e-5, feed = 0.04, removal = 0.1;  // removal: F + k

  GrayScott2d(const Grid& grid, bool dealias, unsigned effort)
      : symbols_(grid, dealias), back_(grid, 2, effort), forth_(grid, 1, effort) {}

  int n_fields() const override { return 2; }
  Complex linear(int field, double kx, double ky) const override {
    const double k2 = kx * kx + ky * ky;
    return field == 0 ? -du * k2 - feed : -dv * k2 - removal;
  }
  double start(int field, double x, double y) const override {
    const double hump = std::exp(-80 * ((x + 0.05) * (x + 0.05) + (y + 0.02) * (y + 0.02)));
    return field == 0 ? 1 - hump : hump;
  }

  void nonlinear(const Complex* modes, Complex* result) override {
    const std::size_t n_modes = static_cast<std::size_t>(symbols_.grid.n_modes());
    std::copy_n(modes, 2 * n_modes, back_.modes(0));
    back_.backward();
    const double *u = back_.values(0), *v = back_.values(1);
    double* product = forth_.values(0);
    for (int i = 0; i < symbols_.grid.n_points(); ++i) product[i] = u[i] * v[i] * v[i];
    forth_.forward();
    const Complex* product_modes = forth_.modes(0);
    for (std::size_t m = 0; m < n_modes; ++m) {
      result[n_modes + m] = symbols_.scale[m] * product_modes[m];
      result[m] = -result[n_modes + m];
    }
    result[0] += feed;
  }

 private:
  Symbols symbols_;
  PeriodicTransform back_, forth_;
};

template <class T, auto... arguments>
std::unique_ptr<Problem> make(const Grid& grid, bool dealias, unsigned effort) {
  return std::make_unique<T>(grid, dealias, effort, arguments...);
}

template <const LineProblem::Parameters& parameters>
std::unique_ptr<Problem> make_line(const Grid& grid, bool dealias, unsigned effort) {
  return std::make_unique<LineProblem>(grid, dealias, effort, parameters);
}

// The hump of Dedalus' example; cosh(20) and cosh(160) do not overflow when squared.
double kdv_burgers_start(double x) {
  const double ratio = std::cosh(20.0) / std::cosh(20 * (x - 2));
  return std::log1p(ratio * ratio) / 40;
}

// u = tanh(cos(y)/thickness), v = amplitude sin(x)
double shear_layer(double x, double y) {
  constexpr double thickness = 0.5, amplitude = 0.1;
  const double c = std::cosh(std::cos(y) / thickness);
  return amplitude * std::cos(x) + std::sin(y) / (thickness * c * c);
}

// Three of each sign, exp(-2 r^2) near the centre: inputs/turbulence_2d.yaml.
double vortices(double x, double y) {
  constexpr struct {
    double strength, x, y;
  } centres[] = {{4, 1.0, 1.6}, {4, 2.3, 2.2}, {4, 4.6, 4.9}, {-4, 4.4, 1.2}, {-4, 5.6, 2.3}, {-4, 1.6, 4.7}};
  double sum = 0;
  for (const auto& c : centres) sum += c.strength * std::exp(4 * (std::cos(x - c.x) + std::cos(y - c.y) - 2));
  return sum;
}

constexpr LineProblem::Parameters burgers = {0.01, 0, 0, [](double x) { return 0.25 * std::sin(pi * x); }};
constexpr LineProblem::Parameters basdevant = {0.01 / pi, 0, 0, [](double x) { return -std::sin(pi * x); }};
constexpr LineProblem::Parameters kuramoto_sivashinsky = {
    -1, 0, 1, [](double x) { return std::cos(x / 16) * (1 + std::sin(x / 16)); }};
constexpr LineProblem::Parameters kdv_burgers = {1e-4, 2e-4, 0, kdv_burgers_start};

const std::map<std::string, Case> cases = {
    {"burgers_1d", {1, 0, 2, {10, 38, 200, 101}, make_line<burgers>}},
    {"basdevant", {1, -1, 2, {1, 38, 800, 801}, make_line<basdevant>}},
    {"kuramoto_sivashinsky", {1, 0, 32 * pi, {60, 13, 256, 257}, make_line<kuramoto_sivashinsky>}},
    {"kdv_burgers", {1, 0, 10, {10, 11, 500, 501}, make_line<kdv_burgers>}},
    {"periodic_2d", {2, 0, 2 * pi, {1, 8, 64, 65}, make<Burgers2d, 0.2, false>}},
    {"periodic_2d_rotational", {2, 0, 2 * pi, {1, 8, 64, 65}, make<Burgers2d, 0.2, true>}},
    {"periodic_2d_hard", {2, 0, 2 * pi, {1, 8, 64, 65}, make<Burgers2d, 0.03, false>}},
    {"periodic_2d_hard_rotational", {2, 0, 2 * pi, {1, 8, 64, 65}, make<Burgers2d, 0.03, true>}},
    {"shear_layer", {2, 0, 2 * pi, {5, 11, 64, 65}, make<VorticityFlow, shear_layer>}},
    {"vortices", {2, 0, 2 * pi, {4, 9, 64, 65}, make<VorticityFlow, vortices>}},
    {"gray_scott_2d", {2, -1, 2, {100, 11, 64, 65}, make<GrayScott2d>}},
};

}  // namespace

const Case& find_case(const std::string& name) {
  const auto found = cases.find(name);
  if (found != cases.end()) return found->second;
  std::string names;
  for (const auto& [known, unused] : cases) names += " " + known;
  throw std::invalid_argument("no such case: " + name + "; there are" + names);
}

}  // namespace etdrk4
