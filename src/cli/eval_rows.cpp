#include "cli/eval_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/eval_columns.hpp"
#include "expression/number_text.hpp"

namespace gwrm::cli {
namespace {

using expression::number_text;

// Position in a row-major tensor over all axes, from an index per given axis.
std::size_t flat_position(const GridPoints& points, const std::vector<std::size_t>& index) {
  std::size_t position = 0;
  for (std::size_t axis = 0; axis < points.size(); ++axis) position = position * points[axis].size() + index[axis];
  return position;
}

std::string without_blanks(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

// "# t x dx(u)^2", with errors "# t x u error(u)": a word for each column, behind what gnuplot and numpy.loadtxt take
// for a comment; of CSV "t,x,value_1".
std::string header(const Options& options, const std::vector<Axis>& axes, const EvalPoints& at, bool with_errors) {
  std::vector<std::string> columns;
  for (const std::size_t axis : at.given) columns.push_back(axes[axis].name);
  const std::vector<std::string> names = value_names(options.expressions, axes, with_errors);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string name = options.csv ? names[i] : without_blanks(options.expressions[i]);
    columns.push_back(name);
    if (with_errors) columns.push_back(options.csv ? name + "_error" : "error(" + name + ")");
  }
  return options.csv ? fmt::format("{}\n", fmt::join(columns, ",")) : fmt::format("# {}\n", fmt::join(columns, " "));
}

}  // namespace

void print_rows(const Options& options, const std::vector<Axis>& axes, const EvalPoints& at,
                const std::vector<Array>& values, const std::vector<Array>& errors) {
  const char* const between = options.csv ? "," : " ";
  if (!options.json && (options.csv || options.verbosity != Verbosity::quiet))
    std::cout << header(options, axes, at, !errors.empty());
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  std::vector<std::size_t> index(at.points.size(), 0);
  for (;;) {
    std::vector<std::string> line;
    // Made before they are filled: a null that becomes an object or a list while there is no memory cannot be destroyed
    // any more (nlohmann-json 3.11).
    nlohmann::ordered_json row = nlohmann::ordered_json::object();
    for (std::size_t axis : at.given) {
      const double z = at.points[axis][index[axis]];
      line.push_back(number_text(z));
      row[axes[axis].name] = z;
    }
    std::vector<double> row_values, row_errors;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double value = values[i].data[flat_position(at.points, index)];
      line.push_back(number_text(value));
      row_values.push_back(value);
      if (errors.empty()) continue;
      const double error = errors[i].data[flat_position(at.points, index)];
      line.push_back(fmt::format("{:.2e}", error));
      row_errors.push_back(error);
    }
    row["values"] = row_values;
    if (!row_errors.empty()) row["errors"] = row_errors;
    if (options.json)
      rows.push_back(row);
    else
      std::cout << fmt::format("{}\n", fmt::join(line, between));
    // The last dimension given runs fastest.
    std::size_t k = at.given.size();
    while (k > 0) {
      const std::size_t axis = at.given[k - 1];
      if (++index[axis] < at.points[axis].size()) break;
      index[axis] = 0;
      --k;
    }
    if (k == 0) break;
  }
  if (options.json)
    std::cout
        << nlohmann::ordered_json{{"exit_status", 0}, {"expressions", options.expressions}, {"points", rows}}.dump(2)
        << "\n";
}

}  // namespace gwrm::cli
