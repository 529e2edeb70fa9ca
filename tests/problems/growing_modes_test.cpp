// Which growing modes the time discretisation follows, and the verdicts on runs that damp them.
#include "problems/time_spectral/growing_modes.hpp"

#include <algorithm>
#include <cmath>

#include "problems/run_case.hpp"

namespace gwrm::growing_modes_test {
namespace {

using test::replaced;
using test::run_case;

// The limits of z on the real axis, where |R_K(z) exp(-z) - 1| = 0.1.
TEST(GrowingModes, AreFollowedUpToTheAccuracyOfTheNodes) {
  for (const auto& [n_nodes, limit] :
       {std::pair(6, 6.5), std::pair(9, 10.3), std::pair(12, 14.4), std::pair(16, 19.7)}) {
    EXPECT_TRUE(is_followed(limit - 0.2, n_nodes)) << n_nodes;
    EXPECT_FALSE(is_followed(limit + 0.2, n_nodes)) << n_nodes;
  }
  EXPECT_FALSE(is_followed({5.0, 100.0}, 12));
}

// K = 1 is implicit Euler, R = 1/(1 - z): the error of R exp(-z) is z^2/2 to first order.
TEST(GrowingModes, OfOneNodeAreThoseOfImplicitEuler) {
  EXPECT_TRUE(is_followed(0.15, 1));
  EXPECT_FALSE(is_followed(0.3, 1));
}

// A mode that grows slowly must not lose or gain more than a tenth of its growth.
TEST(GrowingModes, ThatOscillateFasterThanTheyGrowNeedShorterWindows) {
  EXPECT_TRUE(is_followed({3.0, 12.0}, 12));
  EXPECT_FALSE(is_followed({1e-9, 12.0}, 12));
}

TEST(GrowingModes, ThatGrowTooLittleInTheTimeLeftDoNotCount) {
  const FollowedLength none = followed_length({{1.0, 1000.0}}, 1.0, 12, 2.0, 10.0);
  EXPECT_EQ(none.length, 1.0);
  EXPECT_EQ(none.rate, 0.0);
  const FollowedLength followed = followed_length({{1.0, 1000.0}}, 1.0, 12, 3.0, 10.0);
  EXPECT_LT(followed.length, 0.02);
  EXPECT_EQ(followed.rate, 1.0);
  EXPECT_TRUE(is_followed(followed.length * std::complex<double>(1.0, 1000.0), 12));
}

// u = cos t + 1e-9 exp(5t) (cos wt - 5/w sin wt), w^2 = 1e4 - 25: four windows damp what grows to 1.3 times cos t.
const std::string kFlutter = R"yaml(
domain: {t: [0, 4.2]}
unknowns: [u]
equations: ["dt(u,2) = 10*(dt(u) + sin(t)) - 1e4*(u - cos(t)) - cos(t)"]
initial: {u: "1 + 1e-9", "dt(u)": "0"}
resolution: {degree: {t: 12}, domains: {t: 4}}
verification: {tolerance: 1.0e-6}
)yaml";

TEST(GrowingModes, ThatAFixedRunDampsFailIt) {
  const RunOutcome outcome = run_case(kFlutter);
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  EXPECT_NE(outcome.report.reason.find("a mode grows at the rate 5"), std::string::npos) << outcome.report.reason;
}

TEST(GrowingModes, AreFollowedByARunThatChoosesItsWindows) {
  const RunOutcome outcome =
      run_case(replaced(kFlutter, "resolution: {degree: {t: 12}, domains: {t: 4}}\nverification: {tolerance: 1.0e-6}",
                        "resolution: {tolerance: 1.0e-6}\nexact: {u: \"cos(t) + 1e-9*exp(5*t)*(cos(sqrt(9975)*t) - "
                        "5/sqrt(9975)*sin(sqrt(9975)*t))\"}"));
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_LE(test::worst_error(outcome), 1e-6);
}

// Between walls, w = s exp((8 - 0.04 pi^2) t) sin(2 pi x) exp(200 i t) beside sin(pi x): two windows damp it.
const std::string kRotation = R"yaml(
domain: {t: [0, 2], x: [0, 1]}
unknowns: [u, v]
equations:
  - "dt(u) = 0.01*dx(u - sin(pi*x), 2) + 8*(u - sin(pi*x)) - 200*(v - sin(pi*x))"
  - "dt(v) = 0.01*dx(v - sin(pi*x), 2) + 8*(v - sin(pi*x)) + 200*(u - sin(pi*x))"
boundary: ["u(x=0) = 0", "u(x=1) = 0", "v(x=0) = 0", "v(x=1) = 0"]
initial: {u: "sin(pi*x) + 1e-8*sin(2*pi*x)", v: "sin(pi*x)"}
resolution: {degree: {t: 12, x: 16}, domains: {t: 2}}
verification: {tolerance: 1.0e-6}
)yaml";

TEST(GrowingModes, BetweenWallsThatAFixedRunDampsFailIt) {
  const RunOutcome outcome = run_case(kRotation);
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  double error = 0.0;
  for (const FieldError& field : outcome.report.verification.estimate.fields) error = std::max(error, field.total());
  EXPECT_GT(error, 1e-3) << outcome.report.reason;  // the true one is 0.03
}

// The same without growth.
TEST(GrowingModes, BetweenWallsOfAStableRotationAreNone) {
  const RunOutcome outcome = run_case(replaced(replaced(replaced(kRotation, "+ 8*(u", "- 8*(u"), "+ 8*(v", "- 8*(v"),
                                               "domains: {t: 2}", "domains: {t: 40}"));
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
}

}  // namespace
}  // namespace gwrm::growing_modes_test
