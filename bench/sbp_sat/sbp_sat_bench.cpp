// Times of the SBP-SAT solvers on the paper's problem, one JSON line each:
//   sbp_sat_bench [intervals = 1024] [order = 2] [threads = 0: all] [methods = all] [file]
// on the device where there is one, else, or if threads are given, on the CPU; only methods in whose names `methods`
// stands. Every line tells the relative residual |b - A u|/|b| that was reached, found with the general operator, and
// the error in the norm of H.
//   sbp_sat_bench setup [order = 2] [threads = 0: all]
// times the set-up of fast diagonalisation, the eigenproblems of both directions, by LAPACK and, on a device, by
// cuSOLVER: `first_ms` as a run sees it, with libraries and memory cold, `setup_ms` the shorter of two further ones.
// `file` gets the matrix and the right-hand side for other programs: n and the number of entries as int64, row starts
// (int64), columns (int32), values and b (double).
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>

#include "bench/sbp_sat/bench_system.hpp"
#include "core/blas.hpp"
#include "core/context.hpp"
#include "core/have_cuda.hpp"
#include "kernels/sbp_sat/fast_diagonalisation.hpp"
#include "kernels/sbp_sat/line_modes.hpp"
#include "problems/sbp_sat/device_solver.hpp"
#include "problems/sbp_sat/multigrid.hpp"

namespace {

using namespace gwrm;
using sbp::norm;
using sbp::PaperSystem;
using Clock = std::chrono::steady_clock;

struct Spent {
  double seconds = 0.0;
  double cpu_seconds = 0.0;  // of all threads: the measure on a busy machine
};

class Watch {
 public:
  Spent spent() const {
    return {std::chrono::duration<double>(Clock::now() - begin_).count(),
            static_cast<double>(std::clock() - cpu_begin_) / CLOCKS_PER_SEC};
  }

 private:
  Clock::time_point begin_ = Clock::now();
  std::clock_t cpu_begin_ = std::clock();
};

std::string methods;  // what the names of those that run hold

bool wanted(const std::string& method) {
  return method.find(methods) != std::string::npos;
}

void report(const PaperSystem& system, const std::string& device, const std::string& method, Spent setup, Spent solve,
            int iterations, const std::vector<double>& u) {
  const Index n = system.grid.blocks.front().n_fast - 1;
  std::printf(
      "{\"device\": \"%s\", \"intervals\": %td, \"order\": %d, \"method\": \"%s\", \"setup_ms\": %.4g, "
      "\"solve_ms\": %.4g, \"iterations\": %d, \"ms_per_iteration\": %.4g, \"residual\": %.3g, \"error\": %.7g, "
      "\"setup_cpu_ms\": %.4g, \"solve_cpu_ms\": %.4g}\n",
      device.c_str(), n, system.grid.order, method.c_str(), 1e3 * setup.seconds, 1e3 * solve.seconds, iterations,
      1e3 * solve.seconds / std::max(iterations, 1), system.residual(u), system.error(u), 1e3 * setup.cpu_seconds,
      1e3 * solve.cpu_seconds);
  std::fflush(stdout);
}

void conjugate_gradients_line(const PaperSystem& system, const std::string& device, const std::string& method,
                              const std::function<std::unique_ptr<SymmetricOperator>()>& make, CgOptions options) {
  if (!wanted(method)) return;
  const Watch begin;
  const auto a = make();
  const Spent setup = begin.spent();
  options.residual = 1e-10 * norm(system.b);
  options.max_iterations = 100000;
  std::vector<double> u(system.b.size(), 0.0);
  const Watch started;
  const CgResult result = conjugate_gradients(*a, system.b, u, options);
  report(system, device, method, setup, started.spent(), result.iterations, u);
}

void on_the_cpu(const PaperSystem& system, const Context& context) {
  const std::string& device = context.device_name();
  const sbp::Grid& grid = system.grid;
  set_blas_threads(context.n_threads());
  if (const std::string method = "fast diagonalisation, one refinement"; wanted(method)) {
    const Watch begin;
    const sbp::SeparableGridOperator a(grid);
    const auto solver = cpu::make_fast_diagonalisation(a.parts());
    const Spent setup = begin.spent();
    std::vector<double> u(system.b.size()), r(system.b.size()), correction(system.b.size());
    const Watch started;
    solver->solve(system.b.data(), u.data());
    cpu::separable_residual(a.parts(), system.b.data(), u.data(), r.data());
    solver->solve(r.data(), correction.data());
    for (std::size_t i = 0; i < r.size(); ++i) u[i] += correction[i];
    report(system, device, method, setup, started.spent(), 2, u);
  }
  if (const std::string method = "multigrid CG, matrix-free"; wanted(method)) {
    const Watch begin;
    const sbp::Multigrid cycle(grid);
    const auto a = sbp::matrix_free_operator(grid);
    const Spent setup = begin.spent();
    CgOptions options;
    options.preconditioner = &cycle;
    options.residual = 1e-10 * norm(system.b);
    options.max_iterations = 100;
    std::vector<double> u(system.b.size(), 0.0);
    const Watch started;
    const CgResult result = conjugate_gradients(*a, system.b, u, options);
    report(system, device, method, setup, started.spent(), result.iterations, u);
  }
  const std::vector<double> inverse = sbp::inverse_diagonal(grid);
  const auto free = [&] { return sbp::matrix_free_operator(grid); };
  const auto csr = [&]() -> std::unique_ptr<SymmetricOperator> {
    return std::make_unique<sbp::CsrOperator>(sbp::GridOperator(grid).assemble());
  };
  const auto ell = [&]() -> std::unique_ptr<SymmetricOperator> {
    return std::make_unique<sbp::EllOperator>(to_ell(sbp::GridOperator(grid).assemble()));
  };
  conjugate_gradients_line(system, device, "CG, matrix-free", free, {});
  CgOptions one_reduction;
  one_reduction.variant = CgVariant::chronopoulos_gear;
  conjugate_gradients_line(system, device, "CG with one reduction, matrix-free", free, one_reduction);
  CgOptions jacobi;
  jacobi.inverse_diagonal = &inverse;
  conjugate_gradients_line(system, device, "Jacobi CG, matrix-free", free, jacobi);
  jacobi.variant = CgVariant::chronopoulos_gear;
  conjugate_gradients_line(system, device, "Jacobi CG with one reduction, matrix-free", free, jacobi);
  conjugate_gradients_line(system, device, "CG, CSR", csr, {});
  conjugate_gradients_line(system, device, "CG, ELLPACK", ell, {});
}

void setup_line(const Context& context, Index n, int order, const char* method, const std::function<double()>& time) {
  const double first = time();
  const double second = time(), third = time();
  std::printf(
      "{\"device\": \"%s\", \"intervals\": %td, \"order\": %d, \"method\": \"set-up of fast diagonalisation, %s\", "
      "\"first_ms\": %.4g, \"setup_ms\": %.4g}\n",
      context.device_name().c_str(), n, order, method, 1e3 * first, 1e3 * std::min(second, third));
  std::fflush(stdout);
}

void setup_times(const Context& context, int order) {
  for (Index n : {256, 1024, 2048, 4096}) {
    const SeparableOperator a = sbp::separable_operator(PaperSystem::grid_of(n, order));
#if GWRM_HAVE_CUDA
    if (context.backend() == Backend::cuda) {
      for (const auto& [method, by] : {std::pair("cuSOLVER", EigenSolver::device), {"LAPACK", EigenSolver::host}})
        setup_line(context, n, order, method, [&, by = by] {
          return cuda::line_modes_seconds(context, a.slow, a.slow_weights, by) +
                 cuda::line_modes_seconds(context, a.fast, a.fast_weights, by);
        });
      continue;
    }
#endif
    setup_line(context, n, order, "LAPACK", [&] {
      const Watch watch;
      cpu::make_fast_diagonalisation(a);
      return watch.spent().seconds;
    });
  }
}

#if GWRM_HAVE_CUDA
// Each method twice: the first run finds libraries and clocks cold. `solve` is the time on the device.
void on_the_device(const PaperSystem& system, const Context& context) {
  const std::string& device = context.device_name();
  const sbp::Grid& grid = system.grid;
  const SeparableOperator a = sbp::separable_operator(grid);
  const auto line = [&](const std::string& method, const std::function<DeviceCgResult(std::vector<double>&)>& solve) {
    if (!wanted(method)) return;
    for (int repeat = 0; repeat < 2; ++repeat) {
      std::vector<double> u(system.b.size(), 0.0);
      const Watch watch;
      const DeviceCgResult result = solve(u);
      const Spent all = watch.spent();
      const double on_device = 1e-3 * result.milliseconds;
      if (repeat == 1)
        report(system, device, method, {all.seconds - on_device, all.cpu_seconds}, {on_device, 0.0}, result.iterations,
               u);
    }
  };
  const double stop = 1e-10 * norm(system.b);
  line("fast diagonalisation, one refinement",
       [&](std::vector<double>& u) { return cuda::solve_by_fast_diagonalisation(context, a, system.b, u, 2); });
  if (const auto multigrid = sbp::device_multigrid(grid))
    line("multigrid CG, matrix-free", [&](std::vector<double>& u) {
      return cuda::cg_multigrid(context, multigrid->levels, multigrid->coarsest_inverse, system.b, u,
                                {false, stop, 100});
    });
  const int most = grid.size() > 4000000 ? 2000 : 100000;  // of large grids a part, for the time per iteration
  for (const bool jacobi : {false, true}) {
    const std::string name = jacobi ? "Jacobi CG" : "CG";
    const DeviceCgOptions options{jacobi, stop, most};
    if (cuda::on_chip_fits(context, a))
      line(name + ", one kernel on the chip",
           [&](std::vector<double>& u) { return cuda::cg_on_chip(context, a, system.b, u, options); });
    line(name + ", graph", [&](std::vector<double>& u) { return cuda::cg_graph(context, a, system.b, u, options); });
  }
  const DeviceCgOptions plain{false, stop, most};
  if (!wanted("CG, CSR") && !wanted("CG, ELLPACK")) return;
  const CsrMatrix csr = sbp::GridOperator(grid).assemble();
  const EllMatrix ell = to_ell(csr);
  line("CG, CSR", [&](std::vector<double>& u) { return cuda::cg_csr(context, csr, system.b, u, plain); });
  line("CG, ELLPACK", [&](std::vector<double>& u) { return cuda::cg_ell(context, ell, system.b, u, plain); });
}
#endif

bool write_system(const PaperSystem& system, const char* path) {
  const CsrMatrix a = sbp::GridOperator(system.grid).assemble();
  const std::int64_t sizes[] = {a.n, static_cast<std::int64_t>(a.values.size())};
  std::FILE* file = std::fopen(path, "wb");
  if (file == nullptr) return false;
  const auto put = [&](const auto* values, std::size_t count) {
    return std::fwrite(values, sizeof(*values), count, file) == count;
  };
  const bool written = put(sizes, 2) && put(a.row_start.data(), a.row_start.size()) &&
                       put(a.columns.data(), a.columns.size()) && put(a.values.data(), a.values.size()) &&
                       put(system.b.data(), system.b.size());
  return std::fclose(file) == 0 && written;
}

// The argument as a number, `otherwise` where there is none, -1 where it is no number.
Index number(int argc, char** argv, int which, Index otherwise) {
  if (argc <= which) return otherwise;
  char* end = nullptr;
  const long long value = std::strtoll(argv[which], &end, 10);
  return *end == '\0' && end != argv[which] ? value : -1;
}

}  // namespace

int main(int argc, char** argv) {
  const bool only_setup = argc > 1 && std::string(argv[1]) == "setup";
  const Index n = only_setup ? 8 : number(argc, argv, 1, 1024), order = number(argc, argv, 2, 2),
              threads = number(argc, argv, 3, 0);
  if (n < 8 || (order != 2 && order != 4 && order != 6) || threads < 0 || threads > 1024) {
    std::fprintf(stderr,
                 "usage: sbp_sat_bench [intervals, at least 8] [order: 2, 4 or 6] [threads] [methods] [file]\n"
                 "       sbp_sat_bench setup [order] [threads]\n");
    return 2;
  }
  if (only_setup) {
    setup_times(Context::create(BackendChoice::automatic, static_cast<int>(threads)), static_cast<int>(order));
    return 0;
  }
  if (argc > 4) methods = argv[4];
  const PaperSystem system(n, static_cast<int>(order));
  if (argc > 5 && !write_system(system, argv[5])) {
    std::fprintf(stderr, "cannot write %s\n", argv[5]);
    return 1;
  }
#if GWRM_HAVE_CUDA
  std::string why;
  if (!find_device(why).empty()) {
    on_the_device(system, Context::create(BackendChoice::cuda, static_cast<int>(threads)));
    if (threads == 0) return 0;  // the CPU as well where a number of threads is given
  }
#endif
  on_the_cpu(system, Context::create(BackendChoice::cpu, static_cast<int>(threads)));
  return 0;
}
