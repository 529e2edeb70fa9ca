// gwrm bench: an operation of the kernels on this machine, one JSON line for each measurement (bench/products,
// bench/banded). A wrong result makes the command fail.
#include <iostream>

#include "bench/banded/measure_banded.hpp"
#include "bench/products/measure_products.hpp"
#include "cli/options.hpp"

namespace gwrm::cli {
namespace {

// Whether all results are right; the operation's lines go to the standard output.
bool run_bench(const std::string& operation, const Context& context, const bench::BenchOptions& wanted) {
  if (operation == "product") return bench::bench_products(context, wanted, std::cout);
  return bench::bench_banded(context, operation, wanted, std::cout);
}

}  // namespace

ExitStatus bench_command(const Options& options) {
  const bench::BenchOptions wanted{options.shapes, options.batches, options.variants, options.precisions};
  if (options.operation == "product")  // mistakes in the options first
    bench::check_products(wanted);
  else
    bench::check_banded(options.operation, wanted);
  const BackendChoice choice = options.backend == "cpu"    ? BackendChoice::cpu
                               : options.backend == "cuda" ? BackendChoice::cuda
                                                           : BackendChoice::automatic;
  if (!run_bench(options.operation, Context::create(choice, options.threads), wanted))
    throw Error(ExitStatus::internal_error, "bench: a result is wrong: see \"error\" in the lines above");
  return ExitStatus::converged;
}

}  // namespace gwrm::cli
