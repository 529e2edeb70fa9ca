// Runs that cannot succeed say so: the status, the place, and what to look at.
#include "problems/run_case.hpp"

namespace gwrm::failures_test {
namespace {

using test::expect_holds;
using test::replaced;
using test::run_case;
using test::value_at;

const std::string kPoisson = R"yaml(
domain: {x: [0, 1]}
unknowns: [u]
equations: ["dx(u,2) = 1 + x"]
boundary: ["u(x=0) = 0", "dx(u)(x=1) = 0"]
resolution: {degree: {x: 8}}
)yaml";

TEST(Failures, ConditionSaidTwiceIsSingularAndBothAreNamed) {
  const RunOutcome outcome = run_case(replaced(kPoisson, "dx(u)(x=1) = 0", "2*u(x=0) = 5"));
  EXPECT_EQ(outcome.status, ExitStatus::singular);
  EXPECT_FALSE(outcome.complete);
  EXPECT_TRUE(outcome.solution.fields.empty());
  expect_holds(outcome.report.reason, "u(x=0) = 0");
  expect_holds(outcome.report.reason, "2*u(x=0) = 5");
  EXPECT_EQ(outcome.report.status.find("converged"), std::string::npos);
}

// The constant mode of u is free.
TEST(Failures, NothingFixesTheConstant) {
  const RunOutcome outcome =
      run_case(replaced(replaced(kPoisson, "u(x=0) = 0", "dx(u)(x=0) = 0"), "1 + x", "cos(pi*x)"));
  EXPECT_EQ(outcome.status, ExitStatus::singular);
  expect_holds(outcome.report.reason, "u");
  expect_holds(outcome.report.reason, "gauge");
}

TEST(Failures, SingularInTimeNamesTheWindow) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {u: "0"}
boundary: ["u(x=0) = 0", "u(x=0) = t"]
resolution: {degree: {t: 4, x: 8}, domains: {t: 2}}
)yaml");
  EXPECT_EQ(outcome.status, ExitStatus::singular);
  expect_holds(outcome.report.reason, "window 1 of 2");
  expect_holds(outcome.report.reason, "u(x=0) = t");
}

// u = 1/(1 - t): windows are halved towards t = 1. One warning for all, and the reason says where and why.
TEST(Failures, ASolutionThatBecomesInfinite) {
  const std::string yaml = R"yaml(
domain: {t: [0, 2]}
unknowns: [u]
equations: ["dt(u) = u^2"]
initial: {u: "1"}
resolution: {degree: {t: 8}}
)yaml";
  for (const std::string& resolution : {std::string("degree: {t: 8}"), std::string("tolerance: 1.0e-6")}) {
    const RunOutcome outcome = run_case(replaced(yaml, "degree: {t: 8}", resolution));
    EXPECT_EQ(outcome.status, ExitStatus::not_converged);
    expect_holds(outcome.report.reason, "towards t = 1: the solution seems to become infinite");
    expect_holds(outcome.report.reason, ", length ");
    EXPECT_LE(outcome.report.warnings.size(), 1u);
  }
  const RunOutcome halved = run_case(yaml);
  ASSERT_EQ(halved.report.warnings.size(), 1u);
  expect_holds(halved.report.warnings[0], "Newton failed in the window t = 0 .. 2 (");
  expect_holds(halved.report.warnings[0], " more, the last at t = 1, length ");
  EXPECT_EQ(halved.report.warnings[0].find("0.0e+00"), std::string::npos);
  EXPECT_GT(halved.solution.window_edges.back(), 0.999);
}

// u^2 = -1 has no solution. Newton's map on it is chaotic: it never converges.
TEST(Failures, NewtonWithoutASolution) {
  for (const char* method : {"natural", "none", "sir"}) {
    const RunOutcome outcome = run_case(std::string(R"yaml(
domain: {x: [0, 1]}
unknowns: [u]
equations: ["u^2 = -1 - x"]
guess: {u: "0.3"}
resolution: {degree: {x: 3}}
solver: {newton: {max_iterations: 12, globalisation: )yaml") +
                                        method + "}}\n");
    EXPECT_TRUE(outcome.status == ExitStatus::not_converged || outcome.status == ExitStatus::singular) << method;
    EXPECT_FALSE(outcome.complete);
    EXPECT_TRUE(outcome.report.verification.checks.empty());
    EXPECT_FALSE(outcome.report.newton.empty());
    expect_holds(outcome.report.reason, "iteration");
  }
}

TEST(Failures, IterationLimit) {
  const RunOutcome outcome = run_case(replaced(kPoisson, "dx(u,2) = 1 + x", "dx(u,2) = 1 + x + u^3") +
                                      "solver: {newton: {max_iterations: 1}}\n");
  EXPECT_EQ(outcome.status, ExitStatus::not_converged);
  EXPECT_EQ(outcome.report.newton.size(), 1u);
  expect_holds(outcome.report.reason, "max_iterations");
  expect_holds(outcome.report.reason, "guess");
}

// sqrt(1/2 - t) leaves the real numbers in the second window; the message gives a time in it.
TEST(Failures, NotANumberIsLocated) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [v, u]
equations: ["dt(v) = 0", "dt(u) = sqrt(0.5 - t)*x"]
initial: {u: "1", v: "0"}
resolution: {degree: {t: 4, x: 3}, domains: {t: 2}}
)yaml");
  EXPECT_EQ(outcome.status, ExitStatus::not_finite);
  expect_holds(outcome.report.reason, "window 2 of 2");
  expect_holds(outcome.report.reason, "equation 2");
  expect_holds(outcome.report.reason, "sqrt(0.5 - t)");
  expect_holds(outcome.report.reason, "at t = 0.");
  expect_holds(outcome.report.reason, "x = ");
  ASSERT_EQ(outcome.solution.fields.size(), 2u);
  EXPECT_EQ(outcome.solution.fields[1].windows.size(), 1u);
}

TEST(Failures, NotANumberAtTheStart) {
  const RunOutcome outcome = run_case(replaced(kPoisson, "1 + x", "log(u)"));  // u = 0 where the iteration starts
  EXPECT_EQ(outcome.status, ExitStatus::not_finite);
  expect_holds(outcome.report.reason, "guess");
}

TEST(Failures, NotANumberInTheInitialValues) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = u"]
initial: {u: "log(x - 0.5)"}
resolution: {degree: {t: 4, x: 3}}
)yaml");
  EXPECT_EQ(outcome.status, ExitStatus::not_finite);
  EXPECT_FALSE(outcome.complete);
}

TEST(Failures, MemoryIsRefusedBeforeItIsTaken) {
  const auto limited =
      make_problem(read_case_text(kPoisson + "solver: {memory: 1.0e-6}\n", "test.yaml"));  // 1 kB; 9^2 doubles are 0.6
  const auto context = Context::create(BackendChoice::cpu, 1);
  try {
    RunControl control;
    control.progress = [](double, const std::string&) { ADD_FAILURE() << "it ran"; };
    limited->run(context, control);
    ADD_FAILURE() << "no MemoryError";
  } catch (const MemoryError& error) {
    EXPECT_EQ(error.status(), ExitStatus::resources);
    expect_holds(error.what(), "9 unknowns");
    expect_holds(error.what(), "solver.memory");
  }
  // What would need more than any machine has; the numbers must not overflow on the way.
  const std::string huge = replaced(kPoisson, "x: 8", "x: 100000, y: 100000");
  EXPECT_THROW(run_case(replaced(huge, "x: [0, 1]", "x: [0, 1], y: [0, 1]")), MemoryError);
}

TEST(Failures, DegreeBelowTheOrder) {
  try {
    make_problem(read_case_text(replaced(kPoisson, "x: 8", "x: 1"), "test.yaml"));
    ADD_FAILURE() << "no CaseError";
  } catch (const CaseError& error) {
    expect_holds(error.what(), "resolution.degree.x of at least 2");
  }
}

TEST(Failures, MistakesInTheOutputAreFoundBeforeTheRun) {
  EXPECT_THROW(make_problem(read_case_text(kPoisson + "output: {fields: {a: \"dx(w)\"}}\n", "test.yaml")), CaseError);
  EXPECT_THROW(
      make_problem(read_case_text(kPoisson + "verification: {values: [{expr: \"w\", value: 1}]}\n", "test.yaml")),
      CaseError);
}

// A pendulum whose length is prescribed: of index 3. Reference: the angle by DOP853 with rtol 1e-13.
TEST(Failures, AConstraintOfIndexThreeIsNoFailure) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {t: [0, 10]}
unknowns: [px, py, vx, vy, tension]
equations: ["dt(px) = vx", "dt(py) = vy", "dt(vx) = -tension*px", "dt(vy) = -tension*py - 1", "px^2 + py^2 = 1"]
initial: {px: 1, py: 0, vx: 0, vy: 0}
resolution: {tolerance: 1.0e-8}
)yaml");
  ASSERT_EQ(outcome.status, ExitStatus::converged);
  EXPECT_NEAR(value_at(outcome.solution, "px", {{"t", 10.0}}), -0.81158644619, 1e-9);
  EXPECT_NEAR(value_at(outcome.solution, "py", {{"t", 10.0}}), -0.58423235135, 1e-9);
  EXPECT_NEAR(value_at(outcome.solution, "tension", {{"t", 10.0}}), 1.75269705404, 1e-8);
}

TEST(Failures, ASolutionThatBecomesInfiniteIsNoMatterOfViscosity) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {t: [0, 2]}
unknowns: [u]
equations: ["dt(u) = u^2"]
initial: {u: 1}
resolution: {tolerance: 1.0e-8}
)yaml");
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  expect_holds(outcome.report.reason, "towards t = 1: the solution seems to become infinite");
  EXPECT_EQ(outcome.report.reason.find("viscosity"), std::string::npos);
}

// Stokes flow with a pressure that a penalty alone holds: GMRES says that it has converged, but it has not. Damping
// would not help, nor a guess; the dense solver gives the velocity.
TEST(Failures, ALinearProblemWhoseIterationMissesGoesToTheDenseSolver) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {x: [0, 1], y: [0, 1]}
unknowns: [u, v, p]
equations:
  - "-lap(u) + dx(p) = dx(sin(x)*cos(y)) - lap(sin(pi*x)*cos(pi*y))"
  - "-lap(v) + dy(p) = dy(sin(x)*cos(y)) - lap(-cos(pi*x)*sin(pi*y))"
  - "dx(u) + dy(v) + 1.0e-8*p = 0"
boundary:
  - "u(x=0) = 0"
  - "u(x=1) = 0"
  - "u(y=0) = sin(pi*x)"
  - "u(y=1) = -sin(pi*x)"
  - "v(x=0) = -sin(pi*y)"
  - "v(x=1) = sin(pi*y)"
  - "v(y=0) = 0"
  - "v(y=1) = 0"
exact: {u: "sin(pi*x)*cos(pi*y)", v: "-cos(pi*x)*sin(pi*y)"}
resolution: {degree: {x: 14, y: 14}}
)yaml");
  EXPECT_TRUE(outcome.complete) << outcome.report.reason;
  expect_holds(outcome.report.linear_solver, "dense");
  EXPECT_LE(test::worst_error(outcome), 1e-7);
}

// The corner where u jumps is left out; a wall that is cooled smoothly has the same answer later.
TEST(Failures, AWallThatIsCooledAtOnceIsNone) {
  const std::string at_once = R"yaml(
domain: {t: [0, 0.02], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {u: "1"}
boundary: ["u(x=0) = 0", "dx(u)(x=1) = 0"]
resolution: {tolerance: 1.0e-6}
verification:
  tolerance: 1.0e-4
  values:
    - {expr: u, at: {t: 0.01, x: 0.1}, value: 0.5204998778130465}
)yaml";
  const RunOutcome outcome = run_case(at_once);
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  const RunOutcome mended = run_case(replaced(at_once, "u(x=0) = 0", "u(x=0) = exp(-t/1e-6)"));
  EXPECT_EQ(mended.status, ExitStatus::converged) << mended.report.reason;
}

TEST(Failures, AnExactSolutionThatIsNaNIsNamed) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {t: [0, 1]}
unknowns: [u]
equations: ["dt(u) = -u"]
initial: {u: 1}
exact: {u: "exp(-t)*sqrt(0.5 - t)/sqrt(0.5 - t)"}
resolution: {degree: {t: 12}}
)yaml");
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  expect_holds(outcome.report.reason, "`exact` of u is NaN");
}

}  // namespace
}  // namespace gwrm::failures_test
