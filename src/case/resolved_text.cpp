#include "case/resolved_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "case/choices.hpp"
#include "case/sections.hpp"

namespace gwrm::casefile {
namespace {

// JSON's strings are strings of YAML as well: escapes, no folding, nothing left to interpretation.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump();
}

std::string number(double value) {
  return fmt::format("{}", value);
}  // shortest digits that read back the same

// Long lists go over several lines, which YAML allows inside brackets.
std::string number_list(const std::vector<double>& values, int indent) {
  constexpr std::size_t longest_line = 110;
  const std::string line_break = "\n" + std::string(static_cast<std::size_t>(indent), ' ');
  std::string text = "[";
  std::size_t line_length = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string item = number(values[i]);
    line_length += item.size() + 2;
    if (i > 0) text += ",";
    if (i > 0 && line_length > longest_line) {
      text += line_break;
      line_length = item.size() + 2;
    } else if (i > 0) {
      text += " ";
    }
    text += item;
  }
  return text + "]";
}

class Writer {
 public:
  explicit Writer(const Case& source) : case_(source) {}

  std::string run() {
    line(0, "schema", std::to_string(case_.schema));
    line(0, "problem", case_.problem);
    line(0, "title", quoted(case_.title));
    write_names();
    write_expressions();
    if (is_spectral()) write_resolution();
    write_solver();
    write_continuation();
    write_recurrence();
    write_sbp_sat();
    write_verification();
    write_output();
    write_convergence();
    return std::move(text_);
  }

 private:
  bool is_spectral() const { return case_.problem == "time_spectral"; }

  void line(int indent, const std::string& key, const std::string& value = "") {
    text_ += std::string(static_cast<std::size_t>(indent), ' ') + key + ":" + (value.empty() ? "" : " " + value) + "\n";
  }

  void named(const std::string& section, const std::vector<NamedExpression>& expressions, int indent = 0) {
    if (expressions.empty()) return;
    line(indent, section);
    for (const NamedExpression& item : expressions) line(indent + 2, item.name, quoted(item.text.text));
  }

  void texts(const std::string& section, const std::vector<SourceText>& list) {
    if (list.empty()) return;
    line(0, section);
    for (const SourceText& item : list) text_ += "  - " + quoted(item.text) + "\n";
  }

  void write_names() {
    line(0, "domain");
    for (const AxisCase& item : case_.domain) {
      const Axis& axis = item.axis;
      line(2, axis.name,
           fmt::format("{{range: {}, map: {}}}", number_list({axis.lower, axis.upper}, 4),
                       word_of(kMapWords, axis.map)));
    }
    if (!case_.constants.empty()) line(0, "constants");
    for (const expression::Constant& constant : case_.constants) line(2, constant.name, number(constant.value));
    line(0, "unknowns");
    for (const UnknownCase& unknown : case_.unknowns) {
      std::string dims;
      for (const std::string& dim : unknown.dims) dims += (dims.empty() ? "" : ", ") + dim;
      text_ += fmt::format("  - {{name: {}, dims: [{}]}}\n", unknown.name, dims);
    }
  }

  void write_expressions() {
    texts("equations", case_.equations);
    if (!case_.initial.empty()) line(0, "initial");
    for (const InitialCase& initial : case_.initial) {
      const std::string key = initial.order == 0   ? initial.field
                              : initial.order == 1 ? fmt::format("dt({})", initial.field)
                                                   : fmt::format("dt({},{})", initial.field, initial.order);
      line(2, quoted(key), quoted(initial.text.text));
    }
    texts("boundary", case_.boundary);
    named("exact", case_.exact);
    named("guess", case_.guess);
  }

  void write_resolution() {
    const Case::Resolution& resolution = case_.resolution;
    line(0, "resolution");
    if (resolution.automatic()) line(2, "tolerance", number(resolution.tolerance));
    const auto is_given = [](const AxisCase& axis) { return axis.degree >= 0; };
    if (std::any_of(case_.domain.begin(), case_.domain.end(), is_given)) line(2, "degree");
    for (const AxisCase& axis : case_.domain)
      if (is_given(axis)) line(4, axis.axis.name, std::to_string(axis.degree));
    line(2, "domains");
    for (const AxisCase& axis : case_.domain) {
      const int n = static_cast<int>(axis.edges.size()) - 1;
      line(4, axis.axis.name, axis.edges == equal_parts(axis.axis, n) ? std::to_string(n) : number_list(axis.edges, 6));
    }
    line(2, "limits");
    line(4, "windows", std::to_string(resolution.max_windows));
    line(4, "domains", std::to_string(resolution.max_domains));
    line(4, "degree", std::to_string(resolution.max_degree));
    line(2, "first_window", number(resolution.first_window));
  }

  void write_solver() {
    if (is_spectral()) {
      line(0, "time");
      line(2, "weighting", word_of(kWeightingWords, case_.time.weighting));
      line(0, "parameters");
      line(2, "method", word_of(kParameterMethodWords, case_.parameters));
    }
    line(0, "solver");
    line(2, "newton");
    line(4, "tolerance", number(case_.solver.newton.tolerance));
    line(4, "max_iterations", std::to_string(case_.solver.newton.max_iterations));
    line(4, "globalisation", word_of(kGlobalisationWords, case_.solver.newton.globalisation));
    line(2, "linear", word_of(kLinearSolverWords, case_.solver.linear));
    line(2, "predictor", word_of(kPredictorWords, case_.solver.predictor));
    line(2, "product", word_of(kProductWords, case_.solver.product));
    line(2, "memory", number(case_.solver.memory_gb));
    line(0, "backend", word_of(kBackendWords, case_.backend));
  }

  void write_continuation() {
    const Continuation& continuation = case_.continuation;
    if (!continuation.active()) return;
    line(0, "continue");
    line(2, "parameter", continuation.parameter);
    line(2, "from", number(continuation.from));
    line(2, "to", number(continuation.to));
    line(2, "method", word_of(kContinuationMethodWords, continuation.method));
    line(2, "step", number(continuation.step));
    line(2, "points", std::to_string(continuation.max_points));
  }

  void write_sbp_sat() {
    const SbpSatCase& sbp = case_.sbp_sat;
    if (sbp.intervals.empty()) return;
    line(0, "sbp_sat");
    line(2, "order", std::to_string(sbp.order));
    line(2, "intervals");
    for (std::size_t d = 0; d < sbp.intervals.size(); ++d)
      line(4, case_.domain[d].axis.name,
           number_list(std::vector<double>(sbp.intervals[d].begin(), sbp.intervals[d].end()), 6));
    line(2, "blocks");
    for (std::size_t d = 0; d < sbp.edges.size(); ++d) line(4, case_.domain[d].axis.name, number_list(sbp.edges[d], 6));
    named("mapping", sbp.mapping, 2);
    if (sbp.coefficient.size() == 1 && sbp.coefficient.front().name == "c")
      line(2, "coefficient", quoted(sbp.coefficient.front().text.text));
    else
      named("coefficient", sbp.coefficient, 2);
    line(2, "source", quoted(sbp.source.text));
    line(2, "tau", number(sbp.tau));
    line(2, "solver", word_of(kPoissonSolverWords, sbp.solver));
    line(2, "operator", word_of(kPoissonOperatorWords, sbp.operator_form));
    line(2, "reduction", word_of(kReductionWords, sbp.reduction));
    line(2, "tolerance", number(sbp.tolerance));
    line(2, "algebraic_error", number(sbp.algebraic_error));
    line(2, "max_iterations", std::to_string(sbp.max_iterations));
  }

  void write_recurrence() {
    const RecurrenceCase& recurrence = case_.recurrence;
    if (recurrence.intervals == 0) return;
    line(0, "recurrence");
    line(2, "intervals", std::to_string(recurrence.intervals));
    if (recurrence.source_file.empty())
      line(2, "source", quoted(recurrence.source.text));
    else
      line(2, "source",
           fmt::format("{{file: {}, dataset: {}}}", quoted(recurrence.source_file), quoted(recurrence.source_dataset)));
    line(2, "reaction", number(recurrence.reaction));
    line(2, "order", std::to_string(recurrence.order));
    line(2, "algorithm", word_of(kRecurrenceAlgorithmWords, recurrence.algorithm));
    line(2, "precision", word_of(kStoragePrecisionWords, recurrence.precision));
    line(2, "columns", std::to_string(recurrence.columns));
  }

  void write_verification() {
    const Case::Verification& verification = case_.verification;
    line(0, "verification");
    line(2, "tolerance", number(verification.tolerance));
    line(2, "tail", number(verification.tail));
    line(2, "residual", number(verification.residual));
    if (!verification.values.empty()) line(2, "values");
    for (const ReferenceValue& value : verification.values) {
      std::string at;
      for (const auto& [axis, coordinate] : value.at)
        at += fmt::format("{}{}: {}", at.empty() ? "" : ", ", axis, coordinate);
      text_ += fmt::format("    - expr: {}\n      at: {{{}}}\n      value: {}\n", quoted(value.expr.text), at,
                           number(value.value));
    }
  }

  void write_output() {
    line(0, "output");
    line(2, "file", quoted(case_.output.file));
    line(2, "grid");
    for (const GridAxis& grid : case_.output.grid)
      line(4, grid.axis, grid.count > 0 ? std::to_string(grid.count) : number_list(grid.points, 6));
    named("fields", case_.output.fields, 2);
    if (case_.output.fields.empty()) line(2, "fields", "{}");
    line(2, "statistics", word_of(kStatisticsWords, case_.output.statistics));
    line(2, "coefficients", word_of(kCoefficientsWords, case_.output.coefficients));
  }

  void write_convergence() {
    const Case::Convergence& convergence = case_.convergence;
    line(0, "convergence");
    if (!convergence.vary.empty()) line(2, "vary");
    for (const VariedKey& varied : convergence.vary) {
      std::string values;
      for (const std::string& value : varied.values) values += (values.empty() ? "" : ", ") + value;
      line(4, quoted(varied.key), "[" + values + "]");
    }
    line(2, "measure", word_of(kConvergenceMeasureWords, convergence.measure));
    line(2, "least_order", number(convergence.least_order));
    line(2, "least_rate", number(convergence.least_rate));
  }

  const Case& case_;
  std::string text_;
};

}  // namespace

std::string resolve_text(const Case& result) {
  return Writer(result).run();
}

}  // namespace gwrm::casefile
