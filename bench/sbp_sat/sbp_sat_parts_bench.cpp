// Times of the parts of one conjugate gradient iteration on the paper's problem, order 2, one JSON line each:
//   sbp_sat_parts_bench INTERVALS [INTERVALS ...]
// on the device where there is one, and on the CPU. Parts: A u without a matrix and with two stored forms, p = r + beta
// p, a sum of products, and x += alpha p with r -= alpha q and r.r; on the CPU also the whole iteration in two passes
// over memory and in one.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bench/measure/timing.hpp"
#include "bench/sbp_sat/bench_system.hpp"
#include "core/context.hpp"
#include "core/have_cuda.hpp"
#include "kernels/sbp_sat/device_poisson.hpp"

namespace {

using namespace gwrm;

void line(const std::string& device, Index intervals, const char* part, double seconds) {
  std::printf("{\"device\": \"%s\", \"intervals\": %td, \"part\": \"%s\", \"us\": %.5g}\n", device.c_str(), intervals,
              part, 1e6 * seconds);
  std::fflush(stdout);
}

void on_the_cpu(const Context& context, const sbp::Grid& grid, Index n) {
  const auto part = [&](const char* name, const std::function<void()>& work) {
    line(context.device_name(), n, name, cpu::time_calls(work).median);
  };
  const sbp::SeparableGridOperator a(grid);
  const CsrMatrix csr = sbp::GridOperator(grid).assemble();
  const EllMatrix ell = to_ell(csr);
  const auto size = static_cast<std::size_t>(a.size());
  std::vector<double> x(size, 0.0), r(size, 1.0), p(size, 1.0), q(size, 1.0),
      workspace(long_vector_workspace(a.size()));
  std::vector<double> passes;
  double sum = 0.0;
  part("product, matrix-free", [&] { a.apply(r.data(), q.data()); });
  part("product, CSR", [&] { cpu::csr_apply(csr, r.data(), q.data()); });
  part("product, ELLPACK", [&] { cpu::ell_apply(ell, r.data(), q.data()); });
  part("direction", [&] { cpu::add_scaled(a.size(), r.data(), 0.0, p.data()); });
  part("dot", [&] { sum += cpu::dot(a.size(), p.data(), q.data(), workspace.data()); });
  part("step", [&] {
    sum += cpu::step(a.size(), 0.0, p.data(), q.data(), nullptr, x.data(), r.data(), workspace.data()).plain;
  });
  part("iteration in two passes", [&] {
    sum += a.direction(0.0, r.data(), nullptr, p.data(), q.data(), passes);
    sum += a.step(0.0, p.data(), q.data(), nullptr, x.data(), r.data(), passes).plain;
  });
  part("two iterations in one pass each", [&] {
    sum += a.one_pass({}, nullptr, p.data(), nullptr, r.data(), passes).plain;
    sum += a.one_pass({}, nullptr, p.data(), x.data(), r.data(), passes).plain;
  });
  if (!(sum >= 0.0)) std::fprintf(stderr, "the sums are not finite\n");
}

#if GWRM_HAVE_CUDA
void on_the_device(const Context& context, const sbp::Grid& grid, Index n) {
  const cuda::DevicePartTimes times =
      cuda::time_parts(context, sbp::separable_operator(grid), sbp::GridOperator(grid).assemble());
  const std::string& device = context.device_name();
  line(device, n, "product, matrix-free", times.matrix_free);
  line(device, n, "product, CSR", times.csr);
  line(device, n, "product, ELLPACK", times.ell);
  line(device, n, "direction", times.direction);
  line(device, n, "dot", times.dot);
  line(device, n, "step", times.step);
}
#endif

}  // namespace

int main(int argc, char** argv) {
  bool on_device = false;
#if GWRM_HAVE_CUDA
  std::string why;
  on_device = !find_device(why).empty();
#endif
  const Context context = Context::create(on_device ? BackendChoice::cuda : BackendChoice::cpu);
  for (int k = 1; k < argc; ++k) {
    const long n = std::strtol(argv[k], nullptr, 10);
    if (n < 8 || n > 20000) {
      std::fprintf(stderr, "usage: sbp_sat_parts_bench INTERVALS [INTERVALS ...], 8 to 20000 each\n");
      return 2;
    }
    const sbp::Grid grid = sbp::PaperSystem::grid_of(n, 2);
#if GWRM_HAVE_CUDA
    if (on_device) {
      on_the_device(context, grid, n);
      continue;
    }
#endif
    on_the_cpu(context, grid, n);
  }
  return argc > 1 ? 0 : 2;
}
