// The case with every default spelt out, as YAML. Reads back to an equal Case, and resolving that gives the same text:
// numbers are written with the shortest digits that read back the same, texts in double quotes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "case/case.hpp"
#include "case/key_table.hpp"

namespace gwrm {
class CaseFormat;
}

namespace gwrm::casefile {

// Text by sections; they come out in the order of the table of keys, whoever wrote them when.
class ResolvedText {
 public:
  // "  key: value"; without indentation it begins a section, to which the lines behind it belong.
  void line(int indent, const std::string& key, const std::string& value = "");
  // "  - item"
  void item(int indent, const std::string& item);
  // A map of expressions, a list of texts; nothing where there are none.
  void named(int indent, const std::string& key, const std::vector<NamedExpression>& expressions);
  void texts(const std::string& section, const std::vector<SourceText>& list);

  std::string in_order(const KeyTable& keys) const;

 private:
  std::vector<std::pair<std::string, std::string>> sections_;  // name, text
};

// JSON's strings are strings of YAML as well: escapes, no folding, nothing left to interpretation.
std::string quoted(const std::string& text);
// Of a number's text one that is a number for readers of YAML 1.1, too (PyYAML's among them), who take 1e-12 for text:
// 1.0e-12. Other text is left alone.
std::string yaml_number(std::string text);
std::string number_text(double value);  // shortest digits that read back the same, as above
std::string number_list(const std::vector<double>& values, int indent);

std::string resolve_text(const CaseFormat& format, const Case& the_case);

}  // namespace gwrm::casefile
