#include "bench/measure/ceilings.hpp"

#include <cblas.h>

#include <algorithm>
#include <vector>

#include "bench/measure/timing.hpp"
#include "core/have_cuda.hpp"

namespace gwrm {

Ceilings measure_ceilings(const Context& context) {
#if GWRM_HAVE_CUDA
  if (context.backend() == Backend::cuda) return cuda::measure_ceilings(context);
#endif
  static_cast<void>(context);
  return cpu::measure_ceilings();
}

namespace cpu {

Ceilings measure_ceilings() {
  constexpr std::size_t n_copied = std::size_t{1} << 24;  // 128 MB, beyond every cache
  constexpr int n = 1024;
  std::vector<double> from(n_copied, 1.0), to(n_copied);
  const auto count = static_cast<std::ptrdiff_t>(n_copied);
  const Timing copy = time_calls([&] {
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t i = 0; i < count; ++i) to[static_cast<std::size_t>(i)] = from[static_cast<std::size_t>(i)];
  });
  const std::vector<double> a(n * n, 0.5), b(n * n, 0.25);
  std::vector<double> c(n * n);
  const Timing matrix = time_calls([&] {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0, a.data(), n, b.data(), n, 0.0, c.data(), n);
  });
  return {2.0 * sizeof(double) * static_cast<double>(n_copied) / copy.minimum, 2.0 * n * n * n / matrix.minimum};
}

}  // namespace cpu
}  // namespace gwrm
