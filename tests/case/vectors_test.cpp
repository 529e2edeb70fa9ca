// Definitions and vectors of a case file: what becomes of them, that the resolved text has them as they were written,
// and mistakes.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "expect_error.hpp"
#include "problems/registry.hpp"
#include "sample_cases.hpp"

namespace gwrm::vectors_test {
namespace {

using testing::expect_error;
using testing::kVectorCase;
using testing::replaced;

std::string joined(const std::vector<SourceText>& texts) {
  std::string all;
  for (const SourceText& text : texts) all += text.text + "; ";
  return all;
}

std::string joined(const std::vector<NamedExpression>& list) {
  std::string all;
  for (const NamedExpression& item : list) all += item.name + ": " + item.text.text + "; ";
  return all;
}

std::string joined(const std::vector<InitialCase>& list) {
  std::string all;
  for (const InitialCase& item : list)
    all += item.field + "," + std::to_string(item.order) + ": " + item.text.text + "; ";
  return all;
}

TEST(Vectors, OfACaseAreItsComponents) {
  const Case c = read_case_text(kVectorCase, "flow.yaml");
  std::vector<std::string> names;
  for (const UnknownCase& unknown : c.unknowns) names.push_back(unknown.name);
  EXPECT_EQ(names, (std::vector<std::string>{"u_x", "u_y", "p"}));
  EXPECT_EQ(joined(c.equations),
            "dt(u_x) + u_x*dx(u_x) + u_y*dy(u_x) = -dx(p) + nu*lap(u_x); "
            "dt(u_y) + u_x*dx(u_y) + u_y*dy(u_y) = -dy(p) + nu*lap(u_y); div(u) = 0; ");
  EXPECT_EQ(joined(c.boundary),
            "u_x(x=0) = 0; u_y(x=0) = 0; u_x(x=1) = 0; u_y(x=1) = 0; u_x(y=0) = 0; u_y(y=0) = 0; "
            "u_x(y=1) = 16*x^2*(1 - x)^2; u_y(y=1) = 0; ");
  EXPECT_EQ(joined(c.initial), "u_x,0: 0; u_y,0: 0; ");
  EXPECT_EQ(joined(c.exact), "u_x: 0*t; u_y: 0; ");
  EXPECT_EQ(joined(c.output.fields), "velocity_x: u_x; velocity_y: u_y; vorticity: w; ");
}

TEST(Vectors, ResolvedTextHasThemAsTheyWereWritten) {
  const Case c = read_case_text(kVectorCase, "flow.yaml");
  for (const char* line :
       {"  - {name: u, dims: [t, y, x], vector: [x, y]}\n", "  - \"dt(u) + dot(u, grad(u)) = -grad(p) + nu*lap(u)\"\n",
        "  - \"u(y=1) = [wall, 0]\"\n", "  \"u\": \"0\"\n", "  u: \"[0*t, 0]\"\n", "  velocity: \"u\"\n",
        "definitions:\n  w: \"curl(u)\"\n"})
    EXPECT_NE(c.resolved_text.find(line), std::string::npos) << line << "\n" << c.resolved_text;
  EXPECT_EQ(c.resolved_text.find("u_x"), std::string::npos) << c.resolved_text;
  const Case again = read_case_text(c.resolved_text, "again.yaml");
  EXPECT_EQ(again.resolved_text, c.resolved_text);
  EXPECT_EQ(joined(again.equations), joined(c.equations));
  EXPECT_EQ(joined(again.boundary), joined(c.boundary));
  EXPECT_EQ(joined(again.initial), joined(c.initial));
  EXPECT_EQ(joined(again.exact), joined(c.exact));
  EXPECT_EQ(joined(again.output.fields), joined(c.output.fields));
}

TEST(Vectors, InitialValuesInAllTheirForms) {
  const auto initial = [](const std::string& text) {
    return joined(read_case_text(replaced(kVectorCase, "initial: {u: 0}", "initial: " + text), "flow.yaml").initial);
  };
  EXPECT_EQ(initial("{u: [x, \"sin( y )\"]}"), "u_x,0: x; u_y,0: sin(y); ");
  EXPECT_EQ(initial("{u: \"[x, sin(y)]\"}"), "u_x,0: x; u_y,0: sin(y); ");
  EXPECT_EQ(initial("{u: \"curl(x*y^2)\"}"), "u_x,0: dy(x*y^2); u_y,0: -dx(x*y^2); ");
  EXPECT_EQ(initial("{u_y: wall, u_x: 1}"), "u_y,0: wall; u_x,0: 1; ");
  EXPECT_EQ(initial("{u: 0, \"dt(u)\": [1, 2]}"), "u_x,0: 0; u_y,0: 0; u_x,1: 1; u_y,1: 2; ");
}

TEST(Vectors, UnknownsStandTwiceWithErrorsOnlyOnce) {
  const auto fields = [](const std::string& output) {
    return joined(
        read_case_text(replaced(kVectorCase, "output: {fields: {velocity: u, vorticity: w}}", "output: " + output),
                       "flow.yaml")
            .output.fields);
  };
  EXPECT_EQ(fields("{error: on}"), "u_x: u_x; u_y: u_y; p: p; ");
  EXPECT_EQ(fields("{error: on, fields: {u: u}}"), "u_x: u_x; u_y: u_y; p: p; ");
  EXPECT_EQ(fields("{fields: {u: u, p: p}}"), "u_x: u_x; u_y: u_y; p: p; ");
}

struct Mistake {
  std::string from, to;  // the change to the case
  int line;
  std::vector<std::string> told;
};

TEST(Vectors, MistakesAreToldAtTheirLine) {
  const Mistake table[] = {
      {"vector: [x, y]}", "vector: [x, z]}", 4, {"`z` is no dimension of space"}},
      {"vector: [x, y]}", "vector: [y, x]}", 4, {"in the order x, y"}},
      {"vector: [x, y]}", "vector: [x, x]}", 4, {"in the order x, y"}},
      {"vector: [x, y]}", "vector: []}", 4, {"expected at least 1 element, found 0"}},
      {"vector: [x, y]}", "vectors: [x, y]}", 4, {"unknown key `vectors`", "`vector`"}},
      {"constants: {nu: 0.1}", "constants: {nu: 0.1, u_y: 1}", 4, {"the name `u_y` clashes with the constant `u_y`"}},
      {"-grad(p) + nu*lap(u)", "-p + nu*lap(u)", 6, {"'+' has a number on the left and a vector (components x, y)"}},
      {"= -grad(p) + nu*lap(u)", "= -p", 6, {"'=' has a vector (components x, y) on the left and a number"}},
      {"div(u) = 0", "grad(p) = 0", 5, {"4 equations for 3 unknowns (u_x, u_y, p): 1 equation too many"}},
      {"  - \"div(u) = 0\"\n", "", 5, {"2 equations for 3 unknowns (u_x, u_y, p): 1 equation missing"}},
      {"[wall, 0]", "[wall, 0, 0]", 13, {"'=' has a vector (components x, y)", "3 components"}},
      {"{u: 0}", "{u: 1}", 8, {"'u' is a vector (u_x, u_y), and this is a number: write [a, b]"}},
      {"{u: 0}", "{u: [0, 0, 0]}", 8, {"`u` is a vector of u_x, u_y: expected 2 expressions, found 3"}},
      {"{u: 0}", "{u: {file: u.h5}}", 8, {"give a file for each component, as u_x: {file: ..}"}},
      {"{u: 0}", "{p: [0, 0]}", 8, {"`initial.p`: expected an expression", "found a list"}},
      {"{u: 0}", "{u: 0, u_y: 0}", 8, {"`u_y` is given twice"}},
      {"{u: 0}", "{v: 0}", 8, {"`v` is no unknown of this case"}},
      {"vorticity: w", "velocity_y: p", 16, {"two output fields are called `velocity_y`"}},
      {"[\"0*t\", 0]", "[\"0*\", 0]", 14, {"expected a number"}},
      {"u(x=0) = 0", "u(x=0) = 0*", 10, {"expected a number"}},
  };
  for (const Mistake& mistake : table)
    expect_error(replaced(kVectorCase, mistake.from, mistake.to), mistake.line, mistake.told);
}

const std::string kShort = R"yaml(domain: {x: [0, 1]}
constants: {a: 2}
unknowns: [u]
definitions:
  flux: "-a*dx(u)"
  source: "dx(flux)"
equations: ["source = 1"]
boundary: ["u(x=0) = 0", "flux(x=1) = 0"]
resolution: {degree: {x: 8}}
)yaml";

TEST(Definitions, StandInTheCaseAndItsResolvedText) {
  const Case c = read_case_text(kShort, "short.yaml");
  EXPECT_EQ(joined(c.definitions), "flux: -a*dx(u); source: dx(flux); ");
  EXPECT_EQ(joined(c.equations), "source = 1; ");
  EXPECT_NE(c.resolved_text.find("definitions:\n  flux: \"-a*dx(u)\"\n  source: \"dx(flux)\"\n"), std::string::npos);
  EXPECT_EQ(read_case_text(c.resolved_text, "again.yaml").resolved_text, c.resolved_text);
}

TEST(Definitions, MistakesAreToldAtTheirLine) {
  const Mistake table[] = {
      {"source: \"dx(flux)\"", "u: \"1\"", 6, {"the name `u` clashes with the unknown `u` in line 3", "hides nothing"}},
      {"source: \"dx(flux)\"", "a: \"1\"", 6, {"the name `a` clashes with the constant `a`"}},
      {"source: \"dx(flux)\"", "x: \"1\"", 6, {"the name `x` clashes with the dimension `x`"}},
      {"source: \"dx(flux)\"", "dx: \"1\"", 6, {"the name `dx` clashes with the dimension `x`"}},
      {"source: \"dx(flux)\"", "sin: \"1\"", 6, {"`sin` of the expression language"}},
      {"source: \"dx(flux)\"", "lap: \"1\"", 6, {"`lap` of the expression language"}},
      {"source: \"dx(flux)\"", "curl: \"1\"", 6, {"would hide the function curl(..)"}},
      {"source: \"dx(flux)\"", "source: [1, 2]", 6, {"`definitions.source`: expected an expression", "found a list"}},
      {"source: \"dx(flux)\"", "2a: \"1\"", 6, {"`2a` is not a name"}},
      {"dx(flux)", "dx(fluxx)", 6, {"unknown name 'fluxx'; the nearest known names are flux"}},
      {"-a*dx(u)", "-a*dx(source)", 5, {"the definition 'source' uses itself: source -> flux -> source"}},
  };
  for (const Mistake& mistake : table)
    expect_error(replaced(kShort, mistake.from, mistake.to), mistake.line, mistake.told);
}

}  // namespace
}  // namespace gwrm::vectors_test
