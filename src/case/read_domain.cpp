// domain, constants, unknowns, definitions: the names of a case.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "case/choices.hpp"
#include "case/coordinates_of_space.hpp"
#include "case/dimensions.hpp"
#include "case/distribution_keys.hpp"
#include "case/names.hpp"
#include "case/sections.hpp"
#include "case/values.hpp"

namespace gwrm::casefile {
namespace {

AxisKind kind_of(const YamlNode& root, const std::string& name) {
  if (name == "t") return AxisKind::time;
  return is_coordinate_of_space(root, name) ? AxisKind::space : AxisKind::parameter;
}

// The program's order: t, parameters as written, z or phi, y or theta, x or r.
int rank_of(const Axis& axis) {
  switch (axis.kind) {
    case AxisKind::time:
      return 0;
    case AxisKind::parameter:
      return 1;
    case AxisKind::space:
    case AxisKind::arc_length:  // no dimension of a case
    case AxisKind::mode:
      break;
  }
  return axis.name == "z" || axis.name == "phi" ? 2 : axis.name == "y" || axis.name == "theta" ? 3 : 4;
}

void check_interval(const Axis& axis, const Marked& place) {
  if (axis.lower == axis.upper) place.fail(fmt::format("the interval of `{}` is empty", axis.name));
  if (axis.lower > axis.upper)
    place.fail(
        fmt::format("the interval of `{}` is reversed: swap its ends, [{}, {}]", axis.name, axis.upper, axis.lower));
  if (!std::isfinite(axis.upper - axis.lower)) place.fail(fmt::format("the interval of `{}` is too long", axis.name));
}

MapKind read_map(const YamlNode& axis) {
  const YamlNode* map = axis.find("map");
  return map == nullptr ? MapKind::linear : choice_of(kMapWords, map->mark.text);
}

std::string read_basis(const YamlNode& node, const Axis& axis) {
  const YamlNode* basis = node.find("basis");
  if (basis == nullptr) return kChebyshev;
  const std::string name = choice_of(kBasisWords, basis->mark.text);
  if (name == kFourier && axis.kind != AxisKind::space)
    basis->mark.fail(
        fmt::format("basis: fourier is for the space directions x, y, z, and r, theta, phi where they are "
                    "differentiated, and `{}` is {}: leave it out",
                    axis.name, axis.kind == AxisKind::time ? "time" : "a parameter"));
  if (name == kFourier && axis.map != MapKind::linear)
    node.find("map")->mark.fail(
        fmt::format("map: log with basis: fourier: a periodic direction has a linear map, "
                    "leave out the map of `{}`",
                    axis.name));
  return name;
}

[[noreturn]] void fail_without_range(const CaseTree& file, const YamlEntry& entry) {
  const Marked& place = entry.value.mark.source->is_argument ? entry.value.mark : entry.key;
  place.fail(fmt::format("the key `range` is missing in `domain.{}`: {}", entry.key.text,
                         file.keys.known("domain.*.range").description));
}

// Of a parameter whose distribution has no ends, between what may be asked for.
void take_distribution(const Distribution& distribution, const YamlEntry& entry, AxisCase& result) {
  Axis& axis = result.axis;
  if (!distribution.is_bounded()) {
    axis.map = distribution.of_logarithm() ? MapKind::log : MapKind::linear;
    axis.lower = distribution.least();
    axis.upper = distribution.greatest();
    const double extent = axis.upper - axis.lower;
    if (!std::isfinite(extent) || !(extent > 0.0) || (axis.map == MapKind::log && axis.lower <= 0.0))
      entry.key.fail(
          fmt::format("the distribution of `{}` is too narrow or too wide for double precision: its values "
                      "are [{}, {}]",
                      axis.name, axis.lower, axis.upper));
  }
  result.basis = distribution.basis_name();
}

AxisCase read_axis(const CaseTree& file, const YamlEntry& entry, const Constants& constants) {
  AxisCase result;
  Axis& axis = result.axis;
  axis.name = entry.key.text;
  axis.kind = kind_of(file.root, axis.name);
  result.where = entry.key.where();
  const bool is_long = entry.value.is_map();
  const auto distribution =
      is_long ? read_distribution(file, entry, axis.kind, constants) : std::optional<Distribution>();
  if (distribution && !distribution->is_bounded()) {
    take_distribution(*distribution, entry, result);
    result.edges = {axis.lower, axis.upper};
    return result;
  }
  if (is_long && entry.value.find("range") == nullptr) fail_without_range(file, entry);
  const YamlNode& range = is_long ? *entry.value.find("range") : entry.value;
  const std::vector<double> ends = file.numbers_of(range, is_long ? "domain.*.range" : "domain.*", constants);
  axis.lower = ends[0];
  axis.upper = ends[1];
  check_interval(axis, range.mark);
  axis.map = read_map(entry.value);
  if (axis.map == MapKind::log && axis.lower <= 0.0)
    entry.value.find("map")->mark.fail(
        fmt::format("map: log needs a positive lower end, `{}` starts at {}", axis.name, axis.lower));
  result.basis = read_basis(entry.value, axis);
  if (distribution) take_distribution(*distribution, entry, result);
  result.edges = {axis.lower, axis.upper};
  return result;
}

const Marked& name_of_unknown(const YamlNode& node) {
  return node.is_map() ? node.find("name")->mark : node.mark;
}

// Components along dimensions of space, in the order x, y, z, which is that of [a, b, c] in expressions.
std::vector<std::string> read_components(const YamlNode& list, const Case& result) {
  std::vector<std::string> axes, known;
  for (const AxisCase& axis : result.domain)
    if (axis.axis.kind == AxisKind::space) known.insert(known.begin(), axis.axis.name);  // the program has z, y, x
  if (known.empty()) list.mark.fail("`vector` needs dimensions of space (x, y, z) in the domain");
  for (const YamlNode& item : list.items) {
    check_known(item.mark, known, "dimension of space");
    const auto place = [&](const std::string& name) { return std::find(known.begin(), known.end(), name); };
    if (!axes.empty() && place(item.mark.text) <= place(axes.back()))
      item.mark.fail(fmt::format("the components of a vector stand in the order {}: so does [a, b] in expressions",
                                 fmt::join(known, ", ")));
    axes.push_back(item.mark.text);
  }
  return axes;
}

std::vector<std::string> read_dims(const YamlNode& list, const std::vector<std::string>& axes) {
  std::vector<std::string> chosen;
  for (const YamlNode& item : list.items) {
    check_known(item.mark, axes, "dimension");
    if (std::find(chosen.begin(), chosen.end(), item.mark.text) != chosen.end())
      item.mark.fail(fmt::format("the dimension `{}` stands twice in dims", item.mark.text));
    chosen.push_back(item.mark.text);
  }
  std::vector<std::string> ordered;
  for (const std::string& axis : axes)
    if (std::find(chosen.begin(), chosen.end(), axis) != chosen.end()) ordered.push_back(axis);
  return ordered;
}

// The vector or complex number that a map of `unknowns` declares; neither: no components.
expression::VectorSymbol read_symbol(const YamlNode& node, std::vector<std::string> axes) {
  const YamlNode* word = node.find("complex");
  return {name_of_unknown(node).text, std::move(axes),
          word != nullptr && choice_of(kComplexWords, word->mark.text) == ComplexChoice::complex};
}

// The name and, of a vector or a complex number, the names of its components, at its place.
void add_unknown(const YamlNode& node, std::vector<NamedThing>& names) {
  const Marked& name = name_of_unknown(node);
  names.push_back({NamedThing::Kind::unknown, name});
  std::set<std::string> axes;  // one that stands there twice is told with the order of the components
  for (const YamlNode& axis : items_at(node, "vector")) axes.insert(axis.mark.text);
  const expression::VectorSymbol symbol = read_symbol(node, {axes.begin(), axes.end()});
  std::vector<std::string> components = symbol.components();
  if (symbol.is_complex) components.insert(components.end(), axes.begin(), axes.end());
  for (const std::string& component : components) {
    Marked mark = name;
    mark.text = expression::component_name(name.text, component);
    names.push_back({NamedThing::Kind::unknown, std::move(mark)});
  }
}

// All names at once, so that the error is at the later one wherever the sections stand in the file.
void check_all_names(const YamlNode& root) {
  std::vector<NamedThing> names;
  for (const YamlEntry& entry : entries_at(root, "domain")) names.push_back({NamedThing::Kind::axis, entry.key});
  for (const YamlEntry& entry : entries_at(root, "constants")) names.push_back({NamedThing::Kind::constant, entry.key});
  for (const YamlNode& node : items_at(root, "unknowns")) add_unknown(node, names);
  for (const YamlEntry& entry : entries_at(root, "data")) names.push_back({NamedThing::Kind::data, entry.key});
  for (const YamlEntry& entry : entries_at(root, "definitions"))
    names.push_back({NamedThing::Kind::definition, entry.key});
  check_names(names);
  const auto is_complex = [](const YamlNode& node) { return read_symbol(node, {}).is_complex; };
  const std::vector<YamlNode>& unknowns = items_at(root, "unknowns");
  if (std::any_of(unknowns.begin(), unknowns.end(), is_complex)) check_names_beside_complex(names);
}

}  // namespace

void read_constants(const CaseTree& file, Case& result) {
  check_all_names(file.root);
  for (const YamlEntry& entry : entries_at(file.root, "constants"))
    result.constants.push_back({entry.key.text, file.number_of(entry.value, "constants.*", result.constants)});
}

void read_domain(const CaseTree& file, Case& result) {
  const YamlEntry& domain = *file.root.find_entry("domain");
  if (domain.value.entries.empty()) domain.key.fail("`domain` is empty: expected at least one dimension, as x: [0, 1]");
  for (const YamlEntry& entry : domain.value.entries) {
    if (result.domain.size() == static_cast<std::size_t>(kMaxAxes))
      entry.key.fail(fmt::format("more than {} dimensions", kMaxAxes));
    result.domain.push_back(read_axis(file, entry, result.constants));
  }
  std::stable_sort(result.domain.begin(), result.domain.end(),
                   [](const AxisCase& a, const AxisCase& b) { return rank_of(a.axis) < rank_of(b.axis); });
}

void read_unknowns(const CaseTree& file, Case& result) {
  const std::vector<std::string> axes = axis_names(result);
  for (const YamlNode& node : items_at(file.root, "unknowns")) {
    const YamlNode* dims = node.find("dims");
    const Marked& name = name_of_unknown(node);
    const std::vector<std::string> own = dims == nullptr ? axes : read_dims(*dims, axes);
    const YamlNode* vector = node.find("vector");
    const expression::VectorSymbol symbol =
        read_symbol(node, vector == nullptr ? std::vector<std::string>() : read_components(*vector, result));
    const std::vector<std::string> components = symbol.components();
    if (components.empty()) {
      result.unknowns.push_back({name.text, own, name.where()});
      continue;
    }
    result.vectors.push_back(symbol);
    if (symbol.is_complex)  // each component of a complex vector is a complex number
      for (const std::string& axis : symbol.axes)
        result.vectors.push_back({expression::component_name(name.text, axis), {}, true});
    for (const std::string& part : components) {
      UnknownCase component{expression::component_name(name.text, part), own, name.where(), false, name.text};
      component.where.text = component.name;
      result.unknowns.push_back(std::move(component));
    }
  }
}

void read_definitions(const CaseTree& file, Case& result) {
  for (const YamlEntry& entry : entries_at(file.root, "definitions")) {
    const std::string& text = entry.value.mark.text;
    const std::size_t behind = text.find_first_not_of(" \t", entry.key.text.size());
    if (text.starts_with(entry.key.text) && behind != std::string::npos && text[behind] == '=')
      entry.value.mark.fail(fmt::format("a definition is the expression alone: {}: \"{}\"", entry.key.text,
                                        text.substr(std::min(text.find_first_not_of(" \t", behind + 1), text.size()))));
    result.definitions.push_back({entry.key.text, entry.value.mark.where()});
  }
}

}  // namespace gwrm::casefile
