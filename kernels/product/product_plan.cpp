#include "kernels/product/product_plan.hpp"

#include <string>

#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "kernels/product/product_choice.hpp"

namespace gwrm {
namespace {

void check_arguments(const Context& context, const Shape& shape, Index batch, ProductVariant variant) {
  if (shape.empty()) throw ShapeError("make_product_plan: a series needs a dimension");
  for (Index extent : shape)
    if (extent < 1) throw ShapeError("make_product_plan: an empty dimension");
  if (batch < 1) throw ShapeError("make_product_plan: a batch of " + std::to_string(batch));
  if (variant == ProductVariant::fourier && context.backend() == Backend::cpu)
    throw ShapeError("make_product_plan: Fourier transforms serve the device only; on the CPU choose matrices");
}

}  // namespace

template <typename Real>
std::unique_ptr<ProductPlan<Real>> make_product_plan(const Context& context, const Shape& shape, Index batch,
                                                     ProductVariant variant) {
  check_arguments(context, shape, batch, variant);
  variant = chosen_variant(context.backend(), shape, batch, variant);
#if GWRM_HAVE_CUDA
  if (context.backend() == Backend::cuda) return cuda::make_product_plan<Real>(context, shape, batch, variant);
#endif
  return cpu::make_product_plan<Real>(context, shape, batch, variant);
}
template std::unique_ptr<ProductPlan<double>> make_product_plan(const Context&, const Shape&, Index, ProductVariant);
template std::unique_ptr<ProductPlan<float>> make_product_plan(const Context&, const Shape&, Index, ProductVariant);

}  // namespace gwrm
