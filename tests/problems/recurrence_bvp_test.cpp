// problem: recurrence_bvp: orders, rounding, conditions, sources, and everything that must be refused.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include <fmt/format.h>

#include "output/hdf5_file.hpp"
#include "problems/recurrence_bvp/recurrence_case.hpp"
#include "problems/run_case.hpp"

namespace gwrm::recurrence_bvp_test {
namespace {

using std::numbers::pi;
using test::expect_holds;
using test::find_check;
using test::replaced;
using test::run_case;

const std::string kP1 = R"yaml(
problem: recurrence_bvp
domain: {x: [0, 1]}
unknowns: [u]
boundary: ["dx(u)(x=0) = 0", "u(x=1) = 0"]
recurrence: {intervals: 1024, source: "pi^2/4*cos(pi/2*x)"}
exact: {u: "cos(pi/2*x)"}
output: {grid: {x: 1025}}
verification: {residual: 1.0e-9}
)yaml";

struct Problem {
  const char* name;
  const char* text;
};

// Every kind of condition, every recurrence.
const Problem kProblems[] = {{"neumann_dirichlet", R"yaml(
boundary: ["dx(u)(x=0) = 0", "u(x=1) = 0"]
recurrence: {intervals: N, order: P, source: "pi^2/4*cos(pi/2*x)"}
exact: {u: "cos(pi/2*x)"}
)yaml"},
                             {"dirichlet_dirichlet", R"yaml(
boundary: ["u(x=0) = 1", "2*u(x=1) = 2*exp(1)"]
recurrence: {intervals: N, order: P, source: "-exp(x)"}
exact: {u: "exp(x)"}
)yaml"},
                             {"robin_robin_long", R"yaml(
boundary: ["u(x=-1) - 2*dx(u)(x=-1) = sin(-3) - 6*cos(-3)", "u(x=4) + 0.5*dx(u)(x=4) = sin(12) + 1.5*cos(12)"]
domain: {x: [-1, 4]}
recurrence: {intervals: N, order: P, source: "9*sin(3*x)"}
exact: {u: "sin(3*x)"}
)yaml"},
                             {"shooting", R"yaml(
boundary: ["u(x=0) = 2", "dx(u)(x=1) = 2*exp(2)"]
recurrence: {intervals: N, order: P, reaction: 0.7^2, source: "(0.49 - 4)*exp(2*x) + 0.49"}
exact: {u: "exp(2*x) + 1"}
)yaml"},
                             {"two_sided", R"yaml(
boundary: ["dx(u)(x=0) = u(x=0) + 3", "u(x=1) = exp(1) + sin(3)"]
recurrence: {intervals: N, order: P, reaction: 100, source: "99*exp(x) + 109*sin(3*x)"}
exact: {u: "exp(x) + sin(3*x)"}
)yaml"},
                             {"across_the_ends", R"yaml(
boundary: ["u(x=0) + u(x=1) = 1 + exp(1)", "dx(u)(x=0) - 2*dx(u)(x=1) = 1 - 2*exp(1)"]
recurrence: {intervals: N, order: P, source: "-exp(x)"}
exact: {u: "exp(x)"}
)yaml"}};

double error_of(const Problem& problem, int intervals, int order) {
  std::string text = std::string("problem: recurrence_bvp\nunknowns: [u]\n") + problem.text;
  if (text.find("domain:") == std::string::npos) text += "domain: {x: [0, 1]}\n";
  text += "verification: {tolerance: 1, residual: 1.0e-9}\n";
  text = replaced(replaced(text, "N,", std::to_string(intervals) + ","), "P,", std::to_string(order) + ",");
  const RunOutcome outcome = run_case(text);
  EXPECT_TRUE(outcome.complete) << problem.name << ": " << outcome.report.reason;
  EXPECT_LE(find_check(outcome, "residual").value, 1e-10) << problem.name;
  for (const Check& check : outcome.report.verification.checks)
    EXPECT_TRUE(check.kind != "boundary" || check.value <= 1e-10) << problem.name << " " << check.subject;
  return find_check(outcome, "error_max").value;
}

TEST(RecurrenceBvp, ConvergesAtItsOrder) {
  for (const Problem& problem : kProblems)
    for (int order : {2, 4}) {
      const double coarse = error_of(problem, 100, order), fine = error_of(problem, 200, order);
      EXPECT_NEAR(std::log2(coarse / fine), order, 0.25) << problem.name << " " << coarse << " " << fine;
    }
}

// The discrete solution of P1 is (z / sin z)^2 cos(pi/2 x), z = pi h/4.
TEST(RecurrenceBvp, RoundsOnceAtEverySize) {
  for (int power : {4, 7, 10, 13, 16, 20}) {
    const Index n = Index{1} << power;
    const RunOutcome outcome = run_case(replaced(replaced(kP1, "intervals: 1024", fmt::format("intervals: {}", n)),
                                                 "x: 1025", fmt::format("x: {}", std::min<Index>(n, 65536) + 1)));
    ASSERT_EQ(outcome.fields.size(), 1u);
    const long double z = std::numbers::pi_v<long double> / 4.0L / static_cast<long double>(n);
    long double difference = 0.0L, size = 0.0L;
    for (std::size_t i = 0; i < outcome.grid[0].size(); ++i) {
      const long double x = outcome.grid[0][i];
      const long double exact =
          z / std::sin(z) * (z / std::sin(z)) * std::cos(std::numbers::pi_v<long double> / 2.0L * x);
      difference += (outcome.fields[0].values.data[i] - exact) * (outcome.fields[0].values.data[i] - exact);
      size += exact * exact;
    }
    EXPECT_LE(std::sqrt(static_cast<double>(difference / size)), 3e-16) << n;
  }
}

// Over short windows the rounding of u would drown its curvature and slope: they grow with the number of points.
TEST(RecurrenceBvp, VerifiesBeyondTheRoundingOfTheSolution) {
  for (const char* intervals : {"4000", "2^22"}) {
    const RunOutcome outcome =
        run_case(replaced(replaced(kP1, "intervals: 1024", std::string("order: 4, intervals: ") + intervals),
                          "{residual: 1.0e-9}", "{residual: 1.0e-12, tolerance: 2.0e-14}"));
    for (const Check& check : outcome.report.verification.checks)
      EXPECT_TRUE(check.passed()) << intervals << " " << check.kind << " " << check.subject << " " << check.value;
    EXPECT_EQ(outcome.report.verification.checks.size(), 6u);
  }
}

// Where the source is nothing beside u, its rounding is no residual: straight lines, and a narrow bump between windows.
TEST(RecurrenceBvp, RoundingIsNoResidual) {
  const std::string line =
      replaced(replaced(replaced(kP1, "dx(u)(x=0) = 0", "u(x=0) = 1"), "u(x=1) = 0", "u(x=1) = 0.3"),
               "exact: {u: \"cos(pi/2*x)\"}", "");
  for (const char* source : {"0", "1e-12*x", "exp(-1e5*(x-0.501)^2)"})
    for (const char* order : {"2", "4"}) {
      const RunOutcome outcome = run_case(
          replaced(line, "source: \"pi^2/4*cos(pi/2*x)\"", fmt::format("source: \"{}\", order: {}", source, order)));
      EXPECT_EQ(outcome.status, ExitStatus::converged) << source << " " << outcome.report.reason;
    }
}

TEST(RecurrenceBvp, AlgorithmsOfThePaperGiveItsErrors) {
  const auto error = [](const std::string& algorithm) {
    const RunOutcome outcome = run_case(replaced(
        replaced(replaced(kP1, "1024,", "2^20, algorithm: " + algorithm + ","), "x: 1025", "x: 11"), "1.0e-9", "1"));
    return find_check(outcome, "error_l2").value;
  };
  EXPECT_NEAR(error("a1d"), 1.930917e-13, 1e-18);
  EXPECT_NEAR(error("a2d"), 1.877603e-13, 1e-18);
  EXPECT_NEAR(error("moments"), 1.870074e-13, 1e-16);  // the discretisation alone; pi^2/4 is rounded
  EXPECT_NEAR(error("a2sd") / 2.569e-7, 1.0, 0.3);
}

// Data other than zero, on another interval.
TEST(RecurrenceBvp, AlgorithmsOfThePaperTakeEndValues) {
  const std::string text = R"yaml(
problem: recurrence_bvp
domain: {x: [1, 3]}
unknowns: [u]
boundary: ["2*dx(u)(x=1) = 2*exp(1)", "u(x=3) = exp(3)"]
recurrence: {intervals: 400, algorithm: a2d, columns: 25, source: "-exp(x)"}
exact: {u: "exp(x)"}
verification: {tolerance: 2.0e-5}
)yaml";
  const RunOutcome paper = run_case(text), moments = run_case(replaced(text, "a2d, columns: 25", "moments"));
  EXPECT_TRUE(paper.report.verification.passed()) << paper.report.reason;
  for (std::size_t i = 0; i < paper.fields[0].values.data.size(); ++i)
    EXPECT_NEAR(paper.fields[0].values.data[i], moments.fields[0].values.data[i], 1e-12);
}

TEST(RecurrenceBvp, SamplesExpressionsOfTheSolution) {
  const std::string text = replaced(kP1, "output: {grid: {x: 1025}}",
                                    "output: {grid: {x: [0, 0.25, 1]}, fields: {slope: \"dx(u)\", second: \"dx(u,2) + "
                                    "x\", mixed: \"u*u(x=0.5) + 1\", "
                                    "number: \"2*u(x=0)\"}}");
  const RunOutcome outcome = run_case(text);
  EXPECT_EQ(outcome.grid[0], (std::vector<double>{0.0, 0.25, 1.0}));
  const auto field = [&](std::size_t f) { return outcome.fields.at(f).values.data; };
  EXPECT_NEAR(field(0)[1], -pi / 2.0 * std::sin(pi / 8.0), 1e-6);
  EXPECT_NEAR(field(0)[2], -pi / 2.0, 1e-6);
  EXPECT_NEAR(field(1)[1], 0.25 - pi * pi / 4.0 * std::cos(pi / 8.0), 1e-12);
  EXPECT_NEAR(field(2)[1], 1.0 + std::cos(pi / 8.0) * std::cos(pi / 4.0), 1e-6);
  EXPECT_TRUE(outcome.fields[3].axes.empty());
  EXPECT_NEAR(field(3).at(0), 2.0, 1e-6);
}

void expect_case_error(const std::string& text, const std::string& fragment) {
  try {
    run_case(text);
    ADD_FAILURE() << "no error; expected: " << fragment;
  } catch (const CaseError& error) {
    expect_holds(error.what(), fragment);
    expect_holds(error.what(), "test.yaml:");
  }
}

TEST(RecurrenceBvp, ReadsItsSourceFromAFile) {
  const std::string path = (std::filesystem::temp_directory_path() / "gwrm_recurrence_source.h5").string();
  RunOutcome stored = run_case(replaced(kP1, "grid: {x: 1025}", "grid: {x: 1025}, fields: {f: \"-dx(u,2)\"}"));
  write_hdf5(path, stored.output_data(), true);
  const std::string source = fmt::format("{{file: \"{}\", dataset: f}}", path);
  const std::string text = replaced(kP1, "\"pi^2/4*cos(pi/2*x)\"", source);
  const RunOutcome from_file = run_case(text), evaluated = run_case(kP1);
  EXPECT_TRUE(from_file.complete) << from_file.report.reason;
  EXPECT_EQ(from_file.fields[0].values.data, evaluated.fields[0].values.data);
  // The caret stands under the key's value that is wrong.
  const auto column = [&](const std::string& wrong, const std::string& key) {
    const std::size_t found = wrong.find(key), line = wrong.rfind('\n', found);
    return fmt::format(":{}: error: ", found + key.size() - line);
  };
  std::string wrong = replaced(text, "intervals: 1024", "intervals: 1000");
  expect_case_error(wrong, column(wrong, "dataset: ") + "the dataset f");
  expect_case_error(wrong, "has 1025 values, 1000 intervals have 1001 points");
  wrong = replaced(text, "dataset: f", "dataset: g");
  expect_case_error(wrong, column(wrong, "dataset: ") + "there is no dataset g");
  wrong = replaced(text, "gwrm_recurrence_source", "gwrm_no_such_file");
  expect_case_error(wrong, column(wrong, "file: \"") + "there is no file");
  std::ofstream(path) << "no HDF5";
  expect_case_error(text, column(text, "file: \"") + "opening the HDF5 file");
  std::filesystem::remove(path);
}

TEST(RecurrenceBvp, StoresInSinglePrecision) {
  const RunOutcome outcome = run_case(replaced(kP1, "1024,", "2^16, precision: single,"));
  EXPECT_NEAR(find_check(outcome, "error_l2").value, 2.06e-8, 0.1e-8);  // half a unit of float
}

// u = sin(x) + cos(2x), slopes 1 at both ends of a period.
const std::string kNeumann = R"yaml(
problem: recurrence_bvp
domain: {x: [0, 2*pi]}
unknowns: [u]
boundary: ["dx(u)(x=0) = 1", "dx(u)(x=2*pi) = 1", "integral(u, x) = 0"]
recurrence: {intervals: 1000, order: 4, source: "sin(x) + 4*cos(2*x)"}
exact: {u: "sin(x) + cos(2*x)"}
verification: {tolerance: 1.0e-9, residual: 1.0e-9}
)yaml";

TEST(RecurrenceBvp, PureNeumannAndPeriodicFixTheMean) {
  test::expect_exact(kNeumann, 1e-9);
  test::expect_exact(replaced(replaced(kNeumann, "dx(u)(x=0) = 1", "u(x=0) = u(x=2*pi)"), "dx(u)(x=2*pi) = 1",
                              "dx(u)(x=0) = dx(u)(x=2*pi)"),
                     1e-9);
  // Another mean.
  test::expect_exact(
      replaced(replaced(kNeumann, "integral(u, x) = 0", "integral(u, x) = 6*pi"), "u: \"sin", "u: \"3 + sin"), 1e-9);
}

TEST(RecurrenceBvp, SingularConditionsAreNamed) {
  const RunOutcome outcome = run_case(replaced(kNeumann, ", \"integral(u, x) = 0\"", ""));
  EXPECT_EQ(outcome.status, ExitStatus::singular);
  EXPECT_FALSE(outcome.complete);
  expect_holds(outcome.report.reason, "dx(u)(x=2*pi) = 1");
  expect_holds(outcome.report.reason, "integral(u, x) = 0");
}

TEST(RecurrenceBvp, IncompatibleSlopesAreRefused) {
  const RunOutcome outcome = run_case(replaced(kNeumann, "dx(u)(x=0) = 1", "dx(u)(x=0) = 1.5"));
  EXPECT_EQ(outcome.status, ExitStatus::singular);
  EXPECT_EQ(outcome.report.status, "no solution");
  expect_holds(outcome.report.reason, "contradict the source");
}

TEST(RecurrenceBvp, NotANumberIsFoundInTheSource) {
  const RunOutcome outcome = run_case(replaced(kP1, "pi^2/4*cos(pi/2*x)", "log(x - 0.25)"));
  EXPECT_EQ(outcome.status, ExitStatus::not_finite);
  EXPECT_FALSE(outcome.complete);
  expect_holds(outcome.report.reason, "x = 0 (point 0");
  const RunOutcome pole = run_case(replaced(kP1, "pi^2/4*cos(pi/2*x)", "1/(x - 0.5)"));
  EXPECT_EQ(pole.status, ExitStatus::not_finite);
  expect_holds(pole.report.reason, "x = 0.5");
  EXPECT_EQ(
      run_case(replaced(replaced(kP1, "pi^2/4*cos(pi/2*x)", "1/(x - 0.5)"), "1024,", "1024, algorithm: a1d,")).status,
      ExitStatus::not_finite);
}

TEST(RecurrenceBvp, NotANumberIsFoundInConditionsAndExact) {
  const std::pair<std::string, std::string> mistakes[] = {
      {replaced(kP1, "u(x=1) = 0", "u(x=1) = 1/0"), "the condition is not finite"},
      {replaced(kP1, "u(x=1) = 0", "log(-1)*u(x=1) = 0"), "the condition is not finite"},
      {replaced(kP1, "\"cos(pi/2*x)\"", "\"1/x\""), "the exact solution is inf at x = 0:"},
      {replaced(replaced(kP1, "\"cos(pi/2*x)\"", "\"1/(x - 1)\""), "1024", "3*2^20 + 1"), "inf at x = 1:"}};
  for (const auto& [text, fragment] : mistakes) {
    try {
      make_problem(read_case_text(text, "test.yaml"));
      ADD_FAILURE() << "no error; expected: " << fragment;
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), ExitStatus::not_finite);
      expect_holds(error.what(), fragment);
      expect_holds(error.what(), "test.yaml:");
    }
  }
}

TEST(RecurrenceBvp, TooMuchMemoryIsRefusedWithAnEstimate) {
  try {
    run_case(replaced(kP1, "intervals: 1024", "intervals: 2^40"));
    FAIL() << "no error";
  } catch (const MemoryError& error) {
    expect_holds(error.what(), "1099511627777 points need");
    expect_holds(error.what(), "fewer intervals");
  }
}

TEST(RecurrenceBvp, MistakesAreNamed) {
  const auto changed = [](const std::string& from, const std::string& to) { return replaced(kP1, from, to); };
  expect_case_error(changed("dx(u)(x=0) = 0", "u(x=0)^2 = 0"), "linear");
  expect_case_error(changed("dx(u)(x=0) = 0", "u(x=0.5) = 0"), "x=0 or x=1");
  expect_case_error(changed("dx(u)(x=0) = 0", "u = 0"), "restriction such as u(x=0)");
  expect_case_error(changed("dx(u)(x=0) = 0", "dx(u,2)(x=0) = 0"), "first derivatives");
  expect_case_error(changed("dx(u)(x=0) = 0", "u(x=0) = x"), "numbers as coefficients");
  expect_case_error(changed("dx(u)(x=0) = 0", "integral(u^2, x) = 0"), "linear");
  expect_case_error(changed("dx(u)(x=0) = 0", "dx(u)(x=0) = integral(sin(x), x)"), "integrals of data");
  expect_case_error(changed("dx(u)(x=0) = 0", "integral(x*u, x) = 0"), "");
  expect_case_error(changed("\"dx(u)(x=0) = 0\", ", ""), "two end conditions");
  expect_case_error(changed("dx(u)(x=0) = 0", "2*u(x=1) = 3"), "5:29: error: this condition fixes what `2*u(x=1) = 3`");
  expect_case_error(changed("u(x=1) = 0", "u(x=1) = 0\", \"dx(u)(x=0) = 1"), "leave one of them out");
  expect_case_error(changed("u(x=1) = 0", "u(x=1) = 0\", \"u(x=0) = 1"), "leave one of the three out");
  expect_case_error(changed("u(x=1) = 0", "u(x=1) = 0\", \"integral(u, x) = 1"), "leave one of the three out");
  expect_case_error(changed("pi^2/4*cos(pi/2*x)", "u"), "no unknown");
  expect_case_error(changed("intervals: 1024", "intervals: 7"), "between 8 and");
  expect_case_error(changed("intervals: 1024", "intervals: 10.5"), "whole number");
  expect_case_error(changed("intervals: 1024,", ""), "`intervals` is missing");
  expect_case_error(changed("1024,", "1024, order: 3,"), "2 or 4");
  expect_case_error(changed("1024,", "1024, reaction: -1,"), "at least 0");
  expect_case_error(changed("1024,", "16, order: 4, reaction: 10000,"), "too coarse");
  expect_case_error(changed("1024,", "1024, algorithm: a2d, order: 4,"), "order: 2 only");
  expect_case_error(changed("1024,", "1024, algorithm: a2d, reaction: 4,"), "reaction: 0 only");
  expect_case_error(changed("1024,", "1024, algorithm: a2d, columns: 3,"), "do not fill 3 columns");
  expect_case_error(changed("1024,", "1024, algorithm: a2d, precision: single,"), "its own precision");
  expect_case_error(replaced(changed("1024,", "1024, algorithm: a1d,"), "dx(u)(x=0) = 0", "u(x=0) = 0"),
                    "a slope at the lower end");
  expect_case_error(changed("x: [0, 1]", "x: [0, 1], y: [0, 1]"), "one dimension");
  expect_case_error(changed("x: [0, 1]", "t: [0, 1]"), "dimension of space");
  expect_case_error(changed("exact:", "resolution: {degree: {x: 4}}\nexact:"), "belongs to problem: time_spectral");
  expect_case_error(changed("problem: recurrence_bvp", "problem: time_spectral"), "");
  expect_case_error(changed("{x: 1025}}", "{x: 11}, fields: {third: \"dx(u,3)\"}}"), "first two derivatives");
  expect_case_error(changed("residual:", "values: [{expr: u, at: {x: 0.3}, value: 1}], residual:"),
                    "no point of the grid");
}

// The recurrences with reaction carry no sum of u: the condition would go unheard.
TEST(RecurrenceBvp, AnIntegralWithReactionIsRefused) {
  const std::string text = replaced(kP1, "u(x=1) = 0", "integral(u, x) = 1");
  EXPECT_EQ(run_case(replaced(text, "exact: {u: \"cos(pi/2*x)\"}", "")).status, ExitStatus::converged);
  for (const char* reaction : {"0.5", "9"})  // shooting and two-sided
    expect_case_error(replaced(text, "intervals:", std::string("reaction: ") + reaction + ", intervals:"),
                      "reaction: 0");
}

TEST(RecurrenceBvp, AnIntegralOfTheSolutionIsRefused) {
  expect_case_error(replaced(kP1, "{x: 1025}}", "{x: 11}, fields: {area: \"2*integral(u, x)\"}}"),
                    "integrals of the solution are not computed here");
  expect_case_error(replaced(kP1, "residual:", "values: [{expr: \"integral(u, x)\", value: 1}], residual:"),
                    "integrals of the solution are not computed here");
}

TEST(RecurrenceBvp, KnownValuesAreChecked) {
  const std::string text =
      replaced(kP1, "residual: 1.0e-9", "tolerance: 1.0e-6, values: [{expr: u, at: {x: 0.5}, value: sqrt(1/2)}]");
  EXPECT_EQ(run_case(text).status, ExitStatus::converged);
  EXPECT_EQ(run_case(replaced(text, "sqrt(1/2)", "0.7072")).status, ExitStatus::unresolved);
}

TEST(RecurrenceBvp, ResolvedTextReadsBack) {
  const Case first = read_case_text(kP1, "test.yaml");
  const Case second = read_case_text(first.resolved_text, "test.yaml");
  EXPECT_EQ(second.resolved_text, first.resolved_text);
  EXPECT_EQ(section_of<RecurrenceCase>(second).intervals, 1024);
}

}  // namespace
}  // namespace gwrm::recurrence_bvp_test
