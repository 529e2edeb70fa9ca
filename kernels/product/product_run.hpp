// Products of data on the host: upload, multiply, download; and the time that multiply takes. For tests, benchmarks and
// callers with a single product.
#pragma once

#include <vector>

#include "bench/measure/timing.hpp"
#include "kernels/product/product_plan.hpp"

namespace gwrm {

template <typename Real>
struct ProductRun {
  std::vector<Real> c;
  Timing timing;  // of multiply alone, the data in the backend's memory; empty unless asked for
};

// a and b hold batch x element_count(shape) numbers. The timed runs use the result's own memory, and c is what the last
// of them left there.
template <typename Real>
ProductRun<Real> run_product(const Context& context, const ProductPlan<Real>& plan, const std::vector<Real>& a,
                             const std::vector<Real>& b, bool timed);

namespace cpu {
template <typename Real>
ProductRun<Real> run_product(const Context& context, const ProductPlan<Real>& plan, const std::vector<Real>& a,
                             const std::vector<Real>& b, bool timed);
}
namespace cuda {
template <typename Real>
ProductRun<Real> run_product(const Context& context, const ProductPlan<Real>& plan, const std::vector<Real>& a,
                             const std::vector<Real>& b, bool timed);
}

}  // namespace gwrm
