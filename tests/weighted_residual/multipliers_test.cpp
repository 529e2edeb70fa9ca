// Which unknowns are multipliers of constraints, how many modes they have, what their mean asks for: systems of the
// literature, with the expected pair written down by hand.
#include "weighted_residual/model/multipliers.hpp"

#include <algorithm>

#include "flow_equations.hpp"
#include "support_case.hpp"

namespace gwrm::multipliers_test {
namespace {

using test::case_of;
using test::model_error;

std::string channel_domain(bool time = true) {
  return std::string("domain: {") + (time ? "t: [0, 1], " : "") +
         "x: {range: [0, 2*pi], basis: fourier}, y: [0, 1]}\nresolution: {degree: {" + (time ? "t: 4, " : "") +
         "x: 4, y: 8}}\n";
}

std::string box_domain(bool time) {
  return std::string("domain: {") + (time ? "t: [0, 1], " : "") + "x: [0, 1], y: [0, 1]}\nresolution: {degree: {" +
         (time ? "t: 4, " : "") + "x: 8, y: 8}}\n";
}

std::string periodic_domain() {
  return "domain: {t: [0, 1], x: {range: [0, 2*pi], basis: fourier}, y: {range: [0, 2*pi], basis: fourier}}\n"
         "resolution: {degree: {t: 4, x: 4, y: 4}}\n";
}

const std::string kMomentum = test::flow_equations("0.1*") + R"yaml(
initial: {u: "0", v: "0"}
)yaml";
constexpr const char* kWalls = R"yaml(
boundary: ["u(y=0) = 0", "u(y=1) = 0", "v(y=0) = 0", "v(y=1) = 0"]
)yaml";
constexpr const char* kBoxWalls = R"yaml(
boundary: ["u(y=0) = 0", "u(y=1) = 0", "v(y=0) = 0", "v(y=1) = 0",
           "u(x=0) = 0", "u(x=1) = 0", "v(x=0) = 0", "v(x=1) = 0"]
)yaml";

// name of the unknown, number of its equation from 1: "p3".
std::string pairs_of(const Model& model) {
  std::string text;
  for (const Multiplier& multiplier : model.multipliers)
    text += model.fields[at(multiplier.field)].name + std::to_string(multiplier.equation + 1);
  return text;
}

TEST(Multipliers, PressureBetweenWalls) {
  const Model model = build_model(case_of(channel_domain() + kMomentum + kWalls));
  ASSERT_EQ(pairs_of(model), "p3");
  EXPECT_EQ(describe(model, model.multipliers[0]),
            "the multiplier of equation 3: two degrees lower along y, mean zero");
  EXPECT_EQ(model.equations[2].field, 2);
  EXPECT_EQ(model.fields[2].n_lower, (std::vector<int>{0, 2, 0}));  // t, y, x
  EXPECT_EQ(model.equations[0].n_conditions, (std::vector<int>{0, 2, 0}));
  EXPECT_EQ(model.equations[2].n_conditions, (std::vector<int>{0, 0, 0}));
  ASSERT_EQ(model.conditions.size(), 5U);
  EXPECT_EQ(model.conditions.back().text.text, "integral(integral(p, x), y) = 0");
  EXPECT_EQ(model.conditions.back().equation, 2);
}

TEST(Multipliers, PressureInAPeriodicBoxHasAllModesAndAMean) {
  const Model model = build_model(case_of(periodic_domain() + kMomentum));
  ASSERT_EQ(pairs_of(model), "p3");
  EXPECT_EQ(describe(model, model.multipliers[0]), "the multiplier of equation 3: mean zero");
}

// The mean of the velocity is free too, but no choice of the program's.
TEST(Multipliers, PeriodicStokesHasPressureAlone) {
  const auto pairs = [](const std::string& rest) {
    return pairs_of(
        build_model(case_of("domain: {x: {range: [0, 2*pi], basis: fourier}, y: {range: [0, 2*pi], basis: fourier}}\n"
                            "resolution: {degree: {x: 4, y: 4}}\n" +
                            rest)));
  };
  EXPECT_EQ(pairs(R"yaml(
unknowns: [u, v, p]
equations: ["lap(u) = dx(p) + sin(y)", "lap(v) = dy(p)", "dx(u) + dy(v) = 0"]
)yaml"),
            "p3");
  EXPECT_EQ(pairs(R"yaml(
unknowns: [u, v, p]
equations: ["u = -dx(p)", "v = -dy(p)", "dx(u) + dy(v) = sin(x)"]
)yaml"),
            "");  // Darcy
  EXPECT_EQ(pairs(R"yaml(
unknowns: [w, psi]
equations: ["lap(w) = sin(x)", "lap(psi) = -w"]
)yaml"),
            "");
}

// The order of the equations does not matter, steady or not.
TEST(Multipliers, SteadyStokesInAnyOrder) {
  const Model model = build_model(case_of(box_domain(false) + R"yaml(
unknowns: [u, v, p]
equations: ["dx(u) + dy(v) = 0", "0 = -dy(p) + lap(v)", "0 = -dx(p) + lap(u)"]
)yaml" + kBoxWalls));
  EXPECT_EQ(pairs_of(model), "p1");
  EXPECT_EQ(model.fields[2].n_lower, (std::vector<int>{2, 2}));
}

TEST(Multipliers, NearlyIncompressibleElasticityNeedsNoMean) {
  const Model model = build_model(case_of(box_domain(false) + R"yaml(
unknowns: [u, v, p]
equations: ["lap(u) = dx(p)", "lap(v) = dy(p)", "dx(u) + dy(v) = -1e-6*p"]
)yaml" + kBoxWalls));
  ASSERT_EQ(pairs_of(model), "p3");
  EXPECT_EQ(describe(model, model.multipliers[0]),
            "the multiplier of equation 3: two degrees lower along y, two degrees lower along x");
  EXPECT_EQ(model.conditions.size(), 8U);
}

TEST(Multipliers, BothConstraintsOfMagnetohydrodynamics) {
  const Model model = build_model(case_of(channel_domain() + R"yaml(
unknowns: [u, v, p, a, b, psi]
equations:
  - "dt(u) + u*dx(u) + v*dy(u) = -dx(p) + a*dx(a) + b*dy(a) + lap(u)"
  - "dt(v) + u*dx(v) + v*dy(v) = -dy(p) + a*dx(b) + b*dy(b) + lap(v)"
  - "dx(u) + dy(v) = 0"
  - "dt(a) + u*dx(a) + v*dy(a) - a*dx(u) - b*dy(u) + dx(psi) = lap(a)"
  - "dt(b) + u*dx(b) + v*dy(b) - a*dx(v) - b*dy(v) + dy(psi) = lap(b)"
  - "dx(a) + dy(b) = 0"
initial: {u: "0", v: "0", a: "0", b: "0"}
boundary: ["u(y=0) = 0", "u(y=1) = 0", "v(y=0) = 0", "v(y=1) = 0",
           "a(y=0) = 0", "a(y=1) = 0", "b(y=0) = 0", "b(y=1) = 0"]
)yaml"));
  EXPECT_EQ(pairs_of(model), "p3psi6");
  EXPECT_EQ(model.conditions.size(), 10U);
}

// Where the unknown without dt asks for conditions of its own, or is determined without differentiating the constraint.
TEST(Multipliers, NotInSystemsThatOnlyLookAlike) {
  const auto pairs = [](const std::string& yaml) { return pairs_of(build_model(case_of(yaml))); };
  EXPECT_EQ(pairs(box_domain(true) + R"yaml(
unknowns: [w, psi]
equations: ["dt(w) + dy(psi)*dx(w) - dx(psi)*dy(w) = lap(w)", "lap(psi) = -w"]
initial: {w: "0"}
boundary: ["w(x=0) = 0", "w(x=1) = 0", "w(y=0) = 0", "w(y=1) = 0",
           "psi(x=0) = 0", "psi(x=1) = 0", "psi(y=0) = 0", "psi(y=1) = 0"]
)yaml"),
            "");
  EXPECT_EQ(pairs(box_domain(false) + R"yaml(
unknowns: [u, v, p]
equations: ["u = -dx(p)", "v = -dy(p)", "dx(u) + dy(v) = 1"]
boundary: ["p(x=0) = 0", "p(x=1) = 0", "p(y=0) = 0", "p(y=1) = 0"]
)yaml"),
            "");  // Darcy
  EXPECT_EQ(pairs(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
resolution: {degree: {t: 4, x: 8}}
unknowns: [T, q]
equations: ["dt(T) = -dx(q)", "q = -dx(T)"]
initial: {T: "0"}
boundary: ["T(x=0) = 0", "T(x=1) = 0"]
)yaml"),
            "");  // heat as a first-order system
  EXPECT_EQ(pairs(R"yaml(
domain: {t: [0, 1], x: {range: [0, 1], basis: fourier}}
resolution: {degree: {t: 4, x: 8}}
unknowns: [T, q]
equations: ["dt(T) = -dx(q)", "q = -dx(T)"]
initial: {T: "0"}
)yaml"),
            "");
}

// Inviscid flow between walls takes conditions of the normal velocity only: nothing enters through the walls.
TEST(Multipliers, InviscidFlowBetweenWallsTakesTwoConditions) {
  EXPECT_NO_THROW((void)build_model(test::case_of(channel_domain() + R"yaml(
unknowns: [u, v, p]
equations: ["dt(u) + u*dx(u) + v*dy(u) = -dx(p)", "dt(v) + u*dx(v) + v*dy(v) = -dy(p)", "dx(u) + dy(v) = 0"]
initial: {u: "0", v: "0"}
boundary: ["v(y=0) = 0", "v(y=1) = 0"]
)yaml")));
}

TEST(Multipliers, WhatDoesNotFitIsRefusedWithAReason) {
  const auto expect_error = [](const std::string& yaml, const std::string& fragment) {
    const std::string message = model_error(yaml);
    EXPECT_NE(message.find(fragment), std::string::npos) << message;
  };
  const std::string momentum = kMomentum, walls = kWalls;
  std::string with_initial = momentum;
  with_initial.replace(with_initial.find("v: \"0\"}"), 7, "v: \"0\", p: \"0\"}");
  expect_error(channel_domain() + with_initial + walls, "p takes no initial value: it is the multiplier of equation 3");
  std::string one_more = walls;
  one_more.replace(one_more.find(']'), 1, ", \"p(y=0) = 0\"]");
  expect_error(channel_domain() + momentum + one_more,
               "surplus boundary condition: the equations take 4 along y, 5 given; p is the multiplier of equation 3");
}

// Where subdomains along two such axes meet the normal stress p - nu dx(u) is continuous.
TEST(Multipliers, StressAtCrossPoints) {
  const auto model_of = [](const std::string& divided, const std::string& viscosity) {
    std::string momentum = test::flow_equations(viscosity) + "initial: {u: \"0\", v: \"0\"}\n",
                domain = box_domain(true);
    domain.replace(domain.find("y: 8}}"), 6, "y: 8}, domains: {" + divided + "}}");
    return build_model(case_of(domain + momentum + kBoxWalls));
  };
  const Model model = model_of("x: 2, y: 3", "0.1*");
  EXPECT_TRUE(has_cross_points(model, model.subdomains));
  const int x = model.fields[0].axes.back(), y = x - 1;
  EXPECT_DOUBLE_EQ(stress_factor(model, 0, x).value(), -0.1);
  EXPECT_DOUBLE_EQ(stress_factor(model, 1, y).value(), -0.1);
  EXPECT_FALSE(stress_factor(model, 0, y).has_value());  // no derivative of p
  const Model along_one = model_of("x: 2", "0.1*");
  EXPECT_FALSE(has_cross_points(along_one, along_one.subdomains));
  EXPECT_FALSE(stress_factor(model_of("x: 2, y: 2", "(1 + x)*"), 0, x).has_value());
}

// A condition at an outflow takes the place of one on the velocity, and then nothing is free; one on the mean of p
// is the gauge.
TEST(Multipliers, ConditionsOfTheUsersThatHoldPressure) {
  std::string outflow = kBoxWalls;
  outflow.replace(outflow.find("u(x=1) = 0"), 10, "-p(x=1) + dx(u)(x=1) = 0");
  const Model open = build_model(case_of(box_domain(true) + kMomentum + outflow));
  EXPECT_EQ(open.conditions.size(), 8U);
  EXPECT_FALSE(open.multipliers[0].mean_zero);
  std::string gauge = kWalls;
  gauge.replace(gauge.find(']'), 1, ", \"integral(integral(p, x), y) = 3\"]");
  const Model given = build_model(case_of(channel_domain() + kMomentum + gauge));
  EXPECT_EQ(given.conditions.size(), 5U);
  EXPECT_EQ(given.conditions.back().equation, 2);
  EXPECT_FALSE(given.multipliers[0].mean_zero);
}

}  // namespace
}  // namespace gwrm::multipliers_test
