// Cases of problem: ball as the command line runs them, and what is wrong with bad ones.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "ball_cases.hpp"

namespace gwrm::test::ball_problem_test {
namespace {

const std::string kHeat = R"yaml(
problem: ball
domain: {t: [0, 0.03]}
ball:
  degree: {t: 12, r: 30, l: 3, m: 2}
  tolerance: 1.0e-12
  fields: {u: {kind: scalar}}
initial: {u: "(1 - r^2)*(1 + z + x^2 - y^2 + 2*x*z + (5*z^3 - 3*z*r^2)/2)"}
output: {grid: {t: 2, r: 3, theta: 3, phi: 3}}
verification:
  tolerance: 1.0e-5
)yaml";

std::string with_fields(const std::string& fields, const std::string& initial, const std::string& degree) {
  return "problem: ball\ndomain: {t: [0, 0.1]}\nball:\n  degree: " + degree + "\n  fields: " + fields + "\n" + initial;
}

std::string vector_case(const std::string& initial, const std::string& kind = "magnetic") {
  return with_fields("{B: {kind: " + kind + "}}", "initial: {B: " + initial + "}\n", "{t: 8, r: 8, l: 4, m: 2}");
}

TEST(BallProblem, HeatHasTheValueOfTheBesselSeries) {
  // Of the series in spherical Bessel functions, by scipy.
  const RunOutcome outcome =
      run_case(kHeat +
               "  values: [{expr: u, at: {t: 0.03, r: 0.3741657386773941, theta: 1.3002465638163239, phi: "
               "0.5880026035475675}, value: 0.7805340766325093}]\n");
  EXPECT_TRUE(outcome.complete);
  EXPECT_LE(find_check(outcome, "value").value, 1e-10);
  EXPECT_LE(find_check(outcome, "initial").value, 1e-12);
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
}

// A source of an order that neither the run nor the finer one of its estimate has, from fields that begin with nothing.
TEST(BallProblem, SourceThatTheHarmonicsDoNotHoldFails) {
  const auto run = [](const std::string& source, const std::string& degree) {
    return run_case("problem: ball\ndomain: {t: [0, 0.3]}\nball:\n  degree: " + degree +
                    "\n  tolerance: 1.0e-8\n  fields: {u: {kind: scalar, source: \"" + source +
                    "\"}}\ninitial: {u: \"0\"}\noutput: {grid: {t: 2, r: 3, theta: 3, phi: 3}}\n"
                    "verification: {tolerance: 1.0e-3}\n");
  };
  const std::string held = "x", other = "x + 5*(x^3 - 3*x*y^2)";
  EXPECT_EQ(run(held, "{t: 8, r: 12, l: 4, m: 2}").status, ExitStatus::converged);
  EXPECT_EQ(run(other, "{t: 8, r: 12, l: 4, m: 3}").status, ExitStatus::converged);
  const RunOutcome unseen = run(other, "{t: 8, r: 12, l: 4, m: 2}");
  EXPECT_EQ(unseen.status, ExitStatus::unresolved);
  EXPECT_GT(find_check(unseen, "data").value, 1e-2);
  EXPECT_LE(find_check(unseen, "initial").value, 1e-12);
}

TEST(BallProblem, SourceAndRadiusAreThoseOfTheCase) {
  const RunOutcome outcome = expect_exact(R"yaml(
problem: ball
domain: {t: [0, 1]}
ball:
  radius: 2
  degree: {t: 12, r: 4, l: 2, m: 1}
  fields: {u: {kind: scalar, diffusivity: 0.5, boundary: value,
               source: "cos(t)*(4 - r^2)*(1 + x*z) + sin(t)*(3 + 7*x*z)"}}
exact: {u: "sin(t)*(4 - r^2)*(1 + x*z)"}
output: {grid: {t: 4, r: 5, theta: 5, phi: 5}}
verification: {tolerance: 1.0e-9}
)yaml",
                                          1e-9);
  EXPECT_TRUE(outcome.module_arrays.has_value());
}

TEST(BallProblem, RobinAndSlopeKeepWhatTheyShould) {
  // The mean of a field with dr u = 0 stays: energy of l = 0 tends to that of the mean.
  const RunOutcome outcome =
      run_case(with_fields("{u: {kind: scalar, boundary: slope}}", "initial: {u: \"r^2*(1 - r^2/2)\"}\n",
                           "{t: 8, r: 10, l: 0}") +
               "verification: {estimate: off, values: [{expr: u, at: {t: 0.1, r: 1, theta: 0, phi: 0}, value: 1}]}\n");
  ASSERT_TRUE(outcome.complete);
  const auto [first, last] = energy_of(outcome, "u");
  const double mean = 3.0 / 5.0 - 3.0 / 14.0, rest = 0.5 * mean * mean * 4.0 / 3.0 * 3.14159265358979323846;
  EXPECT_LT(last, first);
  EXPECT_GT(last, rest);
  EXPECT_NEAR(last / rest, 1.0, 0.01);
}

TEST(BallProblem, FlowsDecayWithTheirRates) {
  // Poloidal no-slip flow of l = 1: rate 5.7634592^2, the square of the zero of j_2; its energy with twice that.
  const RunOutcome outcome = run_case(R"yaml(
problem: ball
domain: {t: [0, 0.3]}
ball:
  degree: {t: 10, r: 14, l: 1, m: 0}
  fields: {U: {kind: velocity, boundary: no_slip, diffusivity: 1}}
initial: {U: {poloidal: {"1,0": "r*(1 - r^2)^2"}}}
output: {grid: {t: [0, 0.2, 0.3], r: 3, theta: 3, phi: 3}}
verification: {tolerance: 1.0e-6}
)yaml");
  ASSERT_TRUE(outcome.complete) << outcome.report.reason;
  for (const NamedArray& array : outcome.module_arrays->arrays)
    if (array.name == "U_energy") {
      EXPECT_NEAR(-std::log(array.values[2] / array.values[1]) / 0.2, 5.763459196894550 * 5.763459196894550, 1e-4);
    }
}

TEST(BallProblem, WindowsAsGivenAndTheResolvedCaseAreKept) {
  const Case the_case = read_case_text(kHeat + "  estimate: off\n", "test.yaml", {parse_override("ball.windows=4")});
  EXPECT_EQ(read_case_text(the_case.resolved_text, "resolved.yaml").resolved_text, the_case.resolved_text);
  const RunOutcome outcome = make_problem(the_case)->run(Context::create(BackendChoice::cpu, 1), {});
  EXPECT_EQ(outcome.report.n_windows, 4);
  EXPECT_EQ(outcome.solution.window_edges.size(), 5u);
}

TEST(BallProblem, BadCasesAreRefusedWithTheirPlaceAndCure) {
  expect_refused_case(vector_case("{poloidal: {\"1,2\": \"r\"}}"), "take |m| <= l");
  expect_refused_case(vector_case("{poloidal: {\"one\": \"r\"}}"), "is no harmonic");
  expect_refused_case(vector_case("{poloidal: {\"0,0\": \"r\"}}"), "begin with l = 1");
  expect_refused_case(vector_case("{poloidal: {\"5,0\": \"r^5\"}}"), "ball.degree has l: 4, this needs 5");
  expect_refused_case(vector_case("{toroidal: {\"3,3\": \"r^3\"}}"), "ball.degree has m: 2, this needs 3");
  expect_refused_case(vector_case("{toroidal: {\"2,0\": \"r^2\"}}"), "it misses by 1 of its size");
  expect_refused_case(vector_case("{poloidal: {\"1,0\": \"r*(1 - r^2)\"}}"), "dr(P) + (l+1)/r*P = 0");
  expect_refused_case(vector_case("{poloidal: {\"2,0\": \"r*(1 - r^2)\"}}"), "begins with r^2");
  expect_refused_case(vector_case("{poloidal: {\"1,0\": \"x\"}}"), "a function of r alone");
  expect_refused_case(vector_case("\"r\""), "is a vector field");
  expect_refused_case(vector_case("{poloidal: {\"1,0\": \"r*(1 - r^2)\"}}", "scalar"), "is a scalar");
  expect_refused_case(with_fields("{u: {boundary: no_slip}}", "", "{t: 8, r: 8, l: 4}"),
                      "take one of value, slope, robin");
  expect_refused_case(with_fields("{u: {kind: velocity, source: \"1\"}}", "", "{t: 8, r: 8, l: 4}"),
                      "give its components");
  expect_refused_case(with_fields("{B: {kind: magnetic, source: \"1\"}}", "", "{t: 8, r: 8, l: 4}"),
                      "give its components");
  expect_refused_case(with_fields("{u: {kind: velocity}}", "", "{t: 8, r: 1, l: 4}"), "raise r to 2");
  expect_refused_case(with_fields("{B: {kind: magnetic}}", "", "{t: 8, r: 8, l: 0}"), "begins with l = 1");
  expect_refused_case(with_fields("{u: {}}", "", "{t: 8, r: 8, l: 2, m: 3}"), "take m <= l");
  expect_refused_case(with_fields("{theta: {}}", "", "{t: 8, r: 8, l: 2}"), "is a coordinate of the ball");
  expect_refused_case(with_fields("{u: {}}", "initial: {u: \"t*x\"}\n", "{t: 8, r: 8, l: 2}"), "does not depend on t");
  expect_refused_case(with_fields("{u: {}}", "boundary: [\"u = 0\"]\n", "{t: 8, r: 8, l: 2}"), "words of its fields");
  expect_refused_case(with_fields("{u: {}}", "unknowns: [u]\n", "{t: 8, r: 8, l: 2}"),
                      "`unknowns` belongs to problem:");
  expect_refused_case(
      "problem: ball\ndomain: {t: [0, 1], x: [0, 1]}\nball: {degree: {t: 4, r: 4, l: 2}, fields: {u: {}}}\n",
      "has the domain t alone");
  for (const std::string radius : {"0", "-1", "0.5 - 1"}) {
    const std::string yaml = "problem: ball\ndomain: {t: [0, 1]}\nball:\n  radius: " + radius +
                             "\n  degree: {t: 4, r: 4, l: 2}\n  fields: {u: {}}\n";
    expect_refused_case(yaml, "test.yaml:4:");
    expect_refused_case(yaml, "greater than 0");
    expect_refused_case(yaml, "take the radius of the sphere");
  }
}

}  // namespace
}  // namespace gwrm::test::ball_problem_test
