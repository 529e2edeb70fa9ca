// Cases from YAML text run as the command line runs them, on one CPU thread, and what the tests ask of the outcome.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "output/evaluate.hpp"
#include "problems/registry.hpp"

namespace gwrm::test {

// Burgers' front that runs into the domain at speed 1, u = 1 - 0.5 tanh((x - t - 0.3)/(4 nu)); the resolution is to be
// added.
constexpr const char* kMovingFront = R"yaml(
domain: {t: [0, 0.5], x: [0, 1]}
constants: {nu: 0.05}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = nu*dx(u,2)"]
initial: {u: "1 - 0.5*tanh((x - 0.3)/(4*nu))"}
boundary: ["u(x=0) = 1 - 0.5*tanh((0 - t - 0.3)/(4*nu))", "u(x=1) = 1 - 0.5*tanh((1 - t - 0.3)/(4*nu))"]
)yaml";

inline RunOutcome run_case(const std::string& yaml, const RunControl& control = {}) {
  return make_problem(read_case_text(yaml, "test.yaml"))->run(Context::create(BackendChoice::cpu, 1), control);
}

// The check of this kind whose subject holds the fragment; there must be exactly one.
inline Check find_check(const RunOutcome& outcome, const std::string& kind, const std::string& fragment = "") {
  Check found;
  int count = 0;
  for (const Check& check : outcome.report.verification.checks) {
    if (check.kind != kind || check.subject.find(fragment) == std::string::npos) continue;
    found = check;
    ++count;
  }
  EXPECT_EQ(count, 1) << kind << " " << fragment;
  return found;
}

// Largest error against `exact` over all fields, as the verification gives it; -1 if there is none.
inline double worst_error(const RunOutcome& outcome) {
  double worst = -1.0;
  for (const Check& check : outcome.report.verification.checks)
    if (check.kind == "error_max" && !std::isnan(worst) && !(check.value <= worst)) worst = check.value;
  return worst;
}

// Runs a case that gives `exact`; the run must converge and every field be as near to `exact` as `bound`.
inline RunOutcome expect_exact(const std::string& yaml, double bound) {
  RunOutcome outcome = run_case(yaml);
  EXPECT_TRUE(outcome.complete) << outcome.report.reason;
  for (const Check& check : outcome.report.verification.checks)
    EXPECT_TRUE(check.passed()) << check.kind << " " << check.subject << ": " << check.value;
  EXPECT_LE(worst_error(outcome), bound);
  EXPECT_GE(worst_error(outcome), 0.0) << "no exact solution";
  return outcome;
}

// Value of an expression of the solution at one point; coordinates that are not given are at the lower end.
inline double value_at(const Solution& solution, const std::string& text,
                       const std::vector<std::pair<std::string, double>>& where = {}) {
  expression::Symbols symbols;
  symbols.axes = solution.axes;
  for (const FieldSolution& field : solution.fields) {
    symbols.fields.push_back({field.name, {}});
    for (int axis : field.axes)
      symbols.fields.back().dims.push_back(solution.axes[static_cast<std::size_t>(axis)].name);
  }
  expression::Pool pool(symbols);
  GridPoints points;
  for (const Axis& axis : solution.axes) points.push_back({axis.lower});
  for (const auto& [name, z] : where) points[static_cast<std::size_t>(symbols.find_axis(name))] = {z};
  const auto e = expression::lower(pool, expression::parse(pool, SourceText::from_argument(text)));
  return evaluate(pool, solution, e, points).data.front();
}

inline void expect_holds(const std::string& text, const std::string& fragment) {
  EXPECT_NE(text.find(fragment), std::string::npos) << "'" << fragment << "' in: " << text;
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto position = text.find(from);
  EXPECT_NE(position, std::string::npos) << from;
  return position == std::string::npos ? text : text.replace(position, from.size(), to);
}

}  // namespace gwrm::test
