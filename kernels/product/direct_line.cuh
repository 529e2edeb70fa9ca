// The direct sums in one dimension; see direct_line_cuda.cu.
//
// Contract: kernels/product/product_plan.hpp
#pragma once

#include "kernels/product/product_cuda.cuh"

namespace gwrm::cuda {

template <typename Real>
ProductPlanPointer<Real> direct_line_product(const Context& context, const Shape& shape, Index batch);

}  // namespace gwrm::cuda
