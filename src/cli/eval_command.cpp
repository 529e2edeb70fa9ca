// gwrm eval: any expression of a stored solution at any points.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "api/stored_range.hpp"
#include "cli/eval_answer.hpp"
#include "cli/eval_errors.hpp"
#include "cli/eval_rows.hpp"
#include "cli/eval_scattered.hpp"
#include "cli/options.hpp"
#include "expression/components.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "output/hdf5_file.hpp"

namespace gwrm::cli {
namespace {

expression::Symbols symbols_in(const std::string& file, const Case& the_case, const Solution& solution) {
  try {
    return symbols_of_answer(the_case, solution);
  } catch (const OutputError& error) {
    throw OutputError(file + ": cannot be read as a gwrm result: " + error.what());
  }
}

// Of a vector its components, each by itself.
std::vector<std::string> numbers_in(expression::Pool& pool, const std::vector<std::string>& texts) {
  std::vector<std::string> numbers;
  for (const std::string& text : texts)
    for (const expression::Component& part : components(pool, SourceText::from_argument(text, "--expr")))
      numbers.push_back(part.text);
  return numbers;
}

}  // namespace

ExitStatus eval_command(const Options& given) {
  Options options = given;
  const StoredRun stored = read_hdf5(options.file);
  const Case the_case = read_case_text(options.modules->format(), stored.report.case_text, options.file);
  if (stored.solution.fields.empty()) {
    if (const auto answer = options.modules->of(the_case).stored_answer(the_case, options.file))
      return eval_answer(options, the_case, stored, *answer);
    throw CaseError(options.file +
                    ": error: this result has sampled fields only, no coefficients that could be evaluated elsewhere: "
                    "read its datasets, or run the case again with the points wanted under output.grid");
  }
  expression::Pool pool(symbols_in(options.file, the_case, stored.solution));

  options.expressions = numbers_in(pool, given.expressions);

  std::optional<EvalErrors> stored_errors;
  if (options.error) stored_errors.emplace(options.file, pool, stored.solution, stored.report.verification.left_out);

  std::vector<WantedExpression> wanted;
  for (const std::string& text : options.expressions) {
    const SourceText source = SourceText::from_argument(text, "--expr");
    wanted.push_back({source, expression::lower(pool, expression::parse(pool, source))});
    check_times(source, pool, wanted.back().lowered, stored.solution);
  }
  if (!options.points_file.empty())
    return eval_scattered(options, the_case,
                          scattered_answer(options, stored, pool, wanted, stored_errors ? &*stored_errors : nullptr));

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

  print_rows(options, stored.solution.axes, at, values, errors);
  return ExitStatus::converged;
}

}  // namespace gwrm::cli
