#include "core/source_text.hpp"

#include <gtest/gtest.h>

namespace gwrm::source_text_test {
namespace {

TEST(SourceText, PointsIntoTheLineOfTheFile) {
  const SourceText source{"u*dx(v)", "burgers.yaml", 12, 8, "  - u: u*dx(v)"};
  EXPECT_EQ(render_error(source, 5, "unknown field"),
            "burgers.yaml:12:13: error: unknown field\n"
            "  "
            "  - u: u*dx(v)\n"
            "  "
            "            ^");
}

TEST(SourceText, SkipsAnOpeningQuote) {
  const SourceText source{"a + b", "case.yaml", 3, 4, "u: \"a + b\""};
  EXPECT_EQ(render_error(source, 4, "x"), "case.yaml:3:9: error: x\n  u: \"a + b\"\n          ^");
}

TEST(SourceText, KeepsTabsBelowTabs) {
  const SourceText source{"b", "case.yaml", 1, 3, "a\tb"};
  EXPECT_EQ(render_error(source, 0, "x"), "case.yaml:1:3: error: x\n  a\tb\n   \t^");
}

TEST(SourceText, CountsCharactersNotBytes) {
  const SourceText source{"w", "case.yaml", 6, 17, "{u: \"Höhe ü\", w: \"x\"}"};
  EXPECT_EQ(render_error(source, 0, "x"),
            "case.yaml:6:15: error: x\n"
            "  {u: \"Höhe ü\", w: \"x\"}\n"
            "                ^");
  EXPECT_EQ(render_error(SourceText::from_argument("é + w"), 5, "x"), "expression: error: x\n  é + w\n      ^");
  const SourceText folded{"first second", "case.yaml", 5, 6, "ü: x"};
  EXPECT_EQ(render_error(folded, 6, "x"), "case.yaml:5:5: error: x\n  first second\n        ^");
}

TEST(SourceText, ShowsFoldedTextByItself) {
  const SourceText source{"first second", "case.yaml", 5, 4, "u: first"};
  EXPECT_EQ(render_error(source, 6, "x"), "case.yaml:5:4: error: x\n  first second\n        ^");
}

TEST(SourceText, ShowsAnArgumentWithItsOrigin) {
  EXPECT_EQ(render_error(SourceText::from_argument("1 + ?", "--expr"), 4, "unexpected character"),
            "--expr: error: unexpected character\n  1 + ?\n      ^");
}

TEST(SourceText, PutsTheCaretBehindTheEndAtMost) {
  EXPECT_EQ(render_error(SourceText::from_argument("1 +"), 99, "a value is missing"),
            "expression: error: a value is missing\n  1 +\n     ^");
}

TEST(SourceText, ThrowsCaseErrors) {
  try {
    throw_case_error(SourceText::from_argument("x"), 0, "message");
  } catch (const CaseError& error) {
    EXPECT_EQ(error.status(), ExitStatus::usage);
    EXPECT_EQ(std::string(error.what()), "expression: error: message\n  x\n  ^");
    return;
  }
  FAIL() << "nothing was thrown";
}

}  // namespace
}  // namespace gwrm::source_text_test
