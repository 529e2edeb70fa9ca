// Sets of orders m: lists, multiples of a number; what they cost, what they give, and what does not fit them.
#include "problems/ball/orders.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "ball_cases.hpp"
#include "output/hdf5_file.hpp"
#include "problems/ball/ball_answer.hpp"
#include "problems/ball/coupled_residual.hpp"
#include "problems/ball/growth.hpp"
#include "problems/journal_test.hpp"

namespace gwrm::test::orders_test {
namespace {

using namespace ball;

TEST(BallOrders, ColumnsAreCosinesAndSinesInOrder) {
  for (const std::vector<Index>& list : {std::vector<Index>{0}, {0, 1, 2}, {0, 4, 8}, {1, 3, 4}, {5}}) {
    const Orders orders(list);
    std::vector<Index> signed_orders;
    for (const Index m : list) {
      signed_orders.push_back(m);
      if (m > 0) signed_orders.push_back(-m);
    }
    ASSERT_EQ(orders.n_columns(), static_cast<Index>(signed_orders.size()));
    for (Index c = 0; c < orders.n_columns(); ++c) {
      const Index m = signed_orders[static_cast<std::size_t>(c)];
      EXPECT_EQ(orders.of(c), m);
      EXPECT_EQ(orders.column(m), c);
      EXPECT_EQ(orders.of(orders.turned(c)), -m);
      EXPECT_EQ(orders.list()[orders.place(c)], std::abs(m));
    }
    for (Index l = 0; l <= 9; ++l) {
      Index n = 0;
      for (const Index m : signed_orders) n += std::abs(m) <= l ? 1 : 0;
      EXPECT_EQ(orders.n_columns(l), n) << l;
    }
    EXPECT_EQ(orders.column(7), -1);
  }
}

// The sum over equal steps of a part of the circle is the integral for all orders that products make.
TEST(BallOrders, AnEqualPartOfTheCircleHoldsItsIntegrals) {
  for (const auto& [list, data, parts] : {std::tuple{std::vector<Index>{0, 1, 2}, std::vector<Index>{0}, Index{1}},
                                          {{0, 4, 8}, {0}, 4},
                                          {{4}, {0}, 8},
                                          {{1, 3, 5}, {2}, 2},
                                          {{1}, {}, 2},
                                          {{0}, {}, 1}})
    EXPECT_EQ(equal_parts(Orders(list), data), parts);
}

// j_4(k r) sin^4(theta) cos(4 (phi - w t)), carried about by a rigid rotation: the order 4 alone.
TEST(BallOrders, ARigidRotationCarriesOneOrderAbout) {
  const std::string x = "(k*r)";
  const std::string j4 = fmt::format("((105/{0}^5 - 45/{0}^3 + 1/{0})*sin({0}) - (105/{0}^4 - 10/{0}^2)*cos({0}))", x);
  for (const char* const m : {"[4]", "[0, 4]", "[3, 4]"}) {
    const RunOutcome outcome = expect_exact(fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 0.05]}}
constants: {{w: 5, k: 8.182561452571242}}
ball:
  degree: {{t: 12, r: 12, l: 5, m: {}}}
  fields: {{u: {{kind: scalar}}}}
  flow: {{toroidal: {{"1,0": "r^2"}}, factor: w}}
  terms: [advection]
initial: {{u: "{}*sin(theta)^4*cos(4*phi)"}}
exact: {{u: "{}*sin(theta)^4*cos(4*(phi - w*t))*exp(-k^2*t)"}}
output: {{grid: {{t: 3, r: [0.4, 0.6, 0.9], theta: 4, phi: 7}}}}
verification: {{tolerance: 1.0e-8}}
)yaml",
                                                        m, j4, j4),
                                            1e-8);
    EXPECT_LT(outcome.report.n_unknowns, 12 * 12 * 20);
  }
}

std::string convection(const std::string& orders) {
  return fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 0.1]}}
ball:
  degree: {{t: 6, r: 8, l: 8, {}}}
  windows: 4
  fields:
    Theta: {{kind: scalar, buoyancy: 20000, background: 1, source: "x^2 - y^2"}}
    U: {{kind: velocity, source: {{x: "-y", y: "x"}}}}
    B: {{kind: magnetic, boundary: conducting, lorentz: 2}}
  terms: [buoyancy, background, advection, inertia, induction, lorentz, coriolis]
  rotation: 10
initial:
  Theta: "(z + x^2 - y^2 + x*y)*(1 - r^2)^3"
  B: {{toroidal: {{"2,0": "r^2*(1 - 3/5*r^2)"}}, poloidal: {{"2,2": "r^2*(1 - r^2)"}}}}
output: {{grid: {{t: 2, r: [0.3, 0.7], theta: 3, phi: 7}}, fields: {{Theta: Theta, U_r: U_r, B_phi: B_phi}}}}
verification: {{estimate: off}}
)yaml",
                     orders);
}

// Products of fields with a symmetry about the axis keep to it: half the orders give what all of them give.
TEST(BallOrders, ASymmetryGivesWhatAllOrdersGive) {
  const std::string terms = convection("m: 6");
  const RunOutcome all = run_case(terms),
                   half = run_case(replaced(terms, "  windows", "  azimuthal_symmetry: 2\n  windows")),
                   listed = run_case(replaced(terms, "m: 6", "m: [0, 2, 4, 6]"));
  ASSERT_TRUE(all.complete) << all.report.reason;
  ASSERT_TRUE(half.complete) << half.report.reason;
  EXPECT_LT(half.report.n_unknowns, 0.6 * static_cast<double>(all.report.n_unknowns));
  EXPECT_EQ(half.report.n_unknowns, listed.report.n_unknowns);
  for (std::size_t f = 0; f < all.fields.size(); ++f) {
    double size = 0.0, worst = 0.0;
    for (std::size_t i = 0; i < all.fields[f].values.data.size(); ++i) {
      size = std::max(size, std::abs(all.fields[f].values.data[i]));
      worst = std::max(worst, std::abs(all.fields[f].values.data[i] - half.fields[f].values.data[i]));
      EXPECT_EQ(half.fields[f].values.data[i], listed.fields[f].values.data[i]);
    }
    EXPECT_GT(size, 0.0);
    EXPECT_LE(worst, 1e-9 * size) << all.fields[f].name;
  }
}

// The residual is that of all orders: a flow of the order 1 takes 0 to 1, which is not in the set. The flow is a rigid
// rotation about x, so that the orders up to 1 hold all of the answer, a decaying mode that turns: what is left is the
// windows' tolerance of 1e-8, whose slope is larger by the square of 8. (A polynomial as z (1 - r^2)^3, whose lap lap
// is not zero at the surface, leaves 8e-4 at first, with degree 10 in r.)
TEST(BallOrders, TheVerificationSeesWhatLeavesTheSet) {
  const auto residual = [](const std::string& m) {
    const Case the_case = read_case_text(fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 0.1]}}
constants: {{k: 4.493409457909064}}
ball:
  degree: {{t: 8, r: 10, l: 6, m: {}}}
  fields: {{u: {{kind: scalar}}}}
  flow: {{toroidal: {{"1,1": "3*r^2"}}}}
  terms: [advection]
initial: {{u: "(sin(k*r)/(k*r)^2 - cos(k*r)/(k*r))*cos(theta)"}}
)yaml",
                                                     m),
                                         "test.yaml");
    const BallModel model(the_case);
    const BallSpace space(model.parts(), model.degrees());
    MarchControl control;
    control.tolerance = 1e-8;
    const MarchResult marched = march_ball(model, space, 0.0, 0.1, control);
    EXPECT_TRUE(marched.complete) << marched.reason;
    return coupled_residuals(model, space, marched.solution).front();
  };
  EXPECT_GT(residual("[0, 2, 4]"), 0.05);
  EXPECT_LT(residual("4"), 1e-5);
}

TEST(BallOrders, ADynamoOfOneOrderHasItsRate) {
  const auto dynamo = [](const std::string& m) {
    const Case the_case =
        read_case_text("problem: ball\ndomain: {t: [0, 0.1]}\nball:\n  degree: {t: 8, r: 18, l: 14, m: " + m +
                           "}\n  fields: {B: {kind: magnetic}}\n"
                           "  flow: {toroidal: {\"2,0\": \"r^2*sin(pi*r)\"}, poloidal: {\"2,0\": "
                           "\"0.14*r^2*sin(pi*r)\"}, factor: 54}\n"
                           "  terms: [induction]\ninitial: {B: {poloidal: {\"1,1\": \"r*(5/3 - r^2)\", \"2,1\": "
                           "\"r^2*(7/5 - r^2)\"}}}\n"
                           "growth: {tolerance: 1.0e-7, window: 0.02}\n",
                       "test.yaml");
    const BallModel model(the_case);
    const BallSpace space(model.parts(), model.degrees());
    return std::pair{find_growth(model, space, {}).modes.at(0).rate, space.unknowns().size()};
  };
  const auto [own, n_own] = dynamo("[1]");
  const auto [all, n_all] = dynamo("1");
  EXPECT_GT(own, 0.01);
  EXPECT_NEAR(own, all, 1e-6);
  EXPECT_LT(n_own, 0.7 * static_cast<double>(n_all));
}

class BallOrdersFile : public JournalTest {};

TEST_F(BallOrdersFile, OrdersComeBackWithTheirCoefficients) {
  const std::string yaml = R"yaml(
problem: ball
domain: {t: [0, 0.1]}
ball:
  degree: {t: 6, r: 8, l: 5, m: [1, 4]}
  windows: 2
  fields: {u: {}, B: {kind: magnetic}}
initial: {u: "(x + x^4 - 6*x^2*y^2 + y^4)*(1 - r^2)", B: {toroidal: {"1,-1": "r*(1 - r^2)", "5,4": "r^5*(1 - r^2)"}}}
output: {grid: {t: 2, r: 3, theta: 3, phi: 5}}
verification: {tolerance: 1, tail: 1, residual: 1, estimate: off}
)yaml";
  const Case the_case = read_case_text(yaml, "test.yaml");
  EXPECT_EQ(read_case_text(the_case.resolved_text, "resolved.yaml").resolved_text, the_case.resolved_text);
  const RunOutcome outcome = run_case(yaml);
  const NamedDimension* const m = outcome.module_arrays->find_dimension("m");
  ASSERT_NE(m, nullptr);
  EXPECT_EQ(m->points, (std::vector<double>{-4, -1, 1, 4}));
  const std::string file = (folder_ / "answer.h5").string();
  write_hdf5(file, outcome.output_data(), false);
  const auto answer = read_answer(the_case, file);
  ASSERT_NE(answer, nullptr);
  const BallModel model(the_case);
  const BallSpace space(model.parts(), model.degrees());
  MarchControl control;
  control.edges = outcome.solution.window_edges;
  const MarchResult marched = march_ball(model, space, 0.0, 0.1, control);
  ASSERT_EQ(answer->solution().windows.size(), marched.solution.windows.size());
  for (std::size_t w = 0; w < marched.solution.windows.size(); ++w)
    EXPECT_EQ(answer->solution().windows[w].coefficients, marched.solution.windows[w].coefficients);
}

// Degrees that the program chooses keep to the symmetry.
TEST(BallOrders, ChosenDegreesAreMultiplesOfTheSymmetry) {
  const RunOutcome outcome = run_case(R"yaml(
problem: ball
domain: {t: [0, 0.05]}
ball:
  azimuthal_symmetry: 3
  tolerance: 1.0e-3
  fields: {u: {kind: scalar, reaction: "-20*u^2"}}
initial: {u: "(1 + x^3 - 3*x*y^2)*(1 - r^2)^3"}
output: {grid: {t: 2, r: 3, theta: 3, phi: 3}}
)yaml");
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  const std::vector<double>& orders = outcome.module_arrays->find_dimension("m")->points;
  EXPECT_GE(orders.size(), 5u);
  for (const double m : orders) EXPECT_EQ(std::fmod(m, 3.0), 0.0);
}

void expect_refused(const std::string& section, const std::string& more, const std::string& fragment) {
  expect_refused_case(ball_case(section, more), fragment);
}

TEST(BallOrders, WhatDoesNotFitTheSetIsRefused) {
  const auto degree = [](const std::string& m) { return "  degree: {t: 4, r: 8, l: 5, m: " + m + "}\n"; };
  const std::string scalar = "  fields: {u: {}}\n", magnetic = "  fields: {B: {kind: magnetic}}\n",
                    induction = "  terms: [induction]\n";
  expect_refused(degree("[0, 2, 2]") + scalar, "", "the orders must increase");
  expect_refused(degree("[0, 4, 2]") + scalar, "", "the orders must increase");
  expect_refused(degree("[0, 6]") + scalar, "", "take m <= l");
  expect_refused(degree("[]") + scalar, "", "test.yaml");
  expect_refused(degree("[-1, 2]") + scalar, "", "between 0 and 1000");
  expect_refused(degree("[0, 2]") + "  azimuthal_symmetry: 2\n" + scalar, "", "leave out ball.azimuthal_symmetry");
  expect_refused(degree("4") + "  azimuthal_symmetry: 0\n" + scalar, "", "between 1 and 1000");
  expect_refused(degree("[0, 2]") + magnetic, "initial: {B: {toroidal: {\"3,1\": \"r^3*(1 - r^2)\"}}}\n",
                 "the order 1 is not in ball.degree.m: add 1");
  expect_refused(degree("4") + "  azimuthal_symmetry: 4\n" + magnetic,
                 "initial: {B: {toroidal: {\"3,-2\": \"r^3*(1 - r^2)\"}}}\n", "the order 2 is no multiple");
  expect_refused(degree("[0, 2]") + magnetic + "  flow: {toroidal: {\"1,1\": \"r^2\"}}\n" + induction, "",
                 "this flow takes the order 0 to 1");
  expect_refused(
      degree("4") + "  azimuthal_symmetry: 2\n" + magnetic + "  flow: {toroidal: {\"3,-3\": \"r^4\"}}\n" + induction,
      "", "this flow takes the order 0 to 3");
  expect_refused(degree("[1, 3]") + "  fields: {u: {}, U: {kind: velocity}}\n  terms: [advection]\n", "",
                 "products of fields lead out of the orders 1, 3");
  expect_refused(degree("[0, 1, 3]") + "  fields: {u: {reaction: \"u^2\"}}\n", "", "take all multiples of one number");
  expect_refused(degree("[0, 2, 4]") + "  fields: {u: {reaction: \"x*u\"}}\n", "", "depends on phi, x or y");
  expect_refused(degree("[0, 2, 4]") + "  fields: {u: {source: \"t*x\"}}\n", "", "the source has the order m = 1");
  expect_refused(degree("4") + "  azimuthal_symmetry: 4\n" + scalar, "initial: {u: \"1 + x*y\"}\n",
                 "the initial value has the order m = 2");
  expect_refused(degree("[0, 2]") + "  fields: {U: {kind: velocity, source: {x: \"1 - r^2\"}}}\n", "",
                 "the source has the order m = 1");
  expect_refused(degree("[0, 2]") + magnetic, "initial: {B: {x: \"1\"}}\n", "the initial value has the order m = 1");
}

TEST(BallOrders, WhatFitsIsTaken) {
  const auto takes = [](const std::string& yaml) { EXPECT_NO_THROW(make_problem(read_case_text(yaml, "test.yaml"))); };
  const std::string degree = "  degree: {t: 4, r: 8, l: 5, m: [1, 3]}\n";
  takes(ball_case(degree + "  fields: {u: {reaction: \"-2*z*u\", source: \"x*z\"}}\n"));
  takes(ball_case(degree +
                  "  fields: {B: {kind: magnetic}}\n  flow: {toroidal: {\"3,2\": \"r^4\"}}\n  terms: [induction]\n"));
  // A force with the symmetry although its Cartesian components have the order 1.
  takes(
      ball_case("  degree: {t: 4, r: 8, l: 5, m: [0, 2, 4]}\n"
                "  fields: {U: {kind: velocity, source: {x: \"-y\", y: \"x\"}}}\n  terms: [inertia]\n"));
  const Case the_case = read_case_text(
      ball_case("  degree: {t: 4, r: 8, l: 9}\n  azimuthal_symmetry: 4\n  fields: {u: {}}\n"), "test.yaml");
  std::string lines;
  for (const auto& [name, value] : make_problem(the_case)->summary().lines) lines += name + ": " + value + "\n";
  EXPECT_NE(lines.find("r 8, l 9, m 0, 4 .. 8"), std::string::npos) << lines;
}

}  // namespace
}  // namespace gwrm::test::orders_test
