#include "problems/time_spectral/product_decision.hpp"

#include <fmt/format.h>

#include "core/source_text.hpp"
#include "kernels/product/product_choice.hpp"

namespace gwrm {
namespace {

std::string unsupported_reason_of(const Case& the_case, const Model& model, const SystemPlan& plan) {
  if (the_case.resolution.automatic()) return "a run with resolution.tolerance divides its axes into subdomains";
  return series_unsupported_reason(model, plan);
}

ProductVariant variant_of(ProductChoice choice) {
  switch (choice) {
    case ProductChoice::direct:
      return ProductVariant::direct;
    case ProductChoice::transform:
      return ProductVariant::transform;
    case ProductChoice::monolithic:
      return ProductVariant::monolithic;
    case ProductChoice::stride:
      return ProductVariant::stride;
    default:
      return ProductVariant::automatic;
  }
}

std::string describe(const ProductDecision& decision) {
  if (!decision.variant) return fmt::format("on padded points ({})", decision.reason);
  return fmt::format("of coefficients, {} ({})", variant_name(*decision.variant), decision.reason);
}

}  // namespace

ProductDecision choose_products(const Case& the_case, const Model& model, const SystemPlan& plan, Backend backend) {
  const ProductChoice asked = the_case.solver.product;
  if (asked == ProductChoice::pointwise) return {{}, "asked for"};
  if (asked == ProductChoice::automatic) {
    if (model.linear) return {{}, "the equations are linear"};
    if (const std::string unsupported_reason = unsupported_reason_of(the_case, model, plan);
        !unsupported_reason.empty())
      return {{}, unsupported_reason};
    // Points are evaluated on the host, whose Jacobian then goes to the device.
    if (backend == Backend::cuda && the_case.time.weighting == Weighting::chebyshev)
      return {ProductVariant::automatic, "they take less time than padded points there: docs/products.md"};
    return {{}, "they take less time than products of coefficients: docs/products.md"};
  }
  if (const std::string unsupported_reason = unsupported_reason_of(the_case, model, plan); !unsupported_reason.empty())
    throw_case_error(the_case.solver.product_where, 0,
                     fmt::format("these products cannot be formed of coefficients: {}; use auto", unsupported_reason));
  return {variant_of(asked), "asked for"};
}

ProductPlans::ProductPlans(const Case& the_case, const Model& model) : cpu_(model) {
  const ProductDecision on_cpu = choose_products(the_case, model, cpu_, Backend::cpu);
  const ProductDecision on_device = choose_products(the_case, model, cpu_, Backend::cuda);
  description_ = describe(on_cpu);
  if (on_device.variant != on_cpu.variant) {
    device_ = cpu_;
    device_->series.emplace(model, *on_device.variant);
    description_ += "; on a device: " + describe(on_device);
  }
  if (on_cpu.variant) cpu_.series.emplace(model, *on_cpu.variant);
}

}  // namespace gwrm
