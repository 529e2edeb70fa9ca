#include "core/thread_errors.hpp"
#include "kernels/linear_algebra/real_complex_product.hpp"
#include "weighted_residual/preconditioner/spatial_factors.hpp"
#include "weighted_residual/window/dense_rows.hpp"

namespace gwrm {
namespace {

using Complex = std::complex<double>;

class DenseFactors : public SpatialFactors {
 public:
  std::vector<Matrix> operators;  // B_p
  std::vector<WideLu> lu;         // per z

  void solve(std::size_t k, std::span<const Complex> b, std::span<Complex> x) const override { lu[k].solve(b, x); }

  void apply(int p, std::span<const Complex> x, std::span<Complex> y) const override {
    std::vector<double> work(real_complex_workspace_size(static_cast<Index>(x.size())));
    multiply(operators[p], x, y, work);
  }
};

}  // namespace

FactorResult dense_factors(const WindowSystem& system, const SpatialLayout& layout, const std::vector<Array>& averages,
                           const std::vector<Complex>& z, Precision precision) {
  auto factors = std::make_unique<DenseFactors>();
  for (int p = 0; p <= highest_power(system); ++p) factors->operators.push_back(averaged_operator(system, averages, p));
  factors->lu.resize(z.size());
  std::vector<LuStatus> status(z.size(), LuStatus::regular);
  ThreadErrors errors;
#pragma omp parallel for schedule(dynamic) num_threads(system.context().n_threads())
  for (std::size_t k = 0; k < z.size(); ++k)
    errors.run([&] {
      ComplexMatrix s = ComplexMatrix::Zero(layout.size, layout.size);
      Complex power = 1.0;
      for (const Matrix& b : factors->operators) {
        s += power * b.cast<Complex>();
        power *= z[k];
      }
      status[k] = factors->lu[k].factor(s, precision);
    });
  errors.rethrow();
  for (LuStatus one : status)
    if (one != LuStatus::regular) return {nullptr, one};
  return {std::move(factors), LuStatus::regular};
}

}  // namespace gwrm
