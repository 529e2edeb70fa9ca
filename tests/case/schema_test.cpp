// The schema, the reader and the reference in docs/ know the same keys.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "case/key_table.hpp"
#include "problems/registry.hpp"
#include "sample_cases.hpp"

namespace gwrm::schema_test {
namespace {

using nlohmann::json;

// The maps of the schema: path -> its keys, "*" for free names; written as the user would, with elements as index 0.
void collect_maps(const json& schema, const std::string& path, std::map<std::string, std::set<std::string>>& maps) {
  if (schema.contains("anyOf"))
    for (const json& form : schema["anyOf"]) collect_maps(form, path, maps);
  if (schema.contains("items")) collect_maps(schema["items"], path + ".0", maps);
  if (!schema.contains("additionalProperties")) return;
  std::set<std::string>& keys = maps[path];
  const std::string prefix = path.empty() ? "" : path + ".";
  if (schema.contains("properties"))
    for (const auto& [key, child] : schema["properties"].items()) {
      keys.insert(key);
      collect_maps(child, prefix + key, maps);
    }
  if (schema["additionalProperties"].is_object()) {
    keys.insert("*");
    collect_maps(schema["additionalProperties"], prefix + "*", maps);
  }
}

std::map<std::string, std::set<std::string>> schema_maps() {
  std::map<std::string, std::set<std::string>> maps;
  collect_maps(json::parse(case_schema()), "", maps);
  return maps;
}

// Where each list and map of the schema is to be found in this case: one unknown as a map, one known value.
const std::string kBase = R"yaml(
domain:
  x: {range: [0, 1]}
unknowns:
  - {name: u}
equations: ["u = 0"]
resolution: {degree: {x: 3}}
solver: {newton: {}}
time: {}
parameters: {}
verification:
  values:
    - {expr: u, value: 0, at: {}}
output: {}
convergence: {}
)yaml";

bool reader_knows(const std::string& path, const std::string& key) {
  std::string full = path.empty() ? key : path + "." + key;
  const std::size_t star = full.find('*');
  if (star != std::string::npos) full.replace(star, 1, "x");
  try {
    read_case_text(kBase, "base.yaml", {{full, "1"}});
  } catch (const CaseError& error) {
    return std::string(error.what()).find("unknown key") == std::string::npos;
  }
  return true;
}

TEST(Schema, IsDraft202012AndClosed) {
  const json schema = json::parse(case_schema());
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(schema["type"], "object");
  EXPECT_EQ(schema["additionalProperties"], false);
  EXPECT_EQ(schema["required"], json::array({"domain"}));
  // With problem left out the first rule holds, as its condition does not ask for the key.
  const json& spectral = schema["allOf"][0];
  EXPECT_EQ(spectral["if"], (json{{"properties", {{"problem", {{"const", "time_spectral"}}}}}}));
  EXPECT_EQ(spectral["then"]["required"], (json{"unknowns", "equations", "resolution"}));
  EXPECT_EQ(schema["allOf"][1]["if"]["properties"]["problem"]["const"], "recurrence_bvp");
  EXPECT_EQ(schema["allOf"][1]["then"]["required"], (json{"unknowns", "recurrence"}));
  EXPECT_EQ(schema["properties"]["solver"]["properties"]["newton"]["additionalProperties"], false);
  EXPECT_EQ(schema["properties"]["backend"]["enum"], (json{"auto", "cpu", "cuda"}));
  EXPECT_EQ(schema["properties"]["continue"]["required"], (json{"parameter", "to"}));
}

// What an editor is told about the accuracy is what the reader accepts.
TEST(Schema, BoundsOfTheTolerance) {
  const json schema = json::parse(case_schema());
  const json& resolution = schema["properties"]["resolution"];
  EXPECT_FALSE(resolution.contains("required"));  // either degree or tolerance
  const json& number = resolution["properties"]["tolerance"]["anyOf"][0];
  EXPECT_EQ(number["type"], "number");
  EXPECT_EQ(number["minimum"], 1e-14);
  EXPECT_EQ(number["exclusiveMaximum"], 1.0);
  EXPECT_FALSE(number.contains("maximum"));
  EXPECT_EQ(resolution["properties"]["limits"]["properties"]["degree"]["default"], 640);
}

// For every map of the schema and every word that is a key anywhere (and some that are none): the reader calls the key
// unknown exactly where the schema does not have it.
TEST(Schema, AgreesWithTheReader) {
  const auto maps = schema_maps();
  std::set<std::string> words = {"nonsense", "Title", "tolerances"};
  for (const auto& [path, keys] : maps) words.insert(keys.begin(), keys.end());
  words.erase("*");
  EXPECT_GT(maps.size(), 15u);
  for (const auto& [path, keys] : maps) {
    if (keys.count("*") != 0) continue;  // any name is a key here
    for (const std::string& word : words)
      EXPECT_EQ(reader_knows(path, word), keys.count(word) != 0) << path << " . " << word;
  }
}

TEST(Schema, HasEveryKeyOfTheTable) {
  const auto maps = schema_maps();
  std::size_t n_in_schema = 0, n_in_table = 0;
  for (const auto& [path, keys] : maps) n_in_schema += keys.size();
  for (const casefile::KeySpec& spec : problem_modules().format().keys().keys())
    n_in_table += !spec.path.empty() && !spec.is_element();
  EXPECT_EQ(n_in_schema, n_in_table);
}

TEST(Schema, DescribesEveryKey) {
  for (const casefile::KeySpec& spec : problem_modules().format().keys().keys())
    EXPECT_GT(spec.description.size(), 5u) << spec.path;
}

// A default told in the table is what the reader uses: it stands in the resolved text of a case that leaves the key
// out.
TEST(Schema, DefaultsAreThoseOfTheReader) {
  int n_checked = 0;
  for (const casefile::KeySpec& spec : problem_modules().format().keys().keys()) {
    if (spec.default_value.empty() || spec.path.find_first_of("*[") != std::string::npos) continue;
    const auto belongs_to = [&](const char* section) { return spec.path.rfind(section, 0) == 0; };
    const std::string& text = belongs_to("continue.")                        ? testing::kBranchCase
                              : belongs_to("eigenvalue.")                    ? testing::kEigenvalueCase
                              : belongs_to("recurrence.")                    ? testing::kRecurrenceCase
                              : belongs_to("sbp_sat.")                       ? testing::kSbpSatCase
                              : belongs_to("ball.") || belongs_to("growth.") ? testing::kBallCase
                                                                             : testing::kShortCase;
    EXPECT_EQ(read_case_text(text, "a.yaml", {{spec.path, spec.default_value}}).resolved_text,
              read_case_text(text, "a.yaml").resolved_text)
        << spec.path;
    ++n_checked;
  }
  EXPECT_GE(n_checked, 24);
}

std::string range_in_docs(const casefile::KeySpec& spec) {
  if (!spec.choices.empty()) {
    std::string words;
    for (const std::string& word : spec.choices) words += (words.empty() ? "" : ", ") + word;
    return words;
  }
  return casefile::range_text(spec);
}

// path -> its row in a table of keys
std::map<std::string, std::string> rows_in_docs() {
  std::ifstream file(GWRM_SOURCE_DIR "/docs/case-file.md");
  std::map<std::string, std::string> rows;
  for (std::string line; std::getline(file, line);)
    if (line.rfind("| `", 0) == 0) rows[line.substr(3, line.find('`', 3) - 3)] = line;
  return rows;
}

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream text(row.substr(1));
  for (std::string cell; std::getline(text, cell, '|');) {
    const auto begin = cell.find_first_not_of(' '), end = cell.find_last_not_of(' ');
    cells.push_back(begin == std::string::npos ? "" : cell.substr(begin, end - begin + 1));
  }
  return cells;
}

// The second column has a word for everything that may stand behind the key; the last one an example with the key.
TEST(Docs, TypesAndExamples) {
  const std::map<casefile::Form, std::string> words = {{casefile::form_number, "number"},
                                                       {casefile::form_integer, "whole number"},
                                                       {casefile::form_text, "text"},
                                                       {casefile::form_choice, "word"},
                                                       {casefile::form_expression, "expression"},
                                                       {casefile::form_list, "list|two numbers"},
                                                       {casefile::form_map, "map"}};
  std::map<std::string, std::string> rows = rows_in_docs();
  for (const casefile::KeySpec& spec : problem_modules().format().keys().keys()) {
    if (spec.path.empty() || spec.is_element()) continue;
    const std::vector<std::string> cells = cells_of(rows[spec.path]);
    ASSERT_EQ(cells.size(), 6u) << rows[spec.path];
    for (const auto& [form, word] : words) {
      const bool told = std::regex_search(cells[1], std::regex(word));
      EXPECT_TRUE(told || !spec.allows(form)) << spec.path << " is not told to be a " << word;
    }
    const bool has_key =
        std::regex_search(cells[5], std::regex("`- |[`{ ]" + (spec.name() == "*" ? "" : spec.name()) + ":"));
    EXPECT_TRUE(has_key || spec.name() == "*") << rows[spec.path];
  }
}

TEST(Docs, DescribeEveryKey) {
  std::map<std::string, std::string> rows = rows_in_docs();
  for (const casefile::KeySpec& spec : problem_modules().format().keys().keys()) {
    if (spec.path.empty() || spec.is_element()) continue;
    ASSERT_EQ(rows.count(spec.path), 1u) << "no row for " << spec.path;
    const std::string& row = rows[spec.path];
    EXPECT_NE(row.find(range_in_docs(spec)), std::string::npos) << spec.path << ": " << range_in_docs(spec) << "\n"
                                                                << row;
    const std::string fallback = spec.required ? "required" : spec.default_value;
    EXPECT_NE(row.find(fallback), std::string::npos) << spec.path << ": " << fallback << "\n" << row;
    rows.erase(spec.path);
  }
  for (const auto& [path, row] : rows) ADD_FAILURE() << "the documentation has a key that is none: " << path;
}

// The examples of the documentation are cases.
TEST(Docs, ExamplesAreCases) {
  std::ifstream file(GWRM_SOURCE_DIR "/docs/case-file.md");
  std::string example;
  bool inside = false;
  int n_examples = 0;
  for (std::string line; std::getline(file, line);) {
    if (line == "```yaml") {
      inside = true;
      example.clear();
    } else if (line == "```" && inside) {
      inside = false;
      if (example.rfind("schema:", 0) != 0) continue;  // a piece of a case
      ++n_examples;
      EXPECT_NO_THROW(read_case_text(example, "example.yaml")) << example;
    } else if (inside) {
      example += line + "\n";
    }
  }
  EXPECT_GE(n_examples, 2);
}

}  // namespace
}  // namespace gwrm::schema_test
