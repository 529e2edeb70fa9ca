#include "output/compare_texts.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "case/yaml_document.hpp"
#include "core/errors.hpp"

namespace gwrm {
namespace {

// Every value of the case by its path, "equations.0", "resolution.degree.x"; a list of numbers in one piece.
void flatten(const casefile::YamlNode& node, const std::string& path, Texts& texts) {
  const auto below = [&](const std::string& name) { return path.empty() ? name : path + "." + name; };
  for (const casefile::YamlEntry& entry : node.entries) flatten(entry.value, below(entry.key.text), texts);
  const auto is_number = [](const casefile::YamlNode& item) {
    return item.is_scalar() && item.mark.text.find_first_not_of("0123456789.eE+-") == std::string::npos;
  };
  if (!node.items.empty() && std::all_of(node.items.begin(), node.items.end(), is_number)) {
    std::string list;
    for (const casefile::YamlNode& item : node.items) list += (list.empty() ? "" : ", ") + item.mark.text;
    texts.emplace_back(path, "[" + list + "]");
    return;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) flatten(node.items[i], below(std::to_string(i)), texts);
  if (node.is_scalar()) texts.emplace_back(path, node.mark.text);
}

}  // namespace

Texts settings_of(const std::string& case_text, const std::string& path) {
  Texts texts;
  try {
    flatten(casefile::parse_yaml(casefile::make_source(case_text, path, false)), "", texts);
  } catch (const CaseError&) {
    texts = {{"case", case_text}};  // of another version of the program
  }
  return texts;
}

Texts build_texts(const StoredBuild& build) {
  return {{"version", build.version},
          {"git_revision", build.git_revision},
          {"build", build.build},
          {"device", build.device}};
}

std::vector<TextDifference> differences(const Texts& a, const Texts& b) {
  std::multimap<std::string, std::string> others(b.begin(), b.end());
  std::vector<TextDifference> result;
  for (const auto& [name, text] : a) {
    const auto other = others.find(name);
    const std::string found = other == others.end() ? "" : other->second;
    if (other == others.end() || found != text) result.push_back({name, text, found});
    if (other != others.end()) others.erase(other);
  }
  for (const auto& [name, text] : b)
    if (const auto other = others.find(name); other != others.end()) {
      result.push_back({name, "", other->second});
      others.erase(other);
    }
  return result;
}

bool same_points(const std::vector<double>& a, const std::vector<double>& b) {
  const double slack = 1e-12 * (std::abs(a.front()) + std::abs(a.back()));
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [&](double x, double y) { return std::abs(x - y) <= slack; });
}

}  // namespace gwrm
