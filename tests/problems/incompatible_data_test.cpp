// Contradictions of initial and boundary data at the corner t = t0, with their sizes worked out by hand.
#include "problems/time_spectral/incompatible_data.hpp"

#include "problems/run_case.hpp"
#include "problems/time_spectral/parameter_points.hpp"

namespace gwrm::incompatible_data_test {
namespace {

using test::expect_holds;
using test::replaced;

struct Found {
  Model model;
  std::vector<IncompatibleData> conflicts;
};

// The conflicts in the first window at a point of the collocated parameters.
Found incompatible_data_of(const std::string& yaml, std::size_t point = 0) {
  const Case the_case = read_case_text(yaml, "test.yaml");
  Found found{build_model(the_case), {}};
  const Discretisation first(found.model, found.model.subdomains, parameter_points(found.model)[point],
                             found.model.window_edges[0], found.model.window_edges[1]);
  found.conflicts = incompatible_data(found.model, first, tolerance_of_answer(the_case));
  return found;
}

// Sizes are maxima over the collocation points: the 20 or more Gauss points of degree 12 miss the maximum of a parabola
// by less than (pi/40)^2 of its height.
void expect_incompatible(const IncompatibleData& conflict, int condition, int order, double size) {
  EXPECT_EQ(conflict.condition, condition);
  EXPECT_EQ(conflict.order, order);
  EXPECT_NEAR(conflict.size, size, 0.01 * size);
}

const std::string kBurgers = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
constants: {nu: 0.1}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = nu*dx(u,2)"]
initial: {u: "x*(1 - x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 6, x: 12}, domains: {t: [0, 0.5, 1]}}
)yaml";

// u_t = nu u'' - u u' = -2 nu at both ends; times h = 1/2, relative to max u0 = 1/4: 4 nu = 0.4.
TEST(IncompatibleDataTest, ParabolaHasKinksAtBothEnds) {
  const Found found = incompatible_data_of(kBurgers);
  ASSERT_EQ(found.conflicts.size(), 2u);
  expect_incompatible(found.conflicts[0], 0, 1, 0.4);
  expect_incompatible(found.conflicts[1], 1, 1, 0.4);
  expect_holds(describe(found.model, found.conflicts[1], false), "u(x=1) = 0");
  expect_holds(describe(found.model, found.conflicts[1], false), "resolution.domains.t");
  const std::string automatic = describe(found.model, found.conflicts[1], true);
  EXPECT_EQ(automatic.find("resolution.domains"), std::string::npos) << automatic;
}

TEST(IncompatibleDataTest, SmallerFirstWindowsWeighThemLess) {
  const Found found = incompatible_data_of(replaced(kBurgers, "[0, 0.5, 1]", "[0, 0.001, 1]"));
  ASSERT_EQ(found.conflicts.size(), 2u);
  expect_incompatible(found.conflicts[0], 0, 1, 8e-4);
  EXPECT_TRUE(incompatible_data_of(replaced(kBurgers, "[0, 0.5, 1]", "[0, 1.0e-7, 1]")).conflicts.empty());
}

TEST(IncompatibleDataTest, SineHasNone) {
  EXPECT_TRUE(incompatible_data_of(replaced(kBurgers, "x*(1 - x)", "sin(pi*x)")).conflicts.empty());
}

TEST(IncompatibleDataTest, JumpAtOneEnd) {
  const Found found = incompatible_data_of(replaced(replaced(kBurgers, "x*(1 - x)", "1"), "u(x=1) = 0", "u(x=1) = 1"));
  ASSERT_EQ(found.conflicts.size(), 1u);
  expect_incompatible(found.conflicts[0], 0, 0, 1.0);
  expect_holds(describe(found.model, found.conflicts[0], false), "discontinuous");
}

TEST(IncompatibleDataTest, BoundaryDataThatMoveWithTheSolution) {
  // u_t = -u u' + nu u'' at x = 0 with u0 = 1 + x is -1: boundary data 1 - t agree to first order, 1 + t do not.
  const std::string moving = replaced(replaced(kBurgers, "x*(1 - x)", "1 + x"), "u(x=1) = 0", "u(x=1) = 2 - 2*t");
  EXPECT_TRUE(incompatible_data_of(replaced(moving, "u(x=0) = 0", "u(x=0) = 1 - t")).conflicts.empty());
  const Found found = incompatible_data_of(replaced(moving, "u(x=0) = 0", "u(x=0) = 1 + t"));
  ASSERT_EQ(found.conflicts.size(), 1u);
  EXPECT_EQ(found.conflicts[0].condition, 0);
  EXPECT_EQ(found.conflicts[0].order, 1);
  EXPECT_NEAR(found.conflicts[0].size, 2 * 0.5 / 2.0, 0.02);  // difference of slopes 2, h = 1/2, max u0 = 2
}

// u0 = x^2: u' = 2 at x = 1 against 0, relative to max u0 = 1. The other end, and an even extension, agree.
TEST(IncompatibleDataTest, NeumannCondition) {
  const std::string neumann = replaced(replaced(kBurgers, "u(x=0)", "dx(u)(x=0)"), "u(x=1)", "dx(u)(x=1)");
  const Found jump = incompatible_data_of(replaced(neumann, "x*(1 - x)", "x^2"));
  ASSERT_EQ(jump.conflicts.size(), 1u);
  expect_incompatible(jump.conflicts[0], 1, 0, 2.0);
  const std::string linear = replaced(neumann, " + u*dx(u)", "");
  EXPECT_TRUE(incompatible_data_of(replaced(linear, "x*(1 - x)", "cos(pi*x)")).conflicts.empty());
  // (x (1-x))^2 under the heat equation: d/dt u' = nu u''' = -+12 nu; h = 1/2, max u0 = 1/16: 96 nu.
  const Found kink = incompatible_data_of(replaced(linear, "x*(1 - x)", "(x*(1 - x))^2"));
  ASSERT_EQ(kink.conflicts.size(), 2u);
  expect_incompatible(kink.conflicts[0], 0, 1, 9.6);
  expect_incompatible(kink.conflicts[1], 1, 1, 9.6);
}

const std::string kWave = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u,2) = dx(u,2)"]
initial: {u: "x*(1 - x)", "dt(u)": "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 6, x: 12}, domains: {t: 4}}
)yaml";

// The first time derivative is an initial value here; u_tt enters where a condition holds dt(u).
TEST(IncompatibleDataTest, SecondOrderInTime) {
  EXPECT_TRUE(incompatible_data_of(kWave).conflicts.empty());
  const Found moving = incompatible_data_of(replaced(kWave, "\"dt(u)\": \"0\"", "\"dt(u)\": \"2*x\""));
  ASSERT_EQ(moving.conflicts.size(), 1u);
  EXPECT_EQ(moving.conflicts[0].condition, 1);
  EXPECT_EQ(moving.conflicts[0].order, 1);
  EXPECT_NEAR(moving.conflicts[0].size, 2 * 0.25 / 2.0, 0.01);  // u_t = 2 at x = 1, h = 1/4, largest initial value 2
  const Found absorbing = incompatible_data_of(replaced(kWave, "u(x=0) = 0", "dt(u)(x=0) = 0"));
  ASSERT_EQ(absorbing.conflicts.size(), 1u);
  expect_incompatible(absorbing.conflicts[0], 0, 1, 2 * 0.25 / 0.25);  // u_tt = u'' = -2
}

// Of a condition that holds dt(u) itself under dt(u) = F(u), the time derivative would need dt(u,2): nothing is said of
// it.
TEST(IncompatibleDataTest, DynamicCondition) {
  const std::string storage = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
constants: {k: 0.8603335890193798}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {u: "sin(k*x)"}
boundary: ["u(x=0) = 0", "dt(u)(x=1) = -dx(u)(x=1)"]
resolution: {degree: {t: 6, x: 12}}
)yaml";
  EXPECT_TRUE(incompatible_data_of(storage).conflicts.empty());
  const Found flux = incompatible_data_of(replaced(storage, "sin(k*x)", "x"));
  ASSERT_EQ(flux.conflicts.size(), 1u);
  expect_incompatible(flux.conflicts[0], 1, 0, 1.0);
}

// At each point the viscosity has that point's value: 4 nu.
TEST(IncompatibleDataTest, CollocatedParameter) {
  const std::string family =
      replaced(replaced(replaced(kBurgers, "constants: {nu: 0.1}\n", ""), "x: [0, 1]}", "x: [0, 1], nu: [0.1, 0.5]}"),
               "x: 12}", "x: 12, nu: 2}");
  const Model model = build_model(read_case_text(family, "test.yaml"));
  const int nu = model.pool->symbols().find_axis("nu");
  for (std::size_t point = 0; point < 3; ++point) {
    const Found found = incompatible_data_of(family, point);
    ASSERT_EQ(found.conflicts.size(), 2u);
    expect_incompatible(found.conflicts[0], 0, 1, 4 * parameter_points(model)[point][static_cast<std::size_t>(nu)]);
  }
}

TEST(IncompatibleDataTest, TwoFieldsAndAConstraint) {
  // q has no dt, and its equation gives its values, 1: conditions are judged to order 0 only.
  const std::string mixed = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u, q]
equations: ["dt(u) = dx(q)", "q = dx(u)"]
initial: {u: "2 + x"}
boundary: ["u(x=0) = 1", "q(x=1) = 7"]
resolution: {degree: {t: 6, x: 12}}
)yaml";
  const Found found = incompatible_data_of(mixed);
  ASSERT_EQ(found.conflicts.size(), 2u);
  EXPECT_EQ(found.conflicts[0].condition, 0);
  EXPECT_EQ(found.conflicts[0].order, 0);
  EXPECT_NEAR(found.conflicts[0].size, 1.0 / 3.0, 0.01);
  expect_incompatible(found.conflicts[1], 1, 0, 6.0 / 7.0);
  // A potential follows from its equation and conditions together: nothing is known of it.
  EXPECT_EQ(incompatible_data_of(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u, q]
equations: ["dt(u) = dx(u,2)", "dx(q,2) = u"]
initial: {u: "2 + x"}
boundary: ["u(x=0) = 1", "u(x=1) = 3", "q(x=0) = 0", "q(x=1) = 7"]
resolution: {degree: {t: 6, x: 12}}
)yaml")
                .conflicts.size(),
            1u);
}

// A start from rest leaves no initial value to measure by: the boundary data over the first window are the size. What
// sets out smoothly is no conflict, whatever its round-off; a jump is one, of the data's own size.
TEST(IncompatibleDataTest, ZeroInitialValues) {
  const std::string rest = replaced(kBurgers, "x*(1 - x)", "0");
  EXPECT_TRUE(incompatible_data_of(replaced(rest, "u(x=0) = 0", "u(x=0) = t^2")).conflicts.empty());
  EXPECT_TRUE(incompatible_data_of(replaced(rest, "u(x=0) = 0", "u(x=0) = sin(pi*(t + 1))^2"))
                  .conflicts.empty());  // 1e-32 at t = 0
  const Found jump = incompatible_data_of(replaced(rest, "u(x=0) = 0", "u(x=0) = 3"));
  ASSERT_EQ(jump.conflicts.size(), 1u);
  expect_incompatible(jump.conflicts[0], 0, 0, 1.0);
}

// u = jump + sin(pi x) between walls at 0.
std::string with_jump(const std::string& jump, const std::string& rest) {
  return replaced(kBurgers, "x*(1 - x)", "sin(pi*x) + " + jump) + rest + "\n";
}

// An automatic run begins suddenly instead of warning.
std::size_t count_warnings(const std::string& yaml) {
  const Summary summary = make_problem(read_case_text(yaml, "test.yaml"))->summary();
  const bool begins_suddenly = std::any_of(summary.lines.begin(), summary.lines.end(),
                                           [](const auto& line) { return line.first == "sudden start"; });
  return (begins_suddenly ? 1 : 0) +
         static_cast<std::size_t>(std::count_if(
             summary.warnings.begin(), summary.warnings.end(),
             [](const std::string& warning) { return warning.find("discontinuous") != std::string::npos; }));
}

// A clash is told where the tolerance is not far above it, that of the verdict or of an automatic run.
TEST(IncompatibleDataTest, ClashesFarBelowTheToleranceMakeNoWarning) {
  EXPECT_EQ(count_warnings(with_jump("5e-8", "")), 0u);  // the tolerance is 1e-6
  EXPECT_EQ(count_warnings(with_jump("2e-7", "")), 1u);
  EXPECT_EQ(count_warnings(with_jump("5e-8", "verification: {tolerance: 1e-7}")), 1u);
  EXPECT_EQ(count_warnings(with_jump("5e-5", "verification: {tolerance: 1e-3}")), 0u);
  EXPECT_EQ(count_warnings(with_jump("5e-4", "verification: {tolerance: 1e-3}")), 1u);
  const auto automatic = [](const std::string& rest) {
    return replaced(with_jump("5e-6", rest), "degree: {t: 6, x: 12}, domains: {t: [0, 0.5, 1]}", "tolerance: 1e-4");
  };
  EXPECT_EQ(count_warnings(automatic("")), 0u);
  EXPECT_EQ(count_warnings(automatic("verification: {tolerance: 1e-5}")), 1u);
  EXPECT_EQ(
      count_warnings(replaced(automatic("verification: {tolerance: 1e-3}"), "tolerance: 1e-4", "tolerance: 1e-5")), 1u);
}

// It is known all the same: a study of convergence goes below the tolerance. And a kink behind it is found.
TEST(IncompatibleDataTest, ClashesThatAreNotFeltHideNoKink) {
  EXPECT_EQ(make_problem(read_case_text(with_jump("5e-8", ""), "test.yaml"))->summary().clashes.size(), 2u);
  const Found found = incompatible_data_of(replaced(kBurgers, "x*(1 - x)", "x*(1 - x) + 1e-8"));
  ASSERT_EQ(found.conflicts.size(), 4u);
  expect_incompatible(found.conflicts[0], 0, 0, 4e-8);
  expect_incompatible(found.conflicts[1], 0, 1, 0.4);
  const std::vector<IncompatibleData> kinks = felt(found.conflicts, 1e-6);
  ASSERT_EQ(kinks.size(), 2u);
  expect_incompatible(kinks[1], 1, 1, 0.4);
}

TEST(IncompatibleDataTest, BecomeWarningsOfTheProblem) {
  const Summary summary = make_problem(read_case_text(kBurgers, "test.yaml"))->summary();
  ASSERT_EQ(summary.warnings.size(), 1u);  // the walls have the same to say
  expect_holds(summary.warnings[0], "the initial values satisfy \"u(x=0) = 0\", but");
  expect_holds(summary.warnings[0], "; likewise \"u(x=1) = 0\"");
}

}  // namespace
}  // namespace gwrm::incompatible_data_test
