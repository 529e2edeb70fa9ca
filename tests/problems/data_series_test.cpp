// Series of the data along periodic axes and parameters: where automatic runs begin, what the finer solution of the
// estimate must see, and data that no wave of a run shows.
#include "problems/time_spectral/data_series.hpp"

#include <fmt/format.h>

#include "problems/run_case.hpp"
#include "problems/time_spectral/data_check.hpp"

namespace gwrm::data_series_test {
namespace {

using test::expect_holds;
using test::replaced;
using test::run_case;

const std::string kAround = R"yaml(
domain: {t: [0, 1], x: {range: [0, 2*pi], basis: fourier}}
unknowns: [u]
equations: ["dt(u) + dx(u) = SOURCE"]
initial: {u: "START"}
resolution: {tolerance: 1.0e-6}
)yaml";

std::string around(const std::string& source, const std::string& start = "0") {
  return replaced(replaced(kAround, "SOURCE", source), "START", start);
}

Case case_of(const std::string& yaml) {
  return read_case_text(yaml, "test.yaml");
}

std::vector<DataSeries> series_of(const std::string& yaml) {
  const Model model = build_model(case_of(yaml));
  return series_of_data(model, data_of(model));
}

DataDegrees degrees_of(const std::string& yaml) {
  const Model model = build_model(case_of(yaml));
  return data_degrees(model, series_of_data(model, data_of(model)), 1e-6);
}

int first_degree(const std::string& yaml, int axis) {
  const Case the_case = case_of(yaml);
  return with_degrees_of_data(the_case, build_model(the_case)).subdomains[static_cast<std::size_t>(axis)].degree;
}

TEST(DataSeries, WavesEndAtTheirWavenumber) {
  for (const int k : {3, 16, 40, 96, 500, 3000}) {
    const std::vector<DataSeries> all = series_of(around(fmt::format("cos(x) + 0.01*cos({}*x)", k)));
    ASSERT_EQ(all.size(), 1u);
    EXPECT_TRUE(all.front().is_resolved);
    EXPECT_EQ(all.front().degree_for(1e-7), k);
    EXPECT_NEAR(all.front().behind_degree(k - 1), 0.01 / 1.01, 1e-5);  // the maximum is that on the points
    EXPECT_EQ(all.front().behind_degree(k), 0.0);
  }
}

// a_k = 2 I_k(20)/exp(20) of exp(20 (cos x - 1)), whose maximum is 1.
TEST(DataSeries, AnalyticDataEndWhereTheSumBehindIsSmall) {
  const std::vector<DataSeries> all = series_of(around("exp(20*(cos(x) - 1))"));
  ASSERT_EQ(all.size(), 1u);
  const auto behind = [](int degree) {
    double sum = 0.0;
    for (int k = degree + 1; k < degree + 60; ++k) sum += 2.0 * std::cyl_bessel_i(k, 20.0) * std::exp(-20.0);
    return sum;
  };
  const int degree = all.front().degree_for(1e-7);
  EXPECT_LE(behind(degree), 1e-7 * 1.0001);
  EXPECT_GT(behind(degree - 1), 1e-7);
  for (int k = 5; k < 30; k += 5) EXPECT_NEAR(all.front().behind_degree(k) / behind(k), 1.0, 1e-4) << k;
}

TEST(DataSeries, ParametersHaveChebyshevSeries) {
  const std::string decay = R"yaml(
domain: {t: [0, 1], a: [-1, 1]}
unknowns: [u]
equations: ["dt(u) = -1/(1 + 25*a^2)*u"]
initial: {u: "1"}
resolution: {tolerance: 1.0e-6}
)yaml";
  const std::vector<DataSeries> all = series_of(decay);
  ASSERT_FALSE(all.empty());
  // |a_k| of 1/(1 + 25 a^2) falls by r = (sqrt(26) - 1)/5 per degree; even ones are 2 r^k/sqrt(26).
  const double r = (std::sqrt(26.0) - 1.0) / 5.0;
  EXPECT_NEAR(all.front().behind_degree(40), 2.0 / std::sqrt(26.0) * std::pow(r, 42) / (1.0 - r * r), 1e-8);
  EXPECT_EQ(first_degree(decay, 1), all.front().degree_for(1e-7));
}

TEST(DataSeries, AnAutomaticRunBeginsWhereTheDataAreResolved) {
  EXPECT_EQ(first_degree(around("cos(x) + 0.09*cos(24*x)"), 1), 24);
  EXPECT_LT(first_degree(around("cos(x) + 1e-9*cos(24*x)"), 1), 24);  // below a tenth of the tolerance
  EXPECT_LT(first_degree(around("0", "cos(24*x)"), 1), 24);           // initial values: of the first window
  EXPECT_LT(first_degree(around("abs(sin(x))"), 1), 48);              // falls slowly: the run finds its own degree
  EXPECT_LT(first_degree(around("cos(1000*x)"), 1), 640);             // beyond the limit
  const Case the_case = case_of(around("0", "cos(24*x)"));
  const Model model = build_model(the_case);
  std::vector<AxisDescription> subdomains = model.subdomains;
  resolve_initial_data(the_case.resolution, model, subdomains);
  EXPECT_EQ(subdomains[1].degree, 24);
}

TEST(DataSeries, LevelsThatProductsSkip) {
  EXPECT_EQ(degrees_of(around("cos(24*x)")).skipped[1], 0);     // linear: the answer has no other waves
  EXPECT_EQ(degrees_of(around("cos(24*x)*u")).skipped[1], 24);  // 24, 48, 72 ..
  EXPECT_EQ(degrees_of(around("cos(24*x) - u^2")).skipped[1], 24);
  EXPECT_EQ(degrees_of(around("exp(cos(x))*u")).skipped[1], 0);
}

TEST(DataSeries, ShortWavesAreInTheAnswerOfAutomaticRuns) {
  for (const int k : {16, 24, 40, 96}) {
    const std::string carried = "exact: {u: \"cos(" + std::to_string(k) + "*(x - t))\"}\n";
    test::expect_exact(around("0", fmt::format("cos({}*x)", k)) + carried, 1e-6);
    const std::string driven = fmt::format("exact: {{u: \"sin(t) + t*cos({}*(x - t))\"}}\n", k);
    test::expect_exact(around(fmt::format("cos(t) + cos({}*(x - t))", k)) + driven, 1e-6);
  }
}

TEST(DataSeries, ALimitOnDegreesIsNamed) {
  for (const char* amplitude : {"1", "0.05"}) {  // which ends the run, or fails it
    const RunOutcome outcome = run_case(replaced(around(fmt::format("cos(x) + {}*cos(40*x)", amplitude)),
                                                 "tolerance: 1.0e-6}", "tolerance: 1.0e-6, limits: {degree: 30}}"));
    EXPECT_EQ(outcome.status, ExitStatus::unresolved);
    expect_holds(outcome.report.reason, "needs degree 40 along x");
    expect_holds(outcome.report.reason, "raise resolution.limits.degree, which is 30");
  }
}

TEST(DataSeries, AliasedDataFailAFixedRunAndTheDegreeThatResolvesThemIsNamed) {
  const std::string fixed = replaced(around("cos(x) + 0.09*cos(24*x)", "sin(x)"), "tolerance: 1.0e-6}",
                                     "degree: {t: 12, x: 8}, domains: {t: 8}}\nverification: {tolerance: 1.0e-6}");
  const RunOutcome outcome = run_case(fixed);
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  std::string said;
  for (const std::string& warning : outcome.report.warnings) said += warning;
  expect_holds(said, "resolution.degree.x: 24 resolves it");
  EXPECT_EQ(run_case(replaced(fixed, "x: 8", "x: 24")).status, ExitStatus::converged);

  // Without an estimate nothing but the data judges it.
  const RunOutcome alone = run_case(replaced(fixed, "{tolerance: 1.0e-6}", "{tolerance: 1.0e-6, estimate: off}"));
  EXPECT_EQ(alone.status, ExitStatus::unresolved);
  expect_holds(alone.report.reason, "degree 24 along x would show it");
  EXPECT_NE(alone.report.reason.find("x: 24"), std::string::npos) << alone.report.reason;
}

// What would show data along a periodic axis is a degree: it has no edges.
TEST(DataSeries, NoEdgesAreAdvisedAlongPeriodicAxes) {
  const std::string spot = replaced(around("cos(x) + 5*exp(-1e5*sin((x - 2.5)/2)^2)"), "tolerance: 1.0e-6}",
                                    "degree: {t: 6, x: 8}}\nverification: {tolerance: 1.0e-6}");
  const RunOutcome outcome = run_case(spot);
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  EXPECT_EQ(outcome.report.reason.find("domains: {x"), std::string::npos) << outcome.report.reason;
  for (const Check& check : outcome.report.verification.checks)
    if (check.kind == "data") {
      EXPECT_EQ(check.subject.find("edges there"), std::string::npos) << check.subject;
      expect_holds(check.subject, "degree");
    }
}

}  // namespace
}  // namespace gwrm::data_series_test
