// Estimated over true error on the problems by which the estimate was designed: space or time too coarse, dissipative,
// dispersive, conservative, stiff and chaotic ones, steady layers and corners. What is too coarse is chosen so that
// errors lie far above rounding; the truth is `exact`, a series, or the same case at a much finer resolution.
#include <algorithm>
#include <cstdio>

#include "problems/run_case.hpp"

namespace gwrm::effectivity_test {
namespace {

using test::find_check;
using test::replaced;
using test::run_case;

constexpr double kLeast = 0.7, kMost = 1.6;

void expect_ratio(const std::string& name, const RunOutcome& outcome, const std::string& unknown, double truth) {
  ASSERT_TRUE(outcome.complete) << outcome.report.reason;
  const double estimate = find_check(outcome, "estimate", unknown).value;
  std::printf("%-40s true %.2e, estimated/true %.3f\n", (name + ", " + unknown).c_str(), truth, estimate / truth);
  EXPECT_GT(truth, 1e-12) << name << ": rounding, not truncation";
  EXPECT_GE(estimate / truth, kLeast) << name << " " << unknown;
  EXPECT_LE(estimate / truth, kMost) << name << " " << unknown;
}

double relative_distance(const std::vector<double>& found, const std::vector<double>& truth) {
  EXPECT_EQ(found.size(), truth.size());
  double error = 0.0, size = 0.0;
  for (std::size_t i = 0; i < std::min(found.size(), truth.size()); ++i) {
    error = std::max(error, std::abs(found[i] - truth[i]));
    size = std::max(size, std::abs(truth[i]));
  }
  return error / size;
}

// On a grid that is fine enough in space for errors that oscillate as the highest modes, and at the verification's
// points, which are denser in time.
void expect_ratio_to_exact(const std::string& name, const std::string& text, const std::string& exact) {
  const RunOutcome outcome = run_case(text + "exact: {u: \"" + exact + "\"}\n" +
                                      "output: {grid: {x: 801}, fields: {u: u, truth: \"" + exact + "\"}}\n");
  expect_ratio(name, outcome, "u",
               std::max(relative_distance(outcome.fields.at(0).values.data, outcome.fields.at(1).values.data),
                        find_check(outcome, "error_max", "u").value));
}

// Against the sampled fields of a finer run on the same grid.
void expect_ratio_to_finer(const std::string& name, const std::string& text, const std::string& finer) {
  const RunOutcome outcome = run_case(text), reference = run_case(finer + "verification: {estimate: off}\n");
  ASSERT_TRUE(reference.complete) << reference.report.reason;
  for (std::size_t f = 0; f < reference.fields.size(); ++f)
    expect_ratio(name, outcome, reference.fields[f].name,
                 relative_distance(outcome.fields.at(f).values.data, reference.fields[f].values.data));
}

std::vector<double> values_at_times(const Solution& solution, const std::vector<double>& times) {
  expression::Symbols symbols;
  symbols.axes = solution.axes;
  for (const FieldSolution& field : solution.fields) symbols.fields.push_back({field.name, {"t"}});
  expression::Pool pool(symbols);
  return evaluate(pool, solution, expression::lower(pool, pool.field("u")), {times}).data;
}

TEST(Effectivity, HeatWithTooFewModes) {
  const std::string text = R"yaml(domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = 0.05*dx(u,2)"]
initial: {u: "sin(pi*x) + 0.5*sin(3*pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 8, x: 10}, domains: {t: 10}}
)yaml";
  for (const char* degree : {"8", "10", "12", "14"})
    expect_ratio_to_exact(std::string("heat, x ") + degree, replaced(text, "x: 10", std::string("x: ") + degree),
                          "exp(-0.05*pi^2*t)*sin(pi*x) + 0.5*exp(-0.45*pi^2*t)*sin(3*pi*x)");
}

TEST(Effectivity, BurgersByColeAndHopf) {
  const std::string text = R"yaml(domain: {t: [0, 1], x: [0, 1]}
constants: {nu: 0.1}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = nu*dx(u,2)"]
initial: {u: "2*nu*pi*sin(pi*x)/(1.2 + cos(pi*x))"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 8, x: 20}, domains: {t: 10}}
)yaml";
  for (const char* degree : {"12", "16", "20", "24"})
    expect_ratio_to_exact(std::string("Burgers, x ") + degree, replaced(text, "x: 20", std::string("x: ") + degree),
                          "2*nu*pi*exp(-pi^2*nu*t)*sin(pi*x)/(1.2 + exp(-pi^2*nu*t)*cos(pi*x))");
}

TEST(Effectivity, ASteepFront) {
  const std::string text = R"yaml(domain: {t: [0, 0.5], x: [0, 1]}
constants: {nu: 0.01}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = nu*dx(u,2)"]
initial: {u: "0.5 - 0.5*tanh((x - 0.3)/(4*nu))"}
boundary: ["u(x=0) = 0.5 - 0.5*tanh((-0.3 - 0.5*t)/(4*nu))", "u(x=1) = 0.5 - 0.5*tanh((0.7 - 0.5*t)/(4*nu))"]
resolution: {degree: {t: 6, x: 48}, domains: {t: 20}}
)yaml";
  for (const char* degree : {"24", "32", "48"})
    expect_ratio_to_exact(std::string("front, x ") + degree, replaced(text, "x: 48", std::string("x: ") + degree),
                          "0.5 - 0.5*tanh((x - 0.3 - 0.5*t)/(4*nu))");
}

TEST(Effectivity, CahnAndHilliard) {
  const std::string text = R"yaml(domain: {t: [0, 4], x: [0, 2*pi]}
unknowns: [u]
equations: ["dt(u) = dx(u^3 - u - 0.02*dx(u,2), 2)"]
initial: {u: "0.3*cos(x) + 0.2*cos(3*x)"}
boundary: ["dx(u)(x=0) = 0", "dx(u)(x=2*pi) = 0", "dx(u,3)(x=0) = 0", "dx(u,3)(x=2*pi) = 0"]
resolution: {degree: {t: 6, x: 20}, domains: {t: 200, x: 4}}
output: {grid: {t: 801, x: 161}}
)yaml";
  const std::string finer = replaced(replaced(text, "x: 20", "x: 40"), "t: 200", "t: 400");
  for (const char* degree : {"20", "24", "28"})
    expect_ratio_to_finer(std::string("Cahn-Hilliard, x ") + degree,
                          replaced(text, "x: 20", std::string("x: ") + degree), finer);
}

TEST(Effectivity, ASolitonOfKortewegAndDeVries) {
  const std::string soliton = "2/cosh(x - 4*t + 4)^2";
  const std::string text = R"yaml(domain: {t: [0, 1], x: [-12, 12]}
unknowns: [u]
equations: ["dt(u) + 6*u*dx(u) + dx(u,3) = 0"]
initial: {u: "2/cosh(x + 4)^2"}
boundary: ["u(x=-12) = SOLITON(x=-12)", "u(x=12) = SOLITON(x=12)", "dx(u)(x=12) = SLOPE"]
resolution: {degree: {t: 7, x: 64}, domains: {t: 40}}
)yaml";
  std::string whole = text;
  whole = replaced(whole, "SOLITON(x=-12)", "2/cosh(-8 - 4*t)^2");
  whole = replaced(whole, "SOLITON(x=12)", "2/cosh(16 - 4*t)^2");
  whole = replaced(whole, "SLOPE", "-4*sinh(16 - 4*t)/cosh(16 - 4*t)^3");
  for (const char* degree : {"64", "90"})
    expect_ratio_to_exact(std::string("KdV, x ") + degree, replaced(whole, "x: 64", std::string("x: ") + degree),
                          soliton);
}

TEST(Effectivity, ChaosBeforeItsHorizon) {
  const std::string text = R"yaml(domain: {t: [0, 10]}
unknowns: [x1, x2, x3]
equations: ["dt(x1) = 10*(x2 - x1)", "dt(x2) = x1*(28 - x3) - x2", "dt(x3) = x1*x2 - 8/3*x3"]
initial: {x1: "1", x2: "1", x3: "1"}
resolution: {degree: {t: 8}, domains: {t: 150}}
output: {grid: {t: 2001}}
)yaml";
  expect_ratio_to_finer("Lorenz to t = 10", text, replaced(replaced(text, "t: 8", "t: 14"), "t: 150", "t: 300"));
}

TEST(Effectivity, AStiffOscillator) {
  const std::string text = R"yaml(domain: {t: [0, 200]}
unknowns: [u, v]
equations: ["dt(u) = v", "dt(v) = 100*(1 - u^2)*v - u"]
initial: {u: "2", v: "0"}
resolution: {degree: {t: 12}, tolerance: 1.0e-6}
output: {grid: {t: 20001}}
)yaml";
  const RunOutcome outcome = run_case(text);
  const RunOutcome finer = run_case(replaced(text, "1.0e-6", "1.0e-11") + "verification: {estimate: off}\n");
  ASSERT_TRUE(finer.complete) << finer.report.reason;
  // Where u jumps the error is that of the time of the jump: looked for at the points of the finer polynomials.
  std::vector<double> times;
  for (std::size_t w = 0; w + 1 < finer.solution.window_edges.size(); ++w)
    for (int i = 0; i < 12; ++i)
      times.push_back(finer.solution.window_edges[w] +
                      (finer.solution.window_edges[w + 1] - finer.solution.window_edges[w]) * (i + 0.5) / 12);
  const std::vector<double> u = values_at_times(outcome.solution, times), v = values_at_times(finer.solution, times);
  double error = 0.0, size = 0.0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    error = std::max(error, std::abs(u[i] - v[i]));
    size = std::max(size, std::abs(v[i]));
  }
  expect_ratio("van der Pol, mu = 100", outcome, "u", error / size);
}

TEST(Effectivity, AWaveOverFiftyWindows) {
  const std::string text = R"yaml(domain: {t: [0, 10], x: [0, 1]}
unknowns: [u]
equations: ["dt(u,2) = dx(u,2)"]
initial: {u: "sin(pi*x) + 0.3*sin(4*pi*x)", "dt(u)": "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 8, x: 18}, domains: {t: 50}}
)yaml";
  for (const char* degree : {"14", "18"})
    expect_ratio_to_exact(std::string("wave, x ") + degree, replaced(text, "x: 18", std::string("x: ") + degree),
                          "cos(pi*t)*sin(pi*x) + 0.3*cos(4*pi*t)*sin(4*pi*x)");
}

// eps u'' = u u', u(0) = 1, u(1) = -1: u = -a tanh(a (x - 1/2)/(2 eps)), a = 1/tanh(a/(4 eps)).
TEST(Effectivity, SteadyLayers) {
  const std::string text = R"yaml(domain: {x: [0, 1]}
constants: {eps: EPS, a: AMPLITUDE}
unknowns: [u]
equations: ["eps*dx(u,2) = u*dx(u)"]
boundary: ["u(x=0) = 1", "u(x=1) = -1"]
guess: {u: "1 - 2*x"}
resolution: {degree: {x: DEGREE}}
)yaml";
  const auto layer = [&](double eps, int degree) {
    double a = 1.0;
    for (int i = 0; i < 50; ++i) a = 1.0 / std::tanh(a / (4.0 * eps));
    char amplitude[40];
    std::snprintf(amplitude, sizeof amplitude, "%.17g", a);
    const std::string name = "layer " + std::to_string(eps) + ", x " + std::to_string(degree);
    expect_ratio_to_exact(name,
                          replaced(replaced(replaced(text, "EPS", std::to_string(eps)), "AMPLITUDE", amplitude),
                                   "DEGREE", std::to_string(degree)),
                          "-a*tanh(a*(x - 0.5)/(2*eps))");
  };
  for (int degree : {24, 36, 48}) layer(0.05, degree);
  for (int degree : {36, 48, 64}) layer(0.03, degree);
}

// u = x(1 - x)/2 - 4/pi^3 sum over odd n of sin(n pi x) cosh(n pi (y - 1/2))/(n^3 cosh(n pi/2)).
TEST(Effectivity, CornersOfASquare) {
  const auto torsion = [](double x, double y) {
    double sum = 0.0;
    for (int n = 1; n < 400; n += 2) {
      const double k = n * M_PI;
      sum += std::sin(k * x) * (std::exp(k * (y - 1.0)) + std::exp(-k * y)) / (std::pow(n, 3) * (1.0 + std::exp(-k)));
    }
    return 0.5 * x * (1.0 - x) - 4.0 / std::pow(M_PI, 3) * sum;
  };
  const std::string text = R"yaml(domain: {x: [0, 1], y: [0, 1]}
unknowns: [u]
equations: ["-lap(u) = 1"]
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=1) = 0"]
resolution: {degree: {x: N, y: N}}
output: {grid: {x: 65, y: 65}}
)yaml";
  for (const char* degree : {"16", "24", "48", "96"}) {
    const RunOutcome outcome = run_case(replaced(replaced(text, "N", degree), "N", degree));
    const SampledField& u = outcome.fields.at(0);
    double error = 0.0;
    for (Index i = 1; i < 64; ++i)
      for (Index j = 1; j < 64; ++j)
        error = std::max(error, std::abs(u.values.data[static_cast<std::size_t>(65 * i + j)] -
                                         torsion(static_cast<double>(i) / 64, static_cast<double>(j) / 64)));
    expect_ratio(std::string("square, degree ") + degree, outcome, "u", error / torsion(0.5, 0.5));
  }
}

}  // namespace
}  // namespace gwrm::effectivity_test
