// Answers that grew far beyond their data: those of ill-posed problems fail, whatever their residuals say, and those of
// problems that do grow pass.
#include "problems/time_spectral/growth_check.hpp"

#include <algorithm>

#include "problems/journal_test.hpp"

namespace gwrm {
namespace {

using test::expect_exact;
using test::expect_holds;
using test::find_check;
using test::replaced;
using test::run_case;

// The condition stands where the solution leaves.
const std::string kOutflow = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) + dx(u) = 0"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=1) = 0"]
resolution: {degree: {t: 12, x: 10}, domains: {t: 1}}
)yaml";

bool has_growth_check(const RunOutcome& outcome) {
  const auto& checks = outcome.report.verification.checks;
  return std::any_of(checks.begin(), checks.end(), [](const Check& check) { return check.kind == "growth"; });
}

// It fails for its growth, and for nothing else: without this check it would have passed.
void expect_only_growth_fails(const RunOutcome& outcome) {
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  EXPECT_TRUE(outcome.complete);
  for (const Check& check : outcome.report.verification.checks)
    EXPECT_EQ(check.passed(), check.kind != "growth") << check.kind << " " << check.subject << ": " << check.value;
  EXPECT_GT(find_check(outcome, "growth").value, kSameGrowth);
}

void expect_grows_alike(const RunOutcome& outcome) {
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  const double ratio = find_check(outcome, "growth").value;
  EXPECT_GE(ratio, 1.0);
  EXPECT_LT(ratio, 1.1);
}

TEST(Growth, OfAConditionAtTheOutflowEndFails) {
  const RunOutcome outcome = run_case(kOutflow);
  expect_only_growth_fails(outcome);
  expect_holds(outcome.report.reason, "checks failed; the answer grows far beyond its data");
  expect_holds(outcome.report.reason, "u, ");
  expect_holds(outcome.report.reason, "data 9.9e-01");
  expect_holds(outcome.report.reason, "a boundary condition at the end where characteristics leave");
}

TEST(Growth, OfAConditionAtTheOutflowEndFailsInSeveralWindows) {
  const std::string fine = replaced(replaced(kOutflow, "x: 10}", "x: 16}"), "domains: {t: 1}", "domains: {t: 4}");
  expect_only_growth_fails(run_case(fine));
  expect_only_growth_fails(run_case(fine + "output: {coefficients: none}\n"));
}

class GrowthAfterARestart : public test::JournalTest {};

// What was solved before the interruption is compared too.
TEST_F(GrowthAfterARestart, Fails) {
  const std::string fine = replaced(replaced(kOutflow, "x: 10}", "x: 16}"), "domains: {t: 1}", "domains: {t: 4}");
  for (int k : {1, 3}) {
    ASSERT_EQ(interrupted_after(fine, k).status, ExitStatus::interrupted);
    expect_only_growth_fails(continued(fine));
  }
}

TEST(Growth, OfSmoothDataWithAConditionAtTheOutflowEndFails) {
  expect_only_growth_fails(
      run_case(replaced(replaced(kOutflow, "sin(pi*x)", "cos(x)"), "u(x=1) = 0", "u(x=1) = cos(1 + t)")));
}

// What leaves is no larger than 1; the rounding of the pulse has grown to 35 when the run ends.
TEST(Growth, OfRoundingFails) {
  expect_only_growth_fails(run_case(R"yaml(
domain: {t: [0, 0.1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) + dx(u) = 0"]
initial: {u: "exp(-60*(x - 0.4)^2)"}
boundary: ["u(x=1) = 0"]
resolution: {degree: {t: 12, x: 32}}
)yaml"));
}

TEST(Growth, OfAWaveWithBothConditionsAtOneEndFails) {
  expect_only_growth_fails(run_case(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u, v]
equations: ["dt(u) = dx(v)", "dt(v) = dx(u)"]
initial: {u: "sin(pi*x)^2", v: "0"}
boundary: ["u(x=0) = 0", "v(x=0) = 0"]
resolution: {degree: {t: 12, x: 16}}
)yaml"));
}

// In one long window the fast modes are damped: the answer is 0.26 exp(pi^2 t) sin(pi x) and looks harmless.
TEST(Growth, OfBackwardDiffusionFails) {
  const std::string backward = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = -dx(u,2)"]
initial: {u: "x*(1 - x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 12, x: 16}}
)yaml";
  expect_only_growth_fails(run_case(backward));
  expect_only_growth_fails(run_case(replaced(replaced(backward, "-dx(u,2)", "-dx(u,2) + 1"), "x*(1 - x)", "0")));
}

TEST(Growth, OfBackwardDiffusionFailsInAnAutomaticRun) {
  expect_only_growth_fails(run_case(R"yaml(
domain: {t: [0, 0.5], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = -dx(u,2)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {tolerance: 1.0e-4}
)yaml"));
}

// Solved directly: on its way to 1e7 the iteration for it ends at the rounding of some BLAS kernels, and the run then
// takes shorter windows, in which more fails than the growth.
TEST(Growth, OfAnInitialValueProblemForLaplacesEquationFails) {
  expect_only_growth_fails(run_case(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u,2) = -dx(u,2)"]
initial: {u: "exp(-20*(x - 0.5)^2)", "dt(u)": "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 20, x: 24}}
solver: {linear: dense}
)yaml"));
}

TEST(Growth, OfAConditionAtTheOutflowEndFailsForAParameter) {
  expect_only_growth_fails(run_case(R"yaml(
domain: {t: [0, 1], x: [0, 1], c: [1.0, 1.01]}
unknowns: [u]
equations: ["dt(u) + c*dx(u) = 0"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=1) = 0"]
resolution: {degree: {t: 14, x: 10, c: 4}}
)yaml"));
}

TEST(Growth, ThatFailsOtherwiseIsNamedInAWarning) {
  const RunOutcome outcome = run_case(replaced(kOutflow, "x: 10}", "x: 24}"));
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  EXPECT_FALSE(has_growth_check(outcome));
  const auto& warnings = outcome.report.warnings;
  EXPECT_TRUE(std::any_of(warnings.begin(), warnings.end(), [](const std::string& warning) {
    return warning.starts_with("u grows to ") && warning.find("where characteristics leave") != std::string::npos;
  }));
}

// exp(50) = 5e21.
TEST(Growth, OfTheEquationsPasses) {
  const std::string advected = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) + dx(u) = 50*u"]
initial: {u: "exp(-x)"}
boundary: ["u(x=0) = exp(51*t)"]
exact: {u: "exp(51*t - x)"}
resolution: {degree: {t: 16, x: 12}, domains: {t: 10}}
)yaml";
  RunOutcome outcome = run_case(advected);
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_FALSE(has_growth_check(outcome));  // the data are as large
  expect_grows_alike(run_case(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2) + (50 + pi^2)*u"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
exact: {u: "exp(50*t)*sin(pi*x)"}
resolution: {degree: {t: 20, x: 16}, domains: {t: 10}}
)yaml"));
}

// From 1e-6 to 1, where it stays.
TEST(Growth, ThatSaturatesPasses) {
  expect_grows_alike(run_case(R"yaml(
domain: {t: [0, 2], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = 0.01*dx(u,2) + 20*u*(1 - u)"]
initial: {u: "1e-6*(2 + cos(pi*x))"}
boundary: ["dx(u)(x=0) = 0", "dx(u)(x=1) = 0"]
resolution: {degree: {t: 12, x: 20}, domains: {t: 20}}
)yaml"));
}

// Near the time at which it becomes infinite.
TEST(Growth, ToInfinityPasses) {
  expect_grows_alike(run_case(R"yaml(
domain: {t: [0, 0.99], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) + dx(u) = u^2"]
initial: {u: "1"}
boundary: ["u(x=0) = u(x=1)"]
resolution: {tolerance: 1.0e-6}
)yaml"));
}

// Ten times: parabolic or not, by sign, ends of the conditions, a factor u, coupling by highest derivatives.
TEST(Growth, OfParabolicProblemsIsLookedAtFromAThousandOn) {
  const std::string heat = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = (1 + x)*dx(u,2) + 17.2*u"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 14, x: 20}, domains: {t: 2}}
verification: {residual: 1.0e-3}
)yaml";
  const auto looked_at = [&](const std::string& from, const std::string& to) {
    const RunOutcome outcome = run_case(replaced(heat, from, to));
    EXPECT_EQ(outcome.status, ExitStatus::converged) << to << ": " << outcome.report.reason;
    return has_growth_check(outcome);
  };
  EXPECT_FALSE(looked_at("17.2", "17.2"));
  EXPECT_TRUE(looked_at("17.2", "30"));
  EXPECT_TRUE(looked_at("(1 + x)*dx(u,2)", "(1 + x + 0.01*u)*dx(u,2)"));
  EXPECT_FALSE(looked_at("(1 + x)*dx(u,2)", "dx((1 + x)*dx(u)) - dx(u)"));
  const std::string beam = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u, v]
equations: ["dt(u) = -0.01*dx(u,4) + dx(v) + 3.3*u", "dt(v) = u - v"]
initial: {u: "sin(pi*x)", v: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "dx(u,2)(x=0) = 0", "dx(u,2)(x=1) = 0"]
resolution: {degree: {t: 14, x: 20}, domains: {t: 2}}
verification: {residual: 1.0e-3, tail: 1.0e-3}
)yaml";
  EXPECT_FALSE(has_growth_check(run_case(beam)));
  EXPECT_TRUE(has_growth_check(run_case(replaced(beam, "dx(v) +", "0.001*dx(v,4) +"))));  // as rough as dx(u,4)
}

TEST(Growth, IsNotLookedAtWithoutNeed) {
  // From zero initial values to the size of the source, and by a wall that warms up.
  const std::string from_zero = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2) + 1000*sin(pi*x)"]
initial: {u: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 14, x: 16}}
)yaml";
  EXPECT_FALSE(has_growth_check(run_case(from_zero)));
  EXPECT_FALSE(
      has_growth_check(run_case(replaced(replaced(from_zero, "1000*sin(pi*x)", "0"), "u(x=0) = 0", "u(x=0) = 1e3*t"))));
  EXPECT_FALSE(has_growth_check(run_case(replaced(from_zero, "1000*sin(pi*x)", "exp(u/10)"))));
  // An ODE has no other resolution in space.
  const RunOutcome ode = run_case(R"yaml(
domain: {t: [0, 1]}
unknowns: [u]
equations: ["dt(u) = 50*u"]
initial: {u: "1"}
exact: {u: "exp(50*t)"}
resolution: {degree: {t: 16}, domains: {t: 10}}
)yaml");
  EXPECT_EQ(ode.status, ExitStatus::converged);
  EXPECT_FALSE(has_growth_check(ode));
}

}  // namespace
}  // namespace gwrm
