// The table of the case file's keys: the general ones (general_keys.hpp) and those of the problem modules
// (case_module.hpp). From it come the check of a file's shape, the suggestions for unknown keys, the JSON Schema, the
// order of the resolved text, and a test that docs/case-file.md describes every key.
//
// A path names a key by its parents: "solver.newton.tolerance". `*` stands for a name of the user's (an axis, a field,
// a constant), `[]` for an element of a list: "domain.*.range[]". The empty path is the file itself.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
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
  bool below_maximum = false;             // the maximum itself is not allowed
  std::string cure = {};                  // told with a value out of range
  std::vector<std::string> modules = {};  // of a key of the file itself: the problem modules that read it; none: all do
  std::string behind = "backend";         // of a module's key of the file itself: the general key it stands behind

  bool allows(Form form) const { return (forms & form) != 0; }
  bool is_element() const { return path.size() >= 2 && path.compare(path.size() - 2, 2, "[]") == 0; }
  bool is_section() const { return !path.empty() && path.find_first_of(".[") == std::string::npos; }
  bool is_read_by(const std::string& module) const;
  std::string parent() const;  // the path above
  std::string name() const;    // the last part; "*" for a name of the user's, "[]" for an element
};

class KeyTable {
 public:
  explicit KeyTable(std::vector<KeySpec> general);

  // The keys of a problem module: each section (a key of the file itself and all below it) behind the general one that
  // it names. A section that another module has added already is the same one: it is read by both.
  void add(const std::string& module, const std::vector<KeySpec>& keys);

  const std::vector<KeySpec>& keys() const { return keys_; }
  const KeySpec* find(const std::string& path) const;              // null pointer if there is none
  const KeySpec& known(std::string_view path) const;               // for paths written in this program
  std::vector<const KeySpec*> below(const KeySpec& parent) const;  // in the table's order; elements too

  // The key `name` within `parent`: by its own name, else as "*"; null pointer if it is not legal there.
  const KeySpec* legal(const KeySpec& parent, const std::string& name) const;
  // The key of a path as a user writes it, with names and numbers of elements: "resolution.degree.x"; null pointer if
  // there is none.
  const KeySpec* find_written(const std::string& path) const;

 private:
  void rebuild_index();

  std::vector<KeySpec> keys_;
  std::unordered_map<std::string, std::size_t> index_;  // path -> place in keys_
};

std::string range_text(const KeySpec& spec);  // "at least 1", "between 0 and 100000", "greater than 0", ...; empty: any
bool in_range(const KeySpec& spec, double value);

}  // namespace gwrm::casefile
