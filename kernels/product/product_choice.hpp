// Which variant of the product is the fastest, by rules made from measured times (docs/products.md), and what each
// does.
#pragma once

#include <string>

#include "core/array.hpp"
#include "core/context.hpp"
#include "kernels/product/chebyshev_product.hpp"

namespace gwrm {

// What `variant` stands for at this shape: monolithic, stride, direct, matrices or fourier.
ProductVariant chosen_variant(Backend backend, const Shape& shape, Index batch, ProductVariant variant);

// "monolithic", "stride", ...; and back, false if there is no such variant.
const char* variant_name(ProductVariant variant);
bool variant_of_name(const std::string& name, ProductVariant& variant);

// Floating-point operations of one product: 2 for each multiply-add of its sums or matrices; for `fourier` 5 P log2 P
// of each complex transform of P points and half of that of each real one.
double product_operations(const Shape& shape, ProductVariant variant);

}  // namespace gwrm
