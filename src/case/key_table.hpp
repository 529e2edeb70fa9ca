// The one table of the case file's keys. From it come the check of a file's shape, the suggestions for unknown keys,
// the JSON Schema, and a test that docs/case-file.md describes every key.
//
// A path names a key by its parents: "solver.newton.tolerance". `*` stands for a name of the user's (an axis, a field,
// a constant), `[]` for an element of a list: "domain.*.range[]". The empty path is the file itself.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace gwrm::casefile {

// What may stand behind a key; a key may allow several.
enum Form : unsigned {
  form_number = 1,   // a number, or an expression of constants
  form_integer = 2,  // likewise, with a whole value
  form_text = 4,
  form_choice = 8,       // one of KeySpec::choices
  form_expression = 16,  // of the expression language
  form_list = 32,        // elements: the key "path[]"
  form_map = 64          // entries: the keys below "path."
};

struct KeySpec {
  std::string path;
  unsigned forms = 0;
  bool required = false;
  std::string default_value;  // as in the file; empty: none, or told by the description
  std::string description;
  std::vector<std::string> choices = {};
  double minimum = -std::numeric_limits<double>::infinity();  // of a number or integer
  double maximum = std::numeric_limits<double>::infinity();
  bool above_minimum = false;  // the minimum itself is not allowed
  int min_items = 0;           // of a list
  int max_items = std::numeric_limits<int>::max();
  bool below_maximum = false;  // the maximum itself is not allowed
  std::string cure = {};       // told with a value out of range
  std::string problem = {};    // of a key of the file itself: the one problem module that reads it; empty: all do

  bool allows(Form form) const { return (forms & form) != 0; }
  bool is_element() const { return path.size() >= 2 && path.compare(path.size() - 2, 2, "[]") == 0; }
  std::string parent() const;  // the path above
  std::string name() const;    // the last part; "*" for a name of the user's, "[]" for an element
};

const std::vector<KeySpec>& key_table();

const KeySpec* find_key(const std::string& path);                 // null pointer if there is none
const KeySpec& known_key(std::string_view path);                  // for paths written in this program
std::vector<const KeySpec*> keys_below(const std::string& path);  // in the table's order; elements too

// The key `name` within `parent`: by its own name, else as "*"; null pointer if it is not legal there.
const KeySpec* legal_key(const KeySpec& parent, const std::string& name);

// Of a key of the file itself: does this problem module read it?
inline bool is_read_by(const KeySpec& spec, const std::string& problem) {
  return spec.problem.empty() || spec.problem == problem;
}

std::string range_text(const KeySpec& spec);  // "at least 1", "between 0 and 100000", "greater than 0", ...; empty: any
bool in_range(const KeySpec& spec, double value);

}  // namespace gwrm::casefile
