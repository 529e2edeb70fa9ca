// Spherical-harmonic transforms of real fields: values on a grid of (theta, phi) and complex coefficients.
//
// Functions Y_l^m = Pbar_l^m(cos theta) exp(i m phi) / sqrt(2 pi), orthonormal on the unit sphere, without the phase of
//           Condon and Shortley (Pbar: associated_legendre.hpp); Y_l^-m is the conjugate. A real field needs m >= 0
//           only.
// Formula   synthesis  f(theta_i, phi_j) = sum_(l <= L) (a_l0 Y_l^0 + 2 Re sum_(m=1..l) a_lm Y_l^m),
//           analysis   a_lm = sum_ij w_i (2 pi / n_phi) f(theta_i, phi_j) conj(Y_l^m),
//           which is the integral over the sphere for f of degree L. The imaginary parts of a_l0 count as zero.
// Adjoint   with <f, g> = sum_ij w_i (2 pi / n_phi) f g and <a, b> = sum_l (a_l0 b_l0 + 2 Re sum_m a_lm conj(b_lm))
//           analysis is the adjoint of synthesis, <synthesis a, f> = <a, analysis f>, to rounding: they use the same
//           numbers.
// Grid      n_theta >= L + 1 Gauss nodes, theta ascending from the north pole, phi_j = 2 pi j / n_phi with
//           n_phi >= 2 L + 1; lengths with the factors 2, 3 and 5 are the fast ones.
// Layout    f: batch x n_theta x n_phi, row-major. a: batch x n_coefficients, order after order, l fastest
//           (AssociatedLegendrePlan::coefficient_place).
// Vectors   tangential u = grad S + curl(T r) on the unit sphere:
//             u_theta = dS/dtheta + (1 / sin theta) dT/dphi,   u_phi = (1 / sin theta) dS/dphi - dT/dtheta,
//           S and T given by coefficients. Analysis gives s_lm = <u, grad Y> / (l (l+1)), t_lm alike, 0 for l = 0: it
//           undoes synthesis, and l (l+1) times it is the adjoint. They go through the three Cartesian components,
//           which are scalar fields of degree L + 1: nothing is divided by sin theta, so that no digits are lost near
//           the poles.
// Cost      associated_legendre.hpp, and a Fourier transform of n_phi numbers for each two rows; vectors three of them.
// Memory    spherical_workspace() doubles: 4 (L + 1) n_theta and some lines a thread; vectors 3 n_theta n_phi + 3 L^2
//           more.
// Errors    docs/spectral-transforms.md. ShapeError: L outside 0..kLargestDegree (vectors: one less), too few points
//           (says how many are needed), batch below 1, no thread. NaN in f or a spoils its own field, and no more.
// Threads   over orders, then over rows: the same bits for any number of them.
// Source    the formulas of the Cartesian components: vector_harmonics.hpp.
// Device    cuda::DeviceSpherical, cuda::DeviceVectorHarmonics: the same by cuFFT along phi and DeviceLegendre, with
// what a
//           plan and a batch need made once.
#pragma once

#include "kernels/transform/associated_legendre.hpp"
#include "kernels/transform/fourier_plan.hpp"

namespace gwrm {

// highest_order: the greatest m that n_phi has to resolve; scalar fields: the degree.
class SphericalPlan {
 public:
  SphericalPlan(Index degree, Index n_theta, Index n_phi) : SphericalPlan(degree, n_theta, n_phi, degree) {}

  const AssociatedLegendrePlan& legendre() const { return legendre_; }
  const FourierPlan& fourier() const { return fourier_; }
  Index degree() const { return legendre_.degree(); }
  Index n_theta() const { return legendre_.n_theta(); }
  Index n_phi() const { return fourier_.length(); }
  Index n_coefficients() const { return legendre_.n_coefficients(); }
  Index n_points() const { return n_theta() * n_phi(); }

 private:
  friend class VectorSphericalPlan;
  SphericalPlan(Index degree, Index n_theta, Index n_phi, Index field_degree);
  AssociatedLegendrePlan legendre_;
  FourierPlan fourier_;
};

// Vector fields of degree L: the components have L + 1, on a grid that need not resolve more than L.
class VectorSphericalPlan {
 public:
  VectorSphericalPlan(Index degree, Index n_theta, Index n_phi);

  Index degree() const { return degree_; }
  Index n_theta() const { return components_.n_theta(); }
  Index n_phi() const { return components_.n_phi(); }
  Index n_coefficients() const { return (degree_ + 1) * (degree_ + 2) / 2; }
  Index coefficient_place(Index m) const { return m * (degree_ + 1) - m * (m - 1) / 2; }
  Index n_points() const { return components_.n_points(); }
  const SphericalPlan& components() const { return components_; }
  const std::vector<double>& cosine_phi() const { return cosine_phi_; }
  const std::vector<double>& sine_phi() const { return sine_phi_; }
  const std::vector<double>& cosine_theta() const { return cosine_theta_; }
  const std::vector<double>& sine_theta() const { return sine_theta_; }

 private:
  Index degree_;
  SphericalPlan components_;
  std::vector<double> cosine_phi_, sine_phi_, cosine_theta_, sine_theta_;
};

namespace cpu {

// Doubles of the workspace, for any batch.
std::size_t spherical_workspace(const SphericalPlan& plan, int n_threads);
std::size_t spherical_workspace(const VectorSphericalPlan& plan, int n_threads);

void spherical_synthesis(const SphericalPlan& plan, Index batch, const std::complex<double>* a, double* f,
                         double* workspace, int n_threads);
void spherical_analysis(const SphericalPlan& plan, Index batch, const double* f, std::complex<double>* a,
                        double* workspace, int n_threads);

void vector_synthesis(const VectorSphericalPlan& plan, Index batch, const std::complex<double>* s,
                      const std::complex<double>* t, double* u_theta, double* u_phi, double* workspace, int n_threads);
void vector_analysis(const VectorSphericalPlan& plan, Index batch, const double* u_theta, const double* u_phi,
                     std::complex<double>* s, std::complex<double>* t, double* workspace, int n_threads);

}  // namespace cpu

namespace cuda {

// Of `batch` fields at a time, on the context's stream. Making one waits for the device; the plan may go afterwards. A
// workspace, aligned to 256 bytes: 16 (n_phi/2 + 1) n_theta bytes for the modes and 16 (L + 1) n_theta for the values
// of each field, and what cuFFT takes. f is aligned to 16 bytes. ShapeError for a batch below 1, or one of 2^31 points.
class DeviceSpherical {
 public:
  DeviceSpherical(const Context& context, const SphericalPlan& plan, Index batch);
  ~DeviceSpherical();

  std::size_t workspace_bytes() const;
  void synthesis(const std::complex<double>* a, double* f, void* workspace) const;
  void analysis(const double* f, std::complex<double>* a, void* workspace) const;

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

// Three scalar fields for each, with their coefficients and values in the workspace.
class DeviceVectorHarmonics {
 public:
  DeviceVectorHarmonics(const Context& context, const VectorSphericalPlan& plan, Index batch);
  ~DeviceVectorHarmonics();

  std::size_t workspace_bytes() const;
  void synthesis(const std::complex<double>* s, const std::complex<double>* t, double* u_theta, double* u_phi,
                 void* workspace) const;
  void analysis(const double* u_theta, const double* u_phi, std::complex<double>* s, std::complex<double>* t,
                void* workspace) const;

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace cuda
}  // namespace gwrm
