#include "kernels/product/chebyshev_product.hpp"

#include "core/errors.hpp"
#include "kernels/product/product_run.hpp"

namespace gwrm {
namespace {

// A single product pays for the matrices of a transform: so many multiply-adds of the sums for one entry of them.
constexpr double kTermsPerMatrixEntry = 5.0;

// Both matrices of every dimension.
double matrix_entries(const Shape& shape) {
  double entries = 0.0;
  for (Index extent : shape) entries += 2.0 * static_cast<double>(extent * product_points(extent));
  return entries;
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
  Array c(a.shape);
  if (a.shape.empty()) {
    c.data[0] = a.data[0] * b.data[0];
    return c;
  }
  const double folded = static_cast<double>(a.size()) * static_cast<double>(a.size());
  if (variant == ProductVariant::automatic && folded <= kTermsPerMatrixEntry * matrix_entries(a.shape))
    variant = ProductVariant::direct;
  const auto plan = make_product_plan<double>(context, a.shape, 1, variant);
  c.data = run_product(context, *plan, a.data, b.data);
  return c;
}

}  // namespace gwrm
