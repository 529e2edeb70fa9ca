// The direct sums of small series in two dimensions; see direct_plane_cuda.cu.
//
// Contract: kernels/product/product_plan.hpp
#pragma once

#include "kernels/product/product_cuda.cuh"

namespace gwrm::cuda {

// Few enough sums that loads bound the time, not multiply-adds.
bool direct_plane_serves(const Shape& shape, Index batch);

template <typename Real>
ProductPlanPointer<Real> direct_plane_product(const Context& context, const Shape& shape, Index batch);

}  // namespace gwrm::cuda
