// Runs that drop their windows part after part (output: {coefficients: none}) give what runs that keep them all give.
#include <filesystem>

#include "core/errors.hpp"
#include "problems/journal_test.hpp"
#include "problems/time_spectral/window_store.hpp"

namespace gwrm::long_runs_test {
namespace {

using test::expect_holds;
using test::find_check;
using test::replaced;
using test::run_case;

// Seventy windows of length 1: parts of 32, 32 and 6. Times of the grid on edges inside and between parts, where dt(u)
// is that of the window it ends: the truncation error of degree 4 makes it another one in the next. Known values in all
// parts, not in the order of time, two on the edges of parts.
const std::string kLong = R"yaml(
domain: {t: [0, 70], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = 0.01*dx(u,2) + u*(1 - u)*sin(t)"]
initial: {u: "0.2*sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
exact: {u: "0.1*sin(pi*x)"}
resolution: {degree: {t: 4, x: 8}, domains: {t: 70}}
verification:
  tail: 10
  residual: 10
  tolerance: 100
  values:
    - {expr: u, at: {t: 70, x: 0.5}, value: 1}
    - {expr: "dt(u)", at: {t: 32, x: 0.5}, value: 1}
    - {expr: "dx(u)", at: {t: 0, x: 0.25}, value: 0.44}
    - {expr: "dt(u)", at: {t: 64, x: 0.5}, value: 1}
    - {expr: "dt(u)", at: {t: 64.1, x: 0.5}, value: 1}
    - {expr: "x^2", at: {x: 0.5}, value: 0.25}
output:
  grid: {t: [0, 0.5, 1, 31, 31.5, 32, 32.25, 33, 47, 64, 64.5, 70], x: 7}
  fields: {u: u, rate: "dt(u)", mass: "integral(u, x)", parabola: "x^2", number: "2", middle: "u(x=0.5)*t"}
)yaml";

std::string dropping(const std::string& yaml) {
  return replaced(yaml, "output:\n", "output:\n  coefficients: none\n");
}

void expect_same_bits(const Array& a, const Array& b, const std::string& what) {
  ASSERT_EQ(a.shape, b.shape) << what;
  ASSERT_EQ(a.data.size(), b.data.size()) << what;
  for (std::size_t i = 0; i < a.data.size(); ++i)
    EXPECT_TRUE(a.data[i] == b.data[i] || (std::isnan(a.data[i]) && std::isnan(b.data[i])))
        << what << " " << i << ": " << a.data[i] << " " << b.data[i];
}

void expect_same_samples(const RunOutcome& a, const RunOutcome& b) {
  EXPECT_EQ(a.grid, b.grid);
  ASSERT_EQ(a.fields.size(), b.fields.size());
  for (std::size_t f = 0; f < a.fields.size(); ++f) {
    EXPECT_EQ(a.fields[f].name, b.fields[f].name);
    EXPECT_EQ(a.fields[f].axes, b.fields[f].axes);
    expect_same_bits(a.fields[f].values, b.fields[f].values, a.fields[f].name);
  }
  ASSERT_EQ(a.statistics.size(), b.statistics.size());
  for (std::size_t f = 0; f < a.statistics.size(); ++f) {
    const ParameterStatistics &one = a.statistics[f].statistics, &other = b.statistics[f].statistics;
    EXPECT_EQ(one.axes, other.axes);
    EXPECT_EQ(one.parameters, other.parameters);
    for (auto array : {&ParameterStatistics::mean, &ParameterStatistics::variance, &ParameterStatistics::std,
                       &ParameterStatistics::sensitivity, &ParameterStatistics::sensitivity_normalised,
                       &ParameterStatistics::sobol_first, &ParameterStatistics::sobol_total})
      expect_same_bits(one.*array, other.*array, "statistics of " + a.statistics[f].name);
  }
}

// Root mean squares are summed in another order: 1e-13. With less than 200 windows the check points are the same, so
// that largest values are the same to the bit.
void expect_same_verification(const RunOutcome& a, const RunOutcome& b) {
  const std::vector<Check>&one = a.report.verification.checks, &other = b.report.verification.checks;
  ASSERT_EQ(one.size(), other.size());
  ASSERT_FALSE(one.empty());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].kind, other[i].kind);
    EXPECT_EQ(one[i].subject, other[i].subject);
    EXPECT_EQ(one[i].tolerance, other[i].tolerance);
    const bool summed = one[i].kind == "residual" || one[i].kind == "error_l2";
    EXPECT_NEAR(one[i].value, other[i].value, summed ? 1e-13 * other[i].value : 0.0)
        << one[i].kind << " " << one[i].subject;
  }
}

void expect_last_window_only(const RunOutcome& outcome, double start, double end) {
  EXPECT_EQ(outcome.solution.window_edges, (std::vector<double>{start, end}));
  EXPECT_EQ(outcome.solution.subdomains.size(), 1u);
  for (const FieldSolution& field : outcome.solution.fields) EXPECT_EQ(field.windows.size(), 1u);
  EXPECT_NO_THROW(outcome.solution.check());
}

TEST(LongRuns, TheSameSamplesToTheBit) {
  const RunOutcome all = run_case(kLong), none = run_case(dropping(kLong));
  ASSERT_TRUE(all.complete) << all.report.reason;
  ASSERT_TRUE(none.complete) << none.report.reason;
  ASSERT_EQ(all.solution.n_windows(), 70u);
  // The grid has what it takes to see a time sampled by the wrong window.
  const double behind = test::value_at(all.solution, "dt(u)", {{"t", 32.0 + 1e-9}, {"x", 0.5}});
  EXPECT_GT(std::abs(behind - test::value_at(all.solution, "dt(u)", {{"t", 32.0}, {"x", 0.5}})), 1e-7);
  expect_same_samples(none, all);
  expect_same_verification(none, all);
}

TEST(LongRuns, TheLastWindowIsLeft) {
  const RunOutcome all = run_case(kLong), none = run_case(dropping(kLong));
  expect_last_window_only(none, 69.0, 70.0);
  EXPECT_EQ(none.solution.fields[0].windows[0].data, all.solution.fields[0].windows[69].data);
  EXPECT_EQ(none.report.n_windows, 70);
  EXPECT_EQ(none.report.n_newton_iterations, all.report.n_newton_iterations);
  EXPECT_EQ(none.report.n_linear_iterations, all.report.n_linear_iterations);
  EXPECT_EQ(none.report.n_factorisations, all.report.n_factorisations);
  EXPECT_EQ(none.report.n_unknowns, all.report.n_unknowns);
  // Of the Newton iterations those of the last part.
  EXPECT_EQ(static_cast<int>(all.report.newton.size()), all.report.n_newton_iterations);
  ASSERT_FALSE(none.report.newton.empty());
  EXPECT_EQ(none.report.newton.front().window, 64);
  EXPECT_EQ(none.report.newton.back().window, 69);
}

// A run that ends with a full part; one of a single window; one without time.
TEST(LongRuns, ShortOnesToo) {
  for (const char* windows : {"64", "32", "1"}) {
    const std::string yaml = replaced(kLong, "domains: {t: 70}", std::string("domains: {t: ") + windows + "}");
    const RunOutcome all = run_case(yaml), none = run_case(dropping(yaml));
    expect_same_samples(none, all);
    expect_same_verification(none, all);
    EXPECT_EQ(none.report.n_windows, all.report.n_windows);
    EXPECT_EQ(none.solution.window_edges.size(), 2u);
  }
  const std::string steady = R"yaml(
domain: {x: [0, 1]}
unknowns: [u]
equations: ["dx(u,2) = exp(u)"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {x: 12}}
output:
  grid: {x: 5}
)yaml";
  const RunOutcome all = run_case(steady), none = run_case(dropping(steady));
  expect_same_samples(none, all);
  expect_same_verification(none, all);
  EXPECT_EQ(none.solution.fields[0].windows[0].data, all.solution.fields[0].windows[0].data);
}

// No time of the grid in the first part, or in any but the first.
TEST(LongRuns, PartsWithoutATimeOfTheGrid) {
  for (const char* times : {"[40, 41.5]", "[3.5, 4]"}) {
    const std::string yaml = replaced(kLong, "[0, 0.5, 1, 31, 31.5, 32, 32.25, 33, 47, 64, 64.5, 70]", times);
    expect_same_samples(run_case(dropping(yaml)), run_case(yaml));
  }
}

const std::string kUncertain = R"yaml(
domain: {t: [0, 70], x: [0, 1], nu: {range: [0.001, 0.01], map: log}, a: [1, 2]}
unknowns: [u]
equations: ["dt(u) = nu*dx(u,2)"]
initial: {u: "a*sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
exact: {u: "a*exp(-nu*pi^2*t)*sin(pi*x)"}
resolution: {degree: {t: 4, x: 12, nu: 8, a: 1}, domains: {t: 70}}
verification: {tail: 1, residual: 1, tolerance: 1}
output:
  grid: {t: [0, 10, 32, 32.5, 50, 64, 69.5], x: 4, nu: 3, a: 2}
  fields: {u: u, scale: "a*nu", slope: "dx(u)(x=0)"}
)yaml";

TEST(LongRuns, TheSameStatistics) {
  const RunOutcome all = run_case(kUncertain), none = run_case(dropping(kUncertain));
  ASSERT_TRUE(none.complete) << none.report.reason;
  ASSERT_EQ(all.statistics.size(), 3u);
  expect_same_samples(none, all);
  expect_same_verification(none, all);
}

// Windows and the degree of the parameter by the tolerance: the tails that decide on another degree are those of all
// windows.
TEST(LongRuns, AutomaticRunsToo) {
  const std::string yaml = R"yaml(
domain: {t: [0, 120], w: [1, 1.3]}
unknowns: [u, v]
equations: ["dt(u) = w*v", "dt(v) = -w*u"]
initial: {u: "1", v: "0"}
exact: {u: "cos(w*t)", v: "-sin(w*t)"}
resolution: {degree: {t: 6}, tolerance: 1.0e-4}
output:
  grid: {t: 50, w: 3}
)yaml";
  const RunOutcome all = run_case(yaml), none = run_case(dropping(yaml));
  ASSERT_TRUE(all.complete) << all.report.reason;
  ASSERT_TRUE(none.complete) << none.report.reason;
  ASSERT_GT(all.report.n_windows, 64);
  ASSERT_GT(all.solution.subdomains.front()[1].degree, 8) << "the first choice was enough";
  EXPECT_EQ(none.solution.subdomains.front()[1].degree, all.solution.subdomains.front()[1].degree);
  expect_same_samples(none, all);
  expect_same_verification(none, all);
}

class LongRunsRestart : public test::JournalTest {};

// Inside a part, at its end, right behind it.
TEST_F(LongRunsRestart, EndsWhereTheWholeRunDoes) {
  const RunOutcome whole = run_case(dropping(kLong));
  for (int k : {1, 31, 32, 33, 50, 64, 65, 69}) {
    SCOPED_TRACE("interrupted after " + std::to_string(k));
    ASSERT_EQ(interrupted_after(dropping(kLong), k).status, ExitStatus::interrupted);
    ASSERT_TRUE(std::filesystem::exists(path_));
    RunOutcome rest = continued(dropping(kLong));
    ASSERT_TRUE(rest.complete) << rest.report.reason;
    remove_journal(rest.journal);
    EXPECT_FALSE(std::filesystem::exists(path_));
    expect_same_samples(rest, whole);
    expect_same_verification(rest, whole);
    expect_last_window_only(rest, 69.0, 70.0);
    EXPECT_EQ(rest.report.n_windows, 70);
    EXPECT_EQ(rest.report.n_newton_iterations, whole.report.n_newton_iterations);
  }
}

TEST_F(LongRunsRestart, TwiceAndWithSeveralParameterPoints) {
  const RunOutcome whole = run_case(dropping(kUncertain));
  interrupted_after(dropping(kUncertain), 40);
  ASSERT_EQ(interrupted_after(dropping(kUncertain), 20, true).report.n_windows, 60);
  const RunOutcome rest = continued(dropping(kUncertain));
  ASSERT_TRUE(rest.complete) << rest.report.reason;
  expect_same_samples(rest, whole);
}

TEST_F(LongRunsRestart, OfAnotherCaseIsRefused) {
  interrupted_after(dropping(kLong), 40);
  EXPECT_THROW(continued(kLong), CaseError);
  EXPECT_THROW(continued(replaced(dropping(kLong), "x: 8}", "x: 9}")), CaseError);
  EXPECT_TRUE(continued(dropping(kLong)).complete);
}

// What an interrupted run has sampled, with its last window, goes to a file that can be read.
TEST_F(LongRunsRestart, InterruptedRunsKeepTheirSamples) {
  const RunOutcome whole = run_case(dropping(kLong)), part = interrupted_after(dropping(kLong), 40);
  EXPECT_FALSE(part.complete);
  EXPECT_TRUE(part.report.verification.checks.empty());
  EXPECT_EQ(part.grid[0], (std::vector<double>{0, 0.5, 1, 31, 31.5, 32, 32.25, 33}));
  const std::vector<double>& u = part.fields[0].values.data;
  ASSERT_EQ(u.size(), 8u * 7u);
  EXPECT_TRUE(std::equal(u.begin(), u.end(), whole.fields[0].values.data.begin()));
  expect_last_window_only(part, 39.0, 40.0);
  const std::string file = (folder_ / "part.h5").string();
  write_hdf5(file, part.output_data(), true);
  EXPECT_EQ(read_hdf5(file).solution.window_edges, (std::vector<double>{39.0, 40.0}));
}

// It is sampled at its end if it has reached no time of the grid.
TEST_F(LongRunsRestart, InterruptedBeforeTheFirstTimeOfTheGrid) {
  const std::string yaml = replaced(kLong, "[0, 0.5, 1, 31, 31.5, 32, 32.25, 33, 47, 64, 64.5, 70]", "[60, 70]");
  const RunOutcome all = interrupted_after(yaml, 40);
  std::filesystem::remove(path_);
  const RunOutcome none = interrupted_after(dropping(yaml), 40);
  EXPECT_EQ(none.grid[0], std::vector<double>{40.0});
  expect_same_samples(none, all);
}

// The run is repeated with more points in the parameter after a restart; the journal of the first attempt is gone then.
TEST_F(LongRunsRestart, BeforeTheParameterGetsMorePoints) {
  for (const char* coefficients : {"all", "none"}) {
    const std::string yaml = std::string(R"yaml(
domain: {t: [0, 30], w: [1, 1.5]}
unknowns: [u, v]
equations: ["dt(u) = w*v", "dt(v) = -w*u"]
initial: {u: "1", v: "0"}
resolution: {degree: {t: 8}, tolerance: 1.0e-4}
output: {coefficients: )yaml") +
                             coefficients + "}\n";
    const RunOutcome whole = run_case(yaml);
    ASSERT_GT(whole.solution.subdomains.front()[1].degree, 8);
    ASSERT_EQ(interrupted_after(yaml, 3).status, ExitStatus::interrupted);
    const RunOutcome rest = continued(yaml);
    ASSERT_TRUE(rest.complete) << rest.report.reason;
    expect_same_samples(rest, whole);
  }
}

std::string refusal_of(const std::string& yaml) {
  try {
    run_case(yaml);
  } catch (const CaseError& error) {
    return error.what();
  }
  ADD_FAILURE() << "not refused";
  return {};
}

// The windows at other times may be gone. The place is the expression's, the cure to keep them.
TEST(LongRunsRefusals, LooksAtOtherTimes) {
  const std::pair<const char*, const char*> cases[] = {
      {"parabola: \"x^2\"", "parabola: \"integral(u, t)\""},
      {"parabola: \"x^2\"", "parabola: \"x + integral(integral(u^2, t)*x, x)\""},
      {"parabola: \"x^2\"", "parabola: \"u - u(t=0)\""},
      {"parabola: \"x^2\"", "parabola: \"integral(sin(t), t)\""},
      {"expr: \"x^2\"", "expr: \"x^2*integral(u(x=0.5), t)\""},
      {"expr: \"x^2\"", "expr: \"u(t=3)\""},
      {"exact: {u: \"0.1", "exact: {u: \"integral(t, t)*0.1"},
  };
  for (const auto& [from, to] : cases) {
    SCOPED_TRACE(to);
    const std::string yaml = replaced(kLong, from, to);
    EXPECT_NO_THROW(run_case(yaml));
    const std::string message = refusal_of(dropping(yaml));
    expect_holds(message, "output: {coefficients: all}");
    expect_holds(message, "test.yaml:");
    expect_holds(message, "^");
  }
}

// A problem that is solved for all times at once is a single window, which is still there.
TEST(LongRunsRefusals, NotInASingleWindow) {
  const std::string yaml = R"yaml(
domain: {t: [0, 1]}
unknowns: [u, {name: m, dims: []}]
equations: ["dt(u) = -u", "m = integral(u, t)"]
initial: {u: "1"}
exact: {u: "exp(-t)", m: "1 - exp(-1)"}
resolution: {degree: {t: 12}}
output:
  fields: {total: "integral(u, t)", start: "u(t=0)"}
)yaml";
  const RunOutcome all = run_case(yaml), none = run_case(dropping(yaml));
  ASSERT_TRUE(none.complete) << none.report.reason;
  expect_same_samples(none, all);
  expect_same_verification(none, all);
}

// Degree 2 cannot follow what happens in the second part alone.
TEST(LongRuns, VerificationFails) {
  const std::string yaml = R"yaml(
domain: {t: [0, 80]}
unknowns: [u]
equations: ["dt(u) = exp(-(t - 40)^2)*100*cos(20*t)"]
initial: {u: "1"}
resolution: {degree: {t: 2}, domains: {t: 80}}
output:
  fields: {u: u}
)yaml";
  const RunOutcome all = run_case(yaml), none = run_case(dropping(yaml));
  EXPECT_EQ(all.status, ExitStatus::unresolved);
  EXPECT_EQ(none.status, ExitStatus::unresolved);
  EXPECT_FALSE(find_check(none, "estimate").passed());
  expect_same_verification(none, all);
}

}  // namespace
}  // namespace gwrm::long_runs_test
