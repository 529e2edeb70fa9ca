#include "kernels/transform/vector_harmonics.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/errors.hpp"
#include "kernels/transform/roots_of_unity.hpp"
#include "kernels/transform/vector_formulas.hpp"

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
using vector_harmonics::Angles, vector_harmonics::Coefficients;

const double* numbers(const Complex* a) {
  return reinterpret_cast<const double*>(a);
}
double* numbers(Complex* a) {
  return reinterpret_cast<double*>(a);
}

}  // namespace

void components_of(const VectorSphericalPlan& plan, const Complex* s, const Complex* t, Complex* components,
                   int n_threads) {
  const AssociatedLegendrePlan& legendre = plan.components().legendre();
  const Coefficients S{numbers(s), plan.degree()}, T{numbers(t), plan.degree()};
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 8)
  for (Index m = 0; m <= legendre.degree(); ++m)
    for (Index l = m; l <= legendre.degree(); ++l)
      components_at(S, T, legendre.degree(), l, m, numbers(components), legendre.n_coefficients());
}

void parts_of(const VectorSphericalPlan& plan, const Complex* components, Complex* s, Complex* t, int n_threads) {
  const Index n = plan.components().n_coefficients(), degree = plan.components().degree();
  const Coefficients x{numbers(components), degree}, y{numbers(components + n), degree},
      z{numbers(components + 2 * n), degree};
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 8)
  for (Index m = 0; m <= plan.degree(); ++m)
    for (Index l = m; l <= plan.degree(); ++l) parts_at(x, y, z, plan.degree(), l, m, numbers(s), numbers(t));
}

namespace {

struct VectorScratch {
  Complex* coefficients;
  double *field, *scalar;
  VectorScratch(const VectorSphericalPlan& plan, double* workspace)
      : coefficients(reinterpret_cast<Complex*>(workspace)),
        field(workspace + 6 * plan.components().n_coefficients()),
        scalar(field + 3 * plan.n_points()) {}
};

void check_vector_call(Index batch, int n_threads) {
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
  check_vector_call(batch, n_threads);
  const VectorScratch parts(plan, workspace);
  const Index n = plan.n_points(), n_phi = plan.n_phi();
  for (Index k = 0; k < batch; ++k) {
    components_of(plan, s + k * plan.n_coefficients(), t + k * plan.n_coefficients(), parts.coefficients, n_threads);
    spherical_synthesis(plan.components(), 3, parts.coefficients, parts.field, parts.scalar, n_threads);
#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (Index i = 0; i < plan.n_theta(); ++i) {
      const double cosine = plan.cosine_theta()[at(i)], sine = plan.sine_theta()[at(i)];
      for (Index j = 0; j < n_phi; ++j) {
        const Angles angles{cosine, sine, plan.cosine_phi()[at(j)], plan.sine_phi()[at(j)]};
        const double* f = parts.field + i * n_phi + j;
        const Index to = k * n + i * n_phi + j;
        u_theta[to] = angles.theta_part(f[0], f[n], f[2 * n]);
        u_phi[to] = angles.phi_part(f[0], f[n]);
      }
    }
  }
}

void vector_analysis(const VectorSphericalPlan& plan, Index batch, const double* u_theta, const double* u_phi,
                     Complex* s, Complex* t, double* workspace, int n_threads) {
  check_vector_call(batch, n_threads);
  const VectorScratch parts(plan, workspace);
  const Index n = plan.n_points(), n_phi = plan.n_phi();
  for (Index k = 0; k < batch; ++k) {
#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (Index i = 0; i < plan.n_theta(); ++i) {
      const double cosine = plan.cosine_theta()[at(i)], sine = plan.sine_theta()[at(i)];
      for (Index j = 0; j < n_phi; ++j) {
        const Angles angles{cosine, sine, plan.cosine_phi()[at(j)], plan.sine_phi()[at(j)]};
        const double theta = u_theta[k * n + i * n_phi + j], phi = u_phi[k * n + i * n_phi + j];
        double* f = parts.field + i * n_phi + j;
        f[0] = angles.x(theta, phi);
        f[n] = angles.y(theta, phi);
        f[2 * n] = angles.z(theta);
      }
    }
    spherical_analysis(plan.components(), 3, parts.field, parts.coefficients, parts.scalar, n_threads);
    parts_of(plan, parts.coefficients, s + k * plan.n_coefficients(), t + k * plan.n_coefficients(), n_threads);
  }
}

}  // namespace cpu
}  // namespace gwrm
