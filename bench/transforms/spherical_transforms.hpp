// Spherical-harmonic transforms of either backend with their workspace, for what measures or tests both.
#pragma once

#include <complex>
#include <memory>

#include "bench/measure/context_memory.hpp"
#include "kernels/transform/spherical_harmonics.hpp"

namespace gwrm::bench {

// Of `batch` fields in the memory of the context's backend; the plan has to stay.
class LegendreTransform {
 public:
  using Complex = std::complex<double>;
  LegendreTransform(const Context& context, const AssociatedLegendrePlan& plan, Index batch);
  void synthesis(const Complex* a, double* values);
  void analysis(const double* values, Complex* a);

 private:
  Context context_;
  const AssociatedLegendrePlan& plan_;
  Index batch_;
  std::shared_ptr<gwrm::cuda::DeviceLegendre> device_;
  std::vector<double> workspace_;
};

class SphericalTransform {
 public:
  using Complex = std::complex<double>;
  SphericalTransform(const Context& context, const SphericalPlan& plan, Index batch);
  void synthesis(const Complex* a, double* f);
  void analysis(const double* f, Complex* a);

 private:
  Context context_;
  const SphericalPlan& plan_;
  Index batch_;
  std::shared_ptr<gwrm::cuda::DeviceSpherical> device_;
  ContextArray<double> workspace_;
};

class VectorTransform {
 public:
  using Complex = std::complex<double>;
  VectorTransform(const Context& context, const VectorSphericalPlan& plan, Index batch);
  void synthesis(const Complex* s, const Complex* t, double* u_theta, double* u_phi);
  void analysis(const double* u_theta, const double* u_phi, Complex* s, Complex* t);

 private:
  Context context_;
  const VectorSphericalPlan& plan_;
  Index batch_;
  std::shared_ptr<gwrm::cuda::DeviceVectorHarmonics> device_;
  ContextArray<double> workspace_;
};

}  // namespace gwrm::bench
