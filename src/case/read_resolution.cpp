// resolution: degrees, windows in time and subdomains in space, or the accuracy from which the program chooses them.
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

[[noreturn]] void fail_without_degrees(const YamlEntry& resolution) {
  const Marked& place = resolution.value.mark.source->is_argument ? resolution.value.mark : resolution.key;
  place.fail(
      "the key `degree` is missing in `resolution`: give the highest polynomial degree of every dimension, as "
      "degree: {t: 12, x: 24}, or give resolution.tolerance instead");
}

void read_degrees(const YamlNode& root, Case& result) {
  const YamlEntry& resolution = *root.find_entry("resolution");
  const YamlEntry* degrees = resolution.value.find_entry("degree");
  const bool automatic = result.resolution.automatic();
  if (degrees == nullptr && !automatic) fail_without_degrees(resolution);
  for (AxisCase& axis : result.domain) axis.degree = -1;
  for (const YamlEntry& entry : entries_at(root, "resolution.degree")) {
    AxisCase& axis = axis_case(result, entry.key);
    axis.degree = read_degree(entry.value, "resolution.degree.*", axis.axis, result.constants);
  }
  for (const AxisCase& axis : result.domain)
    if (axis.degree < 0 && !automatic)
      degrees->key.fail(fmt::format(
          "the dimension `{0}` needs a degree: {0}: 16, say, or give resolution.tolerance instead", axis.axis.name));
}

void read_limits(const YamlNode& root, Case& result) {
  Case::Resolution& resolution = result.resolution;
  const auto limit = [&](const std::string& name, int fallback) {
    return integer_at(root, "resolution.limits." + name, result.constants, fallback);
  };
  resolution.max_windows = limit("windows", resolution.max_windows);
  resolution.max_domains = limit("domains", resolution.max_domains);
  resolution.max_degree = limit("degree", resolution.max_degree);
}

void read_first_window(const YamlNode& root, Case& result) {
  const YamlNode* node = root.find_path("resolution.first_window");
  if (node == nullptr) return;
  const double length = number_of(*node, "resolution.first_window", result.constants);
  result.resolution.first_window = length;
  if (length == 0.0) return;
  const Axis& first = result.domain.front().axis;
  if (!result.resolution.automatic())
    node->mark.fail("first_window is for automatic runs: give resolution.tolerance, or the windows as domains: {t: 8}");
  if (first.kind != AxisKind::time) node->mark.fail("first_window needs the dimension t in `domain`");
  if (length > first.upper - first.lower)
    node->mark.fail(
        fmt::format("a first window of {} is longer than all of `t`, {}", length, first.upper - first.lower));
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

void check_division(const AxisCase& axis, const YamlNode& node, const Case::Resolution& resolution) {
  const Axis& dimension = axis.axis;
  const int n = static_cast<int>(axis.edges.size()) - 1;
  if (dimension.kind == AxisKind::parameter && n > 1)
    node.mark.fail(fmt::format("parameter subdomains are not available: leave `{}` undivided and raise its degree",
                               dimension.name));
  const bool in_time = dimension.kind == AxisKind::time;
  const int most = in_time ? resolution.max_windows : resolution.max_domains;
  if (resolution.automatic() && n > most)
    node.mark.fail(
        fmt::format("an automatic run that starts from {} {} of `{}` is above its limit of {}: raise "
                    "resolution.limits.{}",
                    n, in_time ? "windows" : "subdomains", dimension.name, most, in_time ? "windows" : "domains"));
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
  Case::Resolution& resolution = result.resolution;
  resolution.tolerance = number_at(root, "resolution.tolerance", result.constants, resolution.tolerance);
  read_degrees(root, result);
  read_limits(root, result);
  read_first_window(root, result);
  for (const YamlEntry& entry : entries_at(root, "resolution.domains")) {
    AxisCase& axis = axis_case(result, entry.key);
    axis.edges = read_edges(entry.value, axis.axis, result.constants);
    check_division(axis, entry.value, resolution);
  }
}

}  // namespace gwrm::casefile
