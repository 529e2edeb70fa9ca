// The JSON Schema of the case file, made from the table of keys.
#include <cmath>
#include <nlohmann/json.hpp>

#include "case/case_format.hpp"
#include "case/case_reader.hpp"

namespace gwrm {
namespace {

using casefile::KeySpec;
using casefile::KeyTable;
using nlohmann::ordered_json;

ordered_json schema_of(const KeyTable& keys, const KeySpec& spec);

ordered_json number_schema(const KeySpec& spec, const char* type) {
  ordered_json schema = {{"type", type}};
  if (std::isfinite(spec.minimum)) schema[spec.above_minimum ? "exclusiveMinimum" : "minimum"] = spec.minimum;
  if (std::isfinite(spec.maximum)) schema[spec.below_maximum ? "exclusiveMaximum" : "maximum"] = spec.maximum;
  return schema;
}

ordered_json list_schema(const KeyTable& keys, const KeySpec& spec) {
  ordered_json schema = {{"type", "array"}, {"items", schema_of(keys, keys.known(spec.path + "[]"))}};
  if (spec.min_items > 0) schema["minItems"] = spec.min_items;
  if (spec.max_items < std::numeric_limits<int>::max()) schema["maxItems"] = spec.max_items;
  return schema;
}

ordered_json map_schema(const KeyTable& keys, const KeySpec& spec) {
  ordered_json schema = {{"type", "object"}};
  ordered_json required = ordered_json::array();
  schema["additionalProperties"] = false;
  for (const KeySpec* child : keys.below(spec)) {
    if (child->is_element()) continue;
    if (child->name() == "*") {
      schema["additionalProperties"] = schema_of(keys, *child);
      continue;
    }
    schema["properties"][child->name()] = schema_of(keys, *child);
    if (child->required && child->modules.empty()) required.push_back(child->name());
  }
  if (!required.empty()) schema["required"] = required;
  return schema;
}

// What the file needs besides, or may not have, with each problem module.
ordered_json rules_of_modules(const KeyTable& keys) {
  const KeySpec& choice = keys.known("problem");
  ordered_json rules = ordered_json::array();
  for (const std::string& module : choice.choices) {
    ordered_json required = ordered_json::array(), refused = ordered_json::array();
    for (const KeySpec* key : keys.below(keys.known(""))) {
      if (key->required && !key->modules.empty() && key->is_read_by(module)) required.push_back(key->name());
      if (!key->is_read_by(module)) refused.push_back({{"required", {key->name()}}});
    }
    ordered_json condition = {{"properties", {{"problem", {{"const", module}}}}}};
    if (module != choice.default_value) condition["required"] = {"problem"};
    ordered_json rule = {{"required", required}};
    if (!refused.empty()) rule["not"] = {{"anyOf", refused}};
    rules.push_back({{"if", condition}, {"then", rule}});
  }
  return rules;
}

// A YAML reader takes the plain words true and false for truth values.
ordered_json words_of(const KeySpec& spec) {
  ordered_json words = spec.choices;
  for (const std::string& word : spec.choices)
    if (word == "true" || word == "false") words.push_back(word == "true");
  return words;
}

ordered_json default_of(const KeySpec& spec) {
  const bool is_number = spec.allows(casefile::form_number) || spec.allows(casefile::form_integer);
  return is_number ? ordered_json::parse(spec.default_value) : ordered_json(spec.default_value);
}

// One alternative for each form the key allows. A number may be an expression of constants, and an expression may be a
// mere number, which YAML readers take for one.
ordered_json schema_of(const KeyTable& keys, const KeySpec& spec) {
  using namespace casefile;
  ordered_json forms = ordered_json::array();
  if (spec.allows(form_number)) forms.push_back(number_schema(spec, "number"));
  if (spec.allows(form_integer)) forms.push_back(number_schema(spec, "integer"));
  if (spec.allows(form_expression)) forms.push_back({{"type", "number"}});
  if ((spec.forms & (form_number | form_integer | form_expression | form_text)) != 0)
    forms.push_back({{"type", "string"}});
  if (spec.allows(form_choice)) forms.push_back({{"enum", words_of(spec)}});
  if (spec.allows(form_list)) forms.push_back(list_schema(keys, spec));
  if (spec.allows(form_map)) forms.push_back(map_schema(keys, spec));

  ordered_json schema = {{"description", spec.description}};
  if (!spec.default_value.empty()) schema["default"] = default_of(spec);
  if (forms.size() == 1)
    schema.update(forms[0]);
  else
    schema["anyOf"] = forms;
  return schema;
}

}  // namespace

std::string case_schema(const CaseFormat& format) {
  const KeyTable& keys = format.keys();
  ordered_json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "gwrm case file"}};
  schema.update(schema_of(keys, keys.known("")));
  schema["allOf"] = rules_of_modules(keys);
  return schema.dump(2) + "\n";
}

}  // namespace gwrm
