#include "case/coordinates_of_space.hpp"

#include <algorithm>
#include <vector>

#include "case/values.hpp"
#include "core/errors.hpp"
#include "expression/lexer.hpp"
#include "expression/names.hpp"

namespace gwrm::casefile {

using expression::TokenKind;

bool uses_as_coordinate(const SourceText& text, const std::string& axis) {
  std::vector<expression::Token> tokens;
  try {
    tokens = expression::tokenize(text);
  } catch (const CaseError&) {
    return false;  // told by its reader
  }
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].kind != TokenKind::name) continue;
    if (tokens[i].text == "d" + axis && tokens[i + 1].kind == TokenKind::open) return true;
    const bool opens = i > 0 && (tokens[i - 1].kind == TokenKind::open || tokens[i - 1].kind == TokenKind::comma);
    if (tokens[i].text == axis && opens && tokens[i + 1].kind == TokenKind::equals) return true;
  }
  return false;
}

bool is_coordinate_of_space(const YamlNode& root, const std::string& axis) {
  if (axis == "x" || axis == "y" || axis == "z") return true;
  if (!expression::is_curvilinear_name(axis)) return false;
  const std::vector<YamlNode>&equations = items_at(root, "equations"), &boundary = items_at(root, "boundary");
  const std::vector<YamlEntry>& definitions = entries_at(root, "definitions");
  const auto uses = [&](const YamlNode& node) { return uses_as_coordinate(node.mark.where(), axis); };
  return !equations.empty() && (std::any_of(equations.begin(), equations.end(), uses) ||
                                std::any_of(boundary.begin(), boundary.end(), uses) ||
                                std::any_of(definitions.begin(), definitions.end(),
                                            [&](const YamlEntry& entry) { return uses(entry.value); }));
}

}  // namespace gwrm::casefile
