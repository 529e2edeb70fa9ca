// verification and output: what the answer is held against, and what is written.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "case/choices.hpp"
#include "case/dimensions.hpp"
#include "case/names.hpp"
#include "case/sections.hpp"

namespace gwrm::casefile {
namespace {

ReferenceValue read_value(const CaseTree& file, const YamlNode& node, Case& result) {
  ReferenceValue reference;
  reference.expr = node.find("expr")->mark.where();
  const std::vector<std::string> of_result =
      result.section != nullptr ? result.section->dimensions_of_result() : std::vector<std::string>();
  for (const YamlEntry& entry : entries_at(node, "at")) {
    const double value = file.number_of(entry.value, "verification.values[].at.*", result.constants);
    if (std::find(of_result.begin(), of_result.end(), entry.key.text) != of_result.end()) {
      reference.at.emplace_back(entry.key.text, value);
      continue;
    }
    const Axis& axis = axis_case(result, entry.key).axis;
    reference.at.emplace_back(axis.name, coordinate_on(axis, value, entry.value));
  }
  reference.value = file.number_of(*node.find("value"), "verification.values[].value", result.constants);
  return reference;
}

int default_grid_count(const std::vector<AxisCase>& domain, const Axis& axis) {
  const auto n_space = std::count_if(domain.begin(), domain.end(),
                                     [](const AxisCase& other) { return other.axis.kind == AxisKind::space; });
  switch (axis.kind) {
    case AxisKind::time:
      return 41;
    case AxisKind::parameter:
      return 9;
    case AxisKind::space:
    case AxisKind::arc_length:  // of a branch: its points
    case AxisKind::mode:
      break;
  }
  return n_space == 1 ? 101 : 33;
}

GridAxis read_grid_axis(const CaseTree& file, const YamlNode* node, const AxisCase& axis, const Case& result) {
  GridAxis grid;
  grid.axis = axis.axis.name;
  if (node == nullptr) {
    grid.count = default_grid_count(result.domain, axis.axis);
  } else if (node->is_scalar()) {
    grid.count = file.integer_of(*node, "output.grid.*", result.constants);
  } else {
    grid.points = file.numbers_of(*node, "output.grid.*", result.constants);
    for (std::size_t i = 0; i < grid.points.size(); ++i) {
      grid.points[i] = coordinate_on(axis.axis, grid.points[i], node->items[i]);
      if (i > 0 && !(grid.points[i] > grid.points[i - 1])) node->items[i].mark.fail("the points must increase");
    }
  }
  return grid;
}

// Fields become datasets beside the dimensions and the groups of the result file.
void check_field_name(const SourceText& name, const Case& result) {
  const std::vector<std::string> axes = axis_names(result);
  if (std::find(axes.begin(), axes.end(), name.text) != axes.end())
    throw_case_error(name, 0,
                     fmt::format("the output field `{}` has the name of a dimension: choose another", name.text));
  if (name.text == result.continuation.parameter)
    throw_case_error(name, 0, fmt::format("`{}` is the dimension of the branch: choose another name", name.text));
  static constexpr std::array groups = {"coefficients", "newton", "statistics", "verification", "windows"};
  if (std::find(groups.begin(), groups.end(), name.text) != groups.end())
    throw_case_error(name, 0, fmt::format("`{}` is a group of the result file: choose another name", name.text));
}

// The names of the errors are the program's.
void check_error_names(const Case& result) {
  for (const NamedExpression& field : result.output.fields) {
    const std::string name = error_field_name(field.name);
    const std::string taken =
        fmt::format("output: {{error: on}} stores the error of `{}` as `{}`: choose another name", field.name, name);
    for (const NamedExpression& other : result.output.fields)
      if (other.name == name) throw_case_error(other.text, 0, taken);
    for (const AxisCase& axis : result.domain)
      if (axis.axis.name == name) throw_case_error(field.text, 0, taken);
  }
}

std::string default_file(const std::string& path) {
  const std::string stem = std::filesystem::path(path).stem().string();
  return (stem.empty() ? "case" : stem) + ".h5";
}

std::string read_file_name(const CaseTree& file, const Case& result) {
  const YamlNode* node = file.root.find_path("output.file");
  if (node == nullptr) return default_file(result.path);
  const std::string& name = node->mark.text;
  const bool has_control =
      std::any_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  if (name.empty() || has_control) node->mark.fail("`output.file`: expected a file name");
  return name;
}

// Those that no field has the name of.
void add_unknowns(Case& result) {
  std::vector<NamedExpression>& fields = result.output.fields;
  for (const UnknownCase& unknown : result.unknowns) {
    const auto bears_its_name = [&](const NamedExpression& field) { return field.name == unknown.name; };
    if (std::any_of(fields.begin(), fields.end(), bears_its_name)) continue;
    check_field_name(unknown.where, result);
    fields.push_back({unknown.name, unknown.where});
  }
}

ErrorFieldsChoice read_error_choice(const CaseTree& file, const Case& result) {
  const ErrorFieldsChoice choice = file.choice_at("output.error", kErrorFieldsWords, result.output.error);
  if (choice == ErrorFieldsChoice::on && result.verification.estimate == EstimateChoice::off)
    file.root.find_path("output.error")
        ->mark.fail("errors are not estimated with verification: {estimate: off}: take one of the two out");
  return choice;
}

void read_what_is_stored(const CaseTree& file, Case::Output& output) {
  output.statistics = file.choice_at("output.statistics", kStatisticsWords, output.statistics);
  output.coefficients = file.choice_at("output.coefficients", kCoefficientsWords, output.coefficients);
  const YamlNode* fields = file.root.find_path("output.fields");
  const bool no_fields = fields != nullptr && fields->entries.empty();
  if (output.coefficients == CoefficientsChoice::none && no_fields)
    file.root.find_path("output.coefficients")
        ->mark.fail("without coefficients and without output.fields nothing would be kept: name a field");
}

}  // namespace

void read_verification(const CaseTree& file, Case& result) {
  Case::Verification& verification = result.verification;
  // What a run was asked to meet is what it is held against.
  if (result.resolution.automatic()) {
    verification.tolerance = result.resolution.tolerance;
    verification.tail = std::max(verification.tail, result.resolution.tolerance);
  }
  verification.tolerance = file.number_at("verification.tolerance", result.constants, verification.tolerance);
  verification.tolerance_given =
      result.resolution.automatic() || file.root.find_path("verification.tolerance") != nullptr;
  verification.tail = file.number_at("verification.tail", result.constants, verification.tail);
  verification.residual = file.number_at("verification.residual", result.constants, verification.residual);
  verification.estimate = file.choice_at("verification.estimate", kEstimateWords, verification.estimate);
  verification.after_loss = file.choice_at("verification.after_loss", kAfterLossWords, verification.after_loss);
  for (const YamlNode& node : items_at(file.root, "verification.values"))
    verification.values.push_back(read_value(file, node, result));
}

void read_output(const CaseTree& file, Case& result) {
  result.output.file = read_file_name(file, result);
  read_what_is_stored(file, result.output);
  result.output.error = read_error_choice(file, result);

  for (const YamlEntry& entry : entries_at(file.root, "output.grid"))
    check_known(entry.key, axis_names(result), "dimension");
  const YamlNode* grid = file.root.find_path("output.grid");
  for (const AxisCase& axis : result.domain)
    result.output.grid.push_back(
        read_grid_axis(file, grid == nullptr ? nullptr : grid->find(axis.axis.name), axis, result));

  for (const YamlEntry& entry : entries_at(file.root, "output.fields")) {
    check_identifier(entry.key);
    check_field_name(entry.key.where(), result);
    result.output.fields.push_back({entry.key.text, entry.value.mark.where()});
  }
  const bool with_errors = result.output.error == ErrorFieldsChoice::on;
  if (file.root.find_path("output.fields") == nullptr || with_errors) add_unknowns(result);
  if (with_errors) check_error_names(result);
}

}  // namespace gwrm::casefile
