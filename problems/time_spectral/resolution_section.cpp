#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "case/dimensions.hpp"
#include "case/key_specs.hpp"
#include "problems/time_spectral/time_spectral_section.hpp"

namespace gwrm {

using namespace casefile;

namespace {

constexpr double kMaxDegree = 100000;
constexpr double kMaxWindows = 100000;
constexpr double kMaxAutomaticWindows = 10000000;

// The relative accuracy of an automatic run. Below 1e-14 the rounding of double precision decides, not the resolution.
KeySpec accuracy(std::string path, std::string description) {
  KeySpec spec = casefile::keys::number(std::move(path), std::move(description));
  spec.minimum = 1e-14;
  spec.maximum = 1.0;
  spec.below_maximum = true;
  spec.cure = "it is the relative accuracy to reach, as 1.0e-8; leave the key out to choose every degree yourself";
  return spec;
}

int read_degree(const CaseTree& file, const YamlNode& node, const Axis& axis, const Constants& constants) {
  const int degree = file.integer_of(node, "resolution.degree.*", constants);
  if (axis.kind == AxisKind::time && degree < 1) node.mark.fail("the degree in t must be at least 1");
  return degree;
}

[[noreturn]] void fail_without_degrees(const YamlEntry& resolution) {
  const Marked& place = resolution.value.mark.source->is_argument ? resolution.value.mark : resolution.key;
  place.fail(
      "the key `degree` is missing in `resolution`: give the highest polynomial degree of every dimension, as "
      "degree: {t: 12, x: 24}, or give resolution.tolerance instead");
}

void read_degrees(const CaseTree& file, Case& result) {
  const YamlEntry& resolution = *file.root.find_entry("resolution");
  const YamlEntry* degrees = resolution.value.find_entry("degree");
  const bool automatic = result.resolution.automatic();
  if (degrees == nullptr && !automatic) fail_without_degrees(resolution);
  for (AxisCase& axis : result.domain) axis.degree = -1;
  for (const YamlEntry& entry : entries_at(file.root, "resolution.degree")) {
    AxisCase& axis = axis_case(result, entry.key);
    axis.degree = read_degree(file, entry.value, axis.axis, result.constants);
  }
  for (const AxisCase& axis : result.domain)
    if (axis.degree < 0 && !automatic)
      degrees->key.fail(fmt::format(
          "the dimension `{0}` needs a degree: {0}: 16, say, or give resolution.tolerance instead", axis.axis.name));
}

void read_limits(const CaseTree& file, Case& result) {
  Case::Resolution& resolution = result.resolution;
  const auto limit = [&](const std::string& name, int fallback) {
    return file.integer_at("resolution.limits." + name, result.constants, fallback);
  };
  resolution.max_windows = limit("windows", resolution.max_windows);
  resolution.max_domains = limit("domains", resolution.max_domains);
  resolution.max_degree = limit("degree", resolution.max_degree);
  resolution.max_seconds = file.number_at("resolution.limits.time", result.constants, resolution.max_seconds);
}

// A length of time of an automatic run; 0: not given.
double read_length(const CaseTree& file, const Case& the_case, const std::string& name, const std::string& subject) {
  const YamlNode* node = file.root.find_path("resolution." + name);
  if (node == nullptr) return 0.0;
  const double length = file.number_of(*node, "resolution." + name, the_case.constants);
  if (length == 0.0) return length;
  const Axis& first = the_case.domain.front().axis;
  if (!the_case.resolution.automatic())
    node->mark.fail(
        fmt::format("{} is for automatic runs: give resolution.tolerance, or the windows as domains: {{t: 8}}", name));
  if (first.kind != AxisKind::time) node->mark.fail(fmt::format("{} needs the dimension t in `domain`", name));
  if (length > first.upper - first.lower)
    node->mark.fail(fmt::format("{} of {} is longer than all of `t`, {}", subject, length, first.upper - first.lower));
  return length;
}

std::vector<double> read_edges(const CaseTree& file, const YamlNode& node, const Axis& axis,
                               const Constants& constants) {
  if (node.is_scalar()) {
    const std::vector<double> edges = equal_parts(axis, file.integer_of(node, "resolution.domains.*", constants));
    for (std::size_t i = 1; i < edges.size(); ++i)
      if (!(edges[i] > edges[i - 1]))
        node.mark.fail(fmt::format("the interval of `{}` is too short for so many parts", axis.name));
    return edges;
  }
  std::vector<double> edges = file.numbers_of(node, "resolution.domains.*", constants);
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
  if (axis.basis == kFourier && n > 1)
    node.mark.fail(
        fmt::format("`{0}` has basis: fourier, a single series around the period: leave `{0}` out of domains and raise "
                    "its degree, or leave the basis out, divide `{0}` and give periodic conditions",
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

std::vector<KeySpec> resolution_keys() {
  using namespace casefile::keys;
  return {
      behind("exact",
             map("resolution",
                 "How finely each dimension is resolved: {tolerance: 1.0e-6}, or {degree: {t: 12, x: 24}}.", true)),
      accuracy("resolution.tolerance",
               "Relative accuracy to reach: the program chooses windows, subdomains and the degrees that are not "
               "given."),
      map("resolution.degree",
          "Highest polynomial degree per dimension: of every dimension, or with tolerance of those where it is to be "
          "kept."),
      integer("resolution.degree.*", "", 0, kMaxDegree,
              "Highest polynomial degree along this dimension, in each window or subdomain (degree + 1 coefficients); "
              "at least 1 for t."),
      map("resolution.domains",
          "Windows in time and subdomains in space; with tolerance the division to start from. Parameters are not "
          "divided."),
      or_list(
          integer("resolution.domains.*", "1", 1, kMaxWindows, "A number of equal parts, or the list of their edges."),
          2, kMaxItems),
      number("resolution.domains.*[]", "An edge; the first and last are the ends of the dimension."),
      map("resolution.limits", "The most an automatic run may use before it stops with exit status 6."),
      integer("resolution.limits.windows", "100000", 1, kMaxAutomaticWindows,
              "Windows over the whole run; it stops as soon as they turn out too short for so few."),
      integer("resolution.limits.domains", "1024", 1, kMaxWindows, "Subdomains along one space dimension."),
      integer("resolution.limits.degree", "640", 1, kMaxDegree, "Degree along one dimension."),
      not_negative("resolution.limits.time", "0",
                   "Seconds by the clock for the whole run; it stops as soon as its own estimate is longer, and says "
                   "what holds it. 0: any time."),
      not_negative("resolution.first_window", "0",
                   "Length of the first window of an automatic run; 0: chosen by the program."),
      not_negative(
          "resolution.start", "0",
          "After a jump of the data, of an automatic run: how long the solution is not judged beside the jump; "
          "0: chosen by the program, 1e-6 of t or 40 first windows."),
  };
}

void read_resolution(const CaseTree& file, Case& result) {
  Case::Resolution& resolution = result.resolution;
  resolution.tolerance = file.number_at("resolution.tolerance", result.constants, resolution.tolerance);
  read_degrees(file, result);
  read_limits(file, result);
  result.resolution.first_window = read_length(file, result, "first_window", "a first window");
  result.resolution.start = read_length(file, result, "start", "a start");
  for (const YamlEntry& entry : entries_at(file.root, "resolution.domains")) {
    AxisCase& axis = axis_case(result, entry.key);
    axis.edges = read_edges(file, entry.value, axis.axis, result.constants);
    check_division(axis, entry.value, resolution);
  }
}

void write_resolution(ResolvedText& text, const Case& the_case) {
  const Case::Resolution& resolution = the_case.resolution;
  text.line(0, "resolution");
  if (resolution.automatic()) text.line(2, "tolerance", number_text(resolution.tolerance));
  const auto is_given = [](const AxisCase& axis) { return axis.degree >= 0; };
  if (std::any_of(the_case.domain.begin(), the_case.domain.end(), is_given)) text.line(2, "degree");
  for (const AxisCase& axis : the_case.domain)
    if (is_given(axis)) text.line(4, axis.axis.name, std::to_string(axis.degree));
  text.line(2, "domains");
  for (const AxisCase& axis : the_case.domain) {
    const int n = static_cast<int>(axis.edges.size()) - 1;
    text.line(4, axis.axis.name,
              axis.edges == equal_parts(axis.axis, n) ? std::to_string(n) : number_list(axis.edges, 6));
  }
  text.line(2, "limits");
  text.line(4, "windows", std::to_string(resolution.max_windows));
  text.line(4, "domains", std::to_string(resolution.max_domains));
  text.line(4, "degree", std::to_string(resolution.max_degree));
  text.line(4, "time", number_text(resolution.max_seconds));
  text.line(2, "first_window", number_text(resolution.first_window));
  text.line(2, "start", number_text(resolution.start));
}

}  // namespace gwrm
