#include "case/shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "expression/parser.hpp"

namespace gwrm::casefile {
namespace {

constexpr unsigned kScalarForms = form_number | form_integer | form_text | form_choice | form_expression;
constexpr unsigned kExpressionForms =
    form_number | form_integer | form_expression;  // text that may hold commas and blanks

std::string expected_text(const KeySpec& spec) {
  std::vector<std::string> forms;
  if (spec.allows(form_number)) forms.emplace_back("a number");
  if (spec.allows(form_integer)) forms.emplace_back("a whole number");
  if (spec.allows(form_text)) forms.emplace_back("text");
  if (spec.allows(form_choice)) forms.push_back(fmt::format("one of {}", fmt::join(spec.choices, ", ")));
  if (spec.allows(form_expression)) forms.emplace_back("an expression (text)");
  if (spec.allows(form_list)) forms.emplace_back("a list [...]");
  if (spec.allows(form_map)) forms.emplace_back("a map (key: value)");
  return fmt::format("{}", fmt::join(forms, " or "));
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back("`" + name + "`");
  return fmt::format("{}", fmt::join(quoted, ", "));
}

// "u.csv", "data/k.nc": where an expression stands, or nothing that holds a file.
bool looks_like_file(const std::string& text) {
  static const char* const kEndings[] = {".csv", ".nc", ".nc4", ".h5", ".hdf5", ".hdf", ".dat", ".txt", ".npy", ".mat"};
  return text.find_first_of(" (*+^=") == std::string::npos &&
         std::any_of(std::begin(kEndings), std::end(kEndings),
                     [&](const char* ending) { return text.ends_with(ending); });
}

std::string at_path(const std::string& path) {
  return path.empty() ? "at the top level" : "in `" + path + "`";
}

// What other programs call the sections of a case.
struct Synonym {
  const char *theirs, *ours;
};
constexpr Synonym kSynonyms[] = {
    {"conditions", "boundary"},
    {"boundary_conditions", "boundary"},
    {"bcs", "boundary"},
    {"bc", "boundary"},
    {"initial_conditions", "initial"},
    {"initial_condition", "initial"},
    {"ics", "initial"},
    {"ic", "initial"},
    {"variables", "unknowns"},
    {"fields", "unknowns"},
    {"pde", "equations"},
    {"params", "constants"},
    {"discretization", "resolution"},
    {"discretisation", "resolution"},
    {"mesh", "resolution"},
    {"coordinates", "domain"},
    {"axes", "domain"},
    {"axis", "domain"},
    {"path", "file"},
    {"filename", "file"},
    {"variable", "dataset"},
    {"var", "dataset"},
    {"column", "dataset"},
    {"coordinates", "dimensions"},
    {"coords", "dimensions"},
    {"rename", "dimensions"},
    {"std", "deviation"},
    {"stdev", "deviation"},
    {"sd", "deviation"},
    {"standard_deviation", "deviation"},
    {"gaussian", "normal"},
    {"log-normal", "lognormal"},
    {"alpha", "a"},
    {"beta", "b"},
    {"min", "range"},
    {"max", "range"},
    {"lower", "range"},
    {"upper", "range"},
};

// Empty if these words have no synonym of it.
std::string called_here(const std::string& name, const std::vector<std::string>& words) {
  for (const auto& [theirs, ours] : kSynonyms)
    if (name == theirs && std::find(words.begin(), words.end(), ours) != words.end())
      return "it is `" + std::string(ours) + "` here";
  return {};
}

// The same by another word; else nearest keys of the same map; else the same word elsewhere in the file; else all that
// is legal here.
std::string suggestion(const KeyTable& keys, const KeySpec& parent, const std::string& name) {
  std::vector<std::string> siblings, elsewhere;
  for (const KeySpec* spec : keys.below(parent))
    if (!spec->is_element() && spec->name() != "*") siblings.push_back(spec->name());
  for (const KeySpec& spec : keys.keys())
    if (!spec.path.empty() && spec.name() == name) elsewhere.push_back(spec.path);
  if (const std::string ours = called_here(name, siblings); !ours.empty()) return ours;
  const std::vector<std::string> near = expression::nearest_names(name, siblings);
  if (!near.empty()) return "did you mean " + quoted_list(near) + "?";
  if (!elsewhere.empty()) {
    const bool section = elsewhere.size() == 1 && elsewhere.front() == name;
    return "did you mean " + quoted_list(elsewhere) + (section ? " at the top level, beside `domain`?" : "?");
  }
  return "known here: " + quoted_list(siblings);
}

class ShapeCheck {
 public:
  ShapeCheck(const YamlNode& root, const KeyTable& keys) : root_(root), keys_(keys), module_(module_of(root)) {}

  void run() {
    check(root_, root_.mark, keys_.known(""), "");
    check_sections();
  }

 private:
  // `key`: where a key that is missing below is told; `path`: as the user would write it.
  void check(const YamlNode& node, const Marked& key, const KeySpec& spec, const std::string& path) {
    check_form(node, spec, path);
    if (node.is_scalar()) check_scalar(node, spec, path);
    if (node.is_sequence()) check_list(node, spec, path);
    if (node.is_map()) check_map(node, key, spec, path);
  }

  void check_form(const YamlNode& node, const KeySpec& spec, const std::string& path) {
    const unsigned forms = node.is_scalar()     ? (spec.forms & kScalarForms)
                           : node.is_sequence() ? (spec.forms & form_list)
                           : node.is_map()      ? (spec.forms & form_map)
                                                : 0u;
    if (forms != 0) return;
    if (path.empty())
      node.mark.fail("a case file is a map of keys (domain, unknowns, equations, ...), found " + describe(node));
    std::string message = fmt::format("`{}`: expected {}, found {}", path, expected_text(spec), describe(node));
    if (spec.allows(form_expression) && !node.is_null())
      message += fmt::format("; YAML reads this text as {}: put quotes around it", node.is_map() ? "a map" : "a list");
    if (node.is_null() && (spec.forms & (form_list | form_map)) != 0)
      message += "; leave the key out if it is not needed";
    else if (node.is_null())
      message += ": " + spec.description;
    if (spec.path == "constants.*" && is_range(node))
      message += "; a parameter with a range or a distribution is a dimension: write it under `domain`";
    if (node.is_scalar() && !node.is_null() && takes_file(spec))
      message += fmt::format("; a file is given as {{file: {}}}", node.mark.text);
    node.mark.fail(message);
  }

  bool takes_file(const KeySpec& spec) const {
    const std::vector<const KeySpec*> below = keys_.below(spec);
    return std::any_of(below.begin(), below.end(), [](const KeySpec* key) { return key->name() == "file"; });
  }

  void check_scalar(const YamlNode& node, const KeySpec& spec, const std::string& path) {
    const std::string& text = node.mark.text;
    if (spec.allows(form_map) && looks_like_file(text) && takes_file(spec))
      node.mark.fail(fmt::format("`{}`: a file is given as {{file: {}}}", path, text));
    if ((spec.forms & kExpressionForms) != 0) check_quoting(node, spec);
    if (node.plain && (spec.forms & (form_number | form_integer)) != 0 && (text == "true" || text == "false"))
      node.mark.fail(fmt::format("`{}`: expected {}, found the truth value {}", path, expected_text(spec), text));
    if ((spec.forms & kExpressionForms) != 0 && text.find_first_not_of(" \t\n") == std::string::npos)
      node.mark.fail(fmt::format("`{}`: expected {}, found empty text", path, expected_text(spec)));
    if (spec.allows(form_choice) && std::find(spec.choices.begin(), spec.choices.end(), text) == spec.choices.end()) {
      const std::string known = fmt::format("{}", fmt::join(spec.choices, ", "));
      const std::vector<std::string> nearest = expression::nearest_names(text, spec.choices);
      const std::string ours = called_here(text, spec.choices),
                        near = !ours.empty()      ? "; " + ours
                               : !nearest.empty() ? "; did you mean " + quoted_list(nearest) + "?"
                                                  : "";
      if (spec.path == "problem")
        node.mark.fail(fmt::format("there is no problem `{}` (known problems: {})", text, known) + near);
      node.mark.fail(fmt::format("`{}`: `{}` is not one of its words; expected one of {}", path, text, known) + near);
    }
  }

  // Plain text that YAML has not taken as it was meant. A comment behind a mere number is no doubt meant as one.
  void check_quoting(const YamlNode& node, const KeySpec& spec) {
    const std::string& text = node.mark.text;
    const bool mere_number = text.find_first_not_of("0123456789.eE+-") == std::string::npos;
    if (node.cut_by_comment && spec.allows(form_expression) && !mere_number)
      node.mark.fail(
          "YAML takes \" #\" behind unquoted text for a comment and cuts the text there: put quotes around the "
          "expression, and a comment behind them");
    const auto count = [&](char c) { return std::count(text.begin(), text.end(), c); };
    if (node.plain && node.in_flow && count('(') != count(')'))
      node.mark.fail("inside [ ] and { } YAML splits unquoted text at commas: put quotes around the expression");
  }

  void check_list(const YamlNode& node, const KeySpec& spec, const std::string& path) {
    const KeySpec& element = keys_.known(spec.path + "[]");
    for (std::size_t i = 0; i < node.items.size(); ++i)
      check(node.items[i], node.items[i].mark, element, fmt::format("{}.{}", path, i));
    const auto n = static_cast<long long>(node.items.size());
    if (n >= spec.min_items && n <= spec.max_items) return;
    const std::string wanted = spec.min_items == spec.max_items ? fmt::format("{}", spec.min_items)
                                                                : fmt::format("at least {}", spec.min_items);
    node.mark.fail(
        fmt::format("`{}`: expected {} element{}, found {}", path, wanted, spec.min_items == 1 ? "" : "s", n));
  }

  void check_map(const YamlNode& node, const Marked& key, const KeySpec& spec, const std::string& path) {
    for (const YamlEntry& entry : node.entries) {
      const std::string& name = entry.key.text;
      const std::string below = path.empty() ? name : path + "." + name;
      const KeySpec* child = keys_.legal(spec, name);
      if (child == nullptr) fail_unknown(entry, spec, path);
      check(entry.value, entry.key, *child, below);
    }
    for (const KeySpec* child : keys_.below(spec)) {
      if (!child->required || child->name() == "*" || node.find(child->name()) != nullptr) continue;
      if (!child->is_read_by(module_)) continue;
      const Marked& place = node.mark.source->is_argument ? node.mark : key;
      place.fail(fmt::format("the key `{}` is missing {}: {}", child->name(), at_path(path), child->description));
    }
  }

  // A section that this module would not read is a mistake.
  void check_sections() const {
    for (const YamlEntry& entry : root_.entries) {
      const KeySpec& spec = keys_.known(entry.key.text);
      if (!spec.is_read_by(module_))
        entry.key.fail(fmt::format("`{}` belongs to problem: {}, and this case has problem: {}", entry.key.text,
                                   fmt::join(spec.modules, " or "), module_));
    }
  }

  // As the file has it; whether it is a known one is checked with all other values.
  std::string module_of(const YamlNode& root) const {
    const YamlNode* node = root.is_map() ? root.find("problem") : nullptr;
    return node != nullptr && node->is_scalar() ? node->mark.text : keys_.known("problem").default_value;
  }

  // What takes a range, or a distribution, is a dimension, wherever another program would have it.
  static bool is_range(const YamlNode& value) {
    if (value.is_map()) return value.find("range") != nullptr || value.find("distribution") != nullptr;
    return value.is_sequence() && value.items.size() == 2;
  }

  [[noreturn]] void fail_unknown(const YamlEntry& entry, const KeySpec& parent, const std::string& path) {
    const Marked& key = entry.key;
    std::string message =
        fmt::format("unknown key `{}` {}; {}", key.text, at_path(path), suggestion(keys_, parent, key.text));
    if (parent.path == "unknowns[]") message += "; an unknown is written u, or {name: u, vector: [x, y]}";
    if (parent.path == "parameters" && is_range(entry.value))
      message += fmt::format("; a parameter with a range is a dimension: write `{}` under `domain`", key.text);
    else if (parent.path == "parameters" && entry.value.is_scalar())
      message += "; a parameter with one value is a constant: write it under `constants`";
    key.fail(message);
  }

  const YamlNode& root_;
  const KeyTable& keys_;
  const std::string module_;
};

}  // namespace

void check_shape(const YamlNode& root, const KeyTable& keys) {
  ShapeCheck(root, keys).run();
}

}  // namespace gwrm::casefile
