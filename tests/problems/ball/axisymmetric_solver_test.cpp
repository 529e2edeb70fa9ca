// Windows solved by factors of block-banded matrices against GMRES, which knows nothing of them.
#include "problems/ball/axisymmetric_solver.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "problems/ball/growth.hpp"
#include "run_case.hpp"

namespace gwrm::test::axisymmetric_solver_test {
namespace {

using namespace ball;

struct Example {
  std::string name, yaml;
};
std::ostream& operator<<(std::ostream& out, const Example& example) {
  return out << example.name;
}

std::string dynamo(const std::string& flow, const std::string& degree, double factor = 40.0) {
  return fmt::format(
      "problem: ball\ndomain: {{t: [0, 0.1]}}\nball:\n  degree: {}\n  radius: 1.5\n"
      "  fields: {{B: {{kind: magnetic}}}}\n  flow: {{{}, factor: {}}}\n  terms: [induction]\n",
      degree, flow, factor);
}

// Families: two for every order where the flow is symmetric about the equator, else one but for the axis.
const Example kExamples[] = {
    {"s2t1", dynamo("toroidal: {\"1,0\": \"r^2*(1 - r^2/4)\"}, poloidal: {\"2,0\": \"0.2*r^3*(2.25 - r^2)\"}",
                    "{t: 6, r: 9, l: 7, m: 3}")},
    {"s2t2", dynamo("toroidal: {\"2,0\": \"r^3*(1 - r^2/4)\"}, poloidal: {\"2,0\": \"0.2*r^3*(2.25 - r^2)\"}",
                    "{t: 7, r: 8, l: 6, m: 2}")},
    {"s1", dynamo("poloidal: {\"1,0\": \"0.2*r^2*(2.25 - r^2)\"}", "{t: 5, r: 8, l: 2, m: 2}")},
    {"advection", R"yaml(
problem: ball
domain: {t: [0, 0.1]}
ball:
  degree: {t: 6, r: 9, l: 6, m: 2}
  fields: {u: {boundary: robin, robin: 2}, v: {boundary: slope, diffusivity: 0.5}}
  flow: {toroidal: {"1,0": "r^2*(2 - r^2)"}, poloidal: {"2,0": "r^3*(1 - r^2)"}, factor: 6}
  terms: [advection]
)yaml"},
    {"convection", R"yaml(
problem: ball
domain: {t: [0, 0.1]}
ball:
  degree: {t: 6, r: 9, l: 5, m: 3}
  fields:
    Theta: {buoyancy: 3000, background: 1}
    C: {hyperdiffusion: 0.01, buoyancy: 500, background: -1}
    U: {kind: velocity, boundary: no_slip, diffusivity: 2}
  terms: [buoyancy, background, coriolis]
  rotation: 30
)yaml"},
};

class BallAxisymmetric : public testing::TestWithParam<Example> {};
INSTANTIATE_TEST_SUITE_P(Terms, BallAxisymmetric, testing::ValuesIn(kExamples),
                         [](const auto& example) { return example.param.name; });

TEST_P(BallAxisymmetric, FactorsGiveWhatGmresGives) {
  const Case the_case = read_case_text(GetParam().yaml, "test.yaml");
  const BallModel model(the_case);
  const BallSpace space(model.parts(), model.degrees());
  std::vector<double> state(static_cast<std::size_t>(space.unknowns().size()));
  for (std::size_t i = 0; i < state.size(); ++i) state[i] = std::sin(12.9898 * static_cast<double>(i + 1));
  // So many windows are expected that the second one is solved directly.
  WindowSolver solver(model, space, 1000000);
  const double h = 0.02;
  const WindowValues iterative = solver.solve(state, 0.0, h), direct = solver.solve(state, 0.0, h);
  EXPECT_GT(iterative.iterations, 2);
  EXPECT_EQ(direct.iterations, 0);
  EXPECT_TRUE(direct.failure.empty());
  EXPECT_LE((iterative.rows - direct.rows).norm(), 1e-11 * iterative.rows.norm());
  EXPECT_EQ((direct.rows - solver.solve(state, 0.0, h).rows).norm(), 0.0);
  // Another length has its own factors, after GMRES once more.
  const WindowValues shorter = solver.solve(state, 0.0, h / 2.0), again = solver.solve(state, 0.0, h / 2.0);
  EXPECT_GT(shorter.iterations, 2);
  EXPECT_EQ(again.iterations, 0);
  EXPECT_LE((shorter.rows - again.rows).norm(), 1e-11 * shorter.rows.norm());
}

TEST(BallAxisymmetricTerms, FamiliesAreThoseOfTheSymmetry) {
  const auto sizes = [](const std::string& yaml) {
    const Case the_case = read_case_text(yaml, "test.yaml");
    const BallModel model(the_case);
    const BallSpace space(model.parts(), model.degrees());
    const auto families = axisymmetric_families(space, BallTerms(model, space), reach_in_degree(model));
    std::vector<Index> counts(static_cast<std::size_t>(model.degrees().m + 1), 0);
    Index all = 0;
    for (const AxisymmetricFamily& family : families) {
      ++counts[static_cast<std::size_t>(family.order)];
      all += family.size * (family.order > 0 ? 2 : 1);
    }
    EXPECT_EQ(all, space.unknowns().size());
    return counts;
  };
  // Symmetric about the equator: T of odd and P of even l, and the other way round; without an order the poloidal part
  // has no source in the toroidal one, but the other way round they are coupled.
  EXPECT_EQ(sizes(kExamples[0].yaml), (std::vector<Index>{2, 2, 2, 2}));
  EXPECT_EQ(sizes(kExamples[1].yaml)[1], 1);
}

// Where the windows are far too long for GMRES the factors take over.
TEST(BallAxisymmetricTerms, LongWindowsAreSolvedAllTheSame) {
  const std::string yaml =
      dynamo("toroidal: {\"2,0\": \"r^3*(1 - r^2/4)\"}, poloidal: {\"2,0\": \"0.2*r^3*(2.25 - r^2)\"}",
             "{t: 8, r: 8, l: 6, m: 1}", 300.0) +
      "  windows: 1\ninitial: {B: {poloidal: {\"1,1\": \"r*(15/4 - r^2)\"}}}\n"
      "verification: {estimate: off}\n";
  const Case the_case = read_case_text(yaml, "test.yaml", {parse_override("domain.t=[0, 2]")});
  const RunOutcome outcome = make_problem(the_case)->run(Context::create(BackendChoice::cpu, 1), {});
  EXPECT_TRUE(outcome.complete) << outcome.report.reason;
}

TEST(BallAxisymmetricTerms, OtherTermsAndLargeFactorsAreLeftToGmres) {
  const auto costs = [](const std::string& yaml) {
    const Case the_case = read_case_text(yaml, "test.yaml");
    const BallModel model(the_case);
    return direct_costs(model, model.degrees());
  };
  EXPECT_TRUE(costs(kExamples[0].yaml).possible);
  EXPECT_FALSE(costs(dynamo("toroidal: {\"2,1\": \"r^3\"}", "{t: 6, r: 9, l: 7, m: 3}")).possible);
  EXPECT_FALSE(costs(dynamo("toroidal: {\"2,0\": \"r^3\"}", "{t: 12, r: 60, l: 60, m: 60}")).possible);
  EXPECT_FALSE(
      costs("problem: ball\ndomain: {t: [0, 1]}\nball: {degree: {t: 4, r: 4, l: 2}, fields: {u: {}}}\n").possible);
}

}  // namespace
}  // namespace gwrm::test::axisymmetric_solver_test
