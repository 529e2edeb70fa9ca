// Branches of steady solutions (continue:) against solutions in closed form: both branches of Bratu's equation and
// their fold, a linear problem, the circle, an imperfect pitchfork in a boundary condition; and what is said where a
// branch ends.
#include <fmt/format.h>

#include <filesystem>
#include <numbers>
#include <string_view>

#include "run_case.hpp"

namespace gwrm::continuation_test {
namespace {

using test::expect_holds;
using test::find_check;
using test::replaced;
using test::run_case;
using test::value_at;

const std::string kBratu = R"(schema: 1
domain: {x: [0, 1]}
constants: {lam: 1}
unknowns: [u]
equations:
  - "dx(u,2) + lam*exp(u) = 0"
boundary:
  - "u(x=0) = 0"
  - "u(x=1) = 0"
resolution:
  degree: {x: 48}
verification: {tolerance: 1.0e-10, tail: 1.0e-10, residual: 1.0e-8}
continue: {parameter: lam, to: 3.5}
)";

// lam = 8 theta^2/cosh^2 theta on the lower (theta < 1.19968) or upper side; bisection.
double bratu_theta(double lam, bool upper) {
  const double top = 1.1996786402577339;  // theta tanh(theta) = 1
  double low = upper ? top : 0.0, high = upper ? 10.0 : top;
  for (int i = 0; i < 200; ++i) {
    const double theta = (low + high) / 2.0, c = std::cosh(theta);
    ((8.0 * theta * theta / (c * c) < lam) == upper ? high : low) = theta;
  }
  return (low + high) / 2.0;
}

double bratu(double lam, bool upper, double x) {
  const double theta = bratu_theta(lam, upper);
  return 2.0 * std::log(std::cosh(theta) / std::cosh(theta * (1.0 - 2.0 * x)));
}

const SampledField& sampled(const RunOutcome& outcome, std::string_view name) {
  for (const SampledField& field : outcome.fields)
    if (field.name == name) return field;
  throw std::runtime_error("no field " + std::string(name));
}

std::string warnings_of(const RunOutcome& outcome) {
  std::string text;
  for (const std::string& warning : outcome.report.warnings) text += warning + "\n";
  return text;
}

void expect_passed(const RunOutcome& outcome) {
  EXPECT_TRUE(outcome.complete) << outcome.report.reason;
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  for (const Check& check : outcome.report.verification.checks)
    EXPECT_TRUE(check.passed()) << check.kind << " " << check.subject << ": " << check.value;
}

// Every sampled point of u(s, x) against the closed form; `fold` is the place behind which the upper solution holds.
// Where d lam / d theta vanishes, theta has half the digits of lam: points that near are compared with less.
void expect_bratu(const RunOutcome& outcome, std::size_t fold) {
  const std::vector<double>& lam = sampled(outcome, "lam").values.data;
  const SampledField& u = sampled(outcome, "u");
  const std::vector<double>& x = outcome.grid[1];
  ASSERT_EQ(u.values.data.size(), lam.size() * x.size());
  for (std::size_t i = 0; i < lam.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j)
      EXPECT_NEAR(u.values.data[i * x.size() + j], bratu(lam[i], i > fold, x[j]), i == fold ? 1e-6 : 1e-10)
          << "lam = " << lam[i] << ", x = " << x[j];
}

TEST(ContinuationCase, BratuNatural) {
  const RunOutcome outcome = run_case(replaced(kBratu, "to: 3.5", "to: 3.5, method: natural"));
  expect_passed(outcome);
  const std::vector<double>& lam = sampled(outcome, "lam").values.data;
  EXPECT_EQ(lam.front(), 1.0);
  EXPECT_EQ(lam.back(), 3.5);
  expect_bratu(outcome, lam.size());
  EXPECT_EQ(warnings_of(outcome), "");
}

TEST(ContinuationCase, BratuAroundTheFold) {
  const RunOutcome outcome = run_case(replaced(kBratu, "to: 3.5", "to: 4"));
  expect_passed(outcome);
  const std::vector<double>& lam = sampled(outcome, "lam").values.data;
  const std::vector<double>& folds = sampled(outcome, "fold").values.data;
  const auto fold = static_cast<std::size_t>(std::find(folds.begin(), folds.end(), 1.0) - folds.begin());
  ASSERT_LT(fold, folds.size());
  EXPECT_EQ(std::count(folds.begin(), folds.end(), 1.0), 1);
  EXPECT_NEAR(lam[fold], 3.513830719125161, 1e-11);
  EXPECT_EQ(lam.back(), 1.0);  // the end on the upper branch, exactly
  expect_bratu(outcome, fold);
  expect_holds(warnings_of(outcome), "fold at lam = 3.513830719");
  expect_holds(warnings_of(outcome), "comes back to 1");
  // The L2 norm over the branch, by the trapezoidal rule on the closed form (even about both ends but for a corner:
  // many points).
  const double norm = sampled(outcome, "norm_u").values.data.back();
  double sum = 0.0;
  for (int i = 0; i <= 20000; ++i) {
    const double value = bratu(1.0, true, i / 20000.0);
    sum += value * value / 20000.0;  // zero at the ends
  }
  EXPECT_NEAR(norm, std::sqrt(sum), 1e-7);
}

// Between the points the branch is a cubic: lam(s) and u(s, x) belong together to the tolerance that the steps are
// chosen for.
TEST(ContinuationCase, BetweenThePoints) {
  const RunOutcome outcome = run_case(replaced(kBratu, "to: 3.5", "to: 4"));
  const std::vector<double>& s = outcome.solution.window_edges;
  for (std::size_t i = 1; i < s.size(); ++i) {
    const double middle = 0.5 * (s[i - 1] + s[i]);
    const double u = value_at(outcome.solution, "u", {{"s", middle}, {"x", 0.5}});
    const double lam = value_at(outcome.solution, "lam", {{"s", middle}});
    // u(1/2) = 2 log cosh theta gives theta without the fold in between.
    const double theta = std::acosh(std::exp(u / 2.0));
    EXPECT_NEAR(lam, 8.0 * theta * theta / std::exp(u),
                5e-4);  // of a range of 3: steps of up to 0.6 of the arc, cubics
  }
  const double slope = value_at(outcome.solution, "ds(lam)", {{"s", s.back()}});
  EXPECT_LT(slope, 0.0);
}

TEST(ContinuationCase, NaturalCannotPassTheFold) {
  const RunOutcome outcome = run_case(replaced(kBratu, "to: 3.5", "to: 4, method: natural"));
  EXPECT_FALSE(outcome.complete);
  EXPECT_EQ(outcome.status, ExitStatus::not_converged);
  expect_holds(outcome.report.reason, "method: arclength");
  EXPECT_NEAR(sampled(outcome, "lam").values.data.back(), 3.513830719, 1e-5);  // what there is, is kept
}

TEST(ContinuationCase, SubdomainsAgree) {
  const std::string divided =
      replaced(replaced(kBratu, "degree: {x: 48}", "degree: {x: 36}\n  domains: {x: [0, 0.3, 1]}"), "to: 3.5", "to: 4");
  const RunOutcome outcome = run_case(divided);
  expect_passed(outcome);
  const std::vector<double>& folds = sampled(outcome, "fold").values.data;
  expect_bratu(outcome, static_cast<std::size_t>(std::find(folds.begin(), folds.end(), 1.0) - folds.begin()));
}

// The arc length does not depend on the resolution.
TEST(ContinuationCase, ArcLengthIsThatOfTheSolution) {
  const double fine = run_case(replaced(kBratu, "to: 3.5", "to: 3")).solution.window_edges.back();
  const double coarse =
      run_case(replaced(replaced(kBratu, "to: 3.5", "to: 3"), "x: 48", "x: 24")).solution.window_edges.back();
  const double divided =
      run_case(replaced(replaced(kBratu, "to: 3.5", "to: 3"), "{x: 48}", "{x: 24}\n  domains: {x: 2}"))
          .solution.window_edges.back();
  EXPECT_NEAR(fine, coarse, 1e-9);
  EXPECT_NEAR(fine, divided, 0.05 * fine);  // the Chebyshev weight in each subdomain is another norm, of the same size
}

// u = a x + lam x(1 - x)/2, the parameter in the equation and in a condition; exact holds it too.
TEST(ContinuationCase, LinearProblem) {
  const RunOutcome outcome = run_case(R"(schema: 1
domain: {x: [0, 1]}
constants: {lam: 0, a: 2}
unknowns: [u]
equations:
  - "dx(u,2) + lam = 0"
boundary:
  - "u(x=0) = 0"
  - "dx(u)(x=1) = a - lam/2"
exact: {u: "a*x + lam*x*(1 - x)/2"}
resolution:
  degree: {x: 6}
verification:
  tolerance: 1.0e-13
  values:
    - {expr: "u", at: {x: 1/2}, value: 1/2}
continue: {parameter: lam, from: 5, to: -4}
)");
  expect_passed(outcome);
  EXPECT_EQ(sampled(outcome, "lam").values.data.back(), -4.0);
  EXPECT_LE(find_check(outcome, "error_max").value, 1e-14);
  EXPECT_LE(find_check(outcome, "value").value, 1e-14);  // of the last point
}

// An unknown number, no equation along x: c^2 + lam^2 = 1.
const std::string kCircle = R"(schema: 1
domain: {x: [0, 1]}
constants: {lam: 0}
unknowns:
  - {name: c, dims: []}
equations:
  - "c^2 + lam^2 = 1"
guess: {c: "1 - lam"}
resolution:
  degree: {x: 2}
continue: {parameter: lam, from: -1/2, to: 2}
)";

TEST(ContinuationCase, Circle) {
  const RunOutcome outcome = run_case(kCircle);
  expect_passed(outcome);
  const std::vector<double>&c = sampled(outcome, "c").values.data, &lam = sampled(outcome, "lam").values.data;
  for (std::size_t i = 0; i < c.size(); ++i) EXPECT_NEAR(std::hypot(c[i], lam[i]), 1.0, 1e-12);
  EXPECT_EQ(lam.back(), -0.5);
  EXPECT_NEAR(c.back(), -std::sqrt(0.75), 1e-12);
  EXPECT_NEAR(*std::max_element(lam.begin(), lam.end()), 1.0, 1e-13);
}

// A field and a number: u'' = 0, u(0) = c, u(1) = lam, and c^3 - lam c = e ties them: an imperfect pitchfork.
TEST(ContinuationCase, ImperfectPitchforkWithAField) {
  const RunOutcome outcome = run_case(R"(schema: 1
domain: {x: [0, 1]}
constants: {lam: -1, e: 0.01}
unknowns:
  - u
  - {name: c, dims: []}
equations:
  - "dx(u,2) = 0"
  - "c^3 - lam*c = e"
boundary:
  - "u(x=0) = c"
  - "u(x=1) = lam"
resolution:
  degree: {x: 4}
continue: {parameter: lam, to: 1}
)");
  expect_passed(outcome);
  EXPECT_EQ(warnings_of(outcome), "");
  const std::vector<double>&c = sampled(outcome, "c").values.data, &lam = sampled(outcome, "lam").values.data;
  for (std::size_t i = 0; i < c.size(); ++i) {
    EXPECT_NEAR(c[i] * c[i] * c[i] - lam[i] * c[i], 0.01, 1e-12);
    EXPECT_GT(c[i], 0.0);
  }
  EXPECT_GT(c.back(), 1.0);
  const double s = outcome.solution.window_edges.back();
  EXPECT_NEAR(value_at(outcome.solution, "u", {{"s", s}, {"x", 0.25}}), 0.75 * c.back() + 0.25, 1e-12);
}

// u_xx + u_yy + lam sin(x) sin(y) = 0: lam/2 sin sin.
TEST(ContinuationCase, TwoDimensions) {
  const RunOutcome outcome = run_case(R"(schema: 1
domain: {x: [0, pi], y: [0, pi]}
constants: {lam: 1}
unknowns: [u]
equations:
  - "lap(u) + lam*sin(x)*sin(y) = 0"
boundary:
  - "u(x=0) = 0"
  - "u(x=pi) = 0"
  - "u(y=0) = 0"
  - "u(y=pi) = 0"
exact: {u: "lam*sin(x)*sin(y)/2"}
resolution:
  degree: {x: 18, y: 18}
continue: {parameter: lam, to: 3}
output: {grid: {x: 5, y: 5}}
)");
  expect_passed(outcome);
  EXPECT_LE(find_check(outcome, "error_max").value, 1e-12);
  // The L2 norm of sin sin over the square is pi/2.
  EXPECT_NEAR(sampled(outcome, "norm_u").values.data.back(), 1.5 * std::numbers::pi / 2.0, 1e-11);
}

TEST(ContinuationCase, FileKeepsTheBranch) {
  const RunOutcome outcome = run_case(replaced(kBratu, "to: 3.5", "to: 4"));
  const auto path = std::filesystem::temp_directory_path() / "gwrm_continuation_test.h5";
  write_hdf5(path.string(), outcome.output_data(), true);
  const StoredRun stored = read_hdf5(path.string());
  std::filesystem::remove(path);
  EXPECT_EQ(outcome.solution.axes.front().kind, AxisKind::arc_length);
  EXPECT_EQ(stored.solution.axes.front().kind, AxisKind::arc_length);
  EXPECT_EQ(stored.solution.window_edges, outcome.solution.window_edges);
  const double s = 0.37 * outcome.solution.window_edges.back();
  EXPECT_EQ(value_at(stored.solution, "u*lam", {{"s", s}, {"x", 0.3}}),
            value_at(outcome.solution, "u*lam", {{"s", s}, {"x", 0.3}}));
}

TEST(ContinuationCase, PointLimitIsToldAndComplete) {
  const RunOutcome outcome = run_case(replaced(kBratu, "to: 3.5", "to: 3.5, points: 4"));
  expect_passed(outcome);
  EXPECT_EQ(outcome.solution.window_edges.size(), 4u);
  expect_holds(warnings_of(outcome), "after 4 points");
}

TEST(ContinuationCase, NoSolutionWhereItBegins) {
  const RunOutcome outcome = run_case(replaced(kBratu, "to: 3.5", "from: 5, to: 6"));
  EXPECT_FALSE(outcome.complete);
  EXPECT_EQ(outcome.status, ExitStatus::not_converged);
  expect_holds(outcome.report.reason, "lam = 5");
  expect_holds(outcome.report.reason, "`guess`");
  EXPECT_TRUE(outcome.solution.fields.empty());
}

TEST(ContinuationCase, SingularWhereItBegins) {
  const RunOutcome outcome =
      run_case(replaced(replaced(kCircle, "from: -1/2", "from: 1"), "guess: {c: \"1 - lam\"}", "guess: {c: \"0\"}"));
  EXPECT_EQ(outcome.status, ExitStatus::singular);
  EXPECT_FALSE(outcome.complete);
}

TEST(ContinuationCase, Interrupted) {
  RunControl control;
  int asked = 0;
  control.interrupted = [&] { return ++asked > 15; };
  const RunOutcome outcome = run_case(kBratu, control);
  EXPECT_EQ(outcome.status, ExitStatus::interrupted);
  EXPECT_FALSE(outcome.complete);
  EXPECT_GE(outcome.solution.window_edges.size(), 2u);
}

TEST(ContinuationCase, UnresolvedBranchFails) {
  const RunOutcome outcome = run_case(replaced(replaced(kBratu, "to: 3.5", "to: 4"), "x: 48", "x: 12"));
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  EXPECT_GT(find_check(outcome, "tail").value, 1e-10);
  expect_holds(find_check(outcome, "tail").subject, "lam = ");
}

// The largest distance of the points from the curve in closed form, u at one height u(1/2): relative to the largest
// magnitude of either.
struct BratuDistance {
  double u = 0.0, lam = 0.0;
};
BratuDistance distance_from_bratu(const RunOutcome& outcome) {
  const std::vector<double>&lam = sampled(outcome, "lam").values.data, &u = sampled(outcome, "u").values.data;
  const std::vector<double>& x = outcome.grid[1];
  const std::size_t middle = x.size() / 2;
  EXPECT_EQ(x[middle], 0.5);
  BratuDistance distance;
  double largest_u = 0.0, largest_lam = 0.0;
  for (std::size_t i = 0; i < lam.size(); ++i) {
    const double theta = std::acosh(std::exp(u[i * x.size() + middle] / 2.0)), c = std::cosh(theta);
    distance.lam = std::max(distance.lam, std::abs(lam[i] - 8.0 * theta * theta / (c * c)));
    largest_lam = std::max(largest_lam, std::abs(lam[i]));
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double value = u[i * x.size() + j];
      distance.u = std::max(distance.u, std::abs(value - 2.0 * std::log(c / std::cosh(theta * (1.0 - 2.0 * x[j])))));
      largest_u = std::max(largest_u, std::abs(value));
    }
  }
  return {distance.u / largest_u, distance.lam / largest_lam};
}

const ErrorEstimate& estimate_of(const RunOutcome& outcome) {
  return outcome.report.verification.estimate;
}

// Through the fold, where at a given lam the distance of two curves has no bound.
TEST(ContinuationCase, EstimateIsTheDistanceFromTheCurve) {
  for (const std::string degree : {"8", "12", "16", "24"}) {
    const RunOutcome outcome = run_case(replaced(replaced(kBratu, "to: 3.5", "to: 4"), "x: 48", "x: " + degree));
    const BratuDistance distance = distance_from_bratu(outcome);
    const std::vector<FieldError>& errors = estimate_of(outcome).fields;
    ASSERT_EQ(errors.size(), 2u);
    EXPECT_EQ(errors[0].field, "u");
    EXPECT_EQ(errors[1].field, "lam");
    const std::vector<double> ratios = {errors[0].largest / distance.u, errors[1].largest / distance.lam};
    for (double ratio : ratios) {
      EXPECT_GE(ratio, 0.5) << degree;
      EXPECT_LE(ratio, 2.0) << degree;
    }
    for (const FieldError& error : errors) {
      ASSERT_EQ(error.at.size(), outcome.solution.axes.size());
      const std::vector<double>& s = outcome.solution.window_edges;
      EXPECT_NE(std::find(s.begin(), s.end(), error.at[0]), s.end());
      EXPECT_LE(error.at_end, error.largest);
    }
    EXPECT_TRUE(errors[0].at[1] > 0.0 && errors[0].at[1] < 1.0);
    EXPECT_TRUE(std::isnan(errors[1].at[1]));  // lam does not depend on x
  }
}

TEST(ContinuationCase, BranchIsJudgedByTheEstimate) {
  const std::string branch = replaced(replaced(kBratu, "to: 3.5", "to: 4"),
                                      "{tolerance: 1.0e-10, tail: 1.0e-10, residual: 1.0e-8}", "{tolerance: 1.0e-6}");
  const RunOutcome coarse = run_case(replaced(branch, "x: 48", "x: 12"));
  EXPECT_EQ(coarse.status, ExitStatus::unresolved);
  EXPECT_FALSE(find_check(coarse, "estimate", "u").passed());
  expect_holds(coarse.report.reason, "the estimated error of u is ");
  expect_holds(coarse.report.reason, " at s = ");
  const RunOutcome fine = run_case(replaced(branch, "x: 48", "x: 24"));
  expect_passed(fine);
  EXPECT_STREQ(fine.report.verification.verdict(), "PASS");
  EXPECT_LE(distance_from_bratu(fine).u, 1e-6);
  EXPECT_FALSE(find_check(fine, "tail").judged);
  // Without the estimate it is residuals and tails that are judged.
  const RunOutcome without =
      run_case(replaced(replaced(branch, "x: 48", "x: 24"), "1.0e-6}", "1.0e-6, estimate: off}"));
  EXPECT_EQ(estimate_of(without).status, ErrorEstimate::Status::off);
  EXPECT_TRUE(find_check(without, "tail").judged);
  EXPECT_EQ(std::count_if(without.report.verification.checks.begin(), without.report.verification.checks.end(),
                          [](const Check& check) { return check.kind == "estimate"; }),
            0);
}

// Enough for the branch, too little for finer points.
TEST(ContinuationCase, WithoutMemoryForTheEstimateItIsMissing) {
  const std::size_t needed = make_problem(read_case_text(kBratu, "test.yaml"))->summary().memory_bytes;
  const RunOutcome outcome =
      run_case(kBratu + fmt::format("solver: {{memory: {:.17g}}}\n", 1.01e-9 * static_cast<double>(needed)));
  EXPECT_TRUE(outcome.complete) << outcome.report.reason;
  EXPECT_EQ(estimate_of(outcome).status, ErrorEstimate::Status::missing);
  expect_holds(estimate_of(outcome).reason, "not enough memory");
  EXPECT_STREQ(outcome.report.verification.verdict(), "NOT ESTIMATED");
  EXPECT_EQ(outcome.status, ExitStatus::not_estimated);
  EXPECT_TRUE(find_check(outcome, "tail").judged);
}

// u = 0 all along (lam stays below the first bifurcation): nothing has a size but the parameter.
TEST(ContinuationCase, EstimateOfATrivialBranch) {
  const RunOutcome outcome = run_case(replaced(kBratu, "lam*exp(u)", "lam*sin(u)"));
  expect_passed(outcome);
  for (const FieldError& error : estimate_of(outcome).fields) EXPECT_LE(error.largest, 1e-14);
}

TEST(ContinuationCase, NamesOfTheBranchAreTaken) {
  for (const std::string name : {"s", "ds"}) {
    try {
      run_case(replaced(kBratu, "{lam: 1}", "{lam: 1, " + name + ": 2}"));
      ADD_FAILURE() << name;
    } catch (const CaseError& error) {
      expect_holds(error.what(), "the name " + name + " belongs to the branch");
    }
  }
}

TEST(ContinuationCase, NeedsDegrees) {
  try {
    run_case(replaced(kBratu, "degree: {x: 48}", "tolerance: 1.0e-8"));
    ADD_FAILURE();
  } catch (const CaseError& error) {
    expect_holds(error.what(), "give resolution.degree for x");
  }
}

// What `gwrm check` shows.
TEST(ContinuationCase, Summary) {
  const Summary summary = make_problem(read_case_text(kBratu, "test.yaml"))->summary();
  EXPECT_EQ(summary.n_unknowns, 50);
  EXPECT_EQ(summary.lines.back().first, "branch");
  expect_holds(summary.lines.back().second, "lam from 1 to 3.5, by arc length");
}

}  // namespace
}  // namespace gwrm::continuation_test
