// Times of the products of Chebyshev series, one JSON line for each measurement.
//
// Every result is checked in the same run against the definition of the product on random data
// (product_definition.hpp); a wrong one is reported with its error.
#pragma once

#include <iosfwd>

#include "bench/measure/bench_options.hpp"

namespace gwrm::bench {

// Shapes of series, names of ProductVariant, precisions double and single. CaseError for what is none.
void check_products(const BenchOptions& options);

// First a line with the ceilings of the machine. False if a result is wrong.
bool bench_products(const Context& context, const BenchOptions& options, std::ostream& lines);

}  // namespace gwrm::bench
