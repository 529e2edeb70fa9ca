// Runs with unknowns that are small by their units: they are resolved, solved and judged as others are.
#include "run_case.hpp"

namespace gwrm::small_units_test {
namespace {

using test::find_check;
using test::run_case;

// E dx(w) = s: w is as s/E, whatever the units.
const std::string kHooke = R"yaml(
domain: {x: [0, 1]}
constants: {E: 1.0e+15}
unknowns: [w, s]
equations: ["s = E*dx(w) - 40*exp(-40*x)", "dx(s) = -1"]
boundary: ["w(x=0) = 0", "s(x=1) = 0"]
)yaml";

// w = (x - x^2/2 + 1 - exp(-40 x))/E, of which degree 12 misses 6e-3.
TEST(SmallUnits, AnUnresolvedDisplacementFails) {
  const RunOutcome coarse = run_case(kHooke + "resolution: {degree: {x: 12}}\n");
  EXPECT_EQ(coarse.status, ExitStatus::unresolved);
  const double estimated = find_check(coarse, "estimate", "w").value;
  EXPECT_GT(estimated, 3e-3);
  EXPECT_LT(estimated, 1.2e-2);
  const RunOutcome fine = run_case(kHooke + "resolution: {degree: {x: 40}}\n");
  EXPECT_EQ(fine.status, ExitStatus::converged) << fine.report.reason;
}

TEST(SmallUnits, TailsAreJudgedWhereNothingIsEstimated) {
  const RunOutcome coarse =
      run_case(kHooke + "resolution: {degree: {x: 12}}\nverification: {estimate: off, tail: 1.0e-6}\n");
  EXPECT_TRUE(find_check(coarse, "tail", "w along x").judged);
  EXPECT_EQ(coarse.status, ExitStatus::unresolved);
}

// Windows follow the small oscillation, too.
TEST(SmallUnits, AutomaticWindowsResolveWhatIsSmallByItsUnits) {
  for (const std::string amplitude : {"1.0e-9", "1.0e-15"}) {
    const RunOutcome outcome = run_case(R"yaml(
domain: {t: [0, 2]}
constants: {A: )yaml" + amplitude + R"yaml(}
unknowns: [a, b, v]
equations: ["dt(a) = 20*b", "dt(b) = -20*a", "dt(v) = -v"]
initial: {a: A, b: 0, v: 1}
exact: {a: "A*cos(20*t)", b: "-A*sin(20*t)", v: "exp(-t)"}
resolution: {tolerance: 1.0e-6}
)yaml");
    EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
    EXPECT_LT(test::worst_error(outcome), 1e-6) << amplitude;
  }
}

// Newton's iteration ends where the small unknown has converged: a = A/(1 + t).
TEST(SmallUnits, NewtonConvergesInWhatIsSmallByItsUnits) {
  for (const std::string amplitude : {"1", "1.0e-20"}) {
    const RunOutcome outcome = run_case(R"yaml(
domain: {t: [0, 5]}
constants: {A: )yaml" + amplitude + R"yaml(}
unknowns: [a, v]
equations: ["dt(a) = -a^2/A", "dt(v) = -v"]
initial: {a: A, v: 1}
exact: {a: "A/(1 + t)", v: "exp(-t)"}
resolution: {degree: {t: 12}, domains: {t: 6}}
)yaml");
    EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
    EXPECT_LT(test::worst_error(outcome), 1e-9) << amplitude;
  }
}

}  // namespace
}  // namespace gwrm::small_units_test
