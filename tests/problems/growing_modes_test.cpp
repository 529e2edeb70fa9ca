// Which growing modes the time discretisation follows, and the verdicts on runs that damp them.
#include "problems/time_spectral/growing_modes.hpp"

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

}  // namespace
}  // namespace gwrm::growing_modes_test
