// Equations written with vectors and definitions give the answer of those written by components, to the bit.
#include <gtest/gtest.h>

#include <algorithm>

#include "run_case.hpp"

namespace gwrm::vector_flow_test {
namespace {

using test::find_check;
using test::run_case;

// Taylor-Green vortices in a wind: the flow (U, V) + curl(psi).
const std::string kDomain = R"yaml(
domain: {t: [0, 1], x: {range: [0, 2*pi], basis: fourier}, y: {range: [0, 2*pi], basis: fourier}}
constants: {nu: 0.1, U: 1, V: 0.5}
resolution: {degree: {t: 6, x: 4, y: 4}, domains: {t: 4}}
)yaml";

const std::string kVectors = kDomain + R"yaml(
unknowns: [{name: u, vector: [x, y]}, p]
definitions:
  psi: "-cos(x - U*t)*cos(y - V*t)*exp(-2*nu*t)"
  flow: "[U, V] + curl(psi)"
equations:
  - "dt(u) + dot(u, grad(u)) = -grad(p) + nu*lap(u)"
  - "div(u) = 0"
initial: {u: "flow(t=0)"}
exact: {u: flow}
)yaml";

const std::string kComponents = kDomain + R"yaml(
unknowns: [u_x, u_y, p]
equations:
  - "dt(u_x) + u_x*dx(u_x) + u_y*dy(u_x) = -dx(p) + nu*lap(u_x)"
  - "dt(u_y) + u_x*dx(u_y) + u_y*dy(u_y) = -dy(p) + nu*lap(u_y)"
  - "dx(u_x) + dy(u_y) = 0"
initial:
  u_x: "(U + dy(-cos(x - U*t)*cos(y - V*t)*exp(-2*nu*t)))(t=0)"
  u_y: "(V - dx(-cos(x - U*t)*cos(y - V*t)*exp(-2*nu*t)))(t=0)"
)yaml";

const std::string kCavity = R"yaml(
domain: {x: [0, 1], y: [0, 1]}
constants: {Re: 20}
resolution: {degree: {x: 10, y: 10}}
verification: {estimate: off}
)yaml";

const std::string kCavityOfVectors = kCavity + R"yaml(
unknowns: [{name: u, vector: [x, y]}, p]
definitions: {lid: "16*x^2*(1 - x)^2"}
equations:
  - "dot(u, grad(u)) = -grad(p) + lap(u)/Re"
  - "div(u) = 0"
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = [lid, 0]"]
)yaml";

const std::string kCavityOfComponents = kCavity + R"yaml(
unknowns: [u_x, u_y, p]
equations:
  - "u_x*dx(u_x) + u_y*dy(u_x) = -dx(p) + lap(u_x)/Re"
  - "u_x*dx(u_y) + u_y*dy(u_y) = -dy(p) + lap(u_y)/Re"
  - "dx(u_x) + dy(u_y) = 0"
boundary:
  - "u_x(x=0) = 0"
  - "u_y(x=0) = 0"
  - "u_x(x=1) = 0"
  - "u_y(x=1) = 0"
  - "u_x(y=0) = 0"
  - "u_y(y=0) = 0"
  - "u_x(y=1) = 16*x^2*(1 - x)^2"
  - "u_y(y=1) = 0"
)yaml";

void expect_same_bits(const Solution& a, const Solution& b) {
  ASSERT_EQ(a.fields.size(), b.fields.size());
  for (std::size_t f = 0; f < a.fields.size(); ++f) {
    EXPECT_EQ(a.fields[f].name, b.fields[f].name);
    ASSERT_EQ(a.fields[f].windows.size(), b.fields[f].windows.size());
    for (std::size_t w = 0; w < a.fields[f].windows.size(); ++w)
      EXPECT_EQ(a.fields[f].windows[w].data, b.fields[f].windows[w].data) << a.fields[f].name << " in window " << w;
  }
}

TEST(VectorFlow, IsTheFlowOfItsComponents) {
  const RunOutcome vectors = run_case(kVectors), components = run_case(kComponents);
  EXPECT_EQ(vectors.status, ExitStatus::converged) << vectors.report.reason;
  expect_same_bits(vectors.solution, components.solution);
  EXPECT_LT(find_check(vectors, "error_max", "u_x").value, 1e-6);
  EXPECT_LT(find_check(vectors, "error_max", "u_y").value, 1e-6);
}

TEST(VectorFlow, IsTheCavityOfItsComponents) {
  const RunOutcome vectors = run_case(kCavityOfVectors), components = run_case(kCavityOfComponents);
  EXPECT_TRUE(vectors.complete) << vectors.report.reason;
  expect_same_bits(vectors.solution, components.solution);
}

TEST(Definitions, GiveTheAnswerOfWhatTheyStandFor) {
  const std::string head = R"yaml(
domain: {t: [0, 0.2], x: [0, 1]}
constants: {D: 0.1}
unknowns: [c]
initial: {c: "1 - x^2"}
resolution: {degree: {t: 8, x: 14}}
)yaml";
  const RunOutcome named = run_case(head + R"yaml(
definitions: {inflow: "flux(x=0)", flux: "c*(1 - c) - D*dx(c)"}
equations: ["dt(c) + dx(flux) = 0"]
boundary: ["inflow = 0", "dx(c)(x=1) = -2"]
)yaml");
  const RunOutcome written = run_case(head + R"yaml(
equations: ["dt(c) + dx(c*(1 - c) - D*dx(c)) = 0"]
boundary: ["(c*(1 - c) - D*dx(c))(x=0) = 0", "dx(c)(x=1) = -2"]
)yaml");
  EXPECT_TRUE(named.complete) << named.report.reason;
  expect_same_bits(named.solution, written.solution);
}

std::string summary_of(const std::string& yaml) {
  std::string text;
  const Summary summary = make_problem(read_case_text(yaml, "test.yaml"))->summary();
  for (const auto& [name, line] : summary.lines) text += name + ": " + line + "\n";
  for (const PrintedExpression& printed : summary.system) text += printed.name + ": " + printed.text + "\n";
  for (const auto& row : summary.conditions) text += row.front() + "\n";
  return text;
}

TEST(VectorFlow, MessagesNameEquationAndComponent) {
  const std::string text = summary_of(kCavityOfVectors);
  for (const char* part : {"equation 1, component x: u_x*dx(u_x)", "equation 1, component y: u_x*dx(u_y)",
                           "equation 2: ", "condition 4, component x: u_x(y=1) = 16*x^2*(1 - x)^2",
                           "definition lid: lid = 16*x^2*(1 - x)^2", "the multiplier of equation 2"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

// Modules with an equation of their own: definitions in their expressions, and mistakes told inside them.
TEST(Definitions, OfOtherModules) {
  const std::string sbp = R"yaml(
problem: sbp_sat_poisson
domain: {x: [0, 1], y: [0, 1]}
unknowns: [u]
definitions: {bump: "sin(pi*x)*sin(pi*y)"}
sbp_sat: {intervals: 32, order: 4, source: "2*pi^2*bump"}
boundary: ["u(x=0) = 0", "u(x=1) = bump(x=1)", "u(y=0) = 0", "u(y=1) = 0"]
exact: {u: bump}
output: {fields: {u: u, slope: "dot(grad(u), grad(u))"}}
)yaml";
  const RunOutcome poisson = run_case(sbp);
  EXPECT_EQ(poisson.status, ExitStatus::converged) << poisson.report.reason;
  const std::string bvp = R"yaml(
problem: recurrence_bvp
domain: {x: [0, 1]}
unknowns: [u]
definitions: {wave: "sin(pi*x)"}
recurrence: {intervals: 4096, source: "pi^2*wave"}
boundary: ["u(x=0) = wave(x=0)", "u(x=1) = 0"]
exact: {u: wave}
)yaml";
  EXPECT_EQ(run_case(bvp).status, ExitStatus::converged);
  for (const std::string& yaml : {sbp, bvp}) {
    std::string bad = yaml;
    bad.replace(bad.find("sin(pi*x)"), 9, "sin(pi*q)");
    try {
      make_problem(read_case_text(bad, "test.yaml"));
      ADD_FAILURE() << "accepted: " << bad;
    } catch (const CaseError& error) {
      EXPECT_EQ(std::string(error.what()).rfind("test.yaml:5:", 0), 0u) << error.what();
      EXPECT_NE(std::string(error.what()).find("unknown name 'q'"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace gwrm::vector_flow_test
