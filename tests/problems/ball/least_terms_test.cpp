// Without an estimate: parts that are zero but for rounding pass, small ones that are wrong do not.
#include "problems/ball/least_terms.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "ball_cases.hpp"

namespace gwrm::test::least_terms_test {
namespace {

void expect_resolved(const RunOutcome& outcome, const std::string& part) {
  for (const Check& check : outcome.report.verification.checks)
    if (check.subject.find(part) != std::string::npos) {
      EXPECT_TRUE(check.passed()) << check.kind << " of " << check.subject << ": " << check.value;
    }
}

// A field that a source keeps, by its Cartesian components: what they have of a poloidal part is rounding.
TEST(BallLeastTerms, APartThatIsZeroButForRoundingPasses) {
  const RunOutcome kept = run_case(R"yaml(
problem: ball
domain: {t: [0, 0.2]}
ball:
  radius: 2
  degree: {t: 8, r: 10, l: 3}
  windows: 2
  fields: {B: {kind: magnetic, diffusivity: 2, source: {x: "-20*y", y: "20*x"}}}
initial: {B: {x: "-y*(4 - r^2)", y: "x*(4 - r^2)"}}
output: {grid: {t: 3, r: [0.5, 1.2, 2], theta: 3, phi: 4}}
verification: {estimate: off}
)yaml");
  EXPECT_EQ(kept.status, ExitStatus::converged) << kept.report.reason;
  expect_resolved(kept, "B");
  EXPECT_LE(find_check(kept, "residual", "B_toroidal").value, 1e-10);
}

// Convection about the axis has no toroidal flow.
TEST(BallLeastTerms, AFlowWithoutAToroidalPartPasses) {
  const RunOutcome outcome = run_case(R"yaml(
problem: ball
domain: {t: [0, 0.1]}
ball:
  degree: {t: 8, r: 12, l: 12, m: 0}
  tolerance: 1.0e-8
  fields: {Theta: {buoyancy: 3000, background: 1}, U: {kind: velocity}}
  terms: [buoyancy, background, advection, inertia]
initial: {Theta: "z*(1 - r^2)^3"}
output: {grid: {t: 2, r: 3, theta: 3, phi: 3}}
verification: {estimate: off}
)yaml");
  ASSERT_TRUE(outcome.complete) << outcome.report.reason;
  expect_resolved(outcome, "U_toroidal");
}

// u = 1 - r^2 stays; v is one polynomial in t of a degree that does not hold its decay. At 1e-16 it is rounding of u.
RunOutcome beside_a_larger_one(double size) {
  return run_case(fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 1]}}
ball:
  degree: {{t: 4, r: 6, l: 2, m: 0}}
  windows: 1
  fields: {{u: {{source: "6"}}, v: {{diffusivity: 5}}}}
initial: {{u: "1 - r^2", v: "{:g}*(1 - r^2)*z"}}
output: {{grid: {{t: 2, r: 3, theta: 3, phi: 3}}}}
verification: {{estimate: off}}
)yaml",
                              size));
}

TEST(BallLeastTerms, ASmallFieldThatIsWrongFails) {
  EXPECT_EQ(beside_a_larger_one(1e-16).status, ExitStatus::converged);
  for (const double size : {1.0, 1e-3, 1e-6, 1e-8}) {
    const RunOutcome wrong = beside_a_larger_one(size);
    EXPECT_EQ(wrong.status, ExitStatus::unresolved) << size;
    EXPECT_FALSE(find_check(wrong, "residual", "v").passed()) << size;
    EXPECT_TRUE(find_check(wrong, "residual", "u").passed()) << size;
  }
}

// The same of equations that are tested with functions.
TEST(BallLeastTerms, ASmallPartThatIsWrongFails) {
  const RunOutcome wrong = run_case(R"yaml(
problem: ball
domain: {t: [0, 5]}
ball:
  radius: 2
  degree: {t: 3, r: 10, l: 3, m: 1}
  windows: 1
  fields: {B: {kind: magnetic, diffusivity: 2, source: {x: "-20*y", y: "20*x"}}}
initial: {B: {toroidal: {"1,0": "r*(4 - r^2)"}, poloidal: {"2,1": "1.0e-6*r^2*(28/5 - r^2)"}}}
output: {grid: {t: 3, r: [0.5, 1.2, 2], theta: 3, phi: 4}}
verification: {estimate: off}
)yaml");
  EXPECT_EQ(wrong.status, ExitStatus::unresolved);
  EXPECT_FALSE(find_check(wrong, "residual", "B_poloidal").passed());
  EXPECT_TRUE(find_check(wrong, "residual", "B_toroidal").passed());
}

}  // namespace
}  // namespace gwrm::test::least_terms_test
