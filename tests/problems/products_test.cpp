// Whole solves with products of Chebyshev coefficients (solver.product): the answers of the padded points by every
// variant and both linear solvers, on the CPU and on the device; what is said of the choice; and where it is refused.
#include <algorithm>

#include "core/errors.hpp"
#include "run_case.hpp"

namespace gwrm::products_test {
namespace {

struct ProductCase {
  std::string name;
  std::string yaml;  // without solver
};

void PrintTo(const ProductCase& what, std::ostream* out) {
  *out << what.name;
}

const std::string kBurgers = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
constants: {nu: 0.1, a: 2}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = nu*dx(u,2)"]
initial: {u: "2*pi*nu*sin(pi*x)/(a + cos(pi*x))"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
exact: {u: "2*pi*nu*exp(-pi^2*nu*t)*sin(pi*x)/(a + exp(-pi^2*nu*t)*cos(pi*x))"}
resolution: {degree: {t: 12, x: 20}}
verification: {tolerance: 1.0e-6, tail: 1.0e-4, residual: 1.0e-3}
time: {weighting: chebyshev}
)yaml";

const ProductCase kCases[] = {{"Burgers", kBurgers},
                              {"BurgersInTwoDimensions", R"yaml(
domain: {t: [0, 1], x: [0, 1], y: [0, 1]}
unknowns: [u, v]
equations: ["dt(u) + u*dx(u) + v*dy(u) = lap(u)/10", "dt(v) + u*dx(v) + v*dy(v) = lap(v)/10"]
initial: {u: "3/4 - 1/(4*(1 + exp((4*y - 4*x)*10/32)))", v: "3/4 + 1/(4*(1 + exp((4*y - 4*x)*10/32)))"}
boundary:
  - "u(x=0) = 3/4 - 1/(4*(1 + exp((4*y - t)*10/32)))"
  - "u(x=1) = 3/4 - 1/(4*(1 + exp((4*y - 4 - t)*10/32)))"
  - "u(y=0) = 3/4 - 1/(4*(1 + exp((-4*x - t)*10/32)))"
  - "u(y=1) = 3/4 - 1/(4*(1 + exp((4 - 4*x - t)*10/32)))"
  - "v(x=0) = 3/4 + 1/(4*(1 + exp((4*y - t)*10/32)))"
  - "v(x=1) = 3/4 + 1/(4*(1 + exp((4*y - 4 - t)*10/32)))"
  - "v(y=0) = 3/4 + 1/(4*(1 + exp((-4*x - t)*10/32)))"
  - "v(y=1) = 3/4 + 1/(4*(1 + exp((4 - 4*x - t)*10/32)))"
exact: {u: "3/4 - 1/(4*(1 + exp((4*y - 4*x - t)*10/32)))", v: "3/4 + 1/(4*(1 + exp((4*y - 4*x - t)*10/32)))"}
resolution: {degree: {t: 4, x: 6, y: 6}}
verification: {tolerance: 1.0e-5, tail: 1.0e-3, residual: 1.0e-3}
time: {weighting: chebyshev}
)yaml"},
                              {"LorenzWithACoupledParameter", R"yaml(
domain: {t: [0, 0.4], F: [6, 8]}
constants: {a: 0.25, b: 4, G: 1}
unknowns: [X, Y, Z]
equations: ["dt(X) = -Y^2 - Z^2 - a*X + a*F", "dt(Y) = X*Y - b*X*Z - Y + G", "dt(Z) = b*X*Y + X*Z - Z"]
initial: {X: "0.96", Y: "-1.1", Z: "0.5"}
parameters: {method: coupled}
resolution: {degree: {t: 14, F: 6}}
verification: {tolerance: 1.0e-8, tail: 1.0e-8, residual: 1.0e-7}
time: {weighting: chebyshev}
)yaml"}};

RunOutcome run_with(const std::string& yaml, const std::string& product, const std::string& linear,
                    BackendChoice backend = BackendChoice::cpu) {
  // To the end with every solver: left open, iterations of GMRES end far below the last coefficients.
  const std::string text =
      yaml + "solver: {newton: {tolerance: 9.0e-13}, product: " + product + ", linear: " + linear + "}\n";
  return make_problem(read_case_text(text, "test.yaml"))->run(Context::create(backend, 1), {});
}

double difference(const Solution& a, const Solution& b) {
  double worst = 0.0;
  for (std::size_t f = 0; f < a.fields.size(); ++f) {
    const std::vector<double>&x = a.fields[f].windows.front().data, &y = b.fields[f].windows.front().data;
    double largest = 0.0, apart = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      largest = std::max(largest, std::abs(y[i]));
      apart = std::isfinite(x[i]) ? std::max(apart, std::abs(x[i] - y[i])) : INFINITY;
    }
    worst = std::max(worst, apart / largest);
  }
  return worst;
}

class ProductSolves : public ::testing::TestWithParam<ProductCase> {
 protected:
  void expect_the_answer_of_the_points(BackendChoice backend) {
    const RunOutcome expected = run_with(GetParam().yaml, "pointwise", "dense");
    ASSERT_TRUE(expected.complete) << expected.report.reason;
    for (const char* product : {"direct", "transform", "monolithic", "stride", "auto"}) {
      SCOPED_TRACE(product);
      const RunOutcome dense = run_with(GetParam().yaml, product, "dense", backend);
      ASSERT_TRUE(dense.complete) << dense.report.reason;
      EXPECT_LE(difference(dense.solution, expected.solution), 1e-13);
      EXPECT_EQ(dense.report.n_newton_iterations, expected.report.n_newton_iterations);
      const RunOutcome lagged = run_with(GetParam().yaml, product, "lagged", backend);
      ASSERT_TRUE(lagged.complete) << lagged.report.reason;
      EXPECT_LE(difference(lagged.solution, expected.solution), 1e-13);
      EXPECT_EQ(lagged.report.n_factorisations, 1);
      EXPECT_GT(lagged.report.n_linear_iterations, 0);
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Systems, ProductSolves, ::testing::ValuesIn(kCases),
                         [](const auto& what) { return what.param.name; });

TEST_P(ProductSolves, GiveTheAnswerOfThePaddedPoints) {
  expect_the_answer_of_the_points(BackendChoice::cpu);
}

using DeviceProductSolves = ProductSolves;
INSTANTIATE_TEST_SUITE_P(Systems, DeviceProductSolves, ::testing::ValuesIn(kCases),
                         [](const auto& what) { return what.param.name; });

TEST_P(DeviceProductSolves, GiveTheAnswerOfThePaddedPoints) {
  std::string why;
  if (find_device(why).empty()) GTEST_SKIP() << why;
  expect_the_answer_of_the_points(BackendChoice::cuda);
}

TEST(Products, ServeTheDefaultWeightingAtEachNode) {
  const std::string yaml = test::replaced(kBurgers, "chebyshev", "radau");
  const RunOutcome expected = run_with(yaml, "pointwise", "auto");
  for (const char* linear : {"auto", "dense"}) {
    const RunOutcome found = run_with(yaml, "direct", linear);
    ASSERT_TRUE(found.complete) << found.report.reason;
    EXPECT_LE(difference(found.solution, expected.solution), 1e-12) << linear;  // GMRES ends at another residual
  }
}

std::string products_line(const std::string& yaml) {
  for (const auto& [name, value] : make_problem(read_case_text(yaml, "test.yaml"))->summary().lines)
    if (name == "products") return value;
  return "no line";
}

TEST(Products, AreNamedWithTheReason) {
  EXPECT_EQ(products_line(kBurgers + "solver: {product: stride}\n"), "of coefficients, stride (asked for)");
  EXPECT_EQ(products_line(kBurgers + "solver: {product: pointwise}\n"), "on padded points (asked for)");
  EXPECT_EQ(products_line(kBurgers),
            "on padded points (they take less time than products of coefficients: docs/products.md); on a device: of "
            "coefficients, auto (they take less time than padded points there: docs/products.md)");
  EXPECT_EQ(products_line(test::replaced(kBurgers, "chebyshev", "radau")),
            "on padded points (they take less time than products of coefficients: docs/products.md)");
  EXPECT_EQ(products_line(test::replaced(kBurgers, "u*dx(u)", "exp(u)")),
            "on padded points (`exp(u)` is no polynomial in the unknowns)");
  EXPECT_EQ(products_line(test::replaced(kBurgers, "u*dx(u)", "dx(u)")), "on padded points (the equations are linear)");
}

std::string refusal(const std::string& yaml) {
  try {
    make_problem(read_case_text(yaml, "test.yaml"));
  } catch (const CaseError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no CaseError: " << yaml;
  return {};
}

TEST(Products, AreRefusedWithAReasonWhereThereAreNone) {
  const std::string direct = "solver: {product: direct}\n";
  test::expect_holds(refusal(test::replaced(kBurgers, "u*dx(u)", "exp(u)") + direct), "no polynomial");
  test::expect_holds(refusal(test::replaced(kBurgers, "x: 20}", "x: 20}, domains: {x: 2}") + direct), "subdomains");
  test::expect_holds(
      refusal(test::replaced(kBurgers, "resolution: {degree: {t: 12, x: 20}}", "resolution: {tolerance: 1.0e-6}") +
              direct),
      "resolution.tolerance");
  test::expect_holds(refusal(R"yaml(
problem: recurrence_bvp
domain: {x: [0, 1]}
unknowns: [u]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
recurrence: {reaction: 1, source: 1, intervals: 16}
)yaml" + direct),
                     "recurrence");
  test::expect_holds(refusal(R"yaml(
problem: sbp_sat_poisson
domain: {x: [0, 1], y: [0, 1]}
unknowns: [u]
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = 0"]
sbp_sat: {source: 1, intervals: 16}
)yaml" + direct),
                     "finite differences");
  test::expect_holds(refusal(R"yaml(
domain: {x: [0, 1]}
constants: {lam: 1}
unknowns: [u]
equations: ["dx(u,2) + lam*u^2 = 1"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {x: 8}}
continue: {parameter: lam, to: 2}
)yaml" + direct),
                     "branches");
}

}  // namespace
}  // namespace gwrm::products_test
