#include "weighted_residual/device/device_gmres.cuh"

#include <cmath>

#include "kernels/linear_algebra/device_vectors.cuh"
#include "solver/hessenberg.hpp"

namespace gwrm::cuda {

GmresResult device_gmres(DeviceTools& tools, DeviceKrylovStep& step, const double* b, double* x, std::size_t n,
                         double tolerance, int max_iterations) {
  const DeviceHandles& handles = tools.handles;
  GWRM_DEVICE(cudaMemsetAsync(x, 0, n * sizeof(double), handles.stream));
  const DeviceArray workspace = tools.pool.take(sums_workspace());
  // The overlaps of both passes, then the squares before, between and after, and the facts of the next vector.
  const std::size_t most = static_cast<std::size_t>(max_iterations) + 1;
  const DeviceArray sums = tools.pool.take(2 * most + 3 + DeviceKrylovStep::kFacts);
  GWRM_DEVICE(cudaMemsetAsync(sums.data(), 0, sums.size() * sizeof(double), handles.stream));
  double *first = sums.data(), *second = first + most, *squares = second + most, *facts = squares + 3;
  std::vector<double> numbers(sums.size());
  const auto square_of = [&](const double* v) {
    VectorList self;
    self.add(v);
    dots(handles, self, v, n, workspace.data(), squares);
  };
  GmresResult result;
  std::vector<DeviceArray> basis, directions;
  {
    const DeviceProfile::Scope scope(tools.profile, DevicePart::krylov);
    square_of(b);
    basis.push_back(tools.pool.take(n));
    normalise(handles, b, squares, n, basis.back().data());
    step.look(basis.back().data(), facts);
  }
  tools.profile.download(numbers.data(), sums.data(), numbers.size());
  const double size = std::sqrt(numbers[2 * most]);
  if (!std::isfinite(size)) {
    result.finite = false;
    return result;
  }
  if (size == 0.0) {
    result.converged = true;
    return result;
  }
  Hessenberg hessenberg(size);
  const DeviceArray w = tools.pool.take(n);
  result.relative_residual = 1.0;
  while (result.iterations < max_iterations) {
    directions.push_back(tools.pool.take(n));
    step.run(basis.back().data(), &numbers[2 * most + 3], directions.back().data(), w.data());
    ++result.iterations;
    VectorList known;
    for (const DeviceArray& v : basis) known.add(v.data());
    DeviceArray next = tools.pool.take(n);
    {
      const DeviceProfile::Scope scope(tools.profile, DevicePart::krylov);
      square_of(w.data());
      dots(handles, known, w.data(), n, workspace.data(), first);
      subtract(handles, known, first, w.data(), n, workspace.data(), squares + 1);
      dots(handles, known, w.data(), n, workspace.data(), second);
      subtract(handles, known, second, w.data(), n, workspace.data(), squares + 2);
      normalise(handles, w.data(), squares + 2, n, next.data());
      step.look(next.data(), facts);
    }
    tools.profile.download(numbers.data(), sums.data(), numbers.size());
    std::vector<double> h(basis.size() + 1);
    for (std::size_t i = 0; i < basis.size(); ++i) h[i] = numbers[i] + numbers[most + i];
    const double before = std::sqrt(numbers[2 * most]);
    h.back() = std::sqrt(numbers[2 * most + 2]);
    if (!std::isfinite(h.back())) {
      result.finite = false;
      return result;
    }
    const bool exhausted = h.back() <= 1e-15 * before;
    if (!exhausted) basis.push_back(std::move(next));
    result.relative_residual = hessenberg.add(std::move(h), exhausted) / size;
    if (result.relative_residual <= tolerance || exhausted) break;
  }
  result.converged = result.relative_residual <= tolerance;
  VectorList all;
  for (const DeviceArray& z : directions) all.add(z.data());
  const DeviceProfile::Scope scope(tools.profile, DevicePart::krylov);
  combine(handles, all, hessenberg.solve(), n, x);
  return result;
}

}  // namespace gwrm::cuda
