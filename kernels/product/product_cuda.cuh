// The device plans behind make_product_plan, and what they share.
//
// Contract: kernels/product/product_plan.hpp
#pragma once

#include "core/device_handles.cuh"

#include <memory>

#include "kernels/product/product_plan.hpp"

namespace gwrm::cuda {

constexpr int kMaxProductDimensions = 12;  // 2^12 terms for the smallest product: more is out of reach anyway

// Extents as the kernels take them, by value.
struct Extents {
  int count = 0;
  int n[kMaxProductDimensions] = {};
};

Extents extents_of(const Shape& shape);  // ShapeError beyond kMaxProductDimensions or 32-bit sizes

inline unsigned blocks_for(long long size, long long per_block) {
  return static_cast<unsigned>((size + per_block - 1) / per_block);
}

template <typename Real>
using ProductPlanPointer = std::unique_ptr<ProductPlan<Real>>;

template <typename Real>
ProductPlanPointer<Real> monolithic_product(const Context& context, const Shape& shape, Index batch);
template <typename Real>
ProductPlanPointer<Real> stride_product(const Context& context, const Shape& shape, Index batch);
template <typename Real>
ProductPlanPointer<Real> direct_product(const Context& context, const Shape& shape, Index batch);
template <typename Real>
ProductPlanPointer<Real> matrix_product(const Context& context, const Shape& shape, Index batch);
template <typename Real>
ProductPlanPointer<Real> fourier_product(const Context& context, const Shape& shape, Index batch);

}  // namespace gwrm::cuda
