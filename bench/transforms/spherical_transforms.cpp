#include "bench/transforms/spherical_transforms.hpp"

namespace gwrm::bench {
namespace {

// Doubles, on the CPU or the device.
template <class Plan, class Device>
std::size_t workspace_of(const Context& context, const Plan& plan, [[maybe_unused]] const Device& device) {
#if GWRM_HAVE_CUDA
  if (device) return device->workspace_bytes() / sizeof(double) + 1;
#endif
  return cpu::spherical_workspace(plan, context.n_threads());
}

template <class Device, class Plan, class... Batch>
std::shared_ptr<Device> on_device([[maybe_unused]] const Context& context, [[maybe_unused]] const Plan& plan,
                                  [[maybe_unused]] Batch... batch) {
#if GWRM_HAVE_CUDA
  if (context.backend() == Backend::cuda) return std::make_shared<Device>(context, plan, batch...);
#endif
  return nullptr;
}

}  // namespace

LegendreTransform::LegendreTransform(const Context& context, const AssociatedLegendrePlan& plan, Index batch)
    : context_(context),
      plan_(plan),
      batch_(batch),
      device_(on_device<gwrm::cuda::DeviceLegendre>(context, plan)),
      workspace_(device_ ? 0 : cpu::legendre_workspace(plan, context.n_threads())) {}

void LegendreTransform::synthesis(const Complex* a, double* values) {
#if GWRM_HAVE_CUDA
  if (device_) return device_->synthesis(batch_, a, values);
#endif
  for (Index k = 0; k < batch_; ++k)
    cpu::legendre_synthesis(plan_, a + k * plan_.n_coefficients(), values + k * plan_.n_values(), workspace_.data(),
                            context_.n_threads());
}
void LegendreTransform::analysis(const double* values, Complex* a) {
#if GWRM_HAVE_CUDA
  if (device_) return device_->analysis(batch_, values, a);
#endif
  for (Index k = 0; k < batch_; ++k)
    cpu::legendre_analysis(plan_, values + k * plan_.n_values(), a + k * plan_.n_coefficients(), workspace_.data(),
                           context_.n_threads());
}

SphericalTransform::SphericalTransform(const Context& context, const SphericalPlan& plan, Index batch)
    : context_(context),
      plan_(plan),
      batch_(batch),
      device_(on_device<gwrm::cuda::DeviceSpherical>(context, plan, batch)),
      workspace_(context, workspace_of(context, plan, device_)) {}

void SphericalTransform::synthesis(const Complex* a, double* f) {
#if GWRM_HAVE_CUDA
  if (device_) return device_->synthesis(a, f, workspace_.data());
#endif
  cpu::spherical_synthesis(plan_, batch_, a, f, workspace_.data(), context_.n_threads());
}
void SphericalTransform::analysis(const double* f, Complex* a) {
#if GWRM_HAVE_CUDA
  if (device_) return device_->analysis(f, a, workspace_.data());
#endif
  cpu::spherical_analysis(plan_, batch_, f, a, workspace_.data(), context_.n_threads());
}

VectorTransform::VectorTransform(const Context& context, const VectorSphericalPlan& plan, Index batch)
    : context_(context),
      plan_(plan),
      batch_(batch),
      device_(on_device<gwrm::cuda::DeviceVectorHarmonics>(context, plan, batch)),
      workspace_(context, workspace_of(context, plan, device_)) {}

void VectorTransform::synthesis(const Complex* s, const Complex* t, double* u_theta, double* u_phi) {
#if GWRM_HAVE_CUDA
  if (device_) return device_->synthesis(s, t, u_theta, u_phi, workspace_.data());
#endif
  cpu::vector_synthesis(plan_, batch_, s, t, u_theta, u_phi, workspace_.data(), context_.n_threads());
}
void VectorTransform::analysis(const double* u_theta, const double* u_phi, Complex* s, Complex* t) {
#if GWRM_HAVE_CUDA
  if (device_) return device_->analysis(u_theta, u_phi, s, t, workspace_.data());
#endif
  cpu::vector_analysis(plan_, batch_, u_theta, u_phi, s, t, workspace_.data(), context_.n_threads());
}

}  // namespace gwrm::bench
