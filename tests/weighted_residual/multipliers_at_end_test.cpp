// Multipliers at the end of a window against those of the window's own solution. They are the same where the state at
// the start is consistent and data are polynomials in time that the window holds: D u = c at the start and all nodes
// makes D dt(u) = dc/dt at the last one, where the multiplier solves the equations of the end already.
#include "weighted_residual/preconditioner/multipliers_at_end.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/ranks_of_launcher.hpp"
#include "solver/newton.hpp"
#include "weighted_residual/assembled.hpp"
#include "weighted_residual/flow_cases.hpp"
#include "weighted_residual/preconditioner/averaged_solver.hpp"
#include "weighted_residual/preconditioner/consistent_state.hpp"

namespace gwrm::multipliers_at_end_test {
namespace {

using test::Assembled;
using test::random_vector;

struct Flow {
  const char* name;
  SpatialMethod method;
  std::string domain, conditions, degrees;
};
void PrintTo(const Flow& what, std::ostream* out) {
  *out << what.name;
}
const Flow kFlows[] = {
    {"Periodic", SpatialMethod::wavenumber, "x: {range: [0, 2], basis: fourier}, y: {range: [0, 2], basis: fourier}",
     "", "x: 7, y: 5"},
    {"Channel", SpatialMethod::wavenumber, "x: {range: [0, 2], basis: fourier}, y: [0, 1]",
     R"("u(y=0) = 0", "u(y=1) = t^2", "v(y=0) = 0", "v(y=1) = 0")", "x: 7, y: 8"},
    {"Box", SpatialMethod::saddle, "x: [0, 2], y: [0, 1]",
     R"("u(y=0) = 0", "u(y=1) = t*(x*(2 - x))^2", "v(y=0) = 0", "v(y=1) = 0",
        "u(x=0) = 0", "u(x=2) = 0", "v(x=0) = 0", "v(x=2) = 0")",
     "x: 9, y: 8"},
};

// mass, rows: factors of dt(u) and dt(v), and of everything in the equations of motion.
std::string yaml_of(const Flow& flow, const std::string& mass, const std::string& rows, const std::string& divergence) {
  const auto motion = [&](const std::string& u, const std::string& axis) {
    return fmt::format(
        "\"({1})*(({0})*(dt({2}) + u*dx({2}) + v*dy({2})) + d{3}(p) - 0.3*lap({2}) - 0.2*cos(pi*x)*t) = 0\"", mass,
        rows, u, axis);
  };
  return fmt::format(R"yaml(schema: 1
domain: {{t: [0, 0.7], {}}}
unknowns: [u, v, p]
equations: [{}, {}, "({})*(dx(u) + dy(v)) = 0"]
initial: {{u: "0", v: "0"}}
boundary: [{}]
resolution: {{degree: {{t: 4, {}}}}}
)yaml",
                     flow.domain, motion("u", "x"), motion("v", "y"), divergence, flow.conditions, flow.degrees);
}

struct Coefficients {
  const char* name;
  std::string mass, rows, divergence;
};
void PrintTo(const Coefficients& what, std::ostream* out) {
  *out << what.name;
}
const Coefficients kCoefficients[] = {
    {"Constant", "1", "1", "1"},
    {"Density", "1 + 0.4*cos(pi*x)*cos(pi*y)", "1", "1"},
    {"LargeRatio", "1 + 0.8*cos(pi*x)", "1", "1"},
    {"Rows", "1", "1 + 0.3*cos(pi*x)", "1"},
    {"Constraint", "1 + 0.2*t*cos(pi*x)", "1", "1 + 0.3*cos(pi*x)*cos(pi*y)"},
};

class MultipliersAtEnd : public testing::TestWithParam<std::tuple<Flow, Coefficients>> {};
INSTANTIATE_TEST_SUITE_P(Of, MultipliersAtEnd,
                         testing::Combine(testing::ValuesIn(kFlows), testing::ValuesIn(kCoefficients)),
                         [](const auto& one) {
                           return std::string(std::get<0>(one.param).name) + std::get<1>(one.param).name;
                         });

TEST_P(MultipliersAtEnd, AreThoseOfAConsistentSolution) {
  const auto& [flow, coefficients] = GetParam();
  const Assembled a(yaml_of(flow, coefficients.mass, coefficients.rows, coefficients.divergence));
  const std::vector<double> parameters(a.model.axes.size(), 0.37);
  const ConsistentState start =
      consistent_state(a.context, a.model, a.plan, a.model.subdomains, parameters, 0.0, 0.7, a.state, true);
  EXPECT_GT(start.correction, 0.01);
  const ConsistentState again =
      consistent_state(a.context, a.model, a.plan, a.model.subdomains, parameters, 0.0, 0.7, start.state, true);
  EXPECT_LT(again.violation, 1e-11);

  WindowSystem window(a.context, a.model, a.plan, a.discretisation, start.state);
  AveragedSolver solver(window, flow.method);
  std::vector<double> wanted(static_cast<std::size_t>(window.size()), 0.0);
  ASSERT_TRUE(succeeded(newton(window, wanted, {1e-12}, solver).status));
  const FieldLayout& p = window.layouts().back();
  const auto last = static_cast<std::size_t>(p.offset + element_count(p.extents)),
             first = last - static_cast<std::size_t>(element_count(p.extents) / p.extents.front());
  std::vector<double> found = wanted;
  std::fill(found.begin() + static_cast<Index>(first), found.begin() + static_cast<Index>(last), 7.0);
  ASSERT_TRUE(set_multipliers_at_end(window, found));
  double size = 0.0;
  for (std::size_t i = first; i < last; ++i) size = std::max(size, std::abs(wanted[i]));
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], wanted[i], i < first || i >= last ? 0.0 : 1e-6 * size)
        << window.describe_unknown(static_cast<Index>(i));
}

// Of any numbers on rank 0, by all ranks (weighted_residual.ranks_*): the multipliers at the end of the window, all
// else stays.
class SharedMultipliers : public testing::TestWithParam<std::pair<const char*, std::string>> {};
INSTANTIATE_TEST_SUITE_P(
    Of, SharedMultipliers,
    testing::Values(std::pair{"PeriodicFlow", test::kPeriodicFlow},
                    std::pair{"FlowBetweenWallsOfY", test::kFlowBetweenWallsOfY},
                    std::pair{"FlowBetweenWallsOfX", test::kFlowBetweenWallsOfX},
                    std::pair{"FlowInADividedChannel", test::kFlowInADividedChannel},
                    std::pair{"FlowInABox", test::kFlowInABox},
                    std::pair{"PeriodicDensity", test::of_variable_density(test::kPeriodicFlow)},
                    std::pair{"DensityBetweenWallsOfY", test::of_variable_density(test::kFlowBetweenWallsOfY)},
                    std::pair{"DensityBetweenWallsOfX", test::of_variable_density(test::kFlowBetweenWallsOfX)}),
    [](const auto& one) { return std::string(one.param.first); });

TEST_P(SharedMultipliers, AtTheEndAreThoseOfOneProcess) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator(), alone = Communicator::alone();
  Assembled one(GetParam().second);
  const std::vector<double> x = random_vector(one.system.size(), 17);
  std::vector<double> wanted = x, of_one_rank = x, shared = ranks->rank() == 0 ? x : std::vector<double>();
  ASSERT_TRUE(set_multipliers_at_end(one.system, wanted));
  set_multipliers_at_end(one.system, of_one_rank, *alone);
  set_multipliers_at_end(one.system, shared, *ranks);
  EXPECT_NE(wanted, x);
  const FieldLayout& p = one.system.layouts().back();
  const auto last = static_cast<std::size_t>(p.offset + element_count(p.extents)),
             first = last - static_cast<std::size_t>(element_count(p.extents) / p.extents.front());
  double size = 0.0;
  for (std::size_t i = first; i < last; ++i) size = std::max(size, std::abs(wanted[i]));
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(of_one_rank[i], wanted[i], i < first || i >= last ? 0.0 : 1e-9 * size)
        << one.system.describe_unknown(static_cast<Index>(i));
  if (ranks->rank() == 0)
    EXPECT_EQ(shared, of_one_rank);
  else
    EXPECT_TRUE(shared.empty());
}

}  // namespace
}  // namespace gwrm::multipliers_at_end_test
