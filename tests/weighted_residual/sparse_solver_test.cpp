// The sparse LU of systems of ordinary differential equations against the dense Jacobian.
#include "weighted_residual/preconditioner/sparse_solver.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "weighted_residual/assembled.hpp"

namespace gwrm::sparse_solver_test {
namespace {

using test::Assembled;
using test::random_vector;

// A chain of nonlinear oscillators, coupled to their neighbours and, through a constraint, to a number c.
std::string chain(int n, const std::string& weighting) {
  std::string unknowns = "{name: c, dims: []}", equations = "  - \"c + u0(t=0.7) = 2\"\n", initial;
  for (int i = 0; i < n; ++i) {
    unknowns += fmt::format(", u{0}, v{0}", i);
    equations += fmt::format("  - \"dt(u{0}) = v{0} + 0.1*c*t\"\n", i);
    equations += fmt::format("  - \"dt(v{0}) = u{1}*u{0} - 2*u{0}^3 + sin(u{2})\"\n", i, (i + 1) % n, (i + n - 1) % n);
    initial += fmt::format("  u{0}: \"0.1\"\n  v{0}: \"0\"\n", i);
  }
  return "schema: 1\ndomain: {t: [0, 0.7]}\nunknowns: [" + unknowns + "]\nequations:\n" + equations + "initial:\n" +
         initial + "time: {weighting: " + weighting + "}\nresolution: {degree: {t: 5}}\n";
}

class SparseSolvers : public ::testing::TestWithParam<const char*> {};

TEST_P(SparseSolvers, InvertTheDenseJacobian) {
  Assembled assembled(chain(7, GetParam()));
  const std::vector<double> x = random_vector(assembled.system.size(), 3);
  const std::shared_ptr<SparseFactors> factors = make_sparse_factors();
  SparseSolver solver(assembled.system, *factors, false);
  const Eigen::MatrixXd matrix = assembled.jacobian(x);
  ASSERT_EQ(sparse_unsupported_reason(assembled.model, assembled.plan), "");
  for (unsigned seed : {5u, 6u}) {  // the second time with the ordering of the first
    ASSERT_EQ(solver.linearise(x, true).status, LinearStatus::solved);
    std::vector<double> v = random_vector(assembled.system.size(), seed);
    const Eigen::VectorXd wanted = Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Index>(v.size()));
    ASSERT_EQ(solver.solve(v, 0.0).status, LinearStatus::solved);
    const Eigen::VectorXd found = matrix * Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Index>(v.size()));
    EXPECT_LT((found - wanted).norm(), 1e-11 * wanted.norm());
  }
  EXPECT_EQ(solver.n_factorisations(), 2);
}

TEST_P(SparseSolvers, EntriesAreThoseOfTheDenseJacobian) {
  Assembled assembled(chain(7, GetParam()));
  const std::vector<double> x = random_vector(assembled.system.size(), 3);
  const Eigen::MatrixXd matrix = assembled.jacobian(x);
  const double n_times = std::string(GetParam()) == "radau" ? 5.0 : 6.0;
  const double entries = sparse_entries(assembled.model, assembled.plan, n_times);
  EXPECT_GE(entries, static_cast<double>((matrix.array() != 0.0).count()));
  EXPECT_LT(entries, 0.4 * static_cast<double>(matrix.size()));
}

INSTANTIATE_TEST_SUITE_P(Weightings, SparseSolvers, ::testing::Values("radau", "chebyshev"));

TEST(SparseSolver, TellsSingularAndNotFinite) {
  Assembled assembled(R"yaml(schema: 1
domain: {t: [0, 0.7]}
unknowns: [u, v]
equations: ["u + v = t", "sqrt(u + v) - t = 0"]
resolution: {degree: {t: 4}}
)yaml");
  const std::shared_ptr<SparseFactors> factors = make_sparse_factors();
  SparseSolver solver(assembled.system, *factors, false);
  std::vector<double> x(static_cast<std::size_t>(assembled.system.size()), 1.0);
  EXPECT_EQ(solver.linearise(x, true).status, LinearStatus::singular);
  std::fill(x.begin(), x.end(), 0.0);
  EXPECT_EQ(solver.linearise(x, true).status, LinearStatus::not_finite);
}

TEST(SparseSolver, SaysWhatItDoesNotServe) {
  const Assembled heat(R"yaml(schema: 1
domain: {t: [0, 0.7], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {u: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 3, x: 4}}
)yaml");
  EXPECT_NE(sparse_unsupported_reason(heat.model, heat.plan), "");
  const Assembled integral(R"yaml(schema: 1
domain: {t: [0, 0.7]}
unknowns: [u, {name: c, dims: []}]
equations: ["dt(u) = c - u", "integral(u, t) = 1"]
initial: {u: "0"}
resolution: {degree: {t: 3}}
)yaml");
  EXPECT_NE(sparse_unsupported_reason(integral.model, integral.plan), "");
}

}  // namespace
}  // namespace gwrm::sparse_solver_test
