#include "case/declared_equations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <utility>

#include "case/data_section.hpp"
#include "case/dimensions.hpp"
#include "case/key_specs.hpp"
#include "case/names.hpp"
#include "case/number_conditions.hpp"
#include "case/vectors.hpp"

namespace gwrm::casefile {
namespace {

std::string plural(std::size_t n, const std::string& noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

std::string without_blanks(const std::string& text) {
  std::string result;
  std::copy_if(text.begin(), text.end(), std::back_inserter(result), [](char c) { return c != ' '; });
  return result;
}

// "u" -> (u, 0), "dt(u)" -> (u, 1), "dt(u,2)" -> (u, 2).
std::pair<std::string, int> field_and_order(const Marked& key) {
  const std::string text = without_blanks(key.text);
  if (text.rfind("dt(", 0) != 0 || text.back() != ')') return {text, 0};
  const std::string inside = text.substr(3, text.size() - 4);
  const std::size_t comma = inside.find(',');
  if (comma == std::string::npos) return {inside, 1};
  int order = 0;
  const char *begin = inside.data() + comma + 1, *end = inside.data() + inside.size();
  const auto [rest, error] = std::from_chars(begin, end, order);
  if (error != std::errc{} || rest != end || order < 1 || order > 100)
    key.fail(fmt::format("`{}`: expected the order of the derivative, as dt(u,2)", key.text));
  return {inside.substr(0, comma), order};
}

using UnknownsByName = std::map<std::string, const UnknownCase*>;

const UnknownCase& unknown_named(const UnknownsByName& known, const Case& result, const Marked& key,
                                 const std::string& name) {
  if (const auto found = known.find(name); found != known.end()) return *found->second;
  Marked named = key;
  if (!name.empty()) named.text = name;
  check_known(named, unknown_names(result), "unknown");
  named.fail(fmt::format("`{}` names no unknown", named.text));
}

// Where as many equations as unknowns are written, and some are complex: which equation is not what it is meant to be.
std::string complex_cure(const Case& result, bool are_missing) {
  std::vector<const SourceText*> texts;
  for (const SourceText& text : result.equations) texts.push_back(&text);
  const auto is_first = [&](std::size_t i) { return texts[i]->component.empty() || !texts[i]->whole.empty(); };
  std::size_t n_written = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) n_written += is_first(i) ? 1 : 0;
  std::set<std::string> unknowns;
  for (const UnknownCase& unknown : result.unknowns)
    unknowns.insert(unknown.vector.empty() ? unknown.name : unknown.vector);
  if (!result.symbols().has_complex() || n_written != unknowns.size()) return {};
  if (!are_missing) return "; a complex equation is two, one of the real and one of the imaginary parts";
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const bool stands_alone = is_first(i) && (i + 1 == texts.size() || is_first(i + 1));
    if (!stands_alone) continue;
    const std::string name = statement_name("equation", texts, i);
    return fmt::format("; {} has no {} part, and a complex unknown needs a complex equation",
                       name.substr(0, name.find(',')), texts[i]->component == "im" ? "real" : "imaginary");
  }
  return {};
}

}  // namespace

void check_equation_count(const CaseTree& file, const Case& result) {
  const std::size_t n_equations = result.equations.size(), n_unknowns = result.unknowns.size();
  if (n_equations == n_unknowns) return;
  const std::string cure = n_equations < n_unknowns ? plural(n_unknowns - n_equations, "equation") + " missing"
                                                    : plural(n_equations - n_unknowns, "equation") + " too many";
  file.root.find_entry("equations")
      ->key.fail(fmt::format("{} for {} ({}): {}{}", plural(n_equations, "equation"), plural(n_unknowns, "unknown"),
                             fmt::join(unknown_names(result), ", "), cure,
                             complex_cure(result, n_equations < n_unknowns)));
}

namespace {

void read_initial(const CaseTree& file, Case& result) {
  const bool has_time = !result.domain.empty() && result.domain.front().axis.kind == AxisKind::time;
  UnknownsByName known;
  for (const UnknownCase& unknown : result.unknowns) {
    known.emplace(unknown.name, &unknown);
    if (!unknown.vector.empty()) known.emplace(unknown.vector, &unknown);  // the first component for all of them
  }
  std::map<std::pair<std::string, int>, SourceText> given;
  for (const YamlEntry& entry : entries_at(file.root, "initial")) {
    if (!has_time) entry.key.fail("initial values need the dimension t in `domain`");
    const auto [name, order] = field_and_order(entry.key);
    for (const char* part : {"toroidal", "poloidal", "x", "y", "z", "r", "theta", "phi"})
      if (entry.value.find(part) != nullptr)
        entry.value.mark.fail("maps of parts are for the vector fields of problem: ball: give an expression");
    const UnknownCase& unknown = unknown_named(known, result, entry.key, name);
    if (std::find(unknown.dims.begin(), unknown.dims.end(), "t") == unknown.dims.end())
      entry.key.fail(fmt::format("`{}` does not depend on t and has no initial value", name));
    const auto [other, is_new] = given.emplace(std::pair{name, order}, entry.key.where());
    if (!is_new)
      entry.key.fail(fmt::format("`{}` means the same as `{}` in line {}", entry.key.text, other->second.text,
                                 other->second.line));
    const expression::VectorSymbol* vector = find_vector(result, name);
    if (vector != nullptr) refuse_file(entry.value, *vector);
    if (vector != nullptr && entry.value.is_sequence()) {
      for (const NamedExpression& part : components_in_list(entry.value, *vector))
        result.initial.push_back({part.name, order, part.text, entry.key.where()});
      continue;
    }
    refuse_list(entry.value, "initial." + entry.key.text);
    const std::string data = "initial_" + name + (order == 0 ? "" : fmt::format("_{}", order));
    result.initial.push_back(
        {name, order, expression_or_data(file, entry.value, "initial.*", data, result), entry.key.where()});
    if (entry.value.is_map()) result.data.back().at_one_time = true;
  }
}

}  // namespace

std::vector<KeySpec> declared_equations_keys() {
  using namespace keys;
  std::vector<KeySpec> specs = {
      behind("unknowns", list("equations", 1, kMaxItems,
                              "As many equations as unknowns, each with one '='; conditions of unknown numbers "
                              "may also be written under `boundary`.",
                              true)),
      formula("equations[]", "An equation."),
  };
  for (KeySpec& spec : initial_keys()) specs.push_back(std::move(spec));
  specs.push_back(
      behind("exact", map("guess", "Where the Newton iteration starts for fields without an initial value.")));
  specs.push_back(or_list(or_map(formula("guess.*",
                                         "Starting value of this field, or a map that names a file; of a vector a list "
                                         "of its components; 0 where none is given.")),
                          1, kMaxItems));
  specs.push_back(formula("guess.*[]", "A component."));
  for (KeySpec& spec : data_keys("guess.*")) specs.push_back(std::move(spec));
  return specs;
}

std::vector<KeySpec> initial_keys() {
  using namespace keys;
  std::vector<KeySpec> specs = {
      behind("unknowns", map("initial", "Initial values at the lower end of t.")),
      or_list(or_map(formula(
                  "initial.*",
                  "Initial value of the field u (key u) or of its time derivatives (keys \"dt(u)\", \"dt(u,2)\"), or "
                  "a map that names a file; of a vector a list of its components; of a vector field of problem: ball a "
                  "map of its parts.")),
              1, kMaxItems),
      formula("initial.*[]", "A component."),
      map("initial.*.toroidal", "Of curl(T Y r): a map of harmonics."),
      formula("initial.*.toroidal.*", "T(r) of the harmonic \"l,m\" (cosine) or \"l,-m\" (sine)."),
      map("initial.*.poloidal", "Of curl curl(P Y r): a map of harmonics."),
      formula("initial.*.poloidal.*", "P(r) of the harmonic \"l,m\" (cosine) or \"l,-m\" (sine)."),
  };
  for (const char* component : {"x", "y", "z", "r", "theta", "phi"})
    specs.push_back(
        formula(std::string("initial.*.") + component, "A component of a vector field, without divergence."));
  for (KeySpec& spec : data_keys("initial.*")) specs.push_back(std::move(spec));
  return specs;
}

void read_declared_equations(const CaseTree& file, Case& result) {
  for (const YamlNode& node : items_at(file.root, "equations")) result.equations.push_back(node.mark.where());
  // Equations of vectors are several, and conditions of numbers may be missing: expand_vectors() counts them.
  if (result.vectors.empty() && result.definitions.empty() && !may_have_conditions_of_numbers(result))
    check_equation_count(file, result);
  read_initial(file, result);
  read_expressions_of_unknowns(file, "guess", result, result.guess);
}

void write_declared_equations(ResolvedText& text, const Case& the_case) {
  text.texts("equations", the_case.equations);
  if (!the_case.initial.empty()) text.line(0, "initial");
  for (const InitialCase& initial : the_case.initial) {
    const auto [field, value] = as_written(initial.field, initial.text);
    if (field.empty()) continue;
    const std::string key = initial.order == 0   ? field
                            : initial.order == 1 ? fmt::format("dt({})", field)
                                                 : fmt::format("dt({},{})", field, initial.order);
    text.line(2, quoted(key), quoted(value));
  }
  text.named(0, "guess", the_case.guess);
}

}  // namespace gwrm::casefile
