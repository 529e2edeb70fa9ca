// Equations that hold at an end of the axis because nothing enters there, and those that do not.
#include "weighted_residual/model/characteristic_walls.hpp"

#include "weighted_residual/support_case.hpp"

namespace gwrm::characteristic_walls_test {
namespace {

using test::case_of;
using test::model_error;

std::string gas(const std::string& boundary) {
  return "schema: 1\ndomain: {t: [0, 1], x: [0, 1]}\nunknowns: [rho, u]\nequations:\n"
         "  - \"dt(rho) + dx(rho*u) = 0\"\n  - \"rho*(dt(u) + u*dx(u)) = -dx(rho) + 0.1*dx(u,2)\"\n"
         "initial: {rho: \"1\", u: \"0\"}\nboundary: [" +
         boundary + "]\nresolution: {tolerance: 1.0e-5}\n";
}

std::string carried(const std::string& speed, const std::string& boundary = "") {
  return "schema: 1\ndomain: {t: [0, 1], x: [0, 1]}\nunknowns: [c]\nequations: [\"dt(c) + (" + speed +
         ")*dx(c) = 0\"]\ninitial: {c: \"cos(3*x)\"}\nboundary: [" + boundary + "]\nresolution: {tolerance: 1.0e-5}\n";
}

// Of the conditions that the program adds, the equations.
std::vector<int> at_ends(const std::string& yaml) {
  std::vector<int> equations;
  for (const ConditionModel& condition : build_model(case_of(yaml)).conditions)
    if (condition.equation_at_end) equations.push_back(condition.equation);
  return equations;
}

TEST(CharacteristicWalls, DensityBetweenWallsTakesNoCondition) {
  EXPECT_EQ(at_ends(gas("\"u(x=0) = 0\", \"u(x=1) = 0\"")), (std::vector<int>{0}));
  EXPECT_EQ(at_ends(gas("\"2*u(x=0) = 0\", \"0 = -u(x=1)\"")), (std::vector<int>{0}));
}

TEST(CharacteristicWalls, WhereGasEntersItTakesOne) {
  EXPECT_NE(model_error(gas("\"u(x=0) = 1\", \"u(x=1) = 0\"")).find("need 3 along x, 2 given"), std::string::npos);
  EXPECT_TRUE(at_ends(gas("\"u(x=0) = 1\", \"u(x=1) = 0\", \"rho(x=0) = 1\"")).empty());
  // Out through both ends.
  EXPECT_EQ(at_ends(gas("\"u(x=0) = -1\", \"u(x=1) = 1\"")), (std::vector<int>{0}));
}

TEST(CharacteristicWalls, SpeedsThatAreData) {
  EXPECT_EQ(at_ends(carried("sin(pi*x)")).size(), 1u);
  EXPECT_EQ(at_ends(carried("2*x - 1")).size(), 1u);
  EXPECT_EQ(at_ends(carried("x*(2 + cos(t))")).size(), 1u);
  EXPECT_TRUE(at_ends(carried("1", "\"c(x=0) = 1\"")).empty());
  for (const char* speed : {"1", "1 - 2*x", "-x", "cos(5*t)"})
    EXPECT_NE(model_error(carried(speed)).find("need 1 along x, 0 given"), std::string::npos) << speed;
}

// Pressure waves enter at both walls, entropy at none: two conditions for three unknowns of first order.
TEST(CharacteristicWalls, EntropyOfAnInviscidGas) {
  EXPECT_EQ(at_ends("schema: 1\ndomain: {t: [0, 1], x: [0, 1]}\nunknowns: [rho, u, s]\nequations:\n"
                    "  - \"dt(rho) + u*dx(rho) + rho*dx(u) = 0\"\n  - \"dt(u) + u*dx(u) + dx(rho) + dx(s) = 0\"\n"
                    "  - \"dt(s) + u*dx(s) = 0\"\ninitial: {rho: \"1\", u: \"0\", s: \"x\"}\n"
                    "boundary: [\"u(x=0) = 0\", \"u(x=1) = 0\"]\nresolution: {tolerance: 1.0e-5}\n"),
            (std::vector<int>{2}));
}

}  // namespace
}  // namespace gwrm::characteristic_walls_test
