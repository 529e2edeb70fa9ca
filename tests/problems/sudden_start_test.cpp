// Jumps of data: which equations smooth them, where a run begins again, and what it does not judge.
#include "problems/time_spectral/sudden_start.hpp"

#include <algorithm>
#include <cmath>

#include "problems/run_case.hpp"
#include "problems/time_spectral/linear_symbol.hpp"

namespace gwrm::sudden_start_test {
namespace {

using test::expect_holds;
using test::replaced;
using test::run_case;
using test::value_at;

// The symbol along x = 0.3 with all unknowns 0.5.
LinearSymbol symbol_of(const std::string& yaml) {
  const Model model = build_model(read_case_text(yaml + "resolution: {tolerance: 1.0e-6}\n", "test.yaml"));
  const std::vector<expression::Expr> values(model.fields.size(), model.pool->number(0.5));
  const auto symbol = linear_symbol(model, 1, values, {0.0, 0.3});
  EXPECT_TRUE(symbol);
  return symbol.value_or(LinearSymbol{});
}

std::string in_x(const std::string& unknowns, const std::string& equations, const std::string& initial,
                 const std::string& boundary) {
  return "domain: {t: [0, 2], x: [0, 1]}\nunknowns: [" + unknowns + "]\nequations: [" + equations + "]\ninitial: {" +
         initial + "}\nboundary: [" + boundary + "]\n";
}

TEST(LinearSymbolTest, DiffusionOfAnUnknownSize) {
  const LinearSymbol symbol = symbol_of(in_x("u", "\"dt(u) = dx((1 + 4*u)*dx(u))\"", "u: 0", "u(x=0) = 1, u(x=1) = 0"));
  EXPECT_EQ(symbol.behaviour, JumpBehaviour::parabolic);
  EXPECT_EQ(symbol.order, 2.0);
  EXPECT_NEAR(symbol.diffusivity, 3.0, 1e-6);
  EXPECT_NEAR(symbol.speed, 0.0, 1e-9);
}

TEST(LinearSymbolTest, AdvectionBesideDiffusion) {
  const LinearSymbol symbol =
      symbol_of(in_x("u", "\"dt(u) + 3*dx(u) = 0.01*dx(u,2)\"", "u: 0", "u(x=0) = 1, dx(u)(x=1) = 0"));
  EXPECT_EQ(symbol.behaviour, JumpBehaviour::parabolic);
  EXPECT_NEAR(symbol.diffusivity, 0.01, 1e-6);
  EXPECT_NEAR(symbol.speed, 3.0, 1e-6);
}

TEST(LinearSymbolTest, AFluxAsAnUnknown) {
  const LinearSymbol symbol =
      symbol_of(in_x("u, q", "\"2*dt(u) = -dx(q)\", \"q = -10*dx(u)\"", "u: 0", "q(x=0) = 1, q(x=1) = 0"));
  EXPECT_EQ(symbol.behaviour, JumpBehaviour::parabolic);
  EXPECT_NEAR(symbol.diffusivity, 5.0, 1e-6);
}

TEST(LinearSymbolTest, FourthOrder) {
  const LinearSymbol symbol = symbol_of(in_x("u", "\"dt(u) + u*dx(u) + dx(u,2) + 0.5*dx(u,4) = 0\"", "u: 0",
                                             "u(x=0) = 1, u(x=1) = 0, dx(u)(x=0) = 0, dx(u)(x=1) = 0"));
  EXPECT_EQ(symbol.behaviour, JumpBehaviour::parabolic);
  EXPECT_EQ(symbol.order, 4.0);
  EXPECT_NEAR(symbol.diffusivity, 0.5, 1e-5);
}

TEST(LinearSymbolTest, WhatTravels) {
  for (const std::string& travelling :
       {in_x("u, v", "\"dt(u) = v\", \"dt(v) = dx(u,2)\"", "u: 0, v: 0", "u(x=0) = 1, u(x=1) = 0"),
        in_x("u", "\"dt(u,2) + dt(u) = dx(u,2)\"", "u: 0, dt(u): 0", "u(x=0) = 1, u(x=1) = 0"),
        in_x("a, b", "\"dt(a) = -dx(b,2)\", \"dt(b) = dx(a,2)\"", "a: 0, b: 0",
             "a(x=0) = 1, a(x=1) = 0, b(x=0) = 0, b(x=1) = 0"),
        in_x("f, s", "\"dt(f) = -dx(f) + s - f\", \"dt(s) = f - s\"", "f: 0, s: 0", "f(x=0) = 1")})
    EXPECT_EQ(symbol_of(travelling).behaviour, JumpBehaviour::travels) << travelling;
}

TEST(LinearSymbolTest, WhatStaysWhereItIs) {
  EXPECT_EQ(symbol_of("domain: {t: [0, 2], x: [0, 1]}\nunknowns: [u]\nequations: [\"dt(u) = -u\"]\ninitial: {u: 1}\n")
                .behaviour,
            JumpBehaviour::still);
}

const std::string kBar = R"yaml(
domain: {t: [0, 10], x: [0, 5]}
unknowns: [y]
equations: ["dt(y) = dx(y,2)"]
initial: {y: "0"}
boundary: ["y(x=0) = 1", "dx(y)(x=5) = 0"]
resolution: {tolerance: 1.0e-6}
)yaml";

SuddenStarts starts_of(const std::string& yaml) {
  const Case the_case = read_case_text(yaml, "test.yaml");
  return sudden_starts(the_case, build_model(the_case));
}

// w = 2 sqrt(t1 ln(1e6)) with t1 = 1e-5.
TEST(SuddenStartTest, AContradictionAtOneEnd) {
  const SuddenStarts starts = starts_of(kBar);
  ASSERT_EQ(starts.all.size(), 1u);
  const SuddenStart& start = starts.all.front();
  EXPECT_EQ(start.at, 0.0);
  EXPECT_DOUBLE_EQ(start.end, 1e-5);
  EXPECT_DOUBLE_EQ(start.first, 2.5e-7);
  ASSERT_EQ(start.corners.size(), 1u);
  EXPECT_EQ(start.corners[0].place, 0.0);
  EXPECT_NEAR(start.corners[0].width, 2.0 * std::sqrt(1e-5 * std::log(1e6)), 1e-5);
  EXPECT_EQ(start.corners[0].jump, "y jumps by 1");
}

TEST(SuddenStartTest, ItsLengthCanBeGiven) {
  EXPECT_DOUBLE_EQ(starts_of(replaced(kBar, "1.0e-6}", "1.0e-6, start: 1.0e-3}")).all.at(0).end, 1e-3);
  const SuddenStart start = starts_of(replaced(kBar, "1.0e-6}", "1.0e-6, first_window: 1.0e-3}")).all.at(0);
  EXPECT_DOUBLE_EQ(start.first, 1e-3);
  EXPECT_DOUBLE_EQ(start.end, 0.04);
}

TEST(SuddenStartTest, WhatIsSmoothHasNone) {
  EXPECT_TRUE(starts_of(replaced(kBar, "y(x=0) = 1", "y(x=0) = 1 - exp(-t^4)")).all.empty());
  EXPECT_TRUE(starts_of(replaced(kBar, "tolerance: 1.0e-6", "degree: {t: 6, x: 8}")).all.empty());
}

TEST(SuddenStartTest, JumpsInsideTheDomainAndLater) {
  const SuddenStarts inside = starts_of(replaced(replaced(kBar, "\"0\"", "step(x - 2)"), "y(x=0) = 1", "y(x=0) = 0"));
  ASSERT_EQ(inside.all.size(), 1u);
  ASSERT_EQ(inside.all[0].corners.size(), 1u);
  EXPECT_NEAR(inside.all[0].corners[0].place, 2.0, 1e-12);
  EXPECT_EQ(inside.all[0].corners[0].condition, -1);
  const SuddenStarts later = starts_of(replaced(kBar, "y(x=0) = 1", "y(x=0) = 2*step(t - 3)"));
  ASSERT_EQ(later.all.size(), 1u);
  EXPECT_NEAR(later.all[0].at, 3.0, 1e-12);
  EXPECT_EQ(later.all[0].corners.at(0).jump, "y jumps by 2");
}

TEST(SuddenStartTest, AJumpThatIsCarriedAlongHasAWayOut) {
  const SuddenStarts starts = starts_of(R"yaml(
domain: {t: [0, 1], x: [0, 4]}
unknowns: [f]
equations: ["dt(f) = -dx(f)"]
initial: {f: "1"}
boundary: ["f(x=0) = sin(t)"]
resolution: {tolerance: 1.0e-4}
)yaml");
  EXPECT_TRUE(starts.all.empty());
  expect_holds(starts.carried, "carried along");
  expect_holds(starts.carried, "f(x=0) = (sin(t))*(1 - exp(-(t/0.05)^4)) + 1*exp(-(t/0.05)^4)");
}

TEST(SuddenStartTest, TheBarIsRightFromThenOn) {
  const RunOutcome outcome = run_case(kBar);
  ASSERT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  ASSERT_EQ(outcome.report.verification.left_out.size(), 1u);
  for (const double t : {1.1e-5, 1e-4, 1e-2, 1.0})
    for (const double x : {0.003, 0.01, 0.1, 1.0})
      EXPECT_NEAR(value_at(outcome.solution, "y", {{"t", t}, {"x", x}}), std::erfc(x / (2.0 * std::sqrt(t))), 1e-6)
          << t << " " << x;
  EXPECT_LE(outcome.report.n_windows, 60);
}

TEST(SuddenStartTest, AWallThatIsSwitchedLater) {
  const RunOutcome outcome = run_case(replaced(kBar, "y(x=0) = 1", "y(x=0) = step(t - 3)"));
  ASSERT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_NEAR(value_at(outcome.solution, "y", {{"t", 2.9}, {"x", 0.1}}), 0.0, 1e-6);
  for (const double t : {1e-4, 1e-2, 1.0})
    EXPECT_NEAR(value_at(outcome.solution, "y", {{"t", 3.0 + t}, {"x", 0.1}}), std::erfc(0.05 / std::sqrt(t)), 1e-6)
        << t;
}

}  // namespace
}  // namespace gwrm::sudden_start_test
