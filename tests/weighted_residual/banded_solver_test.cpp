// The banded solver against the dense Jacobian and its LU, and what it refuses.
#include "weighted_residual/preconditioner/banded_solver.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "weighted_residual/assembled.hpp"

namespace gwrm::banded_solver_test {
namespace {

using test::Assembled;
using test::random_vector;

using Vectord = Eigen::VectorXd;

Vectord as_vector(const std::vector<double>& v) {
  return Eigen::Map<const Vectord>(v.data(), static_cast<Index>(v.size()));
}

struct BandedSystem {
  const char* name;
  const char* yaml;
};

void PrintTo(const BandedSystem& what, std::ostream* out) {
  *out << what.name;
}

// Just above the degree from which equations are written in ultraspherical polynomials.
const BandedSystem kSystems[] = {{"Heat", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2]}
unknowns: [u]
equations: ["dt(u) = 0.1*dx(u,2)"]
initial: {u: "0"}
boundary: ["u(x=-1) = 0", "u(x=2) = t"]
resolution: {degree: {t: 4, x: 258}}
)yaml"},
                                 {"AdvectionDiffusionWithCoefficientsInXAndT", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2]}
unknowns: [u]
equations: ["dt(u) + (1 + x + t*x^2)*dx(u) = 0.1*(1 + t^2*x^4)*dx(u,2) - t*x^7*u"]
initial: {u: "0"}
boundary: ["u(x=-1) = 0", "u(x=2) + (2 + t)*dx(u)(x=2) = t"]
resolution: {degree: {t: 4, x: 257}}
)yaml"},
                                 {"Advection", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2]}
unknowns: [u]
equations: ["dt(u) + exp(-x)*dx(u) = cos(t)*u"]
initial: {u: "0"}
boundary: ["u(x=-1) = 0"]
resolution: {degree: {t: 3, x: 260}}
)yaml"},
                                 {"WaveOfSecondOrderInTime", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2]}
unknowns: [u]
equations: ["dt(u,2) + x*dt(u) = dx((3 + x)*dx(u)) + dx(dt(u),2)"]
initial: {u: "0", "dt(u)": "0"}
boundary: ["u(x=-1) = 0", "dt(u)(x=2) + dx(u)(x=2) = 0"]
resolution: {degree: {t: 4, x: 257}}
)yaml"},
                                 {"TwoFieldsOfDifferentOrder", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2]}
unknowns: [u, v]
equations: ["dt(u) + x*dx(v) = 0.1*dx(u,2)", "dt(v) + dx(v) = t*x*u - dx(u)"]
initial: {u: "0", v: "0"}
boundary: ["u(x=-1) = v(x=2)", "dx(u)(x=2) = 0", "v(x=-1) = 1"]
resolution: {degree: {t: 3, x: 257}}
)yaml"},
                                 {"WaveWithFlux", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2]}
unknowns: [u, q]
equations: ["dt(u,2) = dx(q)", "q = (2 + x^2)*dx(u)"]
initial: {u: "0", "dt(u)": "0"}
boundary: ["u(x=-1) = 0", "q(x=2) + dt(u)(x=2) = 0"]
resolution: {degree: {t: 3, x: 257}}
)yaml"},
                                 {"DerivativeAboveItsShareOfTheConditions", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2]}
unknowns: [u, w]
equations: ["dt(u) = -x*dx(w)", "dx(w,2) = u"]
initial: {u: "0"}
boundary: ["w(x=-1) = 0", "w(x=2) = t"]
resolution: {degree: {t: 3, x: 257}}
)yaml"},
                                 {"Periodic", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2]}
unknowns: [u]
equations: ["dt(u) + dx(u) = 0.2*dx(u,2)"]
initial: {u: "0"}
boundary: ["u(x=-1) = u(x=2)", "dx(u)(x=-1) = dx(u)(x=2)"]
resolution: {degree: {t: 4, x: 258}}
)yaml"},
                                 {"FourthOrderWithPointsInside", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2]}
unknowns: [u]
equations: ["dt(u) + x*dx(u) + dx(u,2) + 0.1*(2 + x)*dx(u,4) = 0"]
initial: {u: "0"}
boundary: ["u(x=-1) = 0", "dx(u)(x=-1) = u(x=0.25)", "u(x=2) = 0", "dx(u,2)(x=2) = 0"]
resolution: {degree: {t: 3, x: 257}}
)yaml"},
                                 {"SteadyAiry", R"yaml(schema: 1
domain: {x: [-1, 2]}
unknowns: [u]
equations: ["1e-4*dx(u,2) = x*u"]
boundary: ["u(x=-1) = 1", "u(x=2) = 0"]
resolution: {degree: {x: 300}}
)yaml"}};

class BandedSolverTest : public testing::TestWithParam<BandedSystem> {};
INSTANTIATE_TEST_SUITE_P(Systems, BandedSolverTest, testing::ValuesIn(kSystems),
                         [](const auto& what) { return std::string(what.param.name); });

// The right-hand sides come from smooth unknowns, as the solutions of equations do: of decaying coefficients. The error
// is round-off times the condition of the scaled system; where that is large (a fourth derivative: 257^4 before
// scaling) the dense LU is the measure.
TEST_P(BandedSolverTest, AreAsAccurateAsTheDenseLu) {
  Assembled a(GetParam().yaml);
  ASSERT_EQ(banded_unsupported_reason(a.model, a.plan, a.model.subdomains), "");
  const std::vector<double> x = random_vector(a.system.size(), 11);
  const Eigen::MatrixXd matrix = a.jacobian(x);
  Vectord smooth = as_vector(random_vector(a.system.size(), 61));
  const Index n = a.discretisation.n_unknowns(a.plan.banded_axis);
  for (Index i = 0; i < smooth.size(); ++i) smooth(i) *= std::exp(-0.1 * static_cast<double>(i % n));
  const Vectord right = matrix * smooth;
  const double dense_error = (matrix.partialPivLu().solve(right) - smooth).norm() / smooth.norm();
  EXPECT_LE(dense_error, 1e-8);
  const double bound = std::max(1e-12, dense_error);

  BandedSolver solver(a.system);
  ASSERT_EQ(solver.linearise(x, true).status, LinearStatus::solved);
  EXPECT_EQ(solver.n_factorisations(), 1);
  std::vector<double> direct(right.begin(), right.end()), iterated = direct;
  solver.apply_preconditioner(direct);
  EXPECT_LE((as_vector(direct) - smooth).norm(), bound * smooth.norm());
  const LinearOutcome outcome = solver.solve(iterated, 1e-12);
  EXPECT_EQ(outcome.status, LinearStatus::solved) << outcome.detail;
  EXPECT_LE(outcome.iterations, 2);
  EXPECT_LE((as_vector(iterated) - smooth).norm(), bound * smooth.norm());
}

// The matrix itself, entry by entry: J applied to the columns of the inverse that the factors give.
TEST_P(BandedSolverTest, InvertEveryUnknown) {
  Assembled a(GetParam().yaml);
  const std::vector<double> x = random_vector(a.system.size(), 11);
  const Eigen::MatrixXd matrix = a.jacobian(x);
  BandedSolver solver(a.system);
  ASSERT_EQ(solver.linearise(x, true).status, LinearStatus::solved);
  const Vectord sizes = matrix.colwise().norm();
  double worst = 0.0;
  for (Index j = 0; j < a.system.size(); ++j) {
    std::vector<double> v(matrix.col(j).begin(), matrix.col(j).end());
    solver.apply_preconditioner(v);
    Vectord difference = as_vector(v);
    difference(j) -= 1.0;
    // In units in which every column of the matrix has the same size.
    worst = std::max(worst, difference.cwiseProduct(sizes).lpNorm<Eigen::Infinity>() / sizes(j));
  }
  EXPECT_LE(worst, 1e-7);
}

TEST(BandedSolver, FactorsServeALaterWindow) {
  Assembled a(kSystems[0].yaml);
  BandedSolver first(a.system);
  ASSERT_EQ(first.linearise(random_vector(a.system.size(), 3), true).status, LinearStatus::solved);
  const Discretisation later(a.model, a.model.subdomains, std::vector<double>(a.model.axes.size(), 0.37), 0.7, 1.4);
  WindowSystem system(a.context, a.model, a.plan, later, a.state);
  BandedSolver second(system);
  second.reuse(first.factors());
  ASSERT_EQ(second.linearise(random_vector(system.size(), 5), true).status, LinearStatus::solved);
  EXPECT_EQ(second.n_factorisations(), 0);
  std::vector<double> v = random_vector(system.size(), 7);
  const LinearOutcome outcome = second.solve(v, 1e-11);
  EXPECT_EQ(outcome.status, LinearStatus::solved) << outcome.detail;
  EXPECT_LE(outcome.iterations, 2);
}

// Whatever spoils the factors, here those of a window a hundred times shorter: the iteration with the exact Jacobian
// notices.
TEST(BandedSolver, FactorsOfAnotherMatrixAreNoticed) {
  Assembled a(kSystems[0].yaml);
  BandedSolver first(a.system);
  ASSERT_EQ(first.linearise(random_vector(a.system.size(), 3), true).status, LinearStatus::solved);
  const Discretisation longer(a.model, a.model.subdomains, std::vector<double>(a.model.axes.size(), 0.37), 0.0, 70.0);
  WindowSystem system(a.context, a.model, a.plan, longer, a.state);
  BandedSolver second(system);
  second.reuse(first.factors());
  ASSERT_EQ(second.linearise(random_vector(system.size(), 5), true).status, LinearStatus::solved);
  std::vector<double> v = random_vector(system.size(), 7);
  const LinearOutcome outcome = second.solve(v, 1e-11);
  EXPECT_EQ(outcome.status, LinearStatus::no_convergence);
  EXPECT_NE(outcome.detail.find("GMRES reached"), std::string::npos) << outcome.detail;
}

TEST(BandedSolver, NamesSingularSystems) {
  // Any constant solves both conditions.
  Assembled a(R"yaml(schema: 1
domain: {x: [-1, 2]}
unknowns: [u]
equations: ["dx(u,2) = x"]
boundary: ["dx(u)(x=-1) = 0", "dx(u)(x=2) = 1.5"]
resolution: {degree: {x: 300}}
)yaml");
  BandedSolver solver(a.system);
  const LinearOutcome outcome = solver.linearise(random_vector(a.system.size(), 3), true);
  EXPECT_EQ(outcome.status, LinearStatus::singular);
  EXPECT_NE(outcome.detail.find("singular"), std::string::npos) << outcome.detail;
}

std::string steady(const std::string& equation, const std::string& more = "", int degree = 300) {
  return "schema: 1\ndomain: {x: [-1, 2]}\nunknowns: [u]\nequations: [\"" + equation +
         "\"]\nboundary: [\"u(x=-1) = 1\", \"u(x=2) = 0\"]\nresolution: {degree: {x: " + std::to_string(degree) + "}" +
         more + "}\n";
}

std::string unsupported_reason(const std::string& yaml) {
  const Model model = build_model(test::case_of(yaml));
  return banded_unsupported_reason(model, SystemPlan(model), model.subdomains);
}

TEST(BandedUnsupportedReason, IsNamed) {
  EXPECT_EQ(unsupported_reason(steady("dx(u,2) = x*u")), "");
  EXPECT_NE(unsupported_reason(steady("dx(u,2) = u^2")).find("not linear"), std::string::npos);
  EXPECT_NE(unsupported_reason(steady("dx(u,2) = u", "", 256)).find("degree above 256"), std::string::npos);
  EXPECT_NE(unsupported_reason(steady("dx(u,2) = u", ", domains: {x: 2}")).find("subdomains"), std::string::npos);
  EXPECT_NE(unsupported_reason(steady("dx(u,2) = integral(u, x)")).find("integral"), std::string::npos);
  EXPECT_NE(unsupported_reason(steady("dx(u,2) = u(x=0)")).find("a point of space"), std::string::npos);
}

TEST(CoefficientDegree, IsThatOfTheHighestCoefficient) {
  const auto degree = [](const std::string& equation) {
    const Model model = build_model(test::case_of(steady(equation)));
    return coefficient_degree(model, SystemPlan(model), model.subdomains);
  };
  EXPECT_EQ(degree("dx(u,2) = 3*u"), 0);
  EXPECT_EQ(degree("dx(u,2) + x*(1 - x^2)*dx(u) = x*u"), 3);
  EXPECT_EQ(degree("x^24*dx(u,2) = u + abs(x)"), 24);  // data may be anything
  EXPECT_EQ(degree("x^25*dx(u,2) = u"), std::nullopt);
  EXPECT_EQ(degree("dx(u,2) = abs(x)*u"), std::nullopt);
  ASSERT_TRUE(degree("dx(u,2) = exp(x)*u").has_value());
  EXPECT_LE(*degree("dx(u,2) = exp(x)*u"), 20);
}

// A coefficient that the few points of the choice do not see right shows at those of the window.
TEST(BandedSolver, RefusesCoefficientsOfHighDegree) {
  Assembled a(steady("dx(u,2) = (2 + cos(60*x))*u"));
  BandedSolver solver(a.system);
  const LinearOutcome outcome = solver.linearise(random_vector(a.system.size(), 3), true);
  EXPECT_EQ(outcome.status, LinearStatus::singular);
  EXPECT_NE(outcome.detail.find("degree 24"), std::string::npos) << outcome.detail;
}

}  // namespace
}  // namespace gwrm::banded_solver_test
