#include "problems/sweep/swept_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "case/yaml_document.hpp"
#include "expression/parser.hpp"
#include "output/sweep_file.hpp"

namespace gwrm {
namespace {

using casefile::KeySpec;
using casefile::YamlNode;

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    parts.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

[[noreturn]] void fail(const std::string& where, const std::string& what, const std::string& name,
                       const std::vector<std::string>& known) {
  std::string near;
  for (const std::string& candidate : expression::nearest_names(name, known))
    near += (near.empty() ? "; did you mean `" : "`, `") + candidate;
  throw CaseError(where + ": error: " + what + (near.empty() ? "" : near + "`?"));
}

// Names that the case may have below `*`: of its dimensions and unknowns, where they stand for these.
std::vector<std::string> names_of_case(const Case& base, const std::string& section) {
  std::vector<std::string> names;
  if (section == "constants" || section == "goals" || section == "output") return names;
  for (const AxisCase& axis : base.domain) names.push_back(axis.axis.name);
  for (const UnknownCase& unknown : base.unknowns) names.push_back(unknown.name);
  return names;
}

}  // namespace

std::string path_of_swept_key(const ProblemModules& modules, const Case& base, const std::string& key,
                              const std::string& where) {
  const casefile::KeyTable& table = modules.format().keys();
  for (const AxisCase& axis : base.domain)
    if (axis.axis.name == key) return modules.of(base).section().resolution_key(key);
  const YamlNode root = casefile::parse_yaml(casefile::make_source(base.resolved_text, base.path, false));
  const KeySpec* spec = &table.known("");
  const YamlNode* node = &root;  // null behind what the resolved case does not spell out
  std::string above;
  for (const std::string& part : parts_of(key)) {
    const KeySpec* child = spec->allows(casefile::form_map) ? table.legal(*spec, part) : nullptr;
    const bool is_element = child == nullptr && spec->allows(casefile::form_list);
    if (is_element) child = table.find(spec->path + "[]");
    if (child == nullptr) {
      std::vector<std::string> known;
      for (const KeySpec* below : table.below(*spec)) known.push_back(below->name());
      if (above.empty())
        for (const AxisCase& axis : base.domain) known.push_back(axis.axis.name);
      fail(where, fmt::format("`{}` is no key{}", part, above.empty() ? " of a case file" : " of `" + above + "`"),
           part, known);
    }
    const YamlNode* below = node == nullptr ? nullptr : node->find(part);
    if (child->name() == "*" && below == nullptr) {  // a name of the user's
      std::vector<std::string> known = names_of_case(base, parts_of(key).front());
      if (node != nullptr)
        for (const casefile::YamlEntry& entry : node->entries) known.push_back(entry.key.text);
      if (std::find(known.begin(), known.end(), part) == known.end())
        fail(where, fmt::format("there is no `{}` in `{}` of this case", part, above), part, known);
    }
    node = below;
    spec = child;
    above += (above.empty() ? "" : ".") + part;
  }
  for (const char* section : {"convergence", "schema", "problem", "title"})
    if (parts_of(key).front() == section)
      throw CaseError(fmt::format("{}: error: `{}` cannot be varied", where, section));
  return key;
}

void name_swept_keys(const Case& base, SweepPoints& points) {
  std::set<std::string> taken(names_of_sweep_file().begin(), names_of_sweep_file().end());
  std::vector<std::string> own;
  for (const AxisCase& axis : base.domain) {
    own.push_back(axis.axis.name);
    own.push_back(axis.axis.name + "_points");
  }
  if (base.continuation.active()) own.insert(own.end(), {base.continuation.parameter, "s"});
  for (const UnknownCase& unknown : base.unknowns) own.push_back(unknown.name);
  for (const NamedExpression& field : base.output.fields) {
    if (taken.count(field.name) != 0)
      throw CaseError(
          fmt::format("{}: error: the field `{}` has the name of a dataset in the result of a sweep: choose "
                      "another",
                      base.path, field.name));
    own.push_back(field.name);
    own.push_back(error_field_name(field.name));
  }
  taken.insert(own.begin(), own.end());
  taken.insert("parameter");
  std::vector<SweptKey*> keys;
  for (SweptDimension& dimension : points.dimensions)
    for (SweptKey& key : dimension.keys) keys.push_back(&key);
  for (std::size_t i = 0; i < keys.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (keys[i]->key == keys[j]->key) throw CaseError("--vary: error: the key " + keys[i]->key + " is given twice");
  // One part of the path more for all whose names are not their own.
  std::vector<std::size_t> n_parts(keys.size(), 1);
  const auto name_of = [&](std::size_t i) {
    const std::vector<std::string> parts = parts_of(keys[i]->key);
    const std::size_t n = std::min(n_parts[i], parts.size());
    std::string name;
    for (std::size_t p = parts.size() - n; p < parts.size(); ++p) name += (name.empty() ? "" : "_") + parts[p];
    return name;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const std::string name = name_of(i);
      bool clash = taken.count(name) != 0 || std::isdigit(static_cast<unsigned char>(name.front())) != 0;
      for (std::size_t j = 0; j < keys.size(); ++j) clash = clash || (j != i && name_of(j) == name);
      if (!clash || n_parts[i] >= parts_of(keys[i]->key).size()) continue;
      ++n_parts[i];
      changed = true;
    }
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i]->name = name_of(i);
    if (taken.count(keys[i]->name) != 0) keys[i]->name += "_value";
  }
  for (SweptDimension& dimension : points.dimensions)
    if (!dimension.together) dimension.name = dimension.keys.front().name;
}

}  // namespace gwrm
