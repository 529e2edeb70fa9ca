// Automatic runs that begin with everything zero.
#include "run_case.hpp"

namespace gwrm::from_rest_test {
namespace {

using test::run_case;

// From rest, by a wall that begins to move: what has no initial values begins at zero too, like t^1.5 here, and learns
// its size with the others. Against its own size in the first windows no length would be short enough.
TEST(Automatic, FromRestWithAnUnknownWithoutInitialValues) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [w, q]
equations: ["dt(w) = 0.01*dx(w, 2)", "q = dx(w)"]
initial: {w: "0"}
boundary: ["w(x=0) = 0", "w(x=1) = 1 - exp(-5*t^2)"]
resolution: {tolerance: 1.0e-6, limits: {windows: 60}}
)yaml");
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
}

}  // namespace
}  // namespace gwrm::from_rest_test
