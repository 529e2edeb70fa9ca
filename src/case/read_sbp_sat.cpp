// sbp_sat: Poisson's equation on a grid of blocks.
#include <fmt/format.h>

#include <algorithm>

#include "case/names.hpp"
#include "case/sections.hpp"
#include "case/values.hpp"

namespace gwrm::casefile {
namespace {

constexpr const char* kProblem = "problem: sbp_sat_poisson";

void check_domain(const Case& result) {
  for (const AxisCase& axis : result.domain)
    if (axis.axis.kind != AxisKind::space || axis.axis.map != MapKind::linear)
      throw_case_error(axis.where, 0, fmt::format("{} has two dimensions of space, equally divided", kProblem));
  if (result.domain.size() != 2)
    throw_case_error(
        result.domain.back().where, 0,
        fmt::format("{} has two dimensions, found {}: x: [0, 1] and y: [0, 1], say", kProblem, result.domain.size()));
  const UnknownCase& unknown = result.unknowns.back();
  if (result.unknowns.size() > 1) throw_case_error(unknown.where, 0, fmt::format("{} has one unknown", kProblem));
  if (unknown.dims.size() != 2)
    throw_case_error(unknown.where, 0, fmt::format("the unknown of {} depends on both dimensions", kProblem));
  if (unknown.name == "flux")
    throw_case_error(unknown.where, 0, "`flux` is the outward flux in boundary conditions: choose another name");
}

void read_mapping(const YamlNode& root, Case& result) {
  SbpSatCase& sbp = result.sbp_sat;
  for (const YamlEntry& entry : entries_at(root, "sbp_sat.mapping")) {
    sbp.mapping.push_back({entry.key.text, entry.value.mark.where()});
    for (const AxisCase& axis : result.domain)
      if (axis.axis.name == entry.key.text)
        entry.key.fail(
            fmt::format("`{}` is a dimension of the domain already: name the dimensions r and s, say", entry.key.text));
    for (const expression::Constant& constant : result.constants)
      if (constant.name == entry.key.text) entry.key.fail(fmt::format("`{}` is a constant", entry.key.text));
    if (result.unknowns.front().name == entry.key.text)
      entry.key.fail(fmt::format("`{}` is the unknown", entry.key.text));
  }
  if (!sbp.mapping.empty()) return;
  for (const AxisCase& axis : result.domain)
    if (axis.axis.name != "x" && axis.axis.name != "y")
      throw_case_error(
          axis.where, 0,
          fmt::format("the dimension `{}` needs sbp_sat.mapping with x and y as expressions of it, or call "
                      "the dimensions x and y",
                      axis.axis.name));
}

void read_blocks(const YamlNode& root, Case& result) {
  SbpSatCase& sbp = result.sbp_sat;
  const std::vector<std::string> axes = axis_names(result);
  for (const AxisCase& axis : result.domain) sbp.edges.push_back({axis.axis.lower, axis.axis.upper});
  for (const YamlEntry& entry : entries_at(root, "sbp_sat.blocks")) {
    check_known(entry.key, axes, "dimension");
    const auto d = static_cast<std::size_t>(std::find(axes.begin(), axes.end(), entry.key.text) - axes.begin());
    const Axis& axis = result.domain[d].axis;
    std::vector<double> edges = numbers_of(entry.value, "sbp_sat.blocks.*", result.constants);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      edges[i] = coordinate_on(axis, edges[i], entry.value.items[i]);
      if (i > 0 && !(edges[i] > edges[i - 1])) entry.value.items[i].mark.fail("the edges of blocks must increase");
    }
    if (edges.front() != axis.lower || edges.back() != axis.upper)
      entry.key.fail(fmt::format("the blocks must fill `{}` from {} to {}: these are the first and the last edge",
                                 axis.name, axis.lower, axis.upper));
    sbp.edges[d] = edges;
  }
}

std::vector<int> intervals_of(const YamlNode& node, const std::string& key, std::size_t n_blocks,
                              const Constants& constants) {
  if (node.is_scalar()) return std::vector<int>(n_blocks, integer_of(node, key, constants));
  std::vector<int> counts;
  for (const YamlNode& item : node.items) counts.push_back(integer_of(item, key + "[]", constants));
  if (counts.size() != n_blocks)
    node.mark.fail(fmt::format("{} numbers of intervals for {} block{} (sbp_sat.blocks)", counts.size(), n_blocks,
                               n_blocks == 1 ? "" : "s"));
  return counts;
}

void read_intervals(const YamlNode& root, Case& result) {
  SbpSatCase& sbp = result.sbp_sat;
  const YamlNode& node = *root.find_path("sbp_sat.intervals");
  sbp.intervals_where = root.find("sbp_sat")->find_entry("intervals")->key.where();
  for (std::size_t d = 0; d < result.domain.size(); ++d) {
    const std::size_t n_blocks = sbp.edges[d].size() - 1;
    if (node.is_scalar()) {
      sbp.intervals.push_back(intervals_of(node, "sbp_sat.intervals", n_blocks, result.constants));
      continue;
    }
    const std::string& name = result.domain[d].axis.name;
    const YamlNode* own = node.find(name);
    if (own == nullptr) node.mark.fail(fmt::format("the dimension `{0}` needs intervals: {0}: 64, say", name));
    sbp.intervals.push_back(intervals_of(*own, "sbp_sat.intervals.*", n_blocks, result.constants));
  }
  for (const YamlEntry& entry : node.entries) check_known(entry.key, axis_names(result), "dimension");
}

}  // namespace

void read_sbp_sat(const YamlNode& root, Case& result) {
  check_domain(result);
  const Constants& constants = result.constants;
  SbpSatCase& sbp = result.sbp_sat;
  sbp.where = root.find_entry("sbp_sat")->key.where();
  sbp.order = integer_at(root, "sbp_sat.order", constants, sbp.order);
  if (sbp.order % 2 != 0) root.find_path("sbp_sat.order")->mark.fail("the order of accuracy is 2, 4 or 6");
  read_mapping(root, result);
  read_blocks(root, result);
  read_intervals(root, result);
  const YamlNode* coefficient = root.find_path("sbp_sat.coefficient");
  if (coefficient != nullptr && coefficient->is_scalar()) sbp.coefficient.push_back({"c", coefficient->mark.where()});
  if (coefficient != nullptr)
    for (const YamlEntry& entry : coefficient->entries)
      sbp.coefficient.push_back({entry.key.text, entry.value.mark.where()});
  sbp.source = root.find_path("sbp_sat.source")->mark.where();
  sbp.tau = number_at(root, "sbp_sat.tau", constants, sbp.tau);
  const auto place_of = [&](const char* path) {
    const YamlNode* node = root.find_path(path);
    return node == nullptr ? sbp.where : node->mark.where();
  };
  sbp.tau_where = place_of("sbp_sat.tau");
  sbp.solver_where = place_of("sbp_sat.solver");
  sbp.solver = choice_at(root, "sbp_sat.solver", kPoissonSolverWords, sbp.solver);
  sbp.operator_form = choice_at(root, "sbp_sat.operator", kPoissonOperatorWords, sbp.operator_form);
  sbp.reduction = choice_at(root, "sbp_sat.reduction", kReductionWords, sbp.reduction);
  sbp.tolerance = number_at(root, "sbp_sat.tolerance", constants, sbp.tolerance);
  sbp.algebraic_error = number_at(root, "sbp_sat.algebraic_error", constants, sbp.algebraic_error);
  sbp.max_iterations = integer_at(root, "sbp_sat.max_iterations", constants, sbp.max_iterations);
}

}  // namespace gwrm::casefile
