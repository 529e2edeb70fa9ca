// The second differences of kernels/stencil on a context's device memory, for the bench: launched on its stream with
// the kernels' own choice of blocks; nothing waits.
#pragma once

#include "core/context.hpp"
#include "kernels/stencil/second_differences.hpp"

namespace gwrm::bench::cuda {

void second_differences(const Context& context, const StencilGrid& grid, int order, const double* f, const double* g,
                        const double* e, double* out);

}  // namespace gwrm::bench::cuda
