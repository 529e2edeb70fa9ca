#include <algorithm>
#include <utility>

#include "kernels/product/product_cpu.hpp"

namespace gwrm::cpu {
namespace {

// Single precision is storage: the sums are double.
class SingleProduct final : public ProductPlan<float> {
 public:
  SingleProduct(std::unique_ptr<ProductPlan<double>> plan, Index size) : plan_(std::move(plan)), size_(size) {}

  std::size_t workspace_bytes() const override {
    return 3 * static_cast<std::size_t>(size_) * sizeof(double) + plan_->workspace_bytes();
  }

  void multiply(const float* a, const float* b, float* c, void* workspace) const override {
    double* wide_a = static_cast<double*>(workspace);
    double *wide_b = wide_a + size_, *wide_c = wide_b + size_;
    std::copy(a, a + size_, wide_a);
    std::copy(b, b + size_, wide_b);
    plan_->multiply(wide_a, wide_b, wide_c, wide_c + size_);
    std::transform(wide_c, wide_c + size_, c, [](double value) { return static_cast<float>(value); });
  }

 private:
  std::unique_ptr<ProductPlan<double>> plan_;
  Index size_;
};

}  // namespace

template <>
std::unique_ptr<ProductPlan<double>> make_product_plan(const Context&, const Shape& shape, Index batch,
                                                       ProductVariant variant) {
  switch (variant) {
    case ProductVariant::monolithic:
      return paper_product(shape, batch, false);
    case ProductVariant::stride:
      return paper_product(shape, batch, true);
    case ProductVariant::direct:
      return direct_product(shape, batch);
    default:
      return matrix_product(shape, batch);
  }
}

template <>
std::unique_ptr<ProductPlan<float>> make_product_plan(const Context& context, const Shape& shape, Index batch,
                                                      ProductVariant variant) {
  return std::make_unique<SingleProduct>(cpu::make_product_plan<double>(context, shape, batch, variant),
                                         batch * element_count(shape));
}

}  // namespace gwrm::cpu
