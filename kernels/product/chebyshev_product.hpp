// The product of two Chebyshev series in d dimensions, truncated to the degrees of the factors.
//
// Formula   h = f g truncated, f = sum_k a_k T_k (plain normalisation, no halved first term), with
//             T_i T_j = (T_{i+j} + T_|i-j|) / 2 in each dimension:
//           c_k = 2^-d sum over all (i, j) and all signs with |i_m +- j_m| = k_m of a_i b_j.
//           In one dimension this is eq. (9) of Lindvall, "GPU accelerated product of Chebyshev series" (2019), in two
//           dimensions the corrected nine-term form of its eq. (10); those are written for the primed sums,
//           a_0' = 2 a_0.
// Shapes    a, b, c: (K1+1) x ... x (Kd+1), row-major; all three alike.
// Variants  see kernels/product/product_plan.hpp, which serves batches and prepares what one product after the other
//           shares. direct keeps the relative accuracy of small tails; the transforms are exact but for round-off of
//           eps max|c|.
// Memory    host pointers. c must not overlap a or b.
#pragma once

#include "core/array.hpp"
#include "core/context.hpp"

namespace gwrm {

enum class ProductVariant { automatic, monolithic, stride, direct, transform, matrices, fourier };

// ShapeError unless a and b have the same shape.
Array chebyshev_product(const Context& context, const Array& a, const Array& b,
                        ProductVariant variant = ProductVariant::automatic);

// Gauss points on which a product of two series of n coefficients has no alias below degree n: the least whole number
// above 3/2 of the degree.
Index product_points(Index n_coefficients);

// Multiply-adds of the direct sums: per dimension (k + 1) + 2 (K - k) pairs for each k.
double direct_product_terms(const Shape& shape);

}  // namespace gwrm
