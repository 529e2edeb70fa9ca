// The CPU plans behind make_product_plan, in double precision.
#pragma once

#include <vector>

#include "kernels/product/product_plan.hpp"

namespace gwrm::cpu {

// One coefficient per thread and turn; `lanes`: the innermost sums vectorised, lane sums added at the end.
std::unique_ptr<ProductPlan<double>> paper_product(const Shape& shape, Index batch, bool lanes);
std::unique_ptr<ProductPlan<double>> direct_product(const Shape& shape, Index batch);
std::unique_ptr<ProductPlan<double>> matrix_product(const Shape& shape, Index batch);

// The folded sums' index rule, as in direct_product_cuda.cu: the row |K +- I| of the outer dimensions for each choice
// of signs, -1 where it leaves the series; and 2^(number of zero indices) of a row.
std::vector<Index> rows_of_signs(const Shape& outer, Index K, Index I);
double doubled_first(const Shape& outer, Index row);

}  // namespace gwrm::cpu
