#include "problems/time_spectral/eigenvalue_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "case/key_specs.hpp"
#include "case/names.hpp"
#include "case/words.hpp"
#include "problems/time_spectral/time_spectral_section.hpp"

namespace gwrm {

using namespace casefile;

namespace {

constexpr double kMostModes = 1000;

constexpr Words<WhichModes, 3> kWhichWords{{{"smallest_magnitude", WhichModes::smallest_magnitude},
                                            {"nearest", WhichModes::nearest},
                                            {"largest_real", WhichModes::largest_real}}};

// "0.5", "0.5+0.1i", "-2i"
std::optional<std::complex<double>> complex_number(std::string text) {
  std::erase(text, ' ');
  double parts[2] = {0.0, 0.0};
  bool given[2] = {false, false};
  const char *at = text.data(), *const end = text.data() + text.size();
  while (at != end) {
    double sign = 1.0;
    if (*at == '+' || *at == '-') sign = *at++ == '-' ? -1.0 : 1.0;
    double value = 1.0;
    const auto [rest, error] = std::from_chars(at, end, value);
    const bool bare = error != std::errc{};  // "i" alone
    if (bare && (at == end || *at != 'i')) return {};
    if (!bare) at = rest;
    const std::size_t part = at != end && *at == 'i' ? 1 : 0;
    if (part == 1) ++at;
    if (given[part] || (at != end && *at != '+' && *at != '-')) return {};
    given[part] = true;
    parts[part] = sign * value;
  }
  if (!given[0] && !given[1]) return {};
  return std::complex<double>(parts[0], parts[1]);
}

void check_domain(const Case& result, const CaseTree& file, const Marked& place) {
  std::string parameter;
  for (const AxisCase& axis : result.domain) {
    if (axis.axis.kind == AxisKind::time)
      place.fail("`eigenvalue` and the dimension t do not go together: with u = exp(lam*t) v write lam*v for dt(u)");
    if (axis.axis.kind != AxisKind::parameter) continue;
    if (!parameter.empty())
      place.fail(
          fmt::format("eigenvalues are curves over one parameter, and here are `{0}` and `{1}`: make `{1}` a constant, "
                      "and let gwrm "
                      "sweep vary it",
                      parameter, axis.axis.name));
    parameter = axis.axis.name;
  }
  const YamlEntry* critical = file.root.find_entry("critical");
  if (critical != nullptr && !parameter.empty())
    critical->key.fail(
        fmt::format("`critical` moves constants, and `{0}` is a dimension: make it one, constants: {{{0}: ..}}, with "
                    "`parameter` or "
                    "`minimise_over`, or leave out `critical`",
                    parameter));
  if (result.symbols().has_complex())
    place.fail(
        "`eigenvalue` and a complex unknown do not go together: modes and eigenvalues of real equations are complex "
        "already; where the equations are complex write their real and imaginary parts as two unknowns, and read the "
        "eigenvalues up to their conjugates");
  if (result.continuation.active()) place.fail("`continue` follows solutions, not eigenvalues: leave out either");
  for (const auto* named : {&result.exact, &result.guess})
    if (!named->empty())
      place.fail("eigenvalue problems have neither `exact` nor `guess`: known eigenvalues go to verification.values");
}

void check_name(const Case& result, const Marked& name) {
  check_identifier(name);
  const auto taken = [&](const std::string& other, const char* what) {
    if (other == name.text)
      name.fail(fmt::format("`{}` is {} already: the eigenvalue needs a name of its own", other, what));
  };
  for (const expression::Constant& constant : result.constants) taken(constant.name, "a constant");
  for (const UnknownCase& unknown : result.unknowns) taken(unknown.name, "an unknown");
  for (const AxisCase& axis : result.domain) taken(axis.axis.name, "a dimension");
}

std::complex<double> read_near(const CaseTree& file, const YamlNode& node, const Constants& constants) {
  if (const auto number = complex_number(node.mark.text)) return *number;
  const char last = node.mark.text.empty() ? ' ' : node.mark.text.back();
  if (last != 'i' && last != 'j') return file.number_of(node, "eigenvalue.near", constants);
  node.mark.fail(fmt::format("`{}` is no number: expected one as 0.5 or 0.5+0.1i", node.mark.text));
}

}  // namespace

const EigenvalueCase* eigenvalue_of(const Case& the_case) {
  return dynamic_cast<const EigenvalueCase*>(the_case.section.get());
}

std::vector<KeySpec> eigenvalue_keys() {
  using namespace casefile::keys;
  KeySpec near = number("eigenvalue.near", "Where eigenvalues are sought, real or complex: 0.5+0.1i. Default: 0.");
  near.forms |= form_text;
  return {
      or_map(text("eigenvalue", "The name of the eigenvalue of a linear, homogeneous case, or a map.")),
      text("eigenvalue.name", "What stands for the eigenvalue in equations and conditions.", true),
      choice("eigenvalue.which", "smallest_magnitude", word_list(kWhichWords),
             "Which modes are wanted, and their order: the smallest, those nearest to `near`, or those that grow "
             "fastest. Default with `near`: nearest."),
      near,
      integer("eigenvalue.modes", "6", 1, kMostModes, "How many modes; a complex pair is one."),
      map("critical", "The value of a constant for which the growth of an eigenvalue problem vanishes."),
      text("critical.parameter", "The constant; the search begins at its value.", true),
      text("critical.minimise_over", "Another constant: the smallest critical value over it is sought."),
  };
}

namespace {

std::string read_moved_constant(const CaseTree& file, const Case& result, const YamlNode& node) {
  std::vector<std::string> names;
  for (const expression::Constant& constant : result.constants) names.push_back(constant.name);
  if (names.empty())
    node.mark.fail(
        fmt::format("`{0}` is no constant: say where the search begins, constants: {{{0}: 1}}", node.mark.text));
  check_known(node.mark, names, "constant");
  for (const YamlEntry& entry : entries_at(file.root, "constants"))
    if (uses_name(entry.value.mark.text, node.mark.text))
      entry.value.mark.fail(
          fmt::format("the constant `{}` is made from `{}` and would not change with it: write its "
                      "expression into the equations",
                      entry.key.text, node.mark.text));
  return node.mark.text;
}

void read_critical(const CaseTree& file, Case& result, EigenvalueCase& eigenvalue) {
  const YamlEntry* section = file.root.find_entry("critical");
  if (section == nullptr) return;
  eigenvalue.critical.parameter = read_moved_constant(file, result, *section->value.find("parameter"));
  if (const YamlNode* over = section->value.find("minimise_over")) {
    eigenvalue.critical.minimise_over = read_moved_constant(file, result, *over);
    if (eigenvalue.critical.minimise_over == eigenvalue.critical.parameter)
      over->mark.fail("`minimise_over` and `parameter` are the same constant: name two");
  }
  eigenvalue.which = WhichModes::largest_real;
}

}  // namespace

void read_eigenvalue(const CaseTree& file, Case& result) {
  const YamlEntry* section = file.root.find_entry("eigenvalue");
  if (section == nullptr) {
    if (const YamlEntry* critical = file.root.find_entry("critical"))
      critical->key.fail("`critical` is about the growth of an eigenvalue problem: name the eigenvalue, eigenvalue: s");
    return;
  }
  check_domain(result, file, section->key);
  const YamlNode* name = section->value.is_scalar() ? &section->value : section->value.find("name");
  check_name(result, name->mark);
  const auto read = std::make_shared<EigenvalueCase>();
  result.section = read;
  EigenvalueCase& eigenvalue = *read;
  eigenvalue.name = name->mark.text;
  eigenvalue.where = name->mark.where();
  if (!section->value.is_scalar()) {
    if (const YamlNode* near = section->value.find("near")) {
      eigenvalue.near = read_near(file, *near, result.constants);
      eigenvalue.near_given = true;
      eigenvalue.which = WhichModes::nearest;
    }
    eigenvalue.which = file.choice_at("eigenvalue.which", kWhichWords, eigenvalue.which);
    eigenvalue.modes = file.integer_at("eigenvalue.modes", result.constants, eigenvalue.modes);
  }
  read_critical(file, result, eigenvalue);
}

void write_eigenvalue(ResolvedText& text, const Case& the_case) {
  if (eigenvalue_of(the_case) == nullptr) return;
  const EigenvalueCase& eigenvalue = *eigenvalue_of(the_case);
  text.line(0, "eigenvalue");
  text.line(2, "name", eigenvalue.name);
  text.line(2, "which", word_of(kWhichWords, eigenvalue.which));
  const double re = eigenvalue.near.real(), im = eigenvalue.near.imag();
  if (eigenvalue.near_given)
    text.line(2, "near",
              im == 0.0 ? number_text(re)
                        : quoted(number_text(re) + (im < 0.0 ? "-" : "+") + number_text(std::abs(im)) + "i"));
  text.line(2, "modes", std::to_string(eigenvalue.modes));
  if (!eigenvalue.critical.active()) return;
  text.line(0, "critical");
  text.line(2, "parameter", eigenvalue.critical.parameter);
  if (!eigenvalue.critical.minimise_over.empty()) text.line(2, "minimise_over", eigenvalue.critical.minimise_over);
}

}  // namespace gwrm
