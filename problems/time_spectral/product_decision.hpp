// How the products of unknowns in a case are formed (solver.product), and why.
#pragma once

#include <optional>
#include <string>

#include "case/case.hpp"
#include "kernels/product/chebyshev_product.hpp"
#include "weighted_residual/model/model.hpp"
#include "weighted_residual/model/system_plan.hpp"

namespace gwrm {

struct ProductDecision {
  std::optional<ProductVariant> variant;  // of the coefficients; none: on padded points
  std::string reason;
};

// CaseError if the case names a variant that cannot serve these equations.
ProductDecision choose_products(const Case& the_case, const Model& model, const SystemPlan& plan);

// "on padded points (...)" for the log and `check`.
std::string describe(const ProductDecision& decision);

}  // namespace gwrm
