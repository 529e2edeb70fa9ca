#include "kernels/chebyshev_product.hpp"

#include "core/errors.hpp"

namespace gwrm {
namespace {

// Times in nanoseconds, measured by chebyshev_product_bench on one core and on an H200. Only the proportions matter,
// and those roughly: the variants cross where a product takes microseconds. The transforms build their cosine matrices
// anew on the host and pay for more library calls; in one dimension the direct sums always win.
struct ProductCosts {
  double direct_term;         // one multiply-add of the direct sums
  double matrix_term;         // one multiply-add of the transforms' matrix products
  double matrix_entry;        // one cosine
  double transform_overhead;  // further calls and, on the device, transfers
};
constexpr ProductCosts kCpuCosts{0.8, 0.15, 4.0, 3e3};
constexpr ProductCosts kCudaCosts{6e-3, 5e-4, 4.0, 4.5e4};

// Three chains of matrix products (both factors to points, the result back), each of the same count, and the matrices.
double transform_cost(const Shape& shape, const ProductCosts& costs) {
  double terms = 0.0, entries = 0.0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    double size = static_cast<double>(shape[d]);
    for (std::size_t e = 0; e < shape.size(); ++e)
      size *= static_cast<double>(e <= d ? product_points(shape[e]) : shape[e]);
    terms += size;
    entries += 2.0 * static_cast<double>(shape[d] * product_points(shape[d]));
  }
  return costs.matrix_term * 3.0 * terms + costs.matrix_entry * entries + costs.transform_overhead;
}

ProductVariant cheaper_variant(const Shape& shape, const ProductCosts& costs) {
  return costs.direct_term * direct_product_terms(shape) <= transform_cost(shape, costs) ? ProductVariant::direct
                                                                                         : ProductVariant::transform;
}

}  // namespace

Index product_points(Index n_coefficients) {
  return 3 * (n_coefficients - 1) / 2 + 1;
}

double direct_product_terms(const Shape& shape) {
  double terms = 1.0;
  for (Index extent : shape) {
    const double n = static_cast<double>(extent);
    terms *= n * (3.0 * n - 1.0) / 2.0;
  }
  return terms;
}

Array chebyshev_product(const Context& context, const Array& a, const Array& b, ProductVariant variant) {
  if (a.shape != b.shape) throw ShapeError("chebyshev_product: the factors have different shapes");
  for (Index extent : a.shape)
    if (extent < 1) throw ShapeError("chebyshev_product: an empty dimension");
  if (a.size() != element_count(a.shape) || b.size() != a.size())
    throw ShapeError("chebyshev_product: the data do not fill the shape");

  if (variant == ProductVariant::automatic)
    variant = cheaper_variant(a.shape, context.backend() == Backend::cuda ? kCudaCosts : kCpuCosts);
#ifdef GWRM_HAVE_CUDA
  if (context.backend() == Backend::cuda)
    return variant == ProductVariant::direct ? cuda::chebyshev_product_direct(context, a, b)
                                             : cuda::chebyshev_product_transform(context, a, b);
#endif
  return variant == ProductVariant::direct ? cpu::chebyshev_product_direct(a, b)
                                           : cpu::chebyshev_product_transform(a, b);
}

}  // namespace gwrm
