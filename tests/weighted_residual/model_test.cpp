// What the model makes of a case: pairing, counting of conditions, time orders, and the errors.
#include "weighted_residual/model/model.hpp"

#include <fmt/format.h>

#include <ctime>

#include "weighted_residual/model/system_plan.hpp"
#include "weighted_residual/support_case.hpp"

namespace gwrm::model_test {
namespace {

using test::case_of;
using test::model_error;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto position = text.find(from);
  EXPECT_NE(position, std::string::npos) << from;
  return text.replace(position, from.size(), to);
}

const std::string kBurgers = R"yaml(schema: 1
domain: {t: [0, 1], x: [0, 1]}
constants: {nu: 0.1}
unknowns: [u]
equations: ["dt(u) = nu*dx(u,2) - u*dx(u)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 6, x: 8}}
)yaml";

TEST(Model, Burgers) {
  const Model model = build_model(case_of(kBurgers));
  ASSERT_EQ(model.axes.size(), 2u);
  EXPECT_EQ(model.axes[0].name, "t");
  EXPECT_EQ(model.fields[0].time_order, 1);
  EXPECT_EQ(model.equations[0].orders, (std::vector<int>{0, 2}));
  EXPECT_EQ(model.conditions[0].axis, 1);
  EXPECT_EQ(model.conditions[0].equation, 0);
  EXPECT_FALSE(model.linear);
}

// exp(sin(...x...)), nested so deep.
std::string nested(int depth, std::string text = "x") {
  for (int i = 0; i < depth; ++i) text = "exp(sin(" + text + "))";
  return text;
}

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// Written out, the eighth derivative has 1e30 terms and more; as a graph some thousand nodes.
TEST(Model, DerivativesOfNestedFunctionsAreWalkedAsAGraph) {
  const double began = processor_seconds();
  const Model model = build_model(case_of(replaced(kBurgers, "u*dx(u)", "dx(" + nested(25) + ", 8)*u")));
  EXPECT_EQ(model.equations[0].orders, (std::vector<int>{0, 2}));
  EXPECT_GT(model.pool->size(), 5000u);
  const SystemPlan plan(model);
  EXPECT_EQ(series_unsupported_reason(model, plan).find("internal"), std::string::npos);
  EXPECT_LT(processor_seconds() - began, 10.0);
}

TEST(Model, TooLargeAnExpressionIsRefusedAtItsPlace) {
  const double began = processor_seconds();
  std::string text = "x";
  for (int i = 0; i < 8; ++i) text = "(" + text + " + 1)/(" + text + "*x + 2)";
  const std::string error = model_error(replaced(kBurgers, "u*dx(u)", "dx(dx(dx(" + text + ", 8), 8), 8)*u"));
  EXPECT_NE(error.find("test.yaml:5:"), std::string::npos) << error;
  EXPECT_NE(error.find("more than 200000 operations"), std::string::npos) << error;
  EXPECT_LT(processor_seconds() - began, 30.0);
}

TEST(Model, LinearConstantCoefficientsKeepOneJacobian) {
  const Model heat = build_model(case_of(replaced(kBurgers, " - u*dx(u)", "")));
  EXPECT_TRUE(heat.linear);
  EXPECT_TRUE(heat.autonomous_jacobian);
  const Model varying = build_model(case_of(replaced(kBurgers, "u*dx(u)", "t*u")));
  EXPECT_TRUE(varying.linear);
  EXPECT_FALSE(varying.autonomous_jacobian);
  // A mean keeps it, a mean with a weight that depends on t does not, nor a coefficient that multiplies the mean.
  const auto keeps = [](const std::string& term) {
    return build_model(case_of(replaced(kBurgers, "u*dx(u)", term))).autonomous_jacobian;
  };
  EXPECT_TRUE(keeps("integral(x*u, x)"));
  EXPECT_FALSE(keeps("integral(t*u, x)"));
  EXPECT_FALSE(keeps("t*integral(u, x)"));
}

TEST(Model, MissingAndSurplusConditionsAreCounted) {
  const std::string missing = model_error(replaced(kBurgers, "\"u(x=0) = 0\", ", ""));
  EXPECT_NE(missing.find("missing boundary condition"), std::string::npos) << missing;
  EXPECT_NE(missing.find("need 2 along x, 1 given"), std::string::npos) << missing;
  EXPECT_NE(missing.find("test.yaml:5"), std::string::npos) << missing;
  const std::string surplus = model_error(replaced(kBurgers, "\"u(x=1) = 0\"]", "\"u(x=1) = 0\", \"dx(u)(x=1) = 0\"]"));
  EXPECT_NE(surplus.find("surplus boundary condition"), std::string::npos) << surplus;
  EXPECT_NE(surplus.find("dx(u)(x=1) = 0"), std::string::npos) << surplus;
}

TEST(Model, InitialValuesAreCounted) {
  EXPECT_NE(
      model_error(replaced(kBurgers, "initial: {u: \"sin(pi*x)\"}\n", "")).find("missing initial value: give `u`"),
      std::string::npos);
  EXPECT_NE(model_error(replaced(kBurgers, "dt(u) = nu", "dt(u,2) = nu")).find("give `dt(u)`"), std::string::npos);
  EXPECT_NE(model_error(replaced(kBurgers, "{u: \"sin(pi*x)\"}", "{u: \"sin(pi*x)\", \"dt(u)\": \"0\"}"))
                .find("surplus initial value"),
            std::string::npos);
  EXPECT_NE(model_error(replaced(kBurgers, "sin(pi*x)", "u + x")).find("must not contain an unknown"),
            std::string::npos);
  EXPECT_NE(model_error(replaced(kBurgers, "sin(pi*x)", "t + x")).find("must not depend on t"), std::string::npos);
}

// A jump can be differentiated where its place along the axis is known, and the axis can have an edge there.
TEST(Model, AJumpAtAnUnknownPlaceIsNotDifferentiatedTogetherWithAnUnknown) {
  const auto with = [](const std::string& term) { return replaced(kBurgers, "u*dx(u)\"", term + "\""); };
  for (const std::string term : {"dx((1 + 4*step(x - t))*dx(u))", "dx(dx(u)*sign(x - u))", "dt(u*step(t - 0.5))",
                                 "dx(u*step(u - 0.5))", "integral(dx(step(x - 0.4)*dx(u)), x)"}) {
    const std::string error = model_error(with(term));
    EXPECT_NE(error.find("test.yaml:5"), std::string::npos) << term << "\n" << error;
    EXPECT_NE(error.find("differentiates an unknown together with a jump"), std::string::npos) << term << "\n" << error;
  }
  for (const std::string term : {"dx(u, 2)*dx(u + step(x - 0.4))", "dx(step(x - 0.4))*dx(u)"})
    EXPECT_NE(model_error(with(term)).find("with the whole flux under one derivative"), std::string::npos) << term;
}

TEST(Model, AJumpThatNoDerivativeMeetsIsAllowed) {
  for (const std::string term : {"step(x - 0.4)*dx(u, 2)", "dx(step(t - 0.5)*dx(u))", "dx(abs(x - 0.4)*dx(u))",
                                 "dx(max(u, 0))", "dx(u*step(x - 0.4)(x=1))", "dx(u)*integral(step(x - 0.4)*u, x)"}) {
    const Model model = build_model(case_of(replaced(kBurgers, "u*dx(u)\"", term + "\"")));
    EXPECT_EQ(model.conditions.size(), 2u) << term;
    EXPECT_EQ(model.subdomains[1].edges.size(), 2u) << term;
  }
  EXPECT_NO_THROW(build_model(case_of(replaced(kBurgers, "u(x=1) = 0", "dx(step(x - 0.4)*u)(x=1) = 0"))));
}

TEST(Model, AFluxThatJumpsIsContinuousAtAnEdge) {
  for (const std::string term : {"dx((1 + 4*step(x - 0.4))*dx(u))", "dx(dx(u)*sign(x - 0.4))", "u - delta(x - 0.4)",
                                 "dx(step(x - 0.4)) + u", "lap((1 + step(0.4 - x))*u)"}) {
    const Model model = build_model(case_of(replaced(kBurgers, "u*dx(u)\"", term + "\"")));
    ASSERT_GE(model.conditions.size(), 3u) << term;
    EXPECT_EQ(model.conditions[2].inner_edge, 0.4) << term;
    EXPECT_EQ(model.conditions[2].equation, 0) << term;
    EXPECT_EQ(model.conditions[2].order, 1) << term;
    EXPECT_EQ(model.subdomains[1].edges, (std::vector<double>{0, 0.4, 1})) << term;
  }
}

TEST(Model, ConditionsAtInnerEdges) {
  const auto with = [](const std::string& more) {
    return replaced(kBurgers, "\"u(x=1) = 0\"]", "\"u(x=1) = 0\", " + more + "]");
  };
  // In place of the continuity of u, of dx(u), of both.
  const Model value = build_model(case_of(with("\"u(x=0.3-) = 4*u(x=0.3+)\"")));
  ASSERT_EQ(value.conditions.size(), 3u);
  EXPECT_EQ(value.conditions[2].order, 0);
  EXPECT_EQ(value.subdomains[1].edges, (std::vector<double>{0, 0.3, 1}));
  const Model slope = build_model(case_of(with("\"dx(u)(x=0.3-) = 4*dx(u)(x=0.3+)\"")));
  EXPECT_EQ(slope.conditions[2].order, 1);
  const Model both = build_model(
      case_of(with("\"dx(u)(x=0.3-) = u(x=0.3-) - u(x=0.3+)\", \"dx(u)(x=0.3+) = u(x=0.3-) - u(x=0.3+)\"")));
  EXPECT_NE(both.conditions[2].order, both.conditions[3].order);

  const std::string third = "\"u(x=0.3-) = 0\", \"u(x=0.3+) = 0\", \"dx(u)(x=0.3+) = 0\"";
  EXPECT_NE(model_error(with(third)).find("surplus condition at the inner edge x = 0.3"), std::string::npos);
  EXPECT_NE(model_error(with("\"u(x=0.3-) = u(x=0.4+)\"")).find("holds at one inner edge"), std::string::npos);
  EXPECT_NE(model_error(with("\"u(x=1-) = 0\"")).find("at its end leave the sign out"), std::string::npos);
  EXPECT_NE(model_error(with("\"u(x=0.3-) = delta(x - 0.2)\"")).find("delta(..) is a source in an equation"),
            std::string::npos);
  const std::string fourier = replaced(
      replaced(kBurgers, "boundary: [\"u(x=0) = 0\", \"u(x=1) = 0\"]", "boundary: [\"u(x=0.3-) = 4*u(x=0.3+)\"]"),
      "x: [0, 1]", "x: {range: [0, 1], basis: fourier}");
  EXPECT_NE(model_error(fourier).find("has no subdomains"), std::string::npos) << model_error(fourier);
}

TEST(Model, ConditionsMustSayWhereTheyHold) {
  EXPECT_NE(model_error(replaced(kBurgers, "u(x=0) = 0", "u = 0")).find("says where it holds"), std::string::npos);
  EXPECT_NE(model_error(replaced(kBurgers, "u(x=0) = 0", "u(t=0) = 0")).find("initial"), std::string::npos);
}

TEST(Model, EquationsFindTheirUnknownsInAnyOrder) {
  const Model model = build_model(case_of(R"yaml(schema: 1
domain: {t: [0, 1], x: [0, 1]}
unknowns: [q, u]
equations: ["dt(u) = dx(q)", "q = dx(u) - u^2"]
initial: {u: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = t"]
resolution: {degree: {t: 4, x: 8}}
)yaml"));
  EXPECT_EQ(model.equations[0].field, 1);  // holds dt(u)
  EXPECT_EQ(model.equations[1].field, 0);
  // Both conditions hold u; each equation is of order one and gives up one mode.
  EXPECT_NE(model.conditions[0].equation, model.conditions[1].equation);
}

TEST(Model, ParametersTiedTogetherAreCoupled) {
  const std::string family = R"yaml(schema: 1
domain: {t: [0, 1], p: [0, 1]}
unknowns: [u]
equations: ["dt(u) = p*u"]
initial: {u: "1"}
resolution: {degree: {t: 4, p: 3}}
)yaml";
  EXPECT_FALSE(build_model(case_of(family)).parameters_coupled);
  const std::string tied =
      replaced(replaced(family, "p*u\"]", "p*dp(u)\"]"), "resolution", "boundary: [\"u(p=1) = 1\"]\nresolution");
  EXPECT_TRUE(build_model(case_of(tied)).parameters_coupled);
  EXPECT_NE(model_error(tied + "parameters: {method: collocation}\n").find("coupled"), std::string::npos);
}

TEST(Model, WholeTimeNeedsOneWindow) {
  const std::string periodic = R"yaml(schema: 1
domain: {t: [0, 1]}
unknowns: [u, {name: c, dims: []}]
equations: ["dt(u) = c", "u(t=1) = 2"]
initial: {u: "0"}
resolution: {degree: {t: 4}, domains: {t: 1}}
)yaml";
  EXPECT_NO_THROW(build_model(case_of(periodic)));
  EXPECT_NE(model_error(replaced(periodic, "domains: {t: 1}", "domains: {t: 2}")).find("one window"),
            std::string::npos);
}

TEST(Model, UnusedUnknownIsAnError) {
  EXPECT_NE(model_error(replaced(replaced(kBurgers, "[u]", "[u, w]"), "- u*dx(u)\"]", "\", \"dt(u) = u\"]"))
                .find("w appears in no equation"),
            std::string::npos);
}

// Each equation takes the unknown at its place, until the last one, which holds the first unknown only, moves them all.
std::string chain(int n) {
  std::string unknowns, equations, initial;
  for (int i = 0; i < n; ++i) {
    unknowns += fmt::format("{}u{}", i > 0 ? ", " : "", i);
    equations += i + 1 < n ? fmt::format("  - \"dt(u{}) + 2*dt(u{}) = t\"\n", i, i + 1) : "  - \"dt(u0) = t\"\n";
    initial += fmt::format("  u{}: \"0\"\n", i);
  }
  return "schema: 1\ndomain: {t: [0, 1]}\nunknowns: [" + unknowns + "]\nequations:\n" + equations + "initial:\n" +
         initial + "resolution: {degree: {t: 4}}\n";
}

TEST(Model, ThousandsOfEquationsAreMatchedWithUnknowns) {
  constexpr int n = 3000;
  const Case the_case = case_of(chain(n));
  const double began = processor_seconds();
  const Model model = build_model(the_case);
  for (int e = 0; e < n; ++e) EXPECT_EQ(model.equations[static_cast<std::size_t>(e)].field, (e + 1) % n);
  EXPECT_LT(processor_seconds() - began, 2.0);
}

}  // namespace
}  // namespace gwrm::model_test
