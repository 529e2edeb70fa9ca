#include "kernels/product/product_run.hpp"

#include <limits>

#include "core/errors.hpp"
#include "core/have_cuda.hpp"

namespace gwrm {

template <typename Real>
ProductRun<Real> run_product(const Context& context, const ProductPlan<Real>& plan, const std::vector<Real>& a,
                             const std::vector<Real>& b, bool timed) {
  if (a.size() != b.size()) throw ShapeError("run_product: the factors have different sizes");
#if GWRM_HAVE_CUDA
  if (context.backend() == Backend::cuda) return cuda::run_product(context, plan, a, b, timed);
#endif
  return cpu::run_product(context, plan, a, b, timed);
}
template ProductRun<double> run_product(const Context&, const ProductPlan<double>&, const std::vector<double>&,
                                        const std::vector<double>&, bool);
template ProductRun<float> run_product(const Context&, const ProductPlan<float>&, const std::vector<float>&,
                                       const std::vector<float>&, bool);

namespace cpu {

template <typename Real>
ProductRun<Real> run_product(const Context& context, const ProductPlan<Real>& plan, const std::vector<Real>& a,
                             const std::vector<Real>& b, bool timed) {
  // Not a number where nothing is written, and where scratch memory is read before it is written.
  constexpr Real unwritten = std::numeric_limits<Real>::quiet_NaN();
  ProductRun<Real> run{std::vector<Real>(a.size(), unwritten), {}};
  std::vector<double> workspace(plan.workspace_bytes() / sizeof(double) + 1, unwritten);
  const auto multiply = [&] { plan.multiply(a.data(), b.data(), run.c.data(), workspace.data()); };
  multiply();
  if (timed) run.timing = gwrm::time_calls(context, multiply);
  return run;
}
template ProductRun<double> run_product(const Context&, const ProductPlan<double>&, const std::vector<double>&,
                                        const std::vector<double>&, bool);
template ProductRun<float> run_product(const Context&, const ProductPlan<float>&, const std::vector<float>&,
                                       const std::vector<float>&, bool);

}  // namespace cpu
}  // namespace gwrm
