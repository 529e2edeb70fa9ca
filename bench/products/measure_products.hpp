// Times of the products of Chebyshev series, one JSON line for each measurement.
//
// Every result is checked in the same run against the definition of the product on random data
// (product_definition.hpp); a wrong one is reported with its error.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "core/context.hpp"

namespace gwrm::bench {

// As the options of `gwrm bench` have them.
struct ProductBenchOptions {
  std::vector<std::string> shapes;      // "200x200"; none: the standard set
  std::vector<std::string> batches;     // "64"
  std::vector<std::string> variants;    // names of ProductVariant; none: all
  std::vector<std::string> precisions;  // double, single; none: double
};

void check(const ProductBenchOptions& options);  // CaseError for what is no shape, batch or variant

// First a line with the ceilings of the machine. False if a result is wrong.
bool bench_products(const Context& context, const ProductBenchOptions& options, std::ostream& lines);

}  // namespace gwrm::bench
