// Parameters with distributions, solved: moments and Sobol indices in closed form, and that the verification sees when
// they are wrong.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "problems/run_case.hpp"
#include "problems/time_spectral/parameter_points.hpp"

namespace gwrm::distributions_test {
namespace {

using test::expect_holds;
using test::replaced;
using test::run_case;
using test::value_at;

const std::string kDecay = R"yaml(
domain: {t: [0, 2], nu: DISTRIBUTION}
unknowns: [u]
equations: ["dt(u) = -nu*u"]
initial: {u: "1"}
resolution: {degree: {t: 16, nu: DEGREE}, domains: {t: 2}}
verification: {tolerance: 1.0e-9}
output: {grid: {t: [0, 0.5, 1, 2], nu: 3}}
)yaml";

RunOutcome decay(const std::string& distribution, int degree) {
  return run_case(replaced(replaced(kDecay, "DISTRIBUTION", distribution), "DEGREE", std::to_string(degree)));
}

// transform(t): E[exp(-nu t)].
void expect_moments(const RunOutcome& outcome, const std::function<double(double)>& transform, double tolerance) {
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  ASSERT_EQ(outcome.statistics.size(), 1u);
  const ParameterStatistics& r = outcome.statistics[0].statistics;
  const double times[] = {0.0, 0.5, 1.0, 2.0};
  for (std::size_t i = 0; i < 4; ++i) {
    const double mean = transform(times[i]), variance = transform(2.0 * times[i]) - mean * mean;
    EXPECT_NEAR(r.mean.data[i], mean, tolerance) << times[i];
    EXPECT_NEAR(r.variance.data[i], variance, tolerance) << times[i];
    EXPECT_NEAR(r.std.data[i] * r.std.data[i], variance, tolerance) << times[i];
  }
}

TEST(Distributions, DecayAtANormalRate) {
  const RunOutcome outcome = decay("{distribution: normal, mean: 1, deviation: 0.1}", 10);
  expect_moments(
      outcome, [](double t) { return std::exp(-t + 0.005 * t * t); }, 1e-10);
  const ParameterStatistics& r = outcome.statistics[0].statistics;
  ASSERT_EQ(r.quantile.shape, (Shape{7, 4}));
  EXPECT_NEAR(r.quantile.data[1 * 4 + 2], std::exp(-1.0 - 0.1 * 1.6448536269514722), 1e-7);  // 5 % at t = 1
}

// The answer falls along nu: what it stays below with probability p is its value where nu is above with p.
TEST(Distributions, TheCaseNamesTheQuantiles) {
  const std::string yaml =
      replaced(replaced(kDecay, "DISTRIBUTION", "{distribution: normal, mean: 1, deviation: 0.1}"), "DEGREE", "10");
  const std::string wanted = yaml + "parameters: {quantiles: [0.025, 1/2, 0.975]}\n";
  const RunOutcome outcome = run_case(wanted);
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  const ParameterStatistics& r = outcome.statistics[0].statistics;
  EXPECT_EQ(r.probabilities, (std::vector<double>{0.025, 0.5, 0.975}));
  ASSERT_EQ(r.quantile.shape, (Shape{3, 4}));
  const double spread = 0.1 * 1.959963984540054;
  for (std::size_t i : {2u, 3u}) {
    const double t = i == 2 ? 1.0 : 2.0;
    EXPECT_NEAR(r.quantile.data[0 * 4 + i], std::exp(-t * (1.0 + spread)), 1e-7);
    EXPECT_NEAR(r.quantile.data[1 * 4 + i], std::exp(-t), 1e-7);
    EXPECT_NEAR(r.quantile.data[2 * 4 + i], std::exp(-t * (1.0 - spread)), 1e-7);
  }
  const Case the_case = read_case_text(wanted, "test.yaml");
  expect_holds(the_case.resolved_text, "quantiles: [0.025, 0.5, 0.975]");
  EXPECT_EQ(read_case_text(the_case.resolved_text, "test.yaml").resolved_text, the_case.resolved_text);
  expect_holds(read_case_text(yaml, "test.yaml").resolved_text, "quantiles: [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99]");

  const auto message = [](const std::string& text) -> std::string {
    try {
      read_case_text(text, "test.yaml");
    } catch (const CaseError& error) {
      return error.what();
    }
    return "nothing was wrong";
  };
  expect_holds(message(yaml + "parameters: {quantiles: [0.5, 0.05]}\n"), "the probabilities must increase");
  expect_holds(message(yaml + "parameters: {quantiles: [0.001]}\n"), "between 0.005 and 0.995");
  expect_holds(message(yaml + "parameters: {quantiles: [5]}\n"), "between 0.005 and 0.995");
  const std::string interval = replaced(replaced(kDecay, "DISTRIBUTION", "[0.5, 1.5]"), "DEGREE", "10");
  expect_holds(message(interval + "parameters: {quantiles: [0.5]}\n"), "no dimension of this case has one");
  expect_holds(message(interval + "parameters: {error: mean_square}\n"),
               "`error` is about parameters with distributions");
}

// The Laplace transform of a lognormal density has no closed form; by the trapezoidal rule in its logarithm, which
// converges faster than any power.
TEST(Distributions, DecayAtALognormalRate) {
  const RunOutcome outcome = decay("{distribution: lognormal, mu: -0.2, sigma: 0.25}", 20);
  const auto transform = [](double t) {
    double sum = 0.0;
    for (int i = -900; i <= 900; ++i) {
      const double x = 0.01 * i;
      sum += 0.01 * std::exp(-0.5 * x * x - t * std::exp(-0.2 + 0.25 * x)) / std::sqrt(2.0 * std::numbers::pi);
    }
    return sum;
  };
  expect_moments(outcome, transform, 1e-10);
}

TEST(Distributions, DecayAtAUniformRate) {
  const auto transform = [](double t) { return t == 0.0 ? 1.0 : (std::exp(-0.5 * t) - std::exp(-1.5 * t)) / t; };
  expect_moments(decay("{distribution: uniform, range: [0.5, 1.5]}", 10), transform, 1e-10);
}

// Kummer's function: E[exp(-x t)] = sum_k (-t)^k/k! prod_j (a + j)/(a + b + j).
TEST(Distributions, DecayAtABetaRate) {
  const auto transform = [](double t) {
    double term = 1.0, sum = 1.0;
    for (int k = 0; k < 60; ++k) sum += term *= -t / (k + 1.0) * (2.0 + k) / (7.0 + k);
    return std::exp(-0.5 * t) * sum;
  };
  expect_moments(decay("{distribution: beta, range: [0.5, 1.5], a: 2, b: 5}", 10), transform, 1e-10);
}

// Collocated one by one, or as one system: the same polynomial.
TEST(Distributions, CoupledAnswersAreTheSame) {
  const std::string yaml =
      replaced(replaced(kDecay, "DISTRIBUTION", "{distribution: normal, mean: 1, deviation: 0.1}"), "DEGREE", "9");
  const RunOutcome coupled = run_case(yaml + "parameters: {method: coupled}\n");
  expect_moments(
      coupled, [](double t) { return std::exp(-t + 0.005 * t * t); }, 1e-10);
}

TEST(Distributions, HeatWithABetaConductivity) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {t: [0, 0.5], x: [0, 1], k: {distribution: beta, range: [0.5, 1.5], a: 3, b: 2}}
unknowns: [u]
equations: ["dt(u) = k*dx(u,2)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
exact: {u: "exp(-pi^2*k*t)*sin(pi*x)"}
resolution: {degree: {t: 14, x: 20, k: 14}, domains: {t: 4}}
verification: {tolerance: 1.0e-8}
output: {grid: {t: [0, 0.25, 0.5], x: [0, 0.5, 1], k: 3}}
)yaml");
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  const ParameterStatistics& r = outcome.statistics[0].statistics;
  const auto transform = [](double t) {  // of pi^2 k t
    const double s = std::numbers::pi * std::numbers::pi * t;
    double term = 1.0, sum = 1.0;
    for (int k = 0; k < 90; ++k) sum += term *= s / (k + 1.0) * (2.0 + k) / (5.0 + k);  // of 1.5 - k
    return std::exp(-1.5 * s) * sum;
  };
  for (std::size_t i : {1u, 2u}) {
    const double t = 0.25 * static_cast<double>(i), mean = transform(t);
    EXPECT_NEAR(r.mean.data[3 * i + 1], mean, 1e-10);
    EXPECT_NEAR(r.variance.data[3 * i + 1], transform(2.0 * t) - mean * mean, 1e-10);
  }
}

// u = t q (p^2 + 3), p normal, q uniform.
TEST(Distributions, SobolIndicesOfTwoParameters) {
  const RunOutcome outcome = run_case(R"yaml(
domain:
  t: [0, 1]
  p: {distribution: normal, mean: 0.7, deviation: 0.4}
  q: {distribution: uniform, range: [1, 3]}
unknowns: [u]
equations: ["dt(u) = q*(p^2 + 3)"]
initial: {u: "0"}
resolution: {degree: {t: 2, p: 2, q: 1}}
output: {grid: {t: [0, 1], p: 3, q: 3}}
)yaml");
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  const ParameterStatistics& r = outcome.statistics[0].statistics;
  const double square = 0.49 + 0.16, variance_of_square = 4.0 * 0.49 * 0.16 + 2.0 * 0.0256;
  const double first_p = 4.0 * variance_of_square, first_q = (square + 3.0) * (square + 3.0) / 3.0;
  const double variance = first_p + first_q + variance_of_square / 3.0;
  EXPECT_NEAR(r.mean.data[1], 2.0 * (square + 3.0), 1e-12);
  EXPECT_NEAR(r.variance.data[1], variance, 1e-12);
  EXPECT_NEAR(r.sobol_first.data[1], first_p / variance, 1e-12);  // (parameter, t)
  EXPECT_NEAR(r.sobol_first.data[3], first_q / variance, 1e-12);
  EXPECT_NEAR(r.sobol_total.data[1], 1.0 - first_q / variance, 1e-12);
  EXPECT_NEAR(r.sobol_total.data[3], 1.0 - first_p / variance, 1e-12);
}

// What the estimate says bounds what is wrong with mean and standard deviation, from degrees that are far too low to
// those that are enough, and a run whose statistics miss the tolerance fails.
TEST(Distributions, TheEstimateBoundsTheErrorsOfTheStatistics) {
  const auto transform = [](double t) { return std::exp(-t + 0.08 * t * t); };  // deviation 0.4
  for (int degree = 1; degree <= 12; ++degree) {
    const RunOutcome outcome = decay("{distribution: normal, mean: 1, deviation: 0.4}", degree);
    const ParameterStatistics& r = outcome.statistics[0].statistics;
    const double mean = transform(2.0), deviation = std::sqrt(transform(4.0) - mean * mean);
    const double wrong = std::max(std::abs(r.mean.data[3] - mean), std::abs(r.std.data[3] - deviation));
    const double estimate = outcome.report.verification.estimate.fields.at(0).largest;  // relative to u(0) = 1
    EXPECT_LE(wrong, 1.5 * estimate + 1e-14) << degree;
    EXPECT_EQ(outcome.status == ExitStatus::converged, 1.5 * estimate <= 1e-9) << degree;
    if (degree <= 6) {
      EXPECT_EQ(outcome.status, ExitStatus::unresolved) << degree;
    }
  }
}

// Judged by the root mean square, which bounds the errors of mean and standard deviation: lower degrees pass, none
// whose statistics are wrong by more than the tolerance does. E[(u - u_M)^2] of exp(-nu t) is sum over k > M of a_k^2,
// a_k = E[u] (-s t)^k/sqrt(k!), where the polynomial is the truncated series; the interpolant's is a little more.
TEST(Distributions, TheRootMeanSquareOfTheErrorJudgesMeans) {
  const auto transform = [](double t) { return std::exp(-t + 0.08 * t * t); };  // deviation 0.4
  int first_largest = 0, first_mean_square = 0;
  for (int degree = 2; degree <= 14; ++degree) {
    const std::string yaml =
        replaced(replaced(replaced(kDecay, "DISTRIBUTION", "{distribution: normal, mean: 1, deviation: 0.4}"), "DEGREE",
                          std::to_string(degree)),
                 "tolerance: 1.0e-9", "tolerance: 1.0e-7");
    const RunOutcome by_largest = run_case(yaml),
                     by_mean_square = run_case(yaml + "parameters: {error: mean_square}\n");
    const double largest = by_largest.report.verification.estimate.fields.at(0).largest,
                 estimate = by_mean_square.report.verification.estimate.fields.at(0).largest;
    EXPECT_LT(estimate, largest) << degree;
    double squares = 0.0;
    for (int k = degree + 1; k < 60; ++k) squares += std::exp(2.0 * k * std::log(0.8) - std::lgamma(k + 1.0));
    const double rms = transform(2.0) * std::sqrt(squares);
    if (rms > 1e-11) {
      EXPECT_GT(1.5 * estimate, 0.8 * rms) << degree;
      EXPECT_LT(estimate, 4.0 * rms) << degree;
    }
    const ParameterStatistics& r = by_mean_square.statistics[0].statistics;
    const double mean = transform(2.0), deviation = std::sqrt(transform(4.0) - mean * mean);
    const double wrong = std::max(std::abs(r.mean.data[3] - mean), std::abs(r.std.data[3] - deviation));
    EXPECT_LE(wrong, 1.5 * estimate + 1e-14) << degree;
    if (by_mean_square.status == ExitStatus::converged) {
      EXPECT_LE(wrong, 1e-7) << degree;
    }
    if (by_largest.status == ExitStatus::converged && first_largest == 0) first_largest = degree;
    if (by_mean_square.status == ExitStatus::converged && first_mean_square == 0) first_mean_square = degree;
  }
  EXPECT_GT(first_mean_square, 2);
  EXPECT_LT(first_mean_square, first_largest);
}

// The points of the run are solved again for goals and error fields: those that are unlikely say nothing of the size of
// the answer, which grows there.
TEST(Distributions, TheEstimateIsTheSameWithGoals) {
  const std::string yaml =
      replaced(replaced(kDecay, "DISTRIBUTION", "{distribution: normal, mean: 1, deviation: 0.4}"), "DEGREE", "14");
  const auto estimate = [](const std::string& text) {
    return run_case(text).report.verification.estimate.fields.at(0).largest;
  };
  const double alone = estimate(yaml);
  EXPECT_GT(alone, 1e-9);
  EXPECT_NEAR(estimate(yaml + "goals: {late: \"u(t=2, nu=1)\"}\n"), alone, 1e-3 * alone);
}

// Odd degrees have a point in the middle, even ones none: the error is looked at between points in any case.
TEST(Distributions, PointsBetweenAreNoPoints) {
  for (const char* distribution :
       {"{distribution: normal, mean: 1, deviation: 0.1}", "{distribution: lognormal, mu: 0, sigma: 0.3}",
        "{distribution: beta, range: [0, 1], a: 20, b: 20}", "{distribution: uniform, range: [0, 1]}"})
    for (int degree = 1; degree <= 30; ++degree) {
      const Model model = build_model(read_case_text(
          replaced(replaced(kDecay, "DISTRIBUTION", distribution), "DEGREE", std::to_string(degree)), "test.yaml"));
      const auto points = parameter_points(model), between = points_between(model);
      ASSERT_EQ(between.size(), 3u);
      for (const auto& looked_at : between)
        for (const auto& point : points)
          EXPECT_GT(std::abs(looked_at[1] - point[1]), 1e-4) << distribution << " degree " << degree;
    }
}

// A conductivity that is negative with some probability: the fast modes grow there, no polynomial follows, and the run
// says so.
TEST(Distributions, AnUnphysicalTailFails) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {t: [0, 1], x: [0, 1], k: {distribution: normal, mean: 0.1, deviation: 0.1}}
unknowns: [u]
equations: ["dt(u) = k*dx(u,2)"]
initial: {u: "x*(1 - x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 8, x: 16, k: 6}, domains: {t: 4}}
)yaml");
  EXPECT_NE(outcome.status, ExitStatus::converged);
}

TEST(Distributions, AutomaticDegrees) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {t: [0, 2], nu: {distribution: normal, mean: 1, deviation: 0.4}}
unknowns: [u]
equations: ["dt(u) = -nu*u"]
initial: {u: "1"}
resolution: {tolerance: 1.0e-7}
output: {grid: {t: [0, 2], nu: 3}}
)yaml");
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_NEAR(outcome.statistics[0].statistics.mean.data[1], std::exp(-2.0 + 0.32), 1e-7);
}

TEST(Distributions, CheckTellsDistributionAndQuadrature) {
  const auto problem = make_problem(read_case_text(
      replaced(replaced(kDecay, "DISTRIBUTION", "{distribution: normal, mean: 1, deviation: 0.1}"), "DEGREE", "8"),
      "test.yaml"));
  for (const auto& [name, text] : problem->summary().lines)
    if (name == "dimension nu") {
      expect_holds(text, "normal(1, 0.1), Hermite polynomials to degree 8");
      expect_holds(text, "solved at each of its 9 Gauss points; its points reach from 0.5487 to 1.451");
      expect_holds(text, "[0.7424, 1.258]");
      return;
    }
  ADD_FAILURE() << "no line about nu";
}

}  // namespace
}  // namespace gwrm::distributions_test
