// Products of data on the host: upload, multiply, download. For tests, benchmarks and callers with a single product.
#pragma once

#include <functional>
#include <vector>

#include "kernels/product/product_plan.hpp"

namespace gwrm {

// Gets the product of data that lie in the backend's memory as a call, which it may repeat: to time it, say.
using RepeatProduct = std::function<void(const std::function<void()>& multiply)>;

// a, b and the result hold batch x element_count(shape) numbers. The calls that `repeat` makes use the result's own
// memory, and the result is what the last of them left there.
template <typename Real>
std::vector<Real> run_product(const Context& context, const ProductPlan<Real>& plan, const std::vector<Real>& a,
                              const std::vector<Real>& b, const RepeatProduct& repeat = {});

namespace cpu {
template <typename Real>
std::vector<Real> run_product(const ProductPlan<Real>& plan, const std::vector<Real>& a, const std::vector<Real>& b,
                              const RepeatProduct& repeat);
}
namespace cuda {
template <typename Real>
std::vector<Real> run_product(const Context& context, const ProductPlan<Real>& plan, const std::vector<Real>& a,
                              const std::vector<Real>& b, const RepeatProduct& repeat);
}

}  // namespace gwrm
