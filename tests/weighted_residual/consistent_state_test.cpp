// States that the constraints hold for: random ones made so, judged by the rows of the constraints themselves.
#include "weighted_residual/preconditioner/consistent_state.hpp"

#include <cmath>

#include "flow_equations.hpp"
#include "weighted_residual/assembled.hpp"
#include "weighted_residual/window/window_start.hpp"

namespace gwrm::consistent_state_test {
namespace {

using test::Assembled;

const std::string kFlow = test::flow_equations("") + R"yaml(
initial: {u: "0", v: "0"}
)yaml";
constexpr const char* kBox = R"yaml(
domain: {t: [0, 0.7], x: [-1, 1], y: [0, 3]}
boundary: ["u(y=0) = 0", "u(y=3) = 0", "v(y=0) = 0", "v(y=3) = 0",
           "u(x=-1) = 0", "u(x=1) = 0", "v(x=-1) = 0", "v(x=1) = 0"]
resolution: {degree: {t: 3, x: 9, y: 8}}
)yaml";
constexpr const char* kOutlet = R"yaml(
domain: {t: [0, 0.7], x: [-1, 1], y: [0, 3]}
boundary: ["u(y=0) = 0", "u(y=3) = 0", "v(y=0) = 0", "v(y=3) = 0",
           "u(x=-1) = 0", "p(x=1) = 0", "v(x=-1) = 0", "v(x=1) = 0"]
resolution: {degree: {t: 3, x: 9, y: 8}}
)yaml";
constexpr const char* kOutflow = R"yaml(
domain: {t: [0, 0.7], x: [-1, 1], y: [0, 3]}
boundary: ["u(y=0) = 0", "u(y=3) = 0", "v(y=0) = 0", "v(y=3) = 0",
           "u(x=-1) = 0", "-p(x=1) + dx(u)(x=1) = 0", "v(x=-1) = 0", "dx(v)(x=1) = 0"]
resolution: {degree: {t: 3, x: 9, y: 8}}
)yaml";
constexpr const char* kChannel = R"yaml(
domain: {t: [0, 0.7], x: {range: [0, 2], basis: fourier}, y: [0, 3]}
boundary: ["u(y=0) = 0", "u(y=3) = 0", "v(y=0) = 0", "v(y=3) = 0"]
resolution: {degree: {t: 3, x: 4, y: 8}}
)yaml";
constexpr const char* kPeriodic = R"yaml(
domain: {t: [0, 0.7], x: {range: [0, 2], basis: fourier}, y: {range: [0, 3], basis: fourier}}
resolution: {degree: {t: 3, x: 4, y: 5}}
)yaml";

ConsistentState consistent(const Assembled& a, const State& state, bool with_conditions) {
  return consistent_state(a.context, a.model, a.plan, a.model.subdomains,
                          std::vector<double>(a.model.axes.size(), 0.37), 0.0, 0.7, state, with_conditions);
}

// Walls too: where the conditions are to hold, the second call finds nothing left to do.
TEST(ConsistentState, SatisfiesTheConstraint) {
  for (const char* domain : {kBox, kOutlet, kOutflow, kChannel, kPeriodic})
    for (bool with_conditions : {false, true}) {
      SCOPED_TRACE(domain);
      const Assembled a(std::string(domain) + kFlow);
      const ConsistentState first = consistent(a, a.state, with_conditions);
      EXPECT_GT(first.violation, 0.1);
      EXPECT_GT(first.correction, 0.01);
      const ConsistentState second = consistent(a, first.state, with_conditions);
      EXPECT_LT(second.violation, 1e-11);
      EXPECT_LT(second.correction, 1e-10);
    }
}

// Of a density m that varies along both axes: v + grad(q)/m becomes v, which has no divergence. The mean of m would
// leave what is no gradient of grad(q)/m.
TEST(ConsistentState, IsTheNearestByTheDensity) {
  const auto flow = [](const std::string& u, const std::string& v) {
    return R"yaml(
domain: {t: [0, 0.7], x: {range: [0, 2], basis: fourier}, y: {range: [0, 2], basis: fourier}}
definitions: {m: "1 + 0.5*cos(pi*x)*cos(pi*y)"}
unknowns: [u, v, p]
equations: ["m*dt(u) = -dx(p)", "m*dt(v) = -dy(p)", "dx(u) + dy(v) = 0"]
initial: {u: ")yaml" +
           u + "\", v: \"" + v + "\"}\nresolution: {degree: {t: 3, x: 24, y: 24}}\n";
  };
  const std::string u = "0.3 + sin(pi*y)*cos(pi*x)", v = "-sin(pi*x)*cos(pi*y)";
  const Assembled given(flow(u + " + cos(pi*x)*sin(2*pi*y)/m", v + " + 2*sin(pi*x)*cos(2*pi*y)/m")), wanted(flow(u, v));
  const auto start_of = [](const Assembled& a) { return initial_state(a.context, a.model, a.discretisation); };
  const ConsistentState found = consistent(given, start_of(given), false);
  const State expected = start_of(wanted);
  EXPECT_GT(found.correction, 0.5);
  for (std::size_t f = 0; f < 2; ++f)
    for (std::size_t i = 0; i < expected[f][0].data.size(); ++i)
      EXPECT_NEAR(found.state[f][0].data[i], expected[f][0].data[i], 1e-9) << f << " " << i;
}

// Nothing is changed that need not be: a state that satisfies it, and models without a constraint.
TEST(ConsistentState, LeavesConsistentStatesAlone) {
  const Assembled a(std::string(kPeriodic) + kFlow);
  const State once = consistent(a, a.state, false).state;
  const State twice = consistent(a, once, false).state;
  EXPECT_EQ(once[0][0].data, twice[0][0].data);
  const Assembled heat(R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {u: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 3, x: 8}}
)yaml");
  EXPECT_EQ(consistent(heat, heat.state, true).state[0][0].data, heat.state[0][0].data);
}

}  // namespace
}  // namespace gwrm::consistent_state_test
