// Batches of products of Chebyshev series of one shape, prepared once and run many times.
//
// Formula   c = a b truncated, as in kernels/product/chebyshev_product.hpp, for each of the `batch` pairs of series.
// Shapes    a, b, c: batch x n1 x ... x nd, row-major and plain (no halved first coefficients). c must
//           not overlap a, b or the workspace.
// Real      double or float. Single precision is the storage: all sums are double, so that the result is the rounded
//           product of what is given.
// Memory    the backend's: host pointers on the CPU, device pointers on the GPU. A plan owns its matrices and tables;
//           multiply allocates nothing, launches on the context's stream and does not wait.
// Variants  monolithic  one thread per coefficient               (the two of Lindvall, "GPU accelerated product of
//           stride      one warp per coefficient, lanes in turn    Chebyshev series", 2019, put right; on the device
//                                                                  stride has its sums folded as direct)
//           direct      the same sums, folded and blocked: n^2 multiply-adds per dimension; on the device up to four
//                       dimensions and about 2300 rows (product of all extents but the last), beyond that as stride
//           matrices    to the points of product_points and back by matrix products, even and odd parts apart
//           fourier     to the points and back by fast Fourier transforms, on the device: our own kernels up to 1600
//                       coefficients in each dimension and 600 000 in a single one, else cuFFT, up to three dimensions
//                       (beyond both as matrices)
//           transform   matrices or fourier, whichever the measured table prefers; automatic: any of the last three
// Determinism  the same bits on every run of one backend and variant.
#pragma once

#include <memory>
#include <string>

#include "core/array.hpp"
#include "core/context.hpp"
#include "kernels/product/chebyshev_product.hpp"

namespace gwrm {

template <typename Real>
class ProductPlan {
 public:
  virtual ~ProductPlan() = default;

  // `workspace` holds workspace_bytes(), aligned to 256 bytes; null if that is 0.
  virtual void multiply(const Real* a, const Real* b, Real* c, void* workspace) const = 0;
  virtual std::size_t workspace_bytes() const = 0;
};

// ShapeError if the shape has no dimension or an empty one, or if the variant does not serve it (fourier on the CPU).
template <typename Real>
std::unique_ptr<ProductPlan<Real>> make_product_plan(const Context& context, const Shape& shape, Index batch,
                                                     ProductVariant variant);

// The implementations below take arguments as checked and a chosen variant.
namespace cpu {
template <typename Real>
std::unique_ptr<ProductPlan<Real>> make_product_plan(const Context& context, const Shape& shape, Index batch,
                                                     ProductVariant variant);
}
namespace cuda {
template <typename Real>
std::unique_ptr<ProductPlan<Real>> make_product_plan(const Context& context, const Shape& shape, Index batch,
                                                     ProductVariant variant);
}

}  // namespace gwrm
