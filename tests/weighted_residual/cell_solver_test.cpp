// Steady problems in two and three dimensions eliminated cell by cell, against the dense Jacobian.
#include "weighted_residual/preconditioner/cell_solver.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/LU>

#include "weighted_residual/assembled.hpp"
#include "weighted_residual/window/dense_rows.hpp"

namespace gwrm::cell_solver_test {
namespace {

using test::Assembled;
using test::random_vector;

struct SteadySystem {
  std::string name, text;
};

const std::string kWalls = R"(["u(x=0) = 0", "u(x=1) = y", "u(y=0) = 0", "dy(u)(y=1) = 0"])";

const std::vector<SteadySystem> kSystems = {
    {"Poisson", "domain: {x: [0, 1], y: [0, 1]}\nunknowns: [u]\nequations: [\"lap(u) = 1\"]\nboundary: " + kWalls +
                    "\nresolution: {degree: {x: 5, y: 4}, domains: {x: [0, 0.2, 0.5, 1], y: [0, 0.3, 1]}}\n"},
    {"ConditionOfPartOfASide",
     "domain: {x: [0, 1], y: [0, 1]}\nunknowns: [u]\nequations: [\"lap(u) + u^2*dx(u) = 1\"]\nboundary: [\"u(x=0) = "
     "0\", "
     "\"u(x=1) = 0\", \"u(y=1) = 0\", \"step(0.5 - x)*u(y=0) + step(x - 0.5)*dy(u)(y=0) = 0\"]\nresolution: {degree: "
     "{x: 5, y: 5}, domains: {x: [0, 0.5, 1], y: [0, 0.3, 0.4, 1]}}\n"},
    {"TwoFields",
     "domain: {x: [0, 1], y: [0, 2]}\nunknowns: [u, v]\nequations: [\"lap(u) + dx(dy(v)) = x*v\", \"lap(v) + dx(dy(u)) "
     "= "
     "u*v\"]\nboundary: [\"u(x=0) = 0\", \"v(x=0) = 0\", \"dx(u)(x=1) = v(x=1)\", \"v(x=1) = 0\", \"u(y=0) = 0\", "
     "\"u(y=2) = 0\", \"v(y=0) = 0\", \"v(y=2) = 1\"]\nresolution: {degree: {x: 4, y: 5}, domains: {x: 3, y: 2}}\n"},
    {"FlowWithPressure",
     "domain: {x: [0, 1], y: [0, 1]}\nunknowns: [u, v, p]\nequations: [\"u*dx(u) + v*dy(u) - lap(u) + dx(p) = 0\", "
     "\"u*dx(v) + v*dy(v) - lap(v) + dy(p) = 0\", \"dx(u) + dy(v) = 0\"]\nboundary: [\"u(x=0) = 0\", \"u(x=1) = 0\", "
     "\"u(y=0) = 0\", \"u(y=1) = 1\", \"v(x=0) = 0\", \"v(x=1) = 0\", \"v(y=0) = 0\", \"v(y=1) = 0\"]\nresolution: "
     "{degree: {x: 6, y: 6}, domains: {x: [0, 0.4, 1], y: [0, 0.2, 1]}}\n"},
    {"ThreeDimensions",
     "domain: {x: [0, 1], y: [0, 1], z: [0, 1]}\nunknowns: [u]\nequations: [\"lap(u) = z\"]\nboundary: [\"u(x=0) = "
     "0\", "
     "\"u(x=1) = y\", \"u(y=0) = 0\", \"dy(u)(y=1) = 0\", \"u(z=0) = 0\", \"u(z=1) + dz(u)(z=1) = 0\"]\nresolution: "
     "{degree: {x: 3, y: 4, z: 3}, domains: {x: 2, y: 1, z: [0, 0.3, 1]}}\n"},
};

class Cells : public ::testing::TestWithParam<SteadySystem> {};
INSTANTIATE_TEST_SUITE_P(Systems, Cells, ::testing::ValuesIn(kSystems),
                         [](const auto& what) { return what.param.name; });

TEST_P(Cells, HoldTheRowsOfTheJacobian) {
  const Assembled a("schema: 1\n" + GetParam().text);
  ASSERT_EQ(cells_unsupported_reason(a.model, a.plan), "");
  const SpatialLayout layout(a.system);
  const Linearisation at_x = a.system.linearise(random_vector(a.system.size(), 11));
  const Matrix expected = averaged_operator(a.system, at_x.coefficients, 0);
  Matrix found = Matrix::Zero(expected.rows(), expected.cols());
  for (const CellRows& cell : rows_of_cells(a.system, layout, at_x.coefficients).cells)
    for (std::size_t i = 0; i < cell.rows.size(); ++i)
      for (std::size_t j = 0; j < cell.unknowns.size(); ++j)
        found(cell.rows[i], cell.unknowns[j]) += cell.values(static_cast<Index>(i), static_cast<Index>(j));
  EXPECT_LE((found - expected).cwiseAbs().maxCoeff(), 1e-13 * expected.cwiseAbs().maxCoeff());
}

TEST_P(Cells, Solve) {
  const Assembled a("schema: 1\n" + GetParam().text);
  const std::vector<double> x = random_vector(a.system.size(), 11), b = random_vector(a.system.size(), 41);
  const Matrix jacobian = averaged_operator(a.system, a.system.linearise(x).coefficients, 0);
  CellTree tree;
  CellSolver solver(a.system, tree, false);
  ASSERT_EQ(solver.linearise(x, true).status, LinearStatus::solved);
  std::vector<double> found = b;
  ASSERT_EQ(solver.solve(found, KrylovTolerance(1e-12)).status, LinearStatus::solved);
  const Vector expected =
      jacobian.partialPivLu().solve(Eigen::Map<const Vector>(b.data(), static_cast<Index>(b.size())));
  const Vector difference = Eigen::Map<const Vector>(found.data(), static_cast<Index>(found.size())) - expected;
  EXPECT_LE(difference.cwiseAbs().maxCoeff(), 1e-8 * expected.cwiseAbs().maxCoeff());
  EXPECT_EQ(solver.n_factorisations(), 1);
}

TEST(CellTreeTest, FindsASingularSystem) {
  std::string text = kSystems.front().text;
  text.replace(text.find("u(y=0) = 0"), 10, "dy(u)(y=1) = 0");
  const Assembled a("schema: 1\n" + text);
  CellTree tree;
  CellSolver solver(a.system, tree, false);
  EXPECT_EQ(solver.linearise(random_vector(a.system.size(), 11), true).status, LinearStatus::singular);
}

TEST(CellTreeTest, CostsLessThanADenseMatrix) {
  const Assembled a("schema: 1\n" + kSystems.front().text);
  std::vector<AxisDescription> subdomains = a.model.subdomains;
  for (AxisDescription& axis : subdomains) {
    axis.degree = 12;
    axis.edges.clear();
    for (int i = 0; i <= 16; ++i) axis.edges.push_back(i / 16.0);
  }
  const double n = 256.0 * 169.0;
  const CellCost cost = cell_cost(a.model, subdomains);
  EXPECT_LT(cost.bytes, 0.05 * 8.0 * n * n);
  EXPECT_LT(cost.operations, 1e-3 * n * n * n);
}

TEST(CellRowsTest, SayWhyTheyCannotServe) {
  const auto reason = [](const std::string& text) {
    const Assembled a("schema: 1\n" + text);
    return cells_unsupported_reason(a.model, a.plan);
  };
  EXPECT_NE(reason("domain: {x: [0, 1]}\nunknowns: [u]\nequations: [\"dx(u,2) = 1\"]\nboundary: [\"u(x=0) = 0\", "
                   "\"u(x=1) = 0\"]\nresolution: {degree: {x: 4}}\n"),
            "");
  EXPECT_NE(
      reason("domain: {t: [0, 1], x: [0, 1], y: [0, 1]}\nunknowns: [u]\nequations: [\"dt(u) = lap(u)\"]\ninitial: "
             "{u: \"0\"}\nboundary: " +
             kWalls + "\nresolution: {degree: {t: 2, x: 4, y: 4}}\n"),
      "");
}

}  // namespace
}  // namespace gwrm::cell_solver_test
