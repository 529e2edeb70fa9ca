#include "weighted_residual/device/device_integrals.cuh"

#include "kernels/linear_algebra/device_vectors.cuh"

namespace gwrm::cuda {

DeviceTensor DeviceIntegrals::add(PointwiseOutput integrand, std::size_t axis, const double* weights, double length) {
  Integral one;
  one.axis = axis;
  one.weights = weights;
  one.length = length;
  Shape shape = integrand.shape;
  if (integrand.steps.empty() && integrand.inputs.size() == 1) {
    one.integrand = integrand.inputs.front().tensor;
  } else {
    one.memory = tools_.pool.take(static_cast<std::size_t>(element_count(shape)));
    integrand.target = one.memory.data();
    one.integrand = {integrand.target, shape};
    one.set = pointwise_.add(name_ + std::to_string(integrals_.size()), {integrand});
  }
  shape[axis] = 1;
  one.value = tools_.pool.take(static_cast<std::size_t>(element_count(shape)));
  integrals_.push_back(std::move(one));
  return {integrals_.back().value.data(), std::move(shape)};
}

void DeviceIntegrals::run() const {
  const DeviceProfile::Scope scope(tools_.profile, DevicePart::pointwise);
  for (const Integral& one : integrals_) {
    if (one.set >= 0) pointwise_.run(tools_.handles, one.set);
    const AroundDimension around(one.integrand.shape, one.axis);
    const Index n = one.integrand.shape[one.axis];
    if (n == 1)  // constant along the axis
      scale_and_add(tools_.handles, one.length, one.integrand.data, 0.0, one.value.data(), one.value.size());
    else
      multiply_along(tools_.handles, one.weights, {1, n, around.outer, around.inner, n, 1}, one.length,
                     one.integrand.data, false, one.value.data());
  }
}

}  // namespace gwrm::cuda
