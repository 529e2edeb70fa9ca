#include "kernels/product/product_cuda.cuh"

#include <limits>
#include <string>

#include "core/errors.hpp"

namespace gwrm::cuda {

Extents extents_of(const Shape& shape) {
  if (shape.size() > kMaxProductDimensions)
    throw ShapeError("chebyshev_product: at most " + std::to_string(kMaxProductDimensions) +
                     " dimensions on the device");
  // Padded points of every dimension must be counted by 32 bits, and all the coefficients of one series too.
  if (4.0 * static_cast<double>(element_count(shape)) > std::numeric_limits<int>::max())
    throw ShapeError("chebyshev_product: more than 2^29 coefficients on the device");
  Extents extents;
  extents.count = static_cast<int>(shape.size());
  for (int d = 0; d < extents.count; ++d) extents.n[d] = static_cast<int>(shape[d]);
  return extents;
}

template <typename Real>
std::unique_ptr<ProductPlan<Real>> make_product_plan(const Context& context, const Shape& shape, Index batch,
                                                     ProductVariant variant) {
  switch (variant) {
    case ProductVariant::monolithic:
      return monolithic_product<Real>(context, shape, batch);
    case ProductVariant::stride:
      return stride_product<Real>(context, shape, batch);
    case ProductVariant::direct:
      return direct_product<Real>(context, shape, batch);
    case ProductVariant::fourier:
      return fourier_product<Real>(context, shape, batch);
    default:
      return matrix_product<Real>(context, shape, batch);
  }
}
template std::unique_ptr<ProductPlan<double>> make_product_plan(const Context&, const Shape&, Index, ProductVariant);
template std::unique_ptr<ProductPlan<float>> make_product_plan(const Context&, const Shape&, Index, ProductVariant);

}  // namespace gwrm::cuda
