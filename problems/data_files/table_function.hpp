// A function from the numbers of a file: interpolated axis by axis on a grid, fitted by least squares at scattered
// points.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "case/case.hpp"
#include "expression/data_function.hpp"
#include "output/data_file.hpp"

namespace gwrm {

// What is known of a function of a file besides its values.
struct DataReport {
  std::string text;    // "k of k.nc: 33 x 65 points; along x a polynomial of degree 32, along y splines of degree 5"
  double error = 0.0;  // estimated, relative to the largest magnitude; NaN: not known
  std::string caution = {};  // what else to say; empty: nothing
};

struct ReportedFunction {
  std::shared_ptr<const expression::DataFunction> function;
  DataReport report;
};

// What a dimension of a file is called here (DataCase::dimensions). One that is called like a dimension of the domain
// which the file calls otherwise is another one: "x of the file".
std::string name_in_domain(const DataCase& data, const std::string& name);

// The table's dimensions are those of the domain that the function then has, and those of `at`. CaseError, whose text
// says what is wrong with which dimension, and what to do.
ReportedFunction function_of_table(const Case& the_case, const DataTable& table,
                                   const std::vector<std::pair<std::string, double>>& at);

}  // namespace gwrm
