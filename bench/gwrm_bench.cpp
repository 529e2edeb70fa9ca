// gwrm-bench: times an operation of the kernels on this machine, one JSON line for each measurement. Every result is
// checked in the same run; a wrong one makes the program fail.
#include <CLI/CLI.hpp>
#include <iostream>

#include "bench/banded/measure_banded.hpp"
#include "bench/banded/measure_isolated.hpp"
#include "bench/products/measure_products.hpp"
#include "bench/stencil/measure_stencil.hpp"
#include "bench/transforms/measure_connection.hpp"
#include "bench/transforms/measure_cosine.hpp"
#include "bench/transforms/measure_fourier.hpp"
#include "bench/transforms/measure_jones_worland.hpp"
#include "bench/transforms/measure_nonuniform.hpp"
#include "bench/transforms/measure_scattered.hpp"
#include "bench/transforms/measure_spherical.hpp"
#include "cli/large_allocations.hpp"
#include "cli/options.hpp"
#include "cli/process_settings.hpp"
#include "cli/program.hpp"
#include "core/last_resort.hpp"
#include "core/printable.hpp"
#include "core/version.hpp"

namespace gwrm::bench {
namespace {

const std::vector<std::string> kBackends = {"auto", "cpu", "cuda"};
const std::vector<std::string> kOperations = {"product",   "bidiagonal", "tridiagonal", "pentadiagonal", "isolated",
                                              "dct",       "fourier",    "connection",  "jones_worland", "legendre",
                                              "spherical", "nonuniform", "scattered",   "stencil"};

// Mistakes in the options, before anything is measured.
void check(const std::string& operation, const BenchOptions& wanted) {
  if (operation == "product") return check_products(wanted);
  if (operation == "connection") return check_connection(wanted);
  if (operation == "jones_worland") return check_jones_worland(wanted);
  if (operation == "legendre" || operation == "spherical") return check_spherical(operation, wanted);
  if (operation == "dct") return check_cosine(wanted);
  if (operation == "fourier") return check_fourier(wanted);
  if (operation == "nonuniform") return check_nonuniform(wanted);
  if (operation == "scattered") return check_scattered(wanted);
  if (operation == "stencil") return check_stencil(wanted);
  if (operation == "isolated") return check_isolated(wanted);
  check_banded(operation, wanted);
}

// Whether all results are right; the operation's lines go to the standard output.
bool run_bench(const std::string& operation, const Context& context, const BenchOptions& wanted) {
  if (operation == "product") return bench_products(context, wanted, std::cout);
  if (operation == "connection") return bench_connection(context, wanted, std::cout);
  if (operation == "jones_worland") return bench_jones_worland(context, wanted, std::cout);
  if (operation == "legendre" || operation == "spherical")
    return bench_spherical(context, operation, wanted, std::cout);
  if (operation == "dct") return bench_cosine(context, wanted, std::cout);
  if (operation == "fourier") return bench_fourier(context, wanted, std::cout);
  if (operation == "nonuniform") return bench_nonuniform(context, wanted, std::cout);
  if (operation == "scattered") return bench_scattered(context, wanted, std::cout);
  if (operation == "stencil") return bench_stencil(context, wanted, std::cout);
  if (operation == "isolated") return bench_isolated(context, wanted, std::cout);
  return bench_banded(context, operation, wanted, std::cout);
}

void declare_options(CLI::App& app, std::string& operation, BenchOptions& wanted, cli::Options& options) {
  app.set_version_flag("--version", version());
  app.add_option("--operation", operation, "one of: " + join(kOperations, ", ") + " (default: product)")
      ->check(CLI::IsMember(kOperations));
  app.add_option("--shape", wanted.shapes,
                 "coefficients: 200x200, rows: 1024, rows and order l: 1000x7 (isolated), coefficients and degree l: "
                 "256x250, degree: 511, length: 1024 (dct), OUTERxPOINTSxINNER: 12x200x200 (fourier), modes: "
                 "1024x1024, grid NZxNYxNX: 256x256x256 (repeatable; default: a standard set)")
      ->allow_extra_args(false);
  app.add_option("--batch", wanted.batches,
                 "products, systems, columns or lines at once, nonuniform, scattered: points (repeatable)")
      ->allow_extra_args(false);
  app.add_option(
         "--variant", wanted.variants,
         "product: monolithic, stride, direct, transform, matrices, fourier or auto; systems: sequential, hybrid, "
         "cyclic_reduction, thread, shared_memory, cusparse; connection: direct, toeplitz_hankel; jones_worland: "
         "rotations, pairs, quadrature; legendre: synthesis, analysis, rotations_synthesis, rotations_analysis; "
         "spherical: synthesis, analysis, vector_synthesis, vector_analysis; "
         "dct: cosine_1 .. cosine_4, sine_1 .. sine_4; fourier: synthesis, synthesis_matrix, analysis, "
         "analysis_matrix; nonuniform: points, type_1, type_2, type_1_clustered, type_1_paper, cufinufft (on a "
         "device); stencil: order_2, order_4 (repeatable; default: all)")
      ->allow_extra_args(false);
  app.add_option("--precision", wanted.precisions,
                 "double (default), single (products), double_double or complex (systems)")
      ->check(CLI::IsMember({"double", "single", "double_double", "complex"}))
      ->allow_extra_args(false);
  app.add_option("--backend", options.backend, "auto, cpu or cuda")->check(CLI::IsMember(kBackends));
  cli::add_common(app, options);
}

int run(int argc, char** argv) {
  CLI::App app{"gwrm-bench: times the kernels of gwrm and checks their results, one JSON line each", "gwrm-bench"};
  std::string operation = "product";
  BenchOptions wanted;
  cli::Options options;
  declare_options(app, operation, wanted, options);
  return cli::parse_and_carry_out(app, argc, argv, options, [&](const cli::Options&) {
    check(operation, wanted);
    const BackendChoice choice = options.backend == "cpu"    ? BackendChoice::cpu
                                 : options.backend == "cuda" ? BackendChoice::cuda
                                                             : BackendChoice::automatic;
    if (!run_bench(operation, Context::create(choice, options.threads), wanted))
      throw Error(ExitStatus::internal_error, "bench: a result is wrong: see \"error\" in the lines above");
    return ExitStatus::converged;
  });
}

}  // namespace
}  // namespace gwrm::bench

int main(int argc, char** argv) {
  gwrm::apply_process_settings();
  gwrm::take_huge_pages();
  const int status = gwrm::bench::run(argc, argv);
  gwrm::settle_status(status);
  return status;
}
