// docs/expressions.md and the language say the same.
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "expression/functions.hpp"
#include "expression/parser.hpp"

namespace gwrm::expression::docs_test {
namespace {

std::string page() {
  std::ifstream file(GWRM_SOURCE_DIR "/docs/expressions.md");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Names before an opening bracket in the table of functions.
std::set<std::string> documented_functions() {
  const std::string text = page();
  const auto begin = text.find("## Functions"), end = text.find("## Values");
  EXPECT_LT(begin, end);
  std::set<std::string> names;
  std::istringstream lines(text.substr(begin, end - begin));
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("| `", 0) != 0) continue;
    const std::string cell = line.substr(0, line.find(" |", 3));
    const std::regex call("`([a-z0-9]+)\\(");
    for (std::sregex_iterator found(cell.begin(), cell.end(), call), end_of_cell; found != end_of_cell; ++found)
      names.insert((*found)[1]);
  }
  return names;
}

TEST(ExpressionDocs, ListEveryFunction) {
  const std::vector<std::string> names = function_names();
  EXPECT_EQ(documented_functions(), std::set<std::string>(names.begin(), names.end()));
}

TEST(ExpressionDocs, ValuesAreRight) {
  const std::string text = page();
  std::istringstream lines(text.substr(text.find("## Values"), text.find("## Names") - text.find("## Values")));
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("| `", 0) != 0) continue;
    const auto end = line.find('`', 3);
    const std::string expression = line.substr(3, end - 3), value = line.substr(line.find('|', end) + 1);
    EXPECT_NEAR(evaluate_number(SourceText::from_argument(expression), {}), std::stod(value), 1e-15) << line;
    ++count;
  }
  EXPECT_GE(count, 10);
}

TEST(ExpressionDocs, Limits) {
  EXPECT_NE(page().find("at most " + std::to_string(kMaxTextLength) + " characters"), std::string::npos);
  EXPECT_NE(page().find("at most " + std::to_string(kMaxDepth) + " levels"), std::string::npos);
  EXPECT_NE(page().find("beyond " + std::to_string(kMaxTreeDepth) + " levels or " + std::to_string(kMaxNodes)),
            std::string::npos);
}

}  // namespace
}  // namespace gwrm::expression::docs_test
