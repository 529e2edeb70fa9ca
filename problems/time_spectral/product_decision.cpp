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

}  // namespace

ProductDecision choose_products(const Case& the_case, const Model& model, const SystemPlan& plan) {
  const ProductChoice asked = the_case.solver.product;
  if (asked == ProductChoice::pointwise) return {{}, "asked for"};
  if (asked == ProductChoice::automatic) {
    if (model.linear) return {{}, "the equations are linear"};
    if (const std::string unsupported_reason = unsupported_reason_of(the_case, model, plan);
        !unsupported_reason.empty())
      return {{}, unsupported_reason};
    return {{}, "they take less time than products of coefficients: docs/products.md"};
  }
  if (const std::string unsupported_reason = unsupported_reason_of(the_case, model, plan); !unsupported_reason.empty())
    throw_case_error(the_case.solver.product_where, 0,
                     fmt::format("these products cannot be formed of coefficients: {}; use auto", unsupported_reason));
  return {variant_of(asked), "asked for"};
}

std::string describe(const ProductDecision& decision) {
  if (!decision.variant) return fmt::format("on padded points ({})", decision.reason);
  return fmt::format("of coefficients, {} ({})", variant_name(*decision.variant), decision.reason);
}

}  // namespace gwrm
