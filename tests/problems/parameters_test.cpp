// Parameters as dimensions: the points, the polynomial through them, and the coupled system as a second opinion.
#include "problems/time_spectral/parameter_points.hpp"

#include <numbers>

#include "problems/run_case.hpp"

namespace gwrm::parameters_test {
namespace {

using test::expect_exact;
using test::replaced;
using test::run_case;
using test::value_at;

const std::string kTwo = R"yaml(
domain: {t: [0, 1], p: [2, 4], q: {range: [1, 100], map: log}}
unknowns: [u]
equations: ["dt(u) = p*log(q)^2 + p^2*t"]
initial: {u: "p*log(q)"}
exact: {u: "p*log(q) + p*log(q)^2*t + p^2*t^2/2"}
resolution: {degree: {t: 3, p: 2, q: 3}}
verification: {tail: 1}
)yaml";

// Gauss points cos((i + 1/2) pi / n) of each parameter, on its own map, every pair once, the last parameter fastest.
TEST(ParameterPoints, AllPairsOfGaussPoints) {
  const Model model = build_model(read_case_text(kTwo, "test.yaml"));
  const auto points = parameter_points(model);
  ASSERT_EQ(points.size(), 12u);
  const double sign = points[0][1] > points[4][1] ? 1.0 : -1.0;  // either direction along the interval will do
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      const double s = sign * std::cos((static_cast<double>(i) + 0.5) * std::numbers::pi / 3.0);
      const double r = sign * std::cos((static_cast<double>(j) + 0.5) * std::numbers::pi / 4.0);
      EXPECT_NEAR(points[4 * i + j][1], 3.0 + s, 1e-14);
      EXPECT_NEAR(points[4 * i + j][2], std::pow(10.0, 1.0 + r), 1e-13 * 100.0);
    }
  }
}

TEST(ParameterPoints, OneWithoutParameters) {
  const auto points =
      parameter_points(build_model(read_case_text("domain: {t: [0, 1]}\nunknowns: [u]\nequations: [\"dt(u) = "
                                                  "u\"]\ninitial: {u: \"1\"}\nresolution: {degree: {t: 3}}\n",
                                                  "test.yaml")));
  EXPECT_EQ(points.size(), 1u);
}

// Of degree 2 in p and in log q: exact but for round-off of numbers up to 200.
TEST(Parameters, PolynomialDependenceIsExact) {
  const RunOutcome outcome = expect_exact(kTwo, 1e-13);
  const double p = 2.7, log_q = std::log(33.0), t = 0.6;
  EXPECT_NEAR(value_at(outcome.solution, "u", {{"t", t}, {"p", p}, {"q", 33.0}}),
              p * log_q + p * log_q * log_q * t + p * p * t * t / 2, 1e-11);
  // The polynomial in the parameters may be differentiated as well.
  EXPECT_NEAR(value_at(outcome.solution, "dp(u)", {{"t", t}, {"p", p}, {"q", 33.0}}),
              log_q + log_q * log_q * t + p * t * t, 1e-11);
  EXPECT_EQ(outcome.report.newton.back().parameter_point, 11);
}

TEST(Parameters, InTheInitialAndBoundaryData) {
  expect_exact(R"yaml(
domain: {t: [0, 1], x: [0, 1], p: [-1, 2]}
unknowns: [u]
equations: ["dt(u) = dx(u,2)"]
initial: {u: "p^2*x^2 + p"}
boundary: ["u(x=0) = 2*p^2*t + p", "u(x=1) = 2*p^2*t + p^2 + p"]
exact: {u: "p^2*(x^2 + 2*t) + p"}
resolution: {degree: {t: 2, x: 4, p: 3}, domains: {t: 2}}
verification: {tail: 1}
)yaml",
               1e-13);
}

// A field without the parameter among its dimensions is the same at every point.
TEST(Parameters, SteadyProblem) {
  expect_exact(R"yaml(
domain: {x: [0, 1], p: [1, 2]}
unknowns: [u]
equations: ["dx(u,2) = 6*p*x"]
boundary: ["u(x=0) = 1", "u(x=1) = 1 + p"]
exact: {u: "1 + p*x^3"}
resolution: {degree: {x: 4, p: 1}}
verification: {tail: 1}
)yaml",
               1e-13);
}

void expect_same(const Solution& a, const Solution& b, double tolerance) {
  ASSERT_EQ(a.fields.size(), b.fields.size());
  for (std::size_t f = 0; f < a.fields.size(); ++f) {
    ASSERT_EQ(a.fields[f].windows.size(), b.fields[f].windows.size());
    for (std::size_t w = 0; w < a.fields[f].windows.size(); ++w) {
      const Array &left = a.fields[f].windows[w], &right = b.fields[f].windows[w];
      ASSERT_EQ(left.shape, right.shape);
      for (std::size_t k = 0; k < left.data.size(); ++k)
        EXPECT_NEAR(left.data[k], right.data[k], tolerance) << "window " << w << ", " << k;
    }
  }
}

// exp(-p t): coefficients in p on [1, 2] fall like (t/4)^M / M!, 1e-16 at M = 10, so that both ways have the same
// polynomial.
TEST(Parameters, CoupledAgreesWithCollocated) {
  const std::string decay = R"yaml(
domain: {t: [0, 1], p: [1, 2]}
unknowns: [u]
equations: ["dt(u) = -p*u"]
initial: {u: "1"}
exact: {u: "exp(-p*t)"}
resolution: {degree: {t: 10, p: 11}, domains: {t: 2}}
)yaml";
  const RunOutcome collocated = expect_exact(decay + "parameters: {method: collocation}\n", 1e-12);
  const RunOutcome coupled = expect_exact(decay + "parameters: {method: coupled}\n", 1e-12);
  EXPECT_EQ(coupled.report.n_unknowns, 12 * collocated.report.n_unknowns);
  expect_same(collocated.solution, coupled.solution, 1e-12);
}

TEST(Parameters, CoupledAgreesWithCollocatedNonlinearAndTwo) {
  const std::string logistic = R"yaml(
domain: {t: [0, 0.5], p: [1, 1.4], q: {range: [0.5, 0.6], map: log}}
unknowns: [u]
equations: ["dt(u) = p*u - q*u^2"]
initial: {u: "1"}
exact: {u: "p/(q + (p - q)*exp(-p*t))"}
resolution: {degree: {t: 10, p: 9, q: 7}}
)yaml";
  const RunOutcome collocated = expect_exact(logistic, 1e-10);
  expect_same(collocated.solution, expect_exact(logistic + "parameters: {method: coupled}\n", 1e-10).solution, 1e-11);
}

// The derivative with respect to a parameter ties its values together: one system.
TEST(Parameters, DerivativeAlongAParameter) {
  expect_exact(R"yaml(
domain: {t: [0, 1], p: [0, 1]}
unknowns: [u]
equations: ["dt(u) + dp(u) = 0"]
initial: {u: "exp(p)"}
boundary: ["u(p=0) = exp(-t)"]
exact: {u: "exp(p - t)"}
resolution: {degree: {t: 10, p: 11}}
)yaml",
               1e-11);
}

// A failure names the point of the parameter, and nothing half done is kept: the polynomial in p needs every point.
TEST(Parameters, FailureNamesThePoint) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {t: [0, 1], p: [-1, 1]}
unknowns: [u]
equations: ["dt(u) = sqrt(p)"]
initial: {u: "1"}
resolution: {degree: {t: 3, p: 3}}
)yaml");
  EXPECT_EQ(outcome.status, ExitStatus::not_finite);
  EXPECT_FALSE(outcome.complete);
  EXPECT_TRUE(outcome.solution.fields.empty());
  test::expect_holds(outcome.report.reason, "p = -0.");
}

}  // namespace
}  // namespace gwrm::parameters_test
