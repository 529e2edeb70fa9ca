#include "kernels/product/product_run.hpp"

#include <limits>

#include "core/errors.hpp"
#include "core/have_cuda.hpp"

namespace gwrm {

template <typename Real>
std::vector<Real> run_product(const Context& context, const ProductPlan<Real>& plan, const std::vector<Real>& a,
                              const std::vector<Real>& b, const RepeatProduct& repeat) {
  if (a.size() != b.size()) throw ShapeError("run_product: the factors have different sizes");
#if GWRM_HAVE_CUDA
  if (context.backend() == Backend::cuda) return cuda::run_product(context, plan, a, b, repeat);
#else
  static_cast<void>(context);
#endif
  return cpu::run_product(plan, a, b, repeat);
}
template std::vector<double> run_product(const Context&, const ProductPlan<double>&, const std::vector<double>&,
                                         const std::vector<double>&, const RepeatProduct&);
template std::vector<float> run_product(const Context&, const ProductPlan<float>&, const std::vector<float>&,
                                        const std::vector<float>&, const RepeatProduct&);

namespace cpu {

template <typename Real>
std::vector<Real> run_product(const ProductPlan<Real>& plan, const std::vector<Real>& a, const std::vector<Real>& b,
                              const RepeatProduct& repeat) {
  // Not a number where nothing is written, and where scratch memory is read before it is written.
  constexpr Real unwritten = std::numeric_limits<Real>::quiet_NaN();
  std::vector<Real> c(a.size(), unwritten);
  std::vector<double> workspace(plan.workspace_bytes() / sizeof(double) + 1, unwritten);
  const auto multiply = [&] { plan.multiply(a.data(), b.data(), c.data(), workspace.data()); };
  multiply();
  if (repeat) repeat(multiply);
  return c;
}
template std::vector<double> run_product(const ProductPlan<double>&, const std::vector<double>&,
                                         const std::vector<double>&, const RepeatProduct&);
template std::vector<float> run_product(const ProductPlan<float>&, const std::vector<float>&, const std::vector<float>&,
                                        const RepeatProduct&);

}  // namespace cpu
}  // namespace gwrm
