#include "kernels/chebyshev_product.hpp"

#include "core/errors.hpp"

namespace gwrm {
namespace {

// Time of one multiply-add of the direct sums over one of the transforms' matrix products, and the fixed cost of a
// product's allocations and library calls in such units. The direct sums read two strided streams per term and are
// compiled for any x86-64; the matrix products are blocked and run on the widest vectors the machine has.
struct ProductTuning {
  double direct_term = 4.0;
  double transform_overhead = 2.0e4;
};

// Multiply-adds of the direct sums: per dimension (k + 1) + 2 (K - k) pairs for each k.
double direct_terms(const Shape& shape) {
  double terms = 1.0;
  for (Index extent : shape) {
    const double n = static_cast<double>(extent);
    terms *= n * (3.0 * n - 1.0) / 2.0;
  }
  return terms;
}

// Multiply-adds of the three chains of matrix products (both factors to points, the result back): the same count each.
double transform_terms(const Shape& shape) {
  double terms = 0.0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    double size = static_cast<double>(shape[d]);
    for (std::size_t e = 0; e < shape.size(); ++e)
      size *= static_cast<double>(e < d ? product_points(shape[e]) : e > d ? shape[e] : product_points(shape[d]));
    terms += size;
  }
  return 3.0 * terms;
}

ProductVariant cheaper_variant(const Shape& shape) {
  constexpr ProductTuning tuning;
  return tuning.direct_term * direct_terms(shape) <= transform_terms(shape) + tuning.transform_overhead
             ? ProductVariant::direct
             : ProductVariant::transform;
}

}  // namespace

Index product_points(Index n_coefficients) { return 3 * (n_coefficients - 1) / 2 + 1; }

Array chebyshev_product(const Context& context, const Array& a, const Array& b, ProductVariant variant) {
  if (a.shape != b.shape) throw ShapeError("chebyshev_product: the factors have different shapes");
  for (Index extent : a.shape)
    if (extent < 1) throw ShapeError("chebyshev_product: an empty dimension");
  if (a.size() != element_count(a.shape) || b.size() != a.size())
    throw ShapeError("chebyshev_product: the data do not fill the shape");

  if (variant == ProductVariant::automatic) variant = cheaper_variant(a.shape);
#ifdef GWRM_HAVE_CUDA
  if (context.backend() == Backend::cuda)
    return variant == ProductVariant::direct ? cuda::chebyshev_product_direct(context, a, b)
                                             : cuda::chebyshev_product_transform(context, a, b);
#endif
  static_cast<void>(context);
  return variant == ProductVariant::direct ? cpu::chebyshev_product_direct(a, b)
                                           : cpu::chebyshev_product_transform(a, b);
}

}  // namespace gwrm
