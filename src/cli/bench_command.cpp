// gwrm bench: an operation of the kernels on this machine, one JSON line for each measurement (bench/products,
// bench/banded, bench/transforms, bench/stencil). A wrong result makes the command fail.
#include <fmt/format.h>

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
#include "cli/options.hpp"

namespace gwrm::cli {
namespace {

// Mistakes in the options, before anything is measured.
void check(const std::string& operation, const bench::BenchOptions& wanted) {
  if (operation == "product") return bench::check_products(wanted);
  if (operation == "connection") return bench::check_connection(wanted);
  if (operation == "jones_worland") return bench::check_jones_worland(wanted);
  if (operation == "legendre" || operation == "spherical") return bench::check_spherical(operation, wanted);
  if (operation == "dct") return bench::check_cosine(wanted);
  if (operation == "fourier") return bench::check_fourier(wanted);
  if (operation == "nonuniform") return bench::check_nonuniform(wanted);
  if (operation == "scattered") return bench::check_scattered(wanted);
  if (operation == "stencil") return bench::check_stencil(wanted);
  if (operation == "isolated") return bench::check_isolated(wanted);
  bench::check_banded(operation, wanted);
}

// Whether all results are right; the operation's lines go to the standard output.
bool run_bench(const std::string& operation, const Context& context, const bench::BenchOptions& wanted) {
  if (operation == "product") return bench::bench_products(context, wanted, std::cout);
  if (operation == "connection") return bench::bench_connection(context, wanted, std::cout);
  if (operation == "jones_worland") return bench::bench_jones_worland(context, wanted, std::cout);
  if (operation == "legendre" || operation == "spherical")
    return bench::bench_spherical(context, operation, wanted, std::cout);
  if (operation == "dct") return bench::bench_cosine(context, wanted, std::cout);
  if (operation == "fourier") return bench::bench_fourier(context, wanted, std::cout);
  if (operation == "nonuniform") return bench::bench_nonuniform(context, wanted, std::cout);
  if (operation == "scattered") return bench::bench_scattered(context, wanted, std::cout);
  if (operation == "stencil") return bench::bench_stencil(context, wanted, std::cout);
  if (operation == "isolated") return bench::bench_isolated(context, wanted, std::cout);
  return bench::bench_banded(context, operation, wanted, std::cout);
}

}  // namespace

ExitStatus bench_command(const Options& options) {
  const bench::BenchOptions wanted{options.shapes, options.batches, options.variants, options.precisions};
  check(options.operation, wanted);
  const BackendChoice choice = options.backend == "cpu"    ? BackendChoice::cpu
                               : options.backend == "cuda" ? BackendChoice::cuda
                                                           : BackendChoice::automatic;
  if (!run_bench(options.operation, Context::create(choice, options.threads), wanted))
    throw Error(ExitStatus::internal_error, "bench: a result is wrong: see \"error\" in the lines above");
  return ExitStatus::converged;
}

}  // namespace gwrm::cli
