// How the products of unknowns in a case are formed (solver.product), and why.
#pragma once

#include <optional>
#include <string>

#include "case/case.hpp"
#include "core/context.hpp"
#include "kernels/product/chebyshev_product.hpp"
#include "weighted_residual/model/model.hpp"
#include "weighted_residual/model/system_plan.hpp"

namespace gwrm {

struct ProductDecision {
  std::optional<ProductVariant> variant;  // of the coefficients; none: on padded points
  std::string reason;
};

// For a run whose dense solver works on this backend. CaseError if the case names a variant that cannot serve these
// equations.
ProductDecision choose_products(const Case& the_case, const Model& model, const SystemPlan& plan, Backend backend);

// What the equations ask of a window's system, with their products formed as decided for the backend on which the dense
// solver works. CaseError as above.
class ProductPlans {
 public:
  ProductPlans(const Case& the_case, const Model& model);
  const SystemPlan& on(Backend backend) const { return backend == Backend::cuda && device_ ? *device_ : cpu_; }
  // "on padded points (...)" for the log and `check`.
  const std::string& description() const { return description_; }

 private:
  SystemPlan cpu_;
  std::optional<SystemPlan> device_;  // where it is another
  std::string description_;
};

}  // namespace gwrm
