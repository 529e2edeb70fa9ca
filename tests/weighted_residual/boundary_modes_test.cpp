// Which modes the conditions of an axis determine, for both parities of the degree.
#include "weighted_residual/window/boundary_modes.hpp"

#include <numeric>

#include "kernels/linear_algebra/dense_lu.hpp"
#include "weighted_residual/support_case.hpp"
#include "weighted_residual/window/window_system.hpp"

namespace gwrm::boundary_modes_test {
namespace {

using test::case_of;

std::string square(const std::string& equation, const std::string& boundary, int degree) {
  const std::string d = std::to_string(degree);
  return "schema: 1\ndomain: {x: [0, 1], y: [0, 2]}\nunknowns: [u]\nequations: [\"" + equation + "\"]\nboundary: [" +
         boundary + "]\nresolution: {degree: {x: " + d + ", y: " + d + "}}\n";
}

const std::string kPeriodicOnce = "\"u(x=0) = u(x=1)\", \"u(y=0) = u(y=2)\"";
const std::string kPeriodicTwice = kPeriodicOnce + ", \"dx(u)(x=0) = dx(u)(x=1)\", \"dy(u)(y=0) = dy(u)(y=2)\"";
const std::string kDirichlet = "\"u(x=0) = 0\", \"u(x=1) = 0\", \"u(y=0) = 0\", \"u(y=2) = 0\"";

std::vector<Index> boundary_of(const std::string& yaml, int axis) {
  const Model model = build_model(case_of(yaml));
  const SystemPlan plan(model);
  const AxisDescription& subdomains = model.subdomains[static_cast<std::size_t>(axis)];
  const std::vector<Index> interior = interior_modes(model, plan, axis, *make_basis(subdomains))[0];
  std::vector<Index> rest;
  for (Index k = 0; k < subdomains.n_coefficients(); ++k)
    if (std::find(interior.begin(), interior.end(), k) == interior.end()) rest.push_back(k);
  return rest;
}

TEST(BoundaryModes, AreTheHighestThatTheConditionsSee) {
  EXPECT_EQ(boundary_of(square("lap(u) = 1", kDirichlet, 8), 0), (std::vector<Index>{7, 8}));
  EXPECT_EQ(boundary_of(square("lap(u) = u", kPeriodicTwice, 9), 1), (std::vector<Index>{8, 9}));
  // T_L(1) - T_L(-1) = 0 for even L.
  EXPECT_EQ(boundary_of(square("dx(u) + dy(u) = u", kPeriodicOnce, 8), 0), (std::vector<Index>{7}));
  EXPECT_EQ(boundary_of(square("dx(u) + dy(u) = u", kPeriodicOnce, 9), 0), (std::vector<Index>{9}));
}

TEST(BoundaryModes, PeriodicSystemsAreRegularForBothParities) {
  for (const char* equation : {"dx(u) + dy(u) + u = 1 + x*y", "lap(u) - u = 1 + x*y"}) {
    for (int degree : {6, 7, 8, 9}) {
      const bool first_order = std::string(equation).find("lap") == std::string::npos;
      const Model model = build_model(case_of(square(equation, first_order ? kPeriodicOnce : kPeriodicTwice, degree)));
      const SystemPlan plan(model);
      const Context context = Context::create(BackendChoice::cpu, 1);
      const Discretisation discretisation(model, model.subdomains, {0.0, 0.0}, 0.0, 1.0);
      const State state(1);
      WindowSystem system(context, model, plan, discretisation, state);
      const auto n = static_cast<std::size_t>(system.size());
      std::vector<double> x(n, 0.0), matrix(n * n, 0.0);
      system.jacobian(x, matrix);
      const auto lu = cpu::make_dense_lu();
      EXPECT_EQ(lu->factor(matrix, system.size()), LuStatus::regular) << equation << ", degree " << degree;
      EXPECT_GT(lu->reciprocal_condition(), 1e-9) << equation << ", degree " << degree;
    }
  }
}

// Condition of the Jacobian at u = 0, as the LU estimates it; 0 if it is singular.
double reciprocal_condition(const std::string& yaml) {
  const Model model = build_model(case_of(yaml));
  const SystemPlan plan(model);
  const Context context = Context::create(BackendChoice::cpu, 1);
  const Discretisation discretisation(model, model.subdomains, std::vector<double>(model.axes.size(), 0.0), 0.0, 1.0);
  const State state(model.fields.size());
  WindowSystem system(context, model, plan, discretisation, state);
  const auto n = static_cast<std::size_t>(system.size());
  std::vector<double> x(n, 0.0), matrix(n * n, 0.0);
  system.jacobian(x, matrix);
  const auto lu = cpu::make_dense_lu();
  return lu->factor(matrix, system.size()) == LuStatus::regular ? lu->reciprocal_condition() : 0.0;
}

TEST(BoundaryModes, EverySubdomainGivesUpAsManyAsTheOrder) {
  const std::string divided = square("lap(u) = 1", kDirichlet, 8);
  Model model = build_model(case_of(divided));
  const SystemPlan plan(model);
  const AxisDescription subdomains{8, {0.0, 0.3, 0.4, 1.0}};
  const std::vector<Index> interior = interior_modes(model, plan, 0, *make_basis(subdomains))[0];
  std::vector<Index> expected;
  for (Index p = 0; p < 3; ++p)
    for (Index k = 0; k < 7; ++k) expected.push_back(9 * p + k);
  EXPECT_EQ(interior, expected);
}

TEST(BoundaryModes, PeriodicSubdomainsAreRegularForBothParities) {
  const auto divided = [](const std::string& yaml, const std::string& domains) {
    return yaml.substr(0, yaml.rfind("}")) + ", domains: " + domains + "}\n";
  };
  for (int degree : {4, 5, 6, 7}) {
    for (const char* domains :
         {"{x: 2}", "{x: 3}", "{x: 2, y: 3}", "{x: [0, 0.1, 1], y: 2}", "{x: 4, y: [0, 1.3, 2]}"}) {
      EXPECT_GT(reciprocal_condition(divided(square("dx(u) + dy(u) + u = 1 + x*y", kPeriodicOnce, degree), domains)),
                1e-9)
          << degree << " " << domains;
      EXPECT_GT(reciprocal_condition(divided(square("lap(u) - u = 1 + x*y", kPeriodicTwice, degree), domains)), 1e-9)
          << degree << " " << domains;
      EXPECT_GT(reciprocal_condition(divided(square("lap(u) = 1 + x*y", kDirichlet, degree), domains)), 1e-9)
          << degree << " " << domains;
    }
  }
}

TEST(BoundaryModes, PeriodicLineOfAnyOrderAndDivision) {
  for (int order : {1, 2, 3, 4}) {
    std::string conditions = "\"u(x=0) = u(x=1)\"";
    for (int m = 1; m < order; ++m) {
      const std::string d = "dx(u," + std::to_string(m) + ")";
      conditions += ", \"" + d + "(x=0) = " + d + "(x=1)\"";
    }
    for (int degree : {6, 7})
      for (const char* domains : {"1", "2", "3", "4", "5", "[0, 0.2, 0.3, 1]"})
        EXPECT_GT(reciprocal_condition("schema: 1\ndomain: {x: [0, 1]}\nunknowns: [u]\nequations: [\"dx(u," +
                                       std::to_string(order) + ") + u = x\"]\nboundary: [" + conditions +
                                       "]\nresolution: {degree: {x: " + std::to_string(degree) +
                                       "}, domains: {x: " + domains + "}}\n"),
                  1e-12)
            << "order " << order << ", degree " << degree << ", domains " << domains;
  }
}

// A first-order equation with its condition inside: every subdomain still has one mode that continuity or the condition
// fixes.
TEST(BoundaryModes, ConditionsInsideAndIntegrals) {
  for (const char* condition : {"u(x=0.35) = 1", "integral(u, x) = 1", "u(x=0) + u(x=1) = 1", "u(x=1) = 2"})
    for (const char* domains : {"1", "2", "3", "[0, 0.35, 1]"})
      EXPECT_GT(reciprocal_condition(
                    std::string("schema: 1\ndomain: {x: [0, 1]}\nunknowns: [u]\nequations: [\"dx(u) + u = x\"]"
                                "\nboundary: [\"") +
                    condition + "\"]\nresolution: {degree: {x: 6}, domains: {x: " + domains + "}}\n"),
                1e-9)
          << condition << " " << domains;
}

// Unknowns u1, u2, .. on [0, 1] whose conditions link them; with_time: advected, else integrated.
std::string linked(const std::vector<std::string>& conditions, int degree, bool with_time,
                   const std::string& division = "1") {
  std::string unknowns, equations, initial, boundary;
  for (std::size_t i = 1; i <= conditions.size(); ++i) {
    const std::string comma = i > 1 ? ", " : "", u = "u" + std::to_string(i);
    unknowns += comma + u;
    equations += comma + "\"" + (with_time ? "dt(" + u + ") + " : "") + "dx(" + u + ") = x\"";
    initial += comma + u + ": \"0\"";
    boundary += comma + "\"" + conditions[i - 1] + "\"";
  }
  return "schema: 1\ndomain: {" + std::string(with_time ? "t: [0, 1], " : "") + "x: [0, 1]}\nunknowns: [" + unknowns +
         "]\nequations: [" + equations + "]\n" + (with_time ? "initial: {" + initial + "}\n" : "") + "boundary: [" +
         boundary + "]\nresolution: {degree: {" + (with_time ? "t: 3, " : "") + "x: " + std::to_string(degree) +
         "}, domains: {x: " + division + "}}\n";
}

// Of each equation the modes given up along x.
std::vector<std::vector<Index>> given_up(const std::string& yaml) {
  const Model model = build_model(case_of(yaml));
  const SystemPlan plan(model);
  const int axis = static_cast<int>(model.axes.size()) - 1;
  const AxisDescription& subdomains = model.subdomains[static_cast<std::size_t>(axis)];
  std::vector<std::vector<Index>> result;
  for (const std::vector<Index>& left : interior_modes(model, plan, axis, *make_basis(subdomains))) {
    std::vector<Index>& rest = result.emplace_back();
    for (Index k = 0; k < subdomains.n_coefficients(); ++k)
      if (std::find(left.begin(), left.end(), k) == left.end()) rest.push_back(k);
  }
  return result;
}

using Modes = std::vector<std::vector<Index>>;
const std::vector<std::string> kChain = {"u1(x=0) = 0", "u2(x=0) = u1(x=1)", "u3(x=0) = u2(x=1)"};
const std::vector<std::string> kRing = {"u1(x=0) = u3(x=1)", "u2(x=0) = u1(x=1)", "u3(x=0) = u2(x=1)"};
const std::vector<std::string> kPair = {"u1(x=0) = u2(x=1)", "u2(x=0) = u1(x=1)"};

TEST(BoundaryModes, ChainsKeepTheHighest) {
  for (const bool with_time : {false, true})
    for (int degree : {6, 7}) {
      EXPECT_EQ(given_up(linked(kChain, degree, with_time)), (Modes{{degree}, {degree}, {degree}}));
      EXPECT_GT(reciprocal_condition(linked(kChain, degree, with_time)), 1e-6) << degree;
      EXPECT_GT(reciprocal_condition(linked(kChain, degree, with_time, "3")), 1e-6) << degree;
    }
}

TEST(BoundaryModes, RingsThatEvolveGiveUpModesThatTheirConditionsHold) {
  EXPECT_EQ(given_up(linked(kPair, 6, true)), (Modes{{6}, {5}}));
  EXPECT_EQ(given_up(linked(kRing, 6, true)), (Modes{{6}, {6}, {5}}));
  EXPECT_EQ(given_up(linked(kRing, 7, true)), (Modes{{7}, {7}, {7}}));
  for (int degree : {6, 7})
    for (const char* division : {"1", "2", "3"}) {
      EXPECT_GT(reciprocal_condition(linked(kPair, degree, true, division)), 1e-6) << degree << " " << division;
      EXPECT_GT(reciprocal_condition(linked(kRing, degree, true, division)), 1e-6) << degree << " " << division;
    }
}

// u(0) + u(1) = 0 does not hold the odd modes; dx(u) = x has no row for the highest one.
TEST(BoundaryModes, SteadyEquationsGiveUpTheHighestWhateverTheConditionHolds) {
  for (int degree : {6, 7}) {
    EXPECT_EQ(given_up(linked({"u1(x=0) + u1(x=1) = 0"}, degree, false)), (Modes{{degree}}));
    EXPECT_GT(reciprocal_condition(linked({"u1(x=0) + u1(x=1) = 0"}, degree, false)), 1e-3) << degree;
    EXPECT_GT(reciprocal_condition(linked({"integral(u1, x) = 0"}, degree, false)), 1e-3) << degree;
  }
  EXPECT_EQ(given_up(linked({"u1(x=0) + u1(x=1) = 0"}, 7, true)), (Modes{{6}}));
}

}  // namespace
}  // namespace gwrm::boundary_modes_test
