#include "case/resolved_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "case/case_format.hpp"
#include "case/choices.hpp"
#include "case/data_section.hpp"
#include "case/distribution_keys.hpp"
#include "case/vectors.hpp"

namespace gwrm::casefile {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump();
}

std::string yaml_number(std::string text) {
  double value = 0.0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  const std::size_t exponent = text.find_first_of("eE");
  if (error != std::errc{} || end != last || exponent == std::string::npos) return text;  // 3-e5 is an expression
  if (const char sign = text[exponent + 1]; sign != '-' && sign != '+') text.insert(exponent + 1, "+");
  if (text.find('.') == std::string::npos) text.insert(exponent, ".0");
  return text;
}

std::string number_text(double value) {
  return yaml_number(fmt::format("{}", value));
}

// Long lists go over several lines, which YAML allows inside brackets.
std::string number_list(const std::vector<double>& values, int indent) {
  constexpr std::size_t longest_line = 110;
  const std::string line_break = "\n" + std::string(static_cast<std::size_t>(indent), ' ');
  std::string text = "[";
  std::size_t line_length = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string item = number_text(values[i]);
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

void ResolvedText::line(int indent, const std::string& key, const std::string& value) {
  if (indent == 0) sections_.emplace_back(key, "");
  sections_.back().second +=
      std::string(static_cast<std::size_t>(indent), ' ') + key + ":" + (value.empty() ? "" : " " + value) + "\n";
}

void ResolvedText::item(int indent, const std::string& item) {
  sections_.back().second += std::string(static_cast<std::size_t>(indent), ' ') + "- " + item + "\n";
}

void ResolvedText::named(int indent, const std::string& key, const std::vector<NamedExpression>& expressions) {
  if (expressions.empty()) return;
  line(indent, key);
  for (const NamedExpression& item : expressions)
    if (const auto [name, text] = as_written(item.name, item.text); !name.empty()) line(indent + 2, name, quoted(text));
}

void ResolvedText::texts(const std::string& section, const std::vector<SourceText>& list) {
  if (list.empty()) return;
  line(0, section);
  for (const SourceText& entry : list)
    if (const std::string text = as_written("-", entry).second; !text.empty()) item(2, quoted(text));
}

std::string ResolvedText::in_order(const KeyTable& keys) const {
  auto ordered = sections_;
  const auto place = [&](const auto& section) { return &keys.known(section.first); };  // the table is one array
  std::stable_sort(ordered.begin(), ordered.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
  std::string text;
  for (const auto& [name, lines] : ordered) text += lines;
  return text;
}

namespace {

void write_names(ResolvedText& text, const Case& the_case) {
  text.line(0, "domain");
  for (const AxisCase& item : the_case.domain) {
    if (item.of_module) continue;
    const Axis& axis = item.axis;
    if (const std::string distribution = distribution_text(item); !distribution.empty()) {
      text.line(2, axis.name, distribution);
      continue;
    }
    text.line(2, axis.name,
              fmt::format("{{range: {}, map: {}{}}}", number_list({axis.lower, axis.upper}, 4),
                          word_of(kMapWords, axis.map), item.basis == kChebyshev ? "" : ", basis: " + item.basis));
  }
  if (!the_case.constants.empty()) text.line(0, "constants");
  for (const expression::Constant& constant : the_case.constants)
    text.line(2, constant.name, number_text(constant.value));
  if (!the_case.unknowns.empty() && the_case.unknowns.front().of_module) return;
  text.line(0, "unknowns");
  for (const UnknownCase& unknown : the_case.unknowns) {
    std::string dims;
    for (const std::string& dim : unknown.dims) dims += (dims.empty() ? "" : ", ") + dim;
    if (unknown.vector.empty()) {
      text.item(2, fmt::format("{{name: {}, dims: [{}]}}", unknown.name, dims));
      continue;
    }
    const expression::VectorSymbol& symbol = *find_vector(the_case, unknown.vector);
    if (unknown.name != expression::component_name(unknown.vector, symbol.components().front())) continue;
    const std::string vector = symbol.axes.empty() ? "" : fmt::format(", vector: [{}]", fmt::join(symbol.axes, ", "));
    text.item(2, fmt::format("{{name: {}, dims: [{}]{}{}}}", unknown.vector, dims, vector,
                             symbol.is_complex ? ", complex: true" : ""));
  }
}

void write_solver(ResolvedText& text, const Case& the_case) {
  text.line(0, "solver");
  text.line(2, "newton");
  text.line(4, "tolerance", number_text(the_case.solver.newton.tolerance));
  text.line(4, "max_iterations", std::to_string(the_case.solver.newton.max_iterations));
  text.line(4, "globalisation", word_of(kGlobalisationWords, the_case.solver.newton.globalisation));
  text.line(2, "linear", word_of(kLinearSolverWords, the_case.solver.linear));
  text.line(2, "predictor", word_of(kPredictorWords, the_case.solver.predictor));
  text.line(2, "product", word_of(kProductWords, the_case.solver.product));
  text.line(2, "memory", number_text(the_case.solver.memory_gb));
  text.line(0, "backend", word_of(kBackendWords, the_case.backend));
}

void write_verification(ResolvedText& text, const Case& the_case) {
  const Case::Verification& verification = the_case.verification;
  text.line(0, "verification");
  text.line(2, "tolerance", number_text(verification.tolerance));
  text.line(2, "tail", number_text(verification.tail));
  text.line(2, "residual", number_text(verification.residual));
  text.line(2, "estimate", word_of(kEstimateWords, verification.estimate));
  text.line(2, "after_loss", word_of(kAfterLossWords, verification.after_loss));
  if (!verification.values.empty()) text.line(2, "values");
  for (const ReferenceValue& value : verification.values) {
    std::string at;
    for (const auto& [axis, coordinate] : value.at)
      at += fmt::format("{}{}: {}", at.empty() ? "" : ", ", axis, number_text(coordinate));
    text.item(4, "expr: " + quoted(value.expr.text));
    text.line(6, "at", "{" + at + "}");
    text.line(6, "value", number_text(value.value));
  }
}

void write_output(ResolvedText& text, const Case& the_case) {
  text.line(0, "output");
  text.line(2, "file", quoted(the_case.output.file));
  text.line(2, "grid");
  for (const GridAxis& grid : the_case.output.grid)
    text.line(4, grid.axis, grid.count > 0 ? std::to_string(grid.count) : number_list(grid.points, 6));
  text.named(2, "fields", the_case.output.fields);
  if (the_case.output.fields.empty()) text.line(2, "fields", "{}");
  text.line(2, "error", word_of(kErrorFieldsWords, the_case.output.error));
  text.line(2, "statistics", word_of(kStatisticsWords, the_case.output.statistics));
  text.line(2, "coefficients", word_of(kCoefficientsWords, the_case.output.coefficients));
}

void write_quantities(ResolvedText& text, const std::string& section, const Quantities::Texts& texts) {
  if (texts.empty()) return;
  text.line(0, section);
  for (const auto& [name, words] : texts) text.line(2, name, quoted(words));
}

void write_convergence(ResolvedText& text, const Case& the_case) {
  const Case::Convergence& convergence = the_case.convergence;
  text.line(0, "convergence");
  if (!convergence.vary.empty()) text.line(2, "vary");
  for (const VariedKey& varied : convergence.vary) {
    std::string values;
    for (const std::string& value : varied.values) values += (values.empty() ? "" : ", ") + value;
    text.line(4, quoted(varied.key), "[" + values + "]");
  }
  text.line(2, "measure", convergence.measure);
  text.line(2, "least_order", number_text(convergence.least_order));
  text.line(2, "least_rate", number_text(convergence.least_rate));
}

}  // namespace

std::string resolve_text(const CaseFormat& format, const Case& the_case) {
  ResolvedText text;
  text.line(0, "schema", std::to_string(the_case.schema));
  text.line(0, "problem", the_case.module);
  text.line(0, "title", quoted(the_case.title));
  write_names(text, the_case);
  write_data(text, the_case);
  text.named(0, "definitions", the_case.definitions);
  text.texts("boundary", the_case.boundary);
  text.named(0, "exact", the_case.exact);
  format.module(the_case.module).write(text, the_case);
  write_solver(text, the_case);
  write_verification(text, the_case);
  write_output(text, the_case);
  write_quantities(text, "units", the_case.quantities.units);
  write_quantities(text, "labels", the_case.quantities.labels);
  write_convergence(text, the_case);
  return text.in_order(format.keys());
}

}  // namespace gwrm::casefile
