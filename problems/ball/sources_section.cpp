#include "problems/ball/sources_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "case/key_specs.hpp"

namespace gwrm::ball {

using namespace casefile;

namespace {

constexpr std::array<const char*, 3> kCartesianNames = {"x", "y", "z"}, kSphericalNames = {"r", "theta", "phi"};

}  // namespace

VectorCase read_vector(const YamlNode& node) {
  VectorCase vector;
  const auto read = [&](const std::array<const char*, 3>& names) {
    int n = 0;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (const YamlNode* component = node.find(names[i])) {
        vector.components[i] = component->mark.where();
        ++n;
      }
    return n;
  };
  const bool has_cartesian = read(kCartesianNames) > 0;
  if (has_cartesian && std::any_of(kSphericalNames.begin(), kSphericalNames.end(),
                                   [&](const char* name) { return node.find(name) != nullptr; }))
    node.mark.fail("the components of a vector are x, y, z or r, theta, phi: take one of the two");
  if (has_cartesian) return vector;
  vector.is_cartesian = false;
  read(kSphericalNames);
  return vector;
}

std::string vector_text(const VectorCase& vector) {
  const auto& names = vector.is_cartesian ? kCartesianNames : kSphericalNames;
  std::string components;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (const std::string& of_axis = vector.components[i].text; !of_axis.empty())
      components += fmt::format("{}{}: {}", components.empty() ? "" : ", ", names[i], quoted(of_axis));
  return "{" + components + "}";
}

std::vector<KeySpec> source_keys() {
  using namespace casefile::keys;
  std::vector<KeySpec> specs = {
      or_map(formula("ball.fields.*.source",
                     "Of a scalar: an expression of t, r, theta, phi, x, y, z; of a vector a map of components: of a "
                     "velocity a force, of a magnetic field a field without divergence. Default: none.")),
  };
  for (const auto& names : {kCartesianNames, kSphericalNames})
    for (const char* name : names)
      specs.push_back(formula(fmt::format("ball.fields.*.source.{}", name), "A component of the source."));
  specs.push_back(
      formula("ball.fields.*.reaction", "Of a scalar: an expression of the scalars, t and the place. Default: none."));
  return specs;
}

void read_sources(const YamlEntry& entry, BallField& field) {
  if (const YamlNode* source = entry.value.find("source")) {
    if (field.is_vector()) {
      if (!source->is_map())
        source->mark.fail(fmt::format(
            "the source of the vector field `{}` is a vector: give its components, as {{z: \"x*sin(t)\"}} or "
            "{{r: .., theta: .., phi: ..}}",
            field.name));
      field.vector_source = read_vector(*source);
    } else {
      if (source->is_map())
        source->mark.fail(
            fmt::format("the source of the scalar `{}` is one expression, as source: \"x*sin(t)\"", field.name));
      field.source = source->mark.where();
    }
  }
  if (const YamlNode* reaction = entry.value.find("reaction")) {
    if (field.is_vector()) reaction->mark.fail("a reaction is for scalar fields: leave it out");
    field.reaction = reaction->mark.where();
  }
}

void write_sources(ResolvedText& text, const BallField& field) {
  if (!field.source.text.empty()) text.line(6, "source", quoted(field.source.text));
  if (field.vector_source.is_there()) text.line(6, "source", vector_text(field.vector_source));
  if (!field.reaction.text.empty()) text.line(6, "reaction", quoted(field.reaction.text));
}

}  // namespace gwrm::ball
