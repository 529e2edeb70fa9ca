#include "core/device_handles.cuh"

#include <algorithm>

#include "kernels/product/product_run.hpp"

namespace gwrm::cuda {

template <typename Real>
std::vector<Real> run_product(const Context& context, const ProductPlan<Real>& plan, const std::vector<Real>& a,
                              const std::vector<Real>& b, const RepeatProduct& repeat) {
  const DeviceHandles& handles = *context.device();
  DeviceBuffer buffers[4];
  const std::size_t size = a.size(), n_bytes = std::max<std::size_t>(plan.workspace_bytes(), 1);
  Real* device_a = buffers[0].reserve<Real>(size);
  Real* device_b = buffers[1].reserve<Real>(size);
  Real* device_c = buffers[2].reserve<Real>(size);
  char* workspace = buffers[3].reserve<char>(n_bytes);
  handles.upload(device_a, a.data(), size);
  handles.upload(device_b, b.data(), size);
  // All bits set is not a number: in c where nothing is written, in scratch memory that is read before it is written.
  GWRM_DEVICE(cudaMemsetAsync(device_c, 0xff, size * sizeof(Real), handles.stream));
  GWRM_DEVICE(cudaMemsetAsync(workspace, 0xff, n_bytes, handles.stream));

  std::vector<Real> c(size);
  const auto multiply = [&] { plan.multiply(device_a, device_b, device_c, workspace); };
  multiply();
  if (repeat) repeat(multiply);
  handles.download(c.data(), device_c, size);
  return c;
}
template std::vector<double> run_product(const Context&, const ProductPlan<double>&, const std::vector<double>&,
                                         const std::vector<double>&, const RepeatProduct&);
template std::vector<float> run_product(const Context&, const ProductPlan<float>&, const std::vector<float>&,
                                        const std::vector<float>&, const RepeatProduct&);

}  // namespace gwrm::cuda
