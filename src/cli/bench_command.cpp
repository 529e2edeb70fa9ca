// gwrm bench: the products of Chebyshev series on this machine, one JSON line for each measurement
// (bench/products/measure_products.hpp). A wrong result makes the command fail.
#include <iostream>

#include "bench/products/measure_products.hpp"
#include "cli/options.hpp"

namespace gwrm::cli {

ExitStatus bench_command(const Options& options) {
  const bench::ProductBenchOptions wanted{options.shapes, options.batches, options.variants, options.precisions};
  bench::check(wanted);  // mistakes in the options first
  const BackendChoice choice = options.backend == "cpu"    ? BackendChoice::cpu
                               : options.backend == "cuda" ? BackendChoice::cuda
                                                           : BackendChoice::automatic;
  if (!bench::bench_products(Context::create(choice, options.threads), wanted, std::cout))
    throw Error(ExitStatus::internal_error, "bench: a result is wrong: see \"error\" in the lines above");
  return ExitStatus::converged;
}

}  // namespace gwrm::cli
