// The verified answer: what is right passes, what is wrong fails, with the size of the error that was put in.
#include "problems/time_spectral/verification.hpp"

#include <algorithm>

#include "problems/run_case.hpp"
#include "problems/time_spectral/failure_text.hpp"

namespace gwrm::verification_test {
namespace {

using test::expect_exact;
using test::expect_holds;
using test::find_check;
using test::replaced;
using test::run_case;

const std::string kHeat = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
constants: {zero: 0}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {u: "exp(x)"}
boundary: ["u(x=0) = exp(t)", "u(x=1) = exp(t + 1)"]
exact: {u: "exp(t + x)"}
resolution: {degree: {t: 10, x: 12}}
)yaml";

void expect_unresolved(const RunOutcome& outcome) {
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  EXPECT_EQ(static_cast<int>(outcome.status), 6);
  EXPECT_TRUE(outcome.complete);  // there is an answer, only not a good one
  EXPECT_FALSE(outcome.report.verification.passed());
  EXPECT_EQ(outcome.report.status, "verification failed");
}

TEST(Verification, OfAResolvedRunPasses) {
  const RunOutcome outcome = expect_exact(kHeat, 1e-10);
  EXPECT_EQ(outcome.status, ExitStatus::converged);
  EXPECT_EQ(outcome.report.status, "converged");
  EXPECT_EQ(outcome.report.verification.checks.size(),
            9u);  // estimate, residual, 2 tails, initial, 2 conditions, 2 norms of the error
  const FieldError& error = outcome.report.verification.estimate.fields.front();
  const double truth = find_check(outcome, "error_max").value;
  EXPECT_GT(error.total(), 0.7 * truth);
  EXPECT_LT(error.total(), 1.6 * truth);
  EXPECT_LE(find_check(outcome, "residual").value, 1e-8);
}

// Steep viscous Burgers on nine modes.
TEST(Verification, OfACoarseRunFails) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = 0.01*dx(u,2)"]
initial: {u: "sin(2*pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 8, x: 8}, domains: {t: 8}}
)yaml");
  expect_unresolved(outcome);
  EXPECT_GT(find_check(outcome, "tail", "along x").value, 1e-3);
  EXPECT_GT(find_check(outcome, "residual").value, 1e-4);
  expect_holds(outcome.report.reason, "resolution: {degree: {");
}

// A kink is not a polynomial: initial data are met on the modes only, and the check says by how much. Best
// approximation of |x| on [-1, 1] by degree n has error 0.28/n; anything from a tenth to ten times that is plausible.
TEST(Verification, InitialValuesThatAreNoPolynomial) {
  const RunOutcome outcome = run_case(
      replaced(replaced(replaced(kHeat, "\"exp(x)\"", "\"abs(2*x - 1)\""), "exp(t)\"", "1\""), "exp(t + 1)", "1"));
  const double error = find_check(outcome, "initial").value;
  EXPECT_GT(error, 0.028 / 12);
  EXPECT_LT(error, 2.8 / 12);
  expect_unresolved(outcome);
}

// One per cent added to the exact solution is found as 0.01 / 1.01 in both norms.
TEST(Verification, WrongExactSolution) {
  const RunOutcome outcome = run_case(replaced(kHeat, "{u: \"exp(t + x)\"}", "{u: \"1.01*exp(t + x)\"}"));
  expect_unresolved(outcome);
  EXPECT_NEAR(find_check(outcome, "error_max").value, 0.01 / 1.01, 1e-9);
  EXPECT_NEAR(find_check(outcome, "error_l2").value, 0.01 / 1.01, 1e-9);
}

// The error 0.1 x (1 - t) against exp(t + x): maximum 0.1 at the corner (0, 1), but for the distance of the outermost
// check points; L2 0.1/3 against (e^2 - 1)/2.
TEST(Verification, NormsOfAKnownError) {
  const RunOutcome outcome = run_case(replaced(kHeat, "{u: \"exp(t + x)\"}", "{u: \"exp(t + x) + 0.1*x*(1 - t)\"}"));
  EXPECT_NEAR(find_check(outcome, "error_max").value, 0.1 / std::exp(2.0), 0.02 * 0.1 / std::exp(2.0));
  // L2 of the given exact solution: (e^2-1)^2/4 + 0.2 int x e^x int (1-t) e^t + 0.01/9, with 1 and e - 2.
  const double size = std::sqrt(std::pow((std::exp(2.0) - 1) / 2, 2) + 0.2 * (std::exp(1.0) - 2) + 0.01 / 9);
  EXPECT_NEAR(find_check(outcome, "error_l2").value, 0.1 / 3 / size, 1e-10);
}

TEST(Verification, ExactSolutionThatIsNotANumberFails) {
  for (const char* wrong : {"sqrt(x - 2)", "log(x - 0.5)", "1/(x - x)"}) {
    const RunOutcome outcome = run_case(replaced(kHeat, "{u: \"exp(t + x)\"}", std::string("{u: \"") + wrong + "\"}"));
    expect_unresolved(outcome);
    EXPECT_FALSE(find_check(outcome, "error_max").passed()) << wrong;
    EXPECT_FALSE(find_check(outcome, "error_l2").passed()) << wrong;
  }
}

// u = 2 T_0 + 0.01 T_5 (and nothing else): the tail is 0.005 and the limit decides.
TEST(Verification, TailIsTheLastCoefficients) {
  const std::string given = R"yaml(
domain: {x: [-1, 1]}
unknowns: [u]
equations: ["u = 2 + 0.01*(16*x^5 - 20*x^3 + 5*x)"]
resolution: {degree: {x: 5}}
verification: {tail: 0.0051, estimate: off}
)yaml";
  const RunOutcome passed = run_case(given);
  EXPECT_NEAR(find_check(passed, "tail").value, 0.005, 1e-12);
  EXPECT_EQ(passed.status, ExitStatus::converged);
  expect_unresolved(run_case(replaced(given, "0.0051", "0.0049")));
  EXPECT_NEAR(find_check(run_case(replaced(given, "x: 5", "x: 6")), "tail").value, 0.005,
              1e-12);  // one of the last two
  EXPECT_LT(find_check(run_case(replaced(given, "x: 5", "x: 7")), "tail").value, 1e-14);
}

// The worst window counts: u = 1 in the first, a cubic in the second.
TEST(Verification, TailOfTheWorstWindow) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {t: [0, 2]}
unknowns: [u]
equations: ["dt(u) = 3*max(t - 1, 0)^2"]
initial: {u: "1"}
resolution: {degree: {t: 3}, domains: {t: 2}}
)yaml");
  // (t - 1)^3 on [1, 2] = ((1 + s)/2)^3: T_3 coefficient 1/32, T_2 6/32; largest T_0 coefficient 1 + 10/32.
  EXPECT_NEAR(find_check(outcome, "tail").value, (6.0 / 32) / (1 + 10.0 / 32), 1e-12);
}

// A kink in the initial values, with an edge on it: u_xx is infinite there at t = 0 and so is u_t, but only for the
// first instant, and the answer is right. The same on too few modes for all times is not.
const std::string kKink = R"yaml(
domain: {t: [0, 0.02], x: [-1, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {u: "abs(x)"}
boundary: ["u(x=-1) = 1", "u(x=1) = 1"]
exact: {u: "x*erf(x/sqrt(4*t + 1.0e-99)) + sqrt(4*t/pi)*exp(-x^2/(4*t + 1.0e-99))"}
resolution: {tolerance: 1.0e-6, domains: {x: 2}}
)yaml";

TEST(Verification, AKinkAtTheStartPasses) {
  const RunOutcome outcome = expect_exact(kKink, 1e-6);
  const double residual = find_check(outcome, "residual").value;
  EXPECT_GT(residual, 1e-10);
  EXPECT_LT(residual, 1e-5);  // as large as the error or so
  const RunOutcome coarse =
      run_case(replaced(replaced(kKink, "tolerance: 1.0e-6, ", "degree: {t: 6, x: 6}, "), "0.02", "0.01"));
  expect_unresolved(coarse);
  EXPECT_GT(find_check(coarse, "residual").value, 1e-3);
  EXPECT_GT(find_check(coarse, "error_max").value, 1e-3);
}

// A condition at a point in place of an equation, with nothing on its right-hand side: its residual is round-off, and
// relative to the field, not to itself.
TEST(Verification, AConditionAsAnEquation) {
  const RunOutcome outcome = expect_exact(R"yaml(
domain: {x: [0, 2]}
unknowns: [u, {name: k, dims: []}]
equations: ["dx(u,2) + k*u = 0", "dx(u)(x=0) = 0"]
boundary: ["u(x=0) = 1", "u(x=2) = cos(2)"]
guess: {u: "1 - x^2/3", k: "0.9"}
exact: {u: "cos(x)", k: "1"}
resolution: {degree: {x: 16}}
)yaml",
                                          1e-10);
  EXPECT_LE(find_check(outcome, "estimate", "k").value, 1e-10);
}

// w is zero; what is left of it is round-off, whose series does not decay.
TEST(Verification, TheSeriesOfAZeroNeedNotDecay) {
  const std::string yaml = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u, w]
equations: ["dt(u) = dx(u,2)", "dt(w) = dx(w,2) + 3*dx(u,2) - 3*dt(u)"]
initial: {u: "cos(x)", w: "0"}
boundary: ["u(x=0) = exp(-t)", "u(x=1) = exp(-t)*cos(1)", "w(x=0) = 0", "w(x=1) = 0"]
exact: {u: "exp(-t)*cos(x)", w: "0"}
resolution: {degree: {t: 10, x: 12}}
)yaml";
  const RunOutcome zero = expect_exact(yaml, 1e-10);
  EXPECT_FALSE(find_check(zero, "tail", "w along x").judged);
  EXPECT_GT(find_check(zero, "tail", "w along x").value, find_check(zero, "tail", "w along x").tolerance);
  expect_exact(replaced(yaml, ", w: \"0\"}\nres", "}\nres"), 1e-10);  // zero but for rounding
}

// The reason names the checks and the cure.
TEST(Verification, TheReasonSaysWhatToChange) {
  const auto reason = [](const std::string& from, const std::string& to) {
    const RunOutcome outcome = run_case(replaced(kHeat, from, to));
    expect_unresolved(outcome);
    return outcome.report.reason;
  };
  const std::string wrong = reason("exp(t + x)\"", "1.1*exp(t + x)\"");
  expect_holds(wrong, "2 of 9 checks failed");
  expect_holds(wrong, "`exact`");
  expect_holds(reason("t: 10, x: 12", "t: 10, x: 4"), "the estimated error of u is ");
  expect_holds(reason("degree: {t: 10, x: 12}}", "degree: {t: 10, x: 4}}\nverification: {estimate: off}"),
               "u along x ends too early: resolution: {degree: {");
}

// The constant that fits |x| best in the mean leaves a residual that is seen between the points.
TEST(Verification, ResidualOffTheGrid) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {x: [-1, 1]}
unknowns: [u]
equations: ["u = abs(x)"]
resolution: {degree: {x: 2}}
verification: {tail: 1, tolerance: 1, estimate: off}
)yaml");
  expect_unresolved(outcome);
  EXPECT_GT(find_check(outcome, "residual").value, 0.02);
  EXPECT_LT(find_check(outcome, "residual").value, 0.2);
}

// A residual counts against what makes up the equation. An equation of one term has nothing to be small against but the
// unknowns themselves; round-off over round-off would fail every one of these correct answers.
TEST(Verification, HomogeneousEquationsOfOneTerm) {
  expect_exact(R"yaml(
domain: {x: [0, 3]}
unknowns: [u]
equations: ["dx(u,2) = 0"]
boundary: ["u(x=0) = 1", "u(x=3) = 0.1"]
exact: {u: "1 - 0.3*x"}
resolution: {degree: {x: 8}}
)yaml",
               1e-12);
  expect_exact(R"yaml(
domain: {x: [0, 1]}
unknowns: [u]
equations: ["exp(x)*(dx(u) - u) = 0"]
boundary: ["u(x=0) = 1"]
exact: {u: "exp(x)"}
resolution: {degree: {x: 14}}
)yaml",
               1e-12);
  expect_exact(R"yaml(
domain: {t: [0, 1]}
unknowns: [u, v]
equations: ["dt(u) = v", "v*(1 + u^2) = 0"]
initial: {u: "0.7"}
exact: {u: "0.7", v: "0"}
resolution: {degree: {t: 5}}
)yaml",
               1e-12);
}

// Solutions whose residual is zero but for round-off, and nothing else in the equation is larger. An error of 1e-9 put
// into them is still found.
TEST(Verification, RoundOffOfTermsThatVanishIsNoResidual) {
  const std::vector<std::string> cases = {R"yaml(
domain: {x: [0, 1]}
unknowns: [u]
equations: ["dx(u,2) = 0"]
boundary: ["u(x=0) = 1", "u(x=1) = 0"]
resolution: {degree: {x: 20}, domains: {x: 2}}
)yaml",
                                          R"yaml(
domain: {x: [0, 1], y: [0, 1]}
unknowns: [u]
equations: ["lap(u) = 0"]
boundary: ["u(x=0) = 0", "u(x=1) = 1", "dy(u)(y=0) = 0", "dy(u)(y=1) = 0"]
resolution: {degree: {x: 8, y: 8}}
)yaml",
                                          R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {u: "x"}
boundary: ["u(x=0) = 0", "u(x=1) = 1"]
resolution: {degree: {t: 8, x: 16}}
)yaml",
                                          R"yaml(
domain: {x: [0, 1]}
unknowns: [u]
equations: ["(1 + u^2)*dx(u) + integral(dx(u,2), x) = 0"]
boundary: ["u(x=0) = 300"]
resolution: {degree: {x: 24}}
)yaml"};
  for (const std::string& yaml : cases) {
    const RunOutcome outcome = run_case(yaml);
    EXPECT_EQ(outcome.status, ExitStatus::converged) << yaml << outcome.report.reason;

    const Case the_case = read_case_text(yaml, "test.yaml");
    Solution wrong = outcome.solution;
    wrong.fields.front().windows.front().data[4] += 1e-9 * std::abs(wrong.fields.front().windows.front().data[0]);
    const Verification verification = verify(the_case, build_model(the_case), wrong);
    EXPECT_EQ(verification.checks.front().kind, "residual");
    EXPECT_GT(verification.checks.front().value, 0.1) << yaml;
  }
}

// Degree 96 in fourth order: the bound on the round-off is larger than the terms of any smooth solution. It does not
// excuse an error of a per mille.
TEST(Verification, RoundOffExcusesNoResidualOfTheSizeOfTheSolution) {
  const std::string yaml = R"yaml(
domain: {x: [0, 1]}
unknowns: [u]
equations: ["dx(u,4) = 0"]
boundary: ["u(x=0) = 0", "u(x=1) = 1", "dx(u)(x=0) = 1", "dx(u)(x=1) = 1"]
resolution: {degree: {x: 96}}
)yaml";
  const RunOutcome outcome = run_case(yaml);
  const Case the_case = read_case_text(yaml, "test.yaml");
  Solution wrong = outcome.solution;
  wrong.fields.front().windows.front().data[4] += 1e-3;
  const double residual = verify(the_case, build_model(the_case), wrong).checks.front().value;
  EXPECT_GT(residual, 0.1);
}

const std::string kOverdamped = R"yaml(
domain: {t: [0, 5]}
unknowns: [z]
equations: ["dt(z,2) = -z - 100*dt(z)"]
initial: {z: "1", "dt(z)": "0"}
exact: {z: "(a*exp(b*t) - b*exp(a*t))/(a - b)"}
constants: {a: -50 + sqrt(2499), b: -50 - sqrt(2499)}
resolution: {tolerance: 1.0e-8}
)yaml";

// dt(z) of a polynomial with a tail of 3e-9 is wrong by 4e-7 at its start: the answer is right all the same.
TEST(Verification, ATailWithinTheToleranceExcusesItsSlopeAtTheStart) {
  const RunOutcome outcome = run_case(kOverdamped);
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_LE(find_check(outcome, "error_max").value, 1e-8);
}

// The same of waves, the tail of which is largest near the ends of x.
TEST(Verification, ATailInTimeExcusesItsSlopeInSpaceToo) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {t: [0, 0.5], x: [0, 4]}
unknowns: [u]
equations: ["dt(u,2) = dx((1 + 0.2*x)^2*dx(u))"]
initial: {u: "exp(-20*(x - 2)^2)", "dt(u)": "0"}
boundary: ["dx(u)(x=0) = 0", "dt(u)(x=4) + 1.8*dx(u)(x=4) = 0"]
resolution: {tolerance: 1.0e-7}
)yaml");
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
}

// 1e-6 in a coefficient that is no tail changes dt(z) by 3e-4.
TEST(Verification, AWrongSlopeAtTheStartIsFound) {
  const Case the_case = read_case_text(kOverdamped, "test.yaml");
  Solution wrong = run_case(kOverdamped).solution;
  wrong.fields.front().windows.front().data[4] += 1e-6;
  const Verification verification = verify(the_case, build_model(the_case), wrong);
  const auto check = std::find_if(verification.checks.begin(), verification.checks.end(),
                                  [](const Check& c) { return c.subject == "dt(z)"; });
  ASSERT_NE(check, verification.checks.end());
  EXPECT_GT(check->value, check->tolerance);
}

// In space there is no tail in t that could excuse it.
TEST(Verification, AKinkInTheVelocityIsFound) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {t: [0, 0.1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u,2) = dx(u,2)"]
initial: {u: "0", "dt(u)": "abs(x - 0.37)"}
boundary: ["dx(u)(x=0) = -t", "dx(u)(x=1) = t"]
resolution: {degree: {t: 12, x: 12}}
)yaml");
  expect_unresolved(outcome);
  EXPECT_GT(find_check(outcome, "initial", "dt(u)").value, 1e-3);
}

// A plate that is put into another medium: the slope at its surface jumps at t = 0, and no polynomial follows. In a
// half space u(0, t) = exp(t) erfc(sqrt(t)).
const std::string kCooling = R"yaml(
domain: {t: [0, 0.02], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {u: "1"}
boundary: ["dx(u)(x=0) = u(x=0)", "dx(u)(x=1) = 0"]
resolution: {tolerance: 1.0e-6}
verification:
  values:
    - {expr: "u(x=0)", at: {t: 0.01}, value: 0.8964569799691268}
)yaml";

TEST(Verification, AContradictedConditionCountsForAsLongAsItIsViolated) {
  const RunOutcome outcome = run_case(kCooling);
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_LE(find_check(outcome, "value").value, 1e-8);
  const RunOutcome in_parts = run_case(kCooling + "output: {coefficients: none}\n");
  EXPECT_EQ(in_parts.status, ExitStatus::converged) << in_parts.report.reason;
}

// Windows as long as what is looked at.
TEST(Verification, AContradictedConditionThatIsViolatedForLongFails) {
  const RunOutcome outcome =
      run_case(replaced(kCooling, "{tolerance: 1.0e-6}", "{degree: {t: 8, x: 24}, domains: {t: 4}}"));
  expect_unresolved(outcome);
  EXPECT_GT(find_check(outcome, "boundary", "u(x=0)").value, 1e-3);
}

TEST(Verification, SolutionZero) {
  const RunOutcome outcome = run_case(
      replaced(replaced(replaced(replaced(kHeat, "\"exp(x)\"", "\"0\""), "exp(t)\"", "0\""), "exp(t + 1)", "0"),
               "{u: \"exp(t + x)\"}", "{u: \"0\"}"));
  EXPECT_EQ(outcome.status, ExitStatus::converged);
  EXPECT_EQ(find_check(outcome, "error_max").value, 0.0);
}

TEST(Verification, KnownValues) {
  const std::string values = kHeat + R"yaml(verification:
  values:
    - {expr: "u", at: {t: 0.5, x: 0.25}, value: exp(0.75)}
    - {expr: "dx(u)*dt(u)", at: {t: 0.5, x: 0.25}, value: exp(1.5)}
    - {expr: "integral(u, x)", at: {t: 1}, value: 4.5}
    - {expr: "integral(integral(u, x), t) + zero", value: (exp(1) - 1)^2}
    - {expr: "u(x=0) - exp(t)", at: {t: 0.3}, value: 0}
)yaml";
  const RunOutcome outcome = run_case(values);
  expect_unresolved(outcome);
  EXPECT_LE(find_check(outcome, "value", "u at t = 0.5, x = 0.25").value, 1e-10);
  EXPECT_LE(find_check(outcome, "value", "dx(u)*dt(u)").value, 1e-8);
  const double integral = std::exp(1.0) * (std::exp(1.0) - 1);  // 4.67, not 4.5
  EXPECT_NEAR(find_check(outcome, "value", "integral(u, x) at t = 1").value, (integral - 4.5) / 4.5, 1e-8);
  EXPECT_LE(find_check(outcome, "value", "integral(integral").value, 1e-10);
  EXPECT_LE(find_check(outcome, "value", "u(x=0) - exp(t)").value, 1e-10);
}

TEST(Verification, KnownValueWithoutItsPointIsACaseError) {
  const std::string values = kHeat + "verification: {values: [{expr: \"u\", at: {t: 0.5}, value: 1}]}\n";
  try {
    run_case(values);
    ADD_FAILURE() << "no CaseError";
  } catch (const CaseError& error) {
    expect_holds(error.what(), "must give x");
  }
}

// It must not cost a run to find out.
TEST(Verification, KnownValueWithoutItsPointIsFoundBeforeTheRun) {
  const std::string values = kHeat + "verification: {values: [{expr: \"u\", at: {t: 0.5}, value: 1}]}\n";
  EXPECT_THROW(make_problem(read_case_text(values, "test.yaml")), CaseError);
}

}  // namespace
}  // namespace gwrm::verification_test
