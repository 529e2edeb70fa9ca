#include "case/data_section.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "case/dimensions.hpp"
#include "case/key_specs.hpp"
#include "case/names.hpp"

namespace gwrm::casefile {
namespace {

bool is_taken(const Case& result, const std::string& name) {
  const auto named = [&](const auto& item) { return item.name == name; };
  return std::any_of(result.constants.begin(), result.constants.end(), named) ||
         std::any_of(result.unknowns.begin(), result.unknowns.end(), named) ||
         std::any_of(result.data.begin(), result.data.end(), named) ||
         std::any_of(result.domain.begin(), result.domain.end(),
                     [&](const AxisCase& a) { return a.axis.name == name; });
}

// Paths are those of the case file's folder.
std::string beside(const std::string& case_path, const std::string& file) {
  return (std::filesystem::path(case_path).parent_path() / file).lexically_normal().string();
}

void read_dimensions(const YamlNode& node, const Case& result, DataCase& entry) {
  for (const YamlEntry& name : entries_at(node, "dimensions")) {
    const Marked& in_file = name.value.mark;
    const std::vector<std::string> axes = axis_names(result);
    const auto is_axis = [&](const std::string& text) {
      return std::find(axes.begin(), axes.end(), text) != axes.end();
    };
    if (!is_axis(name.key.text) && is_axis(in_file.text))
      name.key.fail(
          fmt::format("the dimension of the case stands first, then its name in the file: dimensions: {{{}: {}}}",
                      in_file.text, name.key.text));
    check_known(name.key, axes, "dimension");
    if (in_file.text.empty()) in_file.fail("expected the name that the dimension has in the file, found empty text");
    for (const auto& [axis, other] : entry.dimensions)
      if (other == in_file.text)
        in_file.fail(fmt::format("`{}` and `{}` cannot both be `{}` of the file", axis, name.key.text, other));
    for (const auto& [fixed, z] : entry.at)
      if (fixed == in_file.text)
        in_file.fail(
            fmt::format("`{}` of the file is taken at one coordinate (at), or is a dimension: not both", fixed));
    entry.dimensions.emplace_back(name.key.text, in_file.text);
  }
}

DataCase read_entry(const CaseTree& file, const YamlNode& node, const std::string& key, const std::string& name,
                    const Case& result) {
  DataCase entry;
  entry.name = name;
  entry.where = node.mark.where();
  const YamlNode* path = node.find("file");
  if (path == nullptr) node.mark.fail("the key `file` is missing: the file that holds the numbers, as {file: k.h5}");
  if (path->mark.text.empty()) path->mark.fail("expected the name of a file, found empty text");
  entry.where = path->mark.where();
  entry.file = beside(result.path, path->mark.text);
  if (const YamlNode* dataset = node.find("dataset")) entry.dataset = dataset->mark.text;
  for (const YamlEntry& point : entries_at(node, "at"))
    entry.at.emplace_back(point.key.text, file.number_of(point.value, key + ".at.*", result.constants));
  read_dimensions(node, result, entry);
  if (const YamlNode* checksum = node.find("checksum")) entry.checksum = checksum->mark.text;
  return entry;
}

}  // namespace

std::vector<KeySpec> data_keys(const std::string& path) {
  using namespace keys;
  return {
      text(path + ".file",
           "The file with the numbers: HDF5, netCDF-4, CSV, or a result of gwrm; relative to the case file."),
      text(path + ".dataset",
           "Which of its datasets (columns, unknowns of a result); may be left out where there is only one."),
      map(path + ".at", "Coordinates of dimensions that the file has and the function shall not have."),
      number(path + ".at.*", "One coordinate, within the file's."),
      map(path + ".dimensions", "Dimensions of the domain that the file calls otherwise."),
      text(path + ".dimensions.*", "The name of this dimension in the file."),
      text(path + ".checksum",
           "That of the file; written into result files and journals. Another file then is refused; empty: any will "
           "do."),
  };
}

void read_data(const CaseTree& file, Case& result) {
  for (const YamlEntry& entry : entries_at(file.root, "data")) {
    DataCase data = read_entry(file, entry.value, "data.*", entry.key.text, result);
    const std::vector<std::string> known = axis_names(result);
    std::vector<std::string> given;
    for (const YamlNode& item : items_at(entry.value, "axes")) {
      check_known(item.mark, known, "dimension");
      given.push_back(item.mark.text);
    }
    for (const std::string& axis : known)
      if (std::find(given.begin(), given.end(), axis) != given.end()) data.axes.push_back(axis);
    result.data.push_back(std::move(data));
  }
}

SourceText expression_or_data(const CaseTree& file, const YamlNode& node, const std::string& key,
                              const std::string& name, Case& result) {
  if (!node.is_map()) return node.mark.where();
  DataCase entry = read_entry(file, node, key, name, result);
  if (is_taken(result, name))
    node.mark.fail(
        fmt::format("these data are called `{0}` in expressions, and the case has another `{0}`: rename it", name));
  SourceText text = node.mark.where();
  text.text = name;
  result.data.push_back(std::move(entry));
  return text;
}

void write_data(ResolvedText& text, const Case& the_case) {
  if (the_case.data.empty()) return;
  text.line(0, "data");
  for (const DataCase& entry : the_case.data) {
    text.line(2, entry.name);
    text.line(4, "file", quoted(std::filesystem::absolute(entry.file).lexically_normal().string()));
    if (!entry.dataset.empty()) text.line(4, "dataset", quoted(entry.dataset));
    std::string at;
    for (const auto& [axis, z] : entry.at) at += fmt::format("{}{}: {}", at.empty() ? "" : ", ", axis, number_text(z));
    if (!at.empty()) text.line(4, "at", "{" + at + "}");
    std::string names;
    for (const auto& [axis, name] : entry.dimensions)
      names += fmt::format("{}{}: {}", names.empty() ? "" : ", ", axis, quoted(name));
    if (!names.empty()) text.line(4, "dimensions", "{" + names + "}");
    if (!entry.checksum.empty()) text.line(4, "checksum", quoted(entry.checksum));
    if (!entry.axes.empty()) text.line(4, "axes", fmt::format("[{}]", fmt::join(entry.axes, ", ")));
  }
}

}  // namespace gwrm::casefile
