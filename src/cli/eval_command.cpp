// gwrm eval: any expression of a stored solution at any points.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "api/stored_range.hpp"
#include "cli/eval_errors.hpp"
#include "cli/eval_points.hpp"
#include "cli/eval_scattered.hpp"
#include "cli/options.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "output/hdf5_file.hpp"

namespace gwrm::cli {
namespace {

// Position in a row-major tensor over all axes, from an index per given axis.
std::size_t flat_position(const GridPoints& points, const std::vector<std::size_t>& index) {
  std::size_t position = 0;
  for (std::size_t axis = 0; axis < points.size(); ++axis) position = position * points[axis].size() + index[axis];
  return position;
}

expression::Symbols symbols_in(const std::string& file, const Case& the_case, const Solution& solution) {
  try {
    return symbols_of_answer(the_case, solution);
  } catch (const OutputError& error) {
    throw OutputError(file + ": cannot be read as a gwrm result: " + error.what());
  }
}

}  // namespace

ExitStatus eval_command(const Options& options) {
  const StoredRun stored = read_hdf5(options.file);
  if (stored.solution.fields.empty())
    throw CaseError(options.file +
                    ": error: this result has sampled fields only, no coefficients that could be evaluated elsewhere: "
                    "read its datasets, or run the case again with the points wanted under output.grid");
  const Case the_case = read_case_text(options.modules->format(), stored.report.case_text, options.file);
  expression::Pool pool(symbols_in(options.file, the_case, stored.solution));

  std::optional<EvalErrors> stored_errors;
  if (options.error) stored_errors.emplace(options.file, pool, stored.solution);

  std::vector<WantedExpression> wanted;
  for (const std::string& text : options.expressions) {
    const SourceText source = SourceText::from_argument(text, "--expr");
    wanted.push_back({source, expression::lower(pool, expression::parse(pool, source))});
    check_times(source, pool, wanted.back().lowered, stored.solution);
  }
  if (!options.points_file.empty())
    return eval_scattered(options, the_case, stored, pool, wanted, stored_errors ? &*stored_errors : nullptr);

  const EvalPoints at = parse_eval_points(options.at, the_case, stored.solution);
  std::vector<Array> values, errors;
  for (const auto& [source, e] : wanted) {
    for (std::size_t axis = 0; axis < at.points.size(); ++axis)
      if ((e->facts.axes >> axis & 1u) != 0 && std::find(at.given.begin(), at.given.end(), axis) == at.given.end())
        throw_case_error(source, 0,
                         fmt::format("this varies along {}: give it with --at {}=...", stored.solution.axes[axis].name,
                                     stored.solution.axes[axis].name));
    values.push_back(evaluate(pool, stored.solution, e, at.points));
    if (stored_errors) errors.push_back(stored_errors->of(source, e, at.points));
  }

  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  std::vector<std::size_t> index(at.points.size(), 0);
  for (;;) {
    std::string line;
    // Made before they are filled: a null that becomes an object or a list while there is no memory cannot be destroyed
    // any more (nlohmann-json 3.11).
    nlohmann::ordered_json row = nlohmann::ordered_json::object();
    for (std::size_t axis : at.given) {
      const double z = at.points[axis][index[axis]];
      line += fmt::format("{:.17g} ", z);
      row[stored.solution.axes[axis].name] = z;
    }
    std::vector<double> row_values, row_errors;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double value = values[i].data[flat_position(at.points, index)];
      line += fmt::format("{}{:.17g}", i > 0 ? " " : "", value);
      row_values.push_back(value);
      if (errors.empty()) continue;
      const double error = errors[i].data[flat_position(at.points, index)];
      line += fmt::format(" {:.2e}", error);
      row_errors.push_back(error);
    }
    row["values"] = row_values;
    if (!row_errors.empty()) row["errors"] = row_errors;
    if (options.json)
      rows.push_back(row);
    else
      std::cout << line << "\n";
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
  return ExitStatus::converged;
}

}  // namespace gwrm::cli
