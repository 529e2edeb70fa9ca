// Newton corrections by preconditioned GMRES against the LU of the whole Jacobian, for diagonal and triangular time
// modes.
#include "weighted_residual/preconditioner/averaged_solver.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/LU>

#include "weighted_residual/assembled.hpp"
#include "weighted_residual/averaged_systems.hpp"

namespace gwrm::averaged_solver_test {
namespace {

using test::Assembled;
using test::AveragedSystem;
using test::kAveragedSystems;
using test::kDivisions;
using test::random_vector;

using Vectord = Eigen::VectorXd;

Vectord as_vector(const std::vector<double>& v) {
  return Eigen::Map<const Vectord>(v.data(), static_cast<Index>(v.size()));
}

class AveragedSolverTest : public ::testing::TestWithParam<std::tuple<AveragedSystem, int>> {
 protected:
  std::string yaml(const std::string& division) const {
    return std::get<0>(GetParam()).with(std::get<1>(GetParam()), division);
  }
};
INSTANTIATE_TEST_SUITE_P(Systems, AveragedSolverTest,
                         ::testing::Combine(::testing::ValuesIn(kAveragedSystems), ::testing::Values(4, 12, 16, 20)),
                         [](const auto& what) {
                           return std::get<0>(what.param).name + std::to_string(std::get<1>(what.param));
                         });

// The iterate is small (a tenth of random_vector's 0.3), so that the coefficients of the Jacobian vary over the window
// but do not dominate it. GMRES stops at a residual of 1e-11; the residual with the dense matrix has its round-off on
// top.
TEST_P(AveragedSolverTest, AreThoseOfTheWholeJacobian) {
  for (SpatialMethod method : {SpatialMethod::dense, SpatialMethod::condensed}) {
    Assembled a(yaml(method == SpatialMethod::dense ? kDivisions[1] : kDivisions[3]));
    std::vector<double> x = random_vector(a.system.size(), 11);
    for (double& value : x) value *= 0.1;
    AveragedSolver solver(a.system, method);
    ASSERT_EQ(solver.linearise(x, true).status, LinearStatus::solved);
    EXPECT_EQ(solver.n_factorisations(), 1);

    const Eigen::MatrixXd matrix = a.jacobian(x);
    const Vectord right = matrix * as_vector(random_vector(a.system.size(), 61));
    std::vector<double> v(right.begin(), right.end());
    const LinearOutcome outcome = solver.solve(v, 1e-11);
    EXPECT_EQ(outcome.status, LinearStatus::solved) << outcome.detail;
    EXPECT_GE(outcome.iterations, 1);
    EXPECT_LE(outcome.iterations, 40);
    EXPECT_LE((matrix * as_vector(v) - right).norm(), 1e-10 * right.norm());
  }
}

// With coefficients that do not depend on time the preconditioner is the inverse Jacobian but for round-off.
TEST(AveragedSolver, IsExactWithoutVariationInTime) {
  for (int degree : {1, 2, 5, 12, 13, 16, 17, 24}) {
    for (const std::string& division : {kDivisions[0], kDivisions[4]}) {
      std::string yaml = kAveragedSystems[0].with(degree, division);
      yaml.replace(yaml.find("0.1*(1 + x^2*t)"), 15, "0.1*(1 + x^2)");
      yaml.replace(yaml.find("- u*dx(u)"), 9, "- x*dx(u)");
      Assembled a(yaml);
      const std::vector<double> x(static_cast<std::size_t>(a.system.size()), 0.0);
      AveragedSolver solver(a.system, SpatialMethod::condensed);
      ASSERT_EQ(solver.linearise(x, true).status, LinearStatus::solved);
      const Vectord expected = as_vector(random_vector(a.system.size(), 71));
      const Vectord right = a.jacobian(x) * expected;
      std::vector<double> v(right.begin(), right.end());
      solver.apply_preconditioner(v);
      // Single precision (6e-8) times the condition of the operators and of the eigenvectors in time (1e6 for 12
      // nodes).
      EXPECT_LE((as_vector(v) - expected).norm(), 0.2 * expected.norm()) << degree << " " << division;
      v.assign(right.begin(), right.end());
      const LinearOutcome outcome = solver.solve(v, 1e-12);
      EXPECT_EQ(outcome.status, LinearStatus::solved);
      EXPECT_LE(outcome.iterations, 8) << degree << " " << division;
      EXPECT_LE((as_vector(v) - expected).norm(), 1e-8 * expected.norm()) << degree << " " << division;
    }
  }
}

TEST(AveragedSolver, KeepsItsFactorsUntilAskedForFreshOnes) {
  Assembled a(kAveragedSystems[0].with(4, kDivisions[1]));
  std::vector<double> x = random_vector(a.system.size(), 11);
  AveragedSolver solver(a.system, SpatialMethod::dense);
  solver.linearise(x, true);
  for (double& value : x) value *= 0.5;
  solver.linearise(x, false);
  EXPECT_EQ(solver.n_factorisations(), 1);
  // Lagged factors, but J at the new iterate: the correction is the one there.
  const Eigen::MatrixXd matrix = a.jacobian(x);
  const Vectord right = as_vector(random_vector(a.system.size(), 62));
  std::vector<double> v(right.begin(), right.end());
  EXPECT_EQ(solver.solve(v, 1e-10).status, LinearStatus::solved);
  EXPECT_LE((matrix * as_vector(v) - right).norm(), 1e-8 * right.norm());
  solver.linearise(x, true);
  EXPECT_EQ(solver.n_factorisations(), 2);
}

TEST(AveragedSolver, FactorsServeAnotherWindowOfTheSameLength) {
  std::string yaml = kAveragedSystems[1].with(4, kDivisions[1]);
  yaml.replace(yaml.find("(1 + u^2)*"), 10, "(1 + x^2)*");
  yaml.replace(yaml.find("u(x=2)^3"), 8, "t");
  Assembled a(yaml);
  ASSERT_TRUE(a.model.autonomous_jacobian);
  const std::vector<double> x(static_cast<std::size_t>(a.system.size()), 0.0);
  AveragedSolver first(a.system, SpatialMethod::condensed);
  first.linearise(x, true);
  const Discretisation later(a.model, a.model.subdomains, {0.0, 0.0}, 0.7, 1.4);
  WindowSystem system(a.context, a.model, a.plan, later, a.state);
  AveragedSolver second(system, SpatialMethod::condensed);
  second.reuse(first.factors(), true);
  ASSERT_EQ(second.linearise(x, true).status, LinearStatus::solved);
  EXPECT_EQ(second.n_factorisations(), 0);
  const Eigen::MatrixXd matrix = a.jacobian(x);
  const Vectord right = as_vector(random_vector(a.system.size(), 63));
  std::vector<double> v(right.begin(), right.end());
  EXPECT_EQ(second.solve(v, 1e-11).status, LinearStatus::solved);
  EXPECT_LE((matrix * as_vector(v) - right).norm(), 1e-9 * right.norm());
}

TEST(AveragedSolver, TellsWhatFailed) {
  Assembled a(kAveragedSystems[1].with(3, kDivisions[1]));
  AveragedSolver solver(a.system, SpatialMethod::dense);
  std::vector<double> x(static_cast<std::size_t>(a.system.size()), 0.0);
  x[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(solver.linearise(x, true).status, LinearStatus::not_finite);

  std::string twice = kAveragedSystems[0].with(3, kDivisions[1]);
  twice.replace(twice.find("u(x=2) = t"), 10, "u(x=-1) = t");
  Assembled b(twice);
  AveragedSolver singular(b.system, SpatialMethod::condensed);
  const LinearOutcome outcome = singular.linearise(random_vector(b.system.size(), 11), true);
  EXPECT_EQ(outcome.status, LinearStatus::singular);
  EXPECT_NE(outcome.detail.find("singular"), std::string::npos);
}

}  // namespace
}  // namespace gwrm::averaged_solver_test
