#include "kernels/transform/vector_harmonics.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/errors.hpp"
#include "kernels/transform/roots_of_unity.hpp"

namespace gwrm {

VectorSphericalPlan::VectorSphericalPlan(Index degree, Index n_theta, Index n_phi)
    : degree_(degree), components_(std::max<Index>(degree, 0) + 1, std::max(n_theta, degree + 2), n_phi, degree) {
  if (degree < 0) throw ShapeError("vector harmonics of degree " + std::to_string(degree));
  if (n_theta < degree + 2)
    throw ShapeError("vector harmonics of degree " + std::to_string(degree) + ": " + std::to_string(n_theta) +
                     " points in theta, at least " + std::to_string(degree + 2) + " are needed");
  for (Index j = 0; j < n_phi; ++j) {
    const std::complex<double> root = half_turns(2 * j, n_phi);
    cosine_phi_.push_back(root.real());
    sine_phi_.push_back(root.imag());
  }
  for (const double theta : components_.legendre().theta()) {
    cosine_theta_.push_back(std::cos(theta));
    sine_theta_.push_back(std::sin(theta));
  }
}

namespace cpu {
namespace {

using Complex = std::complex<double>;

double root(Index above, Index below) {
  return above <= 0 ? 0.0 : std::sqrt(static_cast<double>(above) / static_cast<double>(below));
}
double e(Index l, Index m) {
  return root(l * l - m * m, 4 * l * l - 1);
}
double a(Index l, Index m) {
  return root((l + m + 1) * (l + m + 2), (2 * l + 1) * (2 * l + 3));
}
double b(Index l, Index m) {
  return root((l - m) * (l - m - 1), (2 * l - 1) * (2 * l + 1));
}
double c(Index l, Index m) {  // of L_+ on Y_l^m, and of L_- on Y_l^(m+1)
  return root((l - m) * (l + m + 1), 1);
}
double number(Index l) {
  return static_cast<double>(l);
}
std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}
Complex turned(Complex z) {  // i z
  return {-z.imag(), z.real()};
}

// Coefficients of a degree, zero where there are none; the imaginary part of order 0 counts as zero.
struct Coefficients {
  const Complex* values;
  Index degree;
  Complex operator()(Index l, Index m) const {
    if (m < 0 || l < m || l > degree) return 0.0;
    const Complex value = values[m * (degree + 1) - m * (m - 1) / 2 + l - m];
    return m == 0 ? Complex(value.real(), 0.0) : value;
  }
};

}  // namespace

void components_of(const VectorSphericalPlan& plan, const Complex* s, const Complex* t, Complex* components,
                   int n_threads) {
  const AssociatedLegendrePlan& legendre = plan.components().legendre();
  const Coefficients S{s, plan.degree()}, T{t, plan.degree()};
  const Index n = legendre.n_coefficients();
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 8)
  for (Index m = 0; m <= legendre.degree(); ++m)
    for (Index l = m; l <= legendre.degree(); ++l) {
      const Complex plus = -number(l - 1) * a(l - 1, m - 1) * S(l - 1, m - 1) -
                           number(l + 2) * b(l + 1, m - 1) * S(l + 1, m - 1) + turned(c(l, m - 1) * T(l, m - 1));
      const Complex minus = number(l - 1) * a(l - 1, -m - 1) * S(l - 1, m + 1) +
                            number(l + 2) * b(l + 1, -m - 1) * S(l + 1, m + 1) + turned(c(l, m) * T(l, m + 1));
      Complex* out = components + legendre.coefficient_place(m) + l - m;
      // x = (plus + minus) / 2, y = (plus - minus) / 2i; of order 0 plus is the conjugate of minus
      out[0] = m == 0 ? Complex(minus.real(), 0.0) : 0.5 * (plus + minus);
      out[n] = m == 0 ? Complex(-minus.imag(), 0.0) : -0.5 * turned(plus - minus);
      out[2 * n] = -number(l - 1) * e(l, m) * S(l - 1, m) + number(l + 2) * e(l + 1, m) * S(l + 1, m) -
                   turned(number(m) * T(l, m));
    }
}

void parts_of(const VectorSphericalPlan& plan, const Complex* components, Complex* s, Complex* t, int n_threads) {
  const AssociatedLegendrePlan& legendre = plan.components().legendre();
  const Index n = legendre.n_coefficients(), degree = legendre.degree();
  const Coefficients x{components, degree}, y{components + n, degree}, z{components + 2 * n, degree};
  const auto plus = [&](Index l, Index m) { return 0.5 * (x(l, m) + turned(y(l, m))); };
  const auto minus = [&](Index l, Index m) { return 0.5 * (x(l, m) - turned(y(l, m))); };
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 8)
  for (Index m = 0; m <= plan.degree(); ++m)
    for (Index l = m; l <= plan.degree(); ++l) {
      const double twice = m == 0 ? 2.0 : 1.0;  // orders but 0 count twice in the scalar product
      Complex gradient = -number(l) * e(l + 1, m) * z(l + 1, m) + number(l + 1) * e(l, m) * z(l - 1, m);
      gradient -= twice * (number(l) * a(l, m) * plus(l + 1, m + 1) + number(l + 1) * b(l, m) * plus(l - 1, m + 1));
      gradient += number(l) * a(l, -m) * minus(l + 1, m - 1) + number(l + 1) * b(l, -m) * minus(l - 1, m - 1);
      const Complex curl = turned(number(m) * z(l, m) - twice * c(l, m) * plus(l, m + 1) -
                                  (m == 0 ? 0.0 : c(l, m - 1)) * minus(l, m - 1));
      const double scale = l == 0 ? 0.0 : 1.0 / (number(l) * number(l + 1));
      const Index place = plan.coefficient_place(m) + l - m;
      s[place] = scale * (m == 0 ? Complex(gradient.real(), 0.0) : gradient);
      t[place] = scale * (m == 0 ? Complex(curl.real(), 0.0) : curl);
    }
}

namespace {

struct Parts {
  Complex* coefficients;
  double *field, *scalar;
  Parts(const VectorSphericalPlan& plan, double* workspace)
      : coefficients(reinterpret_cast<Complex*>(workspace)),
        field(workspace + 6 * plan.components().n_coefficients()),
        scalar(field + 3 * plan.n_points()) {}
};

void check(Index batch, int n_threads) {
  if (batch < 1) throw ShapeError("vector harmonics: a batch of " + std::to_string(batch) + " fields");
  if (n_threads < 1) throw ShapeError("vector harmonics: at least one thread");
}

}  // namespace

std::size_t spherical_workspace(const VectorSphericalPlan& plan, int n_threads) {
  return static_cast<std::size_t>(6 * plan.components().n_coefficients() + 3 * plan.n_points()) +
         spherical_workspace(plan.components(), n_threads);
}

void vector_synthesis(const VectorSphericalPlan& plan, Index batch, const Complex* s, const Complex* t, double* u_theta,
                      double* u_phi, double* workspace, int n_threads) {
  check(batch, n_threads);
  const Parts parts(plan, workspace);
  const Index n = plan.n_points(), n_phi = plan.n_phi();
  for (Index k = 0; k < batch; ++k) {
    components_of(plan, s + k * plan.n_coefficients(), t + k * plan.n_coefficients(), parts.coefficients, n_threads);
    spherical_synthesis(plan.components(), 3, parts.coefficients, parts.field, parts.scalar, n_threads);
#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (Index i = 0; i < plan.n_theta(); ++i) {
      const double cosine = plan.cosine_theta()[at(i)], sine = plan.sine_theta()[at(i)];
      for (Index j = 0; j < n_phi; ++j) {
        const double cp = plan.cosine_phi()[at(j)], sp = plan.sine_phi()[at(j)];
        const double* f = parts.field + i * n_phi + j;
        const Index to = k * n + i * n_phi + j;
        u_theta[to] = cosine * (cp * f[0] + sp * f[n]) - sine * f[2 * n];
        u_phi[to] = cp * f[n] - sp * f[0];
      }
    }
  }
}

void vector_analysis(const VectorSphericalPlan& plan, Index batch, const double* u_theta, const double* u_phi,
                     Complex* s, Complex* t, double* workspace, int n_threads) {
  check(batch, n_threads);
  const Parts parts(plan, workspace);
  const Index n = plan.n_points(), n_phi = plan.n_phi();
  for (Index k = 0; k < batch; ++k) {
#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (Index i = 0; i < plan.n_theta(); ++i) {
      const double cosine = plan.cosine_theta()[at(i)], sine = plan.sine_theta()[at(i)];
      for (Index j = 0; j < n_phi; ++j) {
        const double cp = plan.cosine_phi()[at(j)], sp = plan.sine_phi()[at(j)];
        const double theta = u_theta[k * n + i * n_phi + j], phi = u_phi[k * n + i * n_phi + j];
        double* f = parts.field + i * n_phi + j;
        f[0] = cosine * cp * theta - sp * phi;
        f[n] = cosine * sp * theta + cp * phi;
        f[2 * n] = -sine * theta;
      }
    }
    spherical_analysis(plan.components(), 3, parts.field, parts.coefficients, parts.scalar, n_threads);
    parts_of(plan, parts.coefficients, s + k * plan.n_coefficients(), t + k * plan.n_coefficients(), n_threads);
  }
}

}  // namespace cpu
}  // namespace gwrm
