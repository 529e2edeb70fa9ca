// Conditions that are derivatives: rounding and short misfits of a high derivative fail no right answer, a derivative
// that is wrong all the time does.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "problems/run_case.hpp"
#include "problems/time_spectral/verification.hpp"

namespace gwrm::derivative_conditions_test {
namespace {

using test::find_check;
using test::replaced;
using test::run_case;

// u = 2 + exp(-16 pi^4 t) cos(2 pi x): the third derivative is zero at the walls and 250 between them.
const std::string kLevelling = R"yaml(
domain: {t: [0, 0.02], x: [0, 1]}
constants: {s: 0}
unknowns: [u]
equations: ["dt(u) = -dx(u,4)"]
initial: {u: "2 + cos(2*pi*x)"}
boundary: ["dx(u)(x=0) = 0", "dx(u)(x=1) = 0", "dx(u,3)(x=0) = 0", "dx(u,3)(x=1) = s"]
exact: {u: "2 + exp(-16*pi^4*t)*cos(2*pi*x)"}
resolution: {tolerance: 1.0e-6}
)yaml";

TEST(DerivativeConditions, ADerivativeIsMeasuredByTheLargestOfItsOrder) {
  const RunOutcome outcome = run_case(kLevelling);
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_LE(find_check(outcome, "error_max").value, 1e-8);
  for (const char* subject : {"dx(u,3)(x=0)", "dx(u,3)(x=1)"})
    EXPECT_LE(find_check(outcome, "boundary", subject).value, 1e-7);
}

// The solution for dx(u,3)(x=1) = s, held against the case with 0: the mean of s, of (2 pi)^3.
TEST(DerivativeConditions, ADerivativeThatIsWrongAllTheTimeFails) {
  for (const double s : {0.01, 1.0}) {
    const std::string other = replaced(replaced(kLevelling, "{s: 0}", fmt::format("{{s: {}}}", s)), "exact:", "#");
    const RunOutcome outcome = run_case(other);
    ASSERT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
    const Case the_case = read_case_text(kLevelling, "test.yaml");
    const Verification verification = verify(the_case, build_model(the_case), outcome.solution);
    EXPECT_FALSE(verification.passed());
    for (const Check& check : verification.checks)
      if (check.subject == "dx(u,3)(x=1) = s") {
        EXPECT_NEAR(check.value, s / std::pow(2.0 * std::numbers::pi, 3), 0.02 * check.value);
        EXPECT_FALSE(check.passed());
      }
  }
}

TEST(DerivativeConditions, OfTooFewModesFail) {
  const std::string coarse =
      replaced(replaced(kLevelling, "{tolerance: 1.0e-6}", "{degree: {t: 8, x: 8}, domains: {t: 8}}"), "exact:", "#");
  const RunOutcome outcome = run_case(coarse);
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  EXPECT_STREQ(outcome.report.verification.verdict(), "FAIL");
}

}  // namespace
}  // namespace gwrm::derivative_conditions_test
