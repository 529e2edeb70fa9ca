// resolution: a degree for each dimension, windows in time; convergence: the degrees to vary.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "case/names.hpp"
#include "case/sections.hpp"
#include "case/values.hpp"

namespace gwrm::casefile {
namespace {

int read_degree(const YamlNode& node, const std::string& key, const Axis& axis, const Constants& constants) {
  const int degree = integer_of(node, key, constants);
  if (axis.kind == AxisKind::time && degree < 1) node.mark.fail("the degree in t must be at least 1");
  return degree;
}

void read_degrees(const YamlNode& root, Case& result) {
  const YamlEntry& degrees = *root.find("resolution")->find_entry("degree");
  for (const YamlEntry& entry : degrees.value.entries) {
    AxisCase& axis = axis_case(result, entry.key);
    axis.degree = read_degree(entry.value, "resolution.degree.*", axis.axis, result.constants);
  }
  for (const AxisCase& axis : result.domain)
    if (degrees.value.find(axis.axis.name) == nullptr)
      degrees.key.fail(fmt::format("the dimension `{}` needs a degree: {}: 16, say", axis.axis.name, axis.axis.name));
}

std::vector<double> read_edges(const YamlNode& node, const Axis& axis, const Constants& constants) {
  if (node.is_scalar()) {
    const std::vector<double> edges = equal_parts(axis, integer_of(node, "resolution.domains.*", constants));
    for (std::size_t i = 1; i < edges.size(); ++i)
      if (!(edges[i] > edges[i - 1]))
        node.mark.fail(fmt::format("the interval of `{}` is too short for so many parts", axis.name));
    return edges;
  }
  std::vector<double> edges = numbers_of(node, "resolution.domains.*", constants);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    edges[i] = coordinate_on(axis, edges[i], node.items[i]);
    if (i > 0 && !(edges[i] > edges[i - 1])) node.items[i].mark.fail("edges must increase");
  }
  if (edges.front() != axis.lower)
    node.items.front().mark.fail(
        fmt::format("the first edge must be the lower end of `{}`, {}", axis.name, axis.lower));
  if (edges.back() != axis.upper)
    node.items.back().mark.fail(fmt::format("the last edge must be the upper end of `{}`, {}", axis.name, axis.upper));
  return edges;
}

}  // namespace

std::vector<double> equal_parts(const Axis& axis, int n) {
  std::vector<double> edges(static_cast<std::size_t>(n) + 1);
  for (int i = 0; i <= n; ++i) {
    const double s = static_cast<double>(i) / n;
    edges[static_cast<std::size_t>(i)] = axis.map == MapKind::log ? axis.lower * std::pow(axis.upper / axis.lower, s)
                                                                  : axis.lower + (axis.upper - axis.lower) * s;
  }
  edges.front() = axis.lower;
  edges.back() = axis.upper;
  return edges;
}

void read_resolution(const YamlNode& root, Case& result) {
  read_degrees(root, result);
  for (const YamlEntry& entry : entries_at(root, "resolution.domains")) {
    AxisCase& axis = axis_case(result, entry.key);
    axis.edges = read_edges(entry.value, axis.axis, result.constants);
    if (axis.edges.size() == 2 || axis.axis.kind == AxisKind::time) continue;
    const std::string what = axis.axis.kind == AxisKind::space ? "space" : "parameter";
    entry.value.mark.fail(what + " subdomains are not available in this version: leave `" + axis.axis.name +
                          "` undivided");
  }
}

void read_convergence(const YamlNode& root, Case& result) {
  for (const YamlEntry& entry : entries_at(root, "convergence.vary")) {
    const Axis& axis = axis_case(result, entry.key).axis;
    std::vector<int> degrees;
    for (const YamlNode& item : entry.value.items)
      degrees.push_back(read_degree(item, "convergence.vary.*[]", axis, result.constants));
    result.convergence.vary.emplace_back(axis.name, degrees);
  }
}

}  // namespace gwrm::casefile
