// The CPU plans behind make_product_plan, in double precision.
#pragma once

#include <vector>

#include "kernels/product/product_plan.hpp"

namespace gwrm::cpu {

// One coefficient per thread and turn; `lanes`: the innermost sums vectorised, lane sums added at the end.
std::unique_ptr<ProductPlan<double>> paper_product(const Shape& shape, Index batch, bool lanes);
std::unique_ptr<ProductPlan<double>> direct_product(const Shape& shape, Index batch);
std::unique_ptr<ProductPlan<double>> matrix_product(const Shape& shape, Index batch);

}  // namespace gwrm::cpu
