// Conditions of unknown numbers under `boundary`, and dimensions that their use makes coordinates of space.
#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "problems/registry.hpp"

namespace gwrm::number_conditions_test {
namespace {

using testing::expect_error;

std::string with_number(const std::string& boundary, const std::string& unknowns = "[u, {name: c, dims: []}]") {
  return "schema: 1\ndomain: {x: [0, 1]}\nunknowns: " + unknowns + "\nequations: [\"dx(u,2) = c*u\"]\nboundary: [" +
         boundary + "]\nresolution: {tolerance: 1.0e-6}\n";
}

std::vector<std::string> texts(const std::vector<SourceText>& list) {
  std::vector<std::string> result;
  for (const SourceText& text : list) result.push_back(text.text);
  return result;
}

using Texts = std::vector<std::string>;

TEST(NumberConditions, TheLastConditionBecomesAnEquation) {
  const Case read = read_case_text(with_number("\"u(x=0) = 1\", \"u(x=1) = 2\", \"dx(u)(x=0) = 0\""), "test.yaml");
  EXPECT_EQ(texts(read.equations), (Texts{"dx(u,2) = c*u", "dx(u)(x=0) = 0"}));
  EXPECT_EQ(texts(read.boundary), (Texts{"u(x=0) = 1", "u(x=1) = 2"}));
  EXPECT_EQ(texts(read_case_text(read.resolved_text, "again.yaml").equations), texts(read.equations));
}

TEST(NumberConditions, OneThatHoldsAtAPointOfSeveralDimensionsGoesFirst) {
  const Case read = read_case_text(
      "schema: 1\ndomain: {x: [0, 1], y: [0, 1]}\nunknowns: [u, {name: c, dims: []}]\nequations: [\"lap(u) = c\"]\n"
      "boundary: [\"u(x=0.5, y=0.5) = 1\", \"u(x=0) = 0\", \"u(x=1) = 0\", \"u(y=0) = 0\", \"u(y=1) = 0\"]\n"
      "resolution: {tolerance: 1.0e-6}\n",
      "test.yaml");
  EXPECT_EQ(texts(read.equations), (Texts{"lap(u) = c", "u(x=0.5, y=0.5) = 1"}));
}

TEST(NumberConditions, WithoutANumberTheCountIsReported) {
  expect_error(with_number("\"u(x=0) = 1\", \"u(x=1) = 2\", \"dx(u)(x=0) = 0\"", "[u, c]"), 4,
               {"1 equation for 2 unknowns"});
  expect_error(with_number(""), 4, {"1 equation for 2 unknowns"});
}

AxisKind kind_of(const std::string& equation, const std::string& boundary = "") {
  const Case read =
      read_case_text("schema: 1\ndomain: {t: [0, 1], r: [1, 2]}\nunknowns: [u]\nequations: [\"" + equation +
                         "\"]\ninitial: {u: \"0\"}\nboundary: [" + boundary + "]\nresolution: {tolerance: 1.0e-6}\n",
                     "test.yaml");
  return read.domain.back().axis.kind;
}

TEST(CoordinatesOfSpace, RadiusThatIsDifferentiated) {
  EXPECT_EQ(kind_of("dt(u) = dr(r*dr(u))/r", "\"u(r=1) = 0\", \"u(r=2) = 1\""), AxisKind::space);
  EXPECT_EQ(kind_of("dt(u) = -r*u"), AxisKind::parameter);
}

}  // namespace
}  // namespace gwrm::number_conditions_test
