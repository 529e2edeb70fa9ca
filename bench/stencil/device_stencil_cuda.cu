#include "bench/stencil/device_stencil.hpp"
#include "kernels/stencil/second_differences_device.cuh"

namespace gwrm::bench::cuda {

void second_differences(const Context& context, const StencilGrid& grid, int order, const double* f, const double* g,
                        const double* e, double* out) {
  gwrm::cuda::second_differences(context.device()->stream, grid, order, gwrm::cuda::stencil_shape(grid, order), f, g, e,
                                 out);
}

}  // namespace gwrm::bench::cuda
