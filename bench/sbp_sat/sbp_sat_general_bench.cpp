// Times of the solvers where C varies (by a factor of a hundred over the unit square), one JSON line each:
//   sbp_sat_general_bench [intervals = 1024] [order = 2] [grid = diagonal] [methods = all]
// with grid: diagonal, full (a mixed entry as well), or blocks (four blocks of constants); only methods in whose names
// `methods` stands. On the device: one product A u with p.A p, then solvers; without one the solvers on the CPU. Lines
// of solvers tell the relative residual that was reached, found with the general operator.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>

#include "bench/sbp_sat/bench_system.hpp"
#include "core/context.hpp"
#include "core/have_cuda.hpp"
#include "problems/sbp_sat/device_solver.hpp"
#include "problems/sbp_sat/grid_blocks.hpp"
#include "problems/sbp_sat/multigrid.hpp"

namespace {

using namespace gwrm;
using sbp::Grid;
using Clock = std::chrono::steady_clock;

constexpr double kTolerance = 1e-10;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

struct Bench {
  Grid grid;
  std::string name, methods, device;
  std::vector<double> b;
  double stop = 0.0;

  bool wanted(const std::string& method) const { return method.find(methods) != std::string::npos; }
  void begin_line(const std::string& method) const {
    std::printf("{\"device\": \"%s\", \"grid\": \"%s\", \"points\": %td, \"order\": %d, \"method\": \"%s\", ",
                device.c_str(), name.c_str(), grid.size(), grid.order, method.c_str());
  }
  void solver_line(const std::string& method, double setup, double solve, int iterations,
                   const std::vector<double>& u) const {
    std::vector<double> r(b.size());
    sbp::GridOperator(grid).apply(u.data(), r.data());
    for (std::size_t k = 0; k < r.size(); ++k) r[k] -= b[k];
    begin_line(method);
    std::printf(
        "\"setup_ms\": %.4g, \"solve_ms\": %.4g, \"iterations\": %d, \"ms_per_iteration\": %.4g, \"residual\": %.3g}\n",
        1e3 * setup, 1e3 * solve, iterations, 1e3 * solve / std::max(iterations, 1), sbp::norm(r) / sbp::norm(b));
    std::fflush(stdout);
  }
};

void make_variable(sbp::Block& block, bool full) {
  constexpr double pi = std::numbers::pi;
  block.c = {};
  for (Index j = 0; j < block.n_slow; ++j)
    for (Index i = 0; i < block.n_fast; ++i) {
      const double y = static_cast<double>(j) * block.h_slow, x = static_cast<double>(i) * block.h_fast;
      const double c = std::pow(10.0, std::sin(2 * pi * x) * std::sin(2 * pi * y));
      block.c.slow.push_back(c);
      block.c.fast.push_back(c);
      if (full) block.c.cross.push_back(0.5 * c * std::cos(pi * (x + y)));
    }
}

// Dirichlet conditions all around.
Grid four_blocks(Index n, int order) {
  Grid grid;
  grid.order = order;
  const double h = 1.0 / static_cast<double>(n);
  const Index points = n / 2 + 1;
  for (int b = 0; b < 4; ++b) {
    const double c = b == 0 || b == 3 ? 1.0 : 100.0;
    grid.blocks.push_back({points, points, h, h, b * points * points, {{c}, {c}, {}}});
    const auto side = [&](bool across_slow, bool upper) {
      grid.sides.push_back({b, {across_slow, upper ? End::upper : End::lower}, sbp::ConditionKind::dirichlet, {}});
    };
    side(true, b / 2 == 1);
    side(false, b % 2 == 1);
  }
  grid.interfaces = {{0, 1, false}, {2, 3, false}, {0, 2, true}, {1, 3, true}};
  return grid;
}

void on_the_cpu(const Bench& bench) {
  const auto a = sbp::matrix_free_operator(bench.grid);
  CgOptions options;
  options.residual = bench.stop;
  options.max_iterations = 20000;
  std::vector<double> u(bench.b.size());
  if (const std::string method = "multigrid CG, matrix-free"; bench.wanted(method)) {
    const auto begin = Clock::now();
    const sbp::Multigrid cycle(bench.grid);
    const double setup = seconds_since(begin);
    options.preconditioner = &cycle;
    const auto started = Clock::now();
    const CgResult result = conjugate_gradients(*a, bench.b, u, options);
    bench.solver_line(method, setup, seconds_since(started), result.iterations, u);
    options.preconditioner = nullptr;
  }
  if (const std::string method = "CG, matrix-free"; bench.wanted(method)) {
    std::fill(u.begin(), u.end(), 0.0);
    options.max_iterations = 100;  // for the time per iteration
    const auto started = Clock::now();
    const CgResult result = conjugate_gradients(*a, bench.b, u, options);
    bench.solver_line(method, 0.0, seconds_since(started), result.iterations, u);
  }
}

#if GWRM_HAVE_CUDA
void on_the_device(const Bench& bench, const Context& context) {
  // Twice: the first run finds libraries and clocks cold.
  const auto line = [&](const std::string& method, const std::function<DeviceCgResult(std::vector<double>&)>& solve) {
    if (!bench.wanted(method)) return;
    for (int repeat = 0; repeat < 2; ++repeat) {
      std::vector<double> u(bench.b.size(), 0.0);
      const auto begin = Clock::now();
      const DeviceCgResult result = solve(u);
      const double all = seconds_since(begin), solved = 1e-3 * result.milliseconds;
      if (repeat == 1) bench.solver_line(method, all - solved, solved, result.iterations, u);
    }
  };
  const auto product = [&](const std::string& method, const auto& a) {
    if (!bench.wanted(method)) return;
    bench.begin_line(method);
    std::printf("\"us\": %.5g}\n", 1e6 * cuda::time_product(context, a));
    std::fflush(stdout);
  };
  const int most = bench.grid.size() > 4000000 ? 500 : 20000;  // of large grids a part, for the time per iteration
  const BlockOperator a = sbp::block_operator(bench.grid);
  product("product, matrix-free", a);
  for (const bool jacobi : {false, true})
    line(jacobi ? "Jacobi CG, matrix-free" : "CG, matrix-free", [&](std::vector<double>& u) {
      return cuda::cg_blocks(context, a, bench.b, u, {jacobi, bench.stop, most});
    });
  if (bench.wanted("multigrid CG, matrix-free")) {
    const auto begin = Clock::now();
    const auto multigrid = sbp::device_multigrid(bench.grid);
    const double levels = seconds_since(begin);
    if (multigrid) {
      bench.begin_line("levels of multigrid, on the host");
      std::printf("\"ms\": %.4g}\n", 1e3 * levels);
      line("multigrid CG, matrix-free", [&](std::vector<double>& u) {
        return cuda::cg_multigrid(context, multigrid->levels, multigrid->coarsest_inverse, bench.b, u,
                                  {false, bench.stop, 100});
      });
    }
  }
  if (!bench.wanted("product, CSR") && !bench.wanted("CG, CSR")) return;
  const CsrMatrix csr = sbp::GridOperator(bench.grid).assemble();
  product("product, CSR", csr);
  line("CG, CSR", [&](std::vector<double>& u) {
    return cuda::cg_csr(context, csr, bench.b, u, {false, bench.stop, most});
  });
}
#endif

}  // namespace

int main(int argc, char** argv) {
  const long n = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 1024;
  const int order = argc > 2 ? static_cast<int>(std::strtol(argv[2], nullptr, 10)) : 2;
  Bench bench;
  bench.name = argc > 3 ? argv[3] : "diagonal";
  if (argc > 4) bench.methods = argv[4];
  const bool blocks = bench.name == "blocks", full = bench.name == "full";
  if (n < 40 || n % 2 != 0 || (order != 2 && order != 4 && order != 6) ||
      (!blocks && !full && bench.name != "diagonal")) {
    std::fprintf(stderr,
                 "usage: sbp_sat_general_bench [intervals, even, at least 40] [order: 2, 4 or 6] [grid: diagonal, full "
                 "or blocks] [methods]\n");
    return 2;
  }
  bench.grid = blocks ? four_blocks(n, order) : sbp::PaperSystem::grid_of(n, order);
  bench.grid.tau = 0.0;
  if (!blocks) make_variable(bench.grid.blocks.front(), full);
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  bench.b = sbp::norm_weights(bench.grid);
  for (double& value : bench.b) value *= uniform(generator);
  bench.stop = kTolerance * sbp::norm(bench.b);
#if GWRM_HAVE_CUDA
  std::string why;
  if (!find_device(why).empty()) {
    const Context context = Context::create(BackendChoice::cuda);
    bench.device = context.device_name();
    on_the_device(bench, context);
    return 0;
  }
#endif
  bench.device = Context::create(BackendChoice::cpu).device_name();
  on_the_cpu(bench);
  return 0;
}
