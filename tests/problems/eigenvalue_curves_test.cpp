// Eigenvalues over a parameter (problems/eigenvalue/eigenvalue_curves.hpp) against curves in closed form.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include "output/hdf5_file.hpp"
#include "problems/eigenvalue/point_spectrum.hpp"
#include "run_case.hpp"

namespace gwrm::eigenvalue_curves_test {
namespace {

using test::replaced;
using test::run_case;
using test::value_at;

void expect_passes(const RunOutcome& outcome) {
  EXPECT_TRUE(outcome.complete) << outcome.report.reason;
  EXPECT_TRUE(outcome.report.verification.passed()) << outcome.report.reason;
  EXPECT_EQ(outcome.status, ExitStatus::converged);
}

// Two strings, one of them loaded by q: k^2 + q/2 -+ sqrt(q^2/4 + eps^2).
const std::string kPair = R"yaml(
domain: {q: [-1, 1], x: [0, pi]}
constants: {eps: 0}
unknowns: [u, v]
eigenvalue: {name: lam, modes: 2}
equations: ["-dx(u,2) + eps*v = lam*u", "-dx(v,2) + q*v + eps*u = lam*v"]
boundary: ["u(x=0) = 0", "u(x=pi) = 0", "v(x=0) = 0", "v(x=pi) = 0"]
resolution: {degree: {q: 6, x: 20}}
verification: {tolerance: 1.0e-8}
output: {grid: {q: 5, x: 3}}
)yaml";

std::string coupled(const char* eps, int degree = 6) {
  return replaced(replaced(kPair, "eps: 0", std::string("eps: ") + eps), "q: 6", "q: " + std::to_string(degree));
}

// The node q = 0 is the crossing itself: there any two combinations of the modes are modes.
TEST(EigenvalueCurves, ThatCrossAreNotMixedUp) {
  const RunOutcome outcome = run_case(kPair);
  expect_passes(outcome);
  for (const double q : {-1.0, -0.3, 0.0, 0.1, 1.0}) {
    const auto at = [&](const char* what, double mode) {
      return value_at(outcome.solution, what, {{"mode", mode}, {"q", q}, {"x", M_PI / 2}});
    };
    EXPECT_NEAR(at("lam", 0.0), 1.0 + q, 1e-13);  // the lowest at q = -1, and so in the order of the modes
    EXPECT_NEAR(at("lam", 1.0), 1.0, 1e-13);
    EXPECT_NEAR(at("v", 0.0), 1.0, 1e-11);
    EXPECT_NEAR(at("u", 0.0), 0.0, 1e-11);
    EXPECT_NEAR(at("u", 1.0), 1.0, 1e-11);
    EXPECT_NEAR(at("v", 1.0), 0.0, 1e-11);
  }
}

TEST(EigenvalueCurves, ThatAvoidEachOther) {
  const RunOutcome outcome = run_case(coupled("0.5", 32));
  expect_passes(outcome);
  for (const double q : {-1.0, -0.2, 0.0, 0.7})
    for (const double mode : {0.0, 1.0})
      EXPECT_NEAR(value_at(outcome.solution, "lam", {{"mode", mode}, {"q", q}}),
                  1.0 + q / 2.0 + (2.0 * mode - 1.0) * std::sqrt(q * q / 4.0 + 0.25), 1e-10);
}

// Where the curves pass each other at 2e-6 the points see nothing of it.
TEST(EigenvalueCurves, ThatAvoidEachOtherNarrowlyFail) {
  for (const char* eps : {"1.0e-6", "1.0e-4", "1.0e-2"})
    EXPECT_EQ(run_case(coupled(eps)).status, ExitStatus::unresolved) << eps;
  // No point at the crossing: the order of the curves says that there is one.
  const std::string between = replaced(coupled("1.0e-5"), "q: [-1, 1]", "q: [-1, 1.1]");
  EXPECT_EQ(run_case(between).status, ExitStatus::unresolved);
  expect_passes(run_case(replaced(replaced(coupled("1.0e-12"), "q: [-1, 1]", "q: [-1, 1.1]"), "1.0e-8", "1.0e-7")));
}

TEST(EigenvalueCurves, ToleranceChoosesTheDegrees) {
  const RunOutcome outcome =
      run_case(replaced(coupled("0.3"), "resolution: {degree: {q: 6, x: 20}}", "resolution: {tolerance: 1.0e-9}"));
  expect_passes(outcome);
  EXPECT_NEAR(value_at(outcome.solution, "lam", {{"mode", 1.0}, {"q", 0.21}}),
              1.0 + 0.105 + std::sqrt(0.105 * 0.105 + 0.09), 1e-9);
}

// s^2 + 2 a s + (k pi)^2 = 0; at a = pi the first pair meets and becomes real.
const std::string kDamped = R"yaml(
domain: {a: [1, 2.5], x: [0, 1]}
unknowns: [u]
eigenvalue: {name: s, modes: 2, near: -0.5+3i}
equations: ["s^2*u + 2*a*s*u = dx(u,2)"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {a: 16, x: 24}}
output: {grid: {a: 4, x: 3}}
)yaml";

TEST(EigenvalueCurves, OfComplexEigenvaluesSquared) {
  const RunOutcome outcome = run_case(kDamped);
  expect_passes(outcome);
  for (const double a : {1.0, 1.7, 2.5})
    for (const double mode : {0.0, 1.0}) {
      const auto at = [&](const char* what) { return value_at(outcome.solution, what, {{"mode", mode}, {"a", a}}); };
      EXPECT_NEAR(at("s_re"), -a, 1e-7);
      EXPECT_NEAR(at("s_im"), std::sqrt(std::pow((mode + 1.0) * M_PI, 2) - a * a), 1e-7);
    }
}

TEST(EigenvalueCurves, EndWhereTwoMeetAndBecomeAPair) {
  const RunOutcome outcome = run_case(replaced(kDamped, "[1, 2.5]", "[1, 4]"));
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  test::expect_holds(outcome.report.reason, "could not be followed over a between 3.141");
}

// (k pi)^2 + c^2/4; left and right modes are exp(-+c x/2) sin(k pi x), far from each other.
TEST(EigenvalueCurves, OfOperatorsThatAreNotNormal) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {c: [-8, 8], x: [0, 1]}
unknowns: [u]
eigenvalue: {name: lam, modes: 3}
equations: ["-dx(u,2) + c*dx(u) = lam*u"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {c: 24, x: 32}}
output: {grid: {c: 4, x: 3}}
)yaml");
  expect_passes(outcome);
  for (const double c : {-8.0, 0.5, 7.0})
    for (const double mode : {0.0, 1.0, 2.0})
      EXPECT_NEAR(value_at(outcome.solution, "lam", {{"mode", mode}, {"c", c}}),
                  std::pow((mode + 1.0) * M_PI, 2) + c * c / 4.0, 1e-8);
}

// The tones of a square drum under the tension q: 2 q, and twice 5 q everywhere.
TEST(EigenvalueCurves, DoubleAlongTheCurve) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {q: [1, 2], x: [0, pi], y: [0, pi]}
unknowns: [u]
eigenvalue: {name: lam, modes: 3}
equations: ["-q*lap(u) = lam*u"]
boundary: ["u(x=0) = 0", "u(x=pi) = 0", "u(y=0) = 0", "u(y=pi) = 0"]
resolution: {degree: {q: 2, x: 10, y: 10}}
verification: {tolerance: 1.0e-3}
output: {grid: {q: 3, x: 3, y: 3}}
)yaml");
  expect_passes(outcome);
  for (const double mode : {1.0, 2.0})
    EXPECT_NEAR(value_at(outcome.solution, "lam", {{"mode", mode}, {"q", 1.3}}), 6.5, 1e-4);
}

// More than 1000 unknowns: by shift and invert. q k^2 + m^2 + c^2 q/4; (1, 2) and (2, 1) cross at the node q = 1, and
// (3, 1) ends far beyond those that are nearest to eigenvalue.near.
const std::string kLarge = R"yaml(
domain: {q: [0.5, 1.5], x: [0, pi], y: [0, pi]}
constants: {c: 3}
unknowns: [u]
eigenvalue: {name: lam, modes: 3}
equations: ["-q*dx(u,2) - dy(u,2) + c*q*dx(u) = lam*u"]
boundary: ["u(x=0) = 0", "u(x=pi) = 0", "u(y=0) = 0", "u(y=pi) = 0"]
resolution: {degree: {q: 2, x: 32, y: 32}}
output: {grid: {q: 3, x: 3, y: 3}}
)yaml";

double tone(double q, double c, int k, int m) {
  return q * k * k + m * m + c * c * q / 4.0;
}

TEST(EigenvalueCurves, OfManyUnknownsThatCross) {
  const RunOutcome outcome = run_case(kLarge);
  expect_passes(outcome);
  EXPECT_EQ(outcome.report.n_unknowns, 33 * 33);
  for (const SampledField& field : outcome.fields) EXPECT_NE(field.name, "condition");  // left modes are not known
  for (const double q : {0.5, 0.9, 1.0, 1.4})
    for (const auto& [mode, k, m] : {std::tuple(0.0, 1, 1), std::tuple(1.0, 2, 1), std::tuple(2.0, 1, 2)})
      EXPECT_NEAR(value_at(outcome.solution, "lam", {{"mode", mode}, {"q", q}}), tone(q, 3.0, k, m), 1e-10);
}

TEST(EigenvalueCurves, OfManyUnknownsAreFollowedBeyondTheNearestOnes) {
  const RunOutcome outcome = run_case(replaced(replaced(kLarge, "[0.5, 1.5]", "[0.1, 3]"), "c: 3", "c: 0.5"));
  expect_passes(outcome);
  for (const auto& [mode, k] : {std::pair(0.0, 1), std::pair(1.0, 2), std::pair(2.0, 3)})
    EXPECT_NEAR(value_at(outcome.solution, "lam", {{"mode", mode}, {"q", 2.9}}), tone(2.9, 0.5, k, 1), 1e-9);
}

// The shift is an eigenvalue where the curves begin: there the equations have no solution.
TEST(EigenvalueCurves, OfManyUnknownsBeginAtTheShift) {
  const RunOutcome outcome = run_case(replaced(kLarge, "modes: 3", "modes: 2, near: 2.625"));
  expect_passes(outcome);
  for (const auto& [mode, k, m] : {std::tuple(0.0, 1, 1), std::tuple(1.0, 2, 1)})
    EXPECT_NEAR(value_at(outcome.solution, "lam", {{"mode", mode}, {"q", 0.5}}), tone(0.5, 3.0, k, m), 1e-10);
}

// By shift and invert, squared: s and its conjugate have the same mode, and are told apart all the same.
TEST(EigenvalueCurves, DualsOfSquaredEigenvaluesPairWithOneModeEach) {
  const Case the_case = read_case_text(R"yaml(
domain: {x: [0, pi], y: [0, pi]}
unknowns: [u]
eigenvalue: {name: s, modes: 1, near: -0.5+1.5i}
equations: ["s^2*u + s*u = dx(u,2) + 2*dy(u,2)"]
boundary: ["u(x=0) = 0", "u(x=pi) = 0", "u(y=0) = 0", "u(y=pi) = 0"]
resolution: {degree: {x: 22, y: 22}}
)yaml",
                                       "test.yaml");
  const Context context = Context::create(BackendChoice::cpu, 1);
  const RunControl control;
  const PointSpectrum spectrum(context, the_case, 0, {}, control);
  ASSERT_TRUE(spectrum.is_large());
  ASSERT_GE(spectrum.candidates().size(), 4u);
  for (const Mode& one : spectrum.candidates()) {
    const std::vector<Eigen::VectorXcd> z = spectrum.functionals(one);
    ASSERT_EQ(z.size(), 2u);
    for (const Mode& other : spectrum.candidates()) {
      const std::complex<double> product = z[0].dot(other.vector) + (one.value + other.value) * z[1].dot(other.vector);
      EXPECT_NEAR(std::abs(product - (&one == &other ? 1.0 : 0.0)), 0.0, 1e-9) << one.value << " " << other.value;
    }
  }
}

TEST(EigenvalueCurves, FilesReadBack) {
  RunOutcome outcome = run_case(kPair);
  const std::string path = ::testing::TempDir() + "curves.h5";
  write_hdf5(path, outcome.output_data(), true);
  const StoredRun stored = read_hdf5(path);
  EXPECT_EQ(stored.solution.axes.at(1).name, "q");
  EXPECT_EQ(value_at(stored.solution, "lam", {{"mode", 0.0}, {"q", 0.3}}),
            value_at(outcome.solution, "lam", {{"mode", 0.0}, {"q", 0.3}}));
  for (const SampledField& field : outcome.fields) {
    if (field.name != "lam" && field.name != "lam_error" && field.name != "condition") continue;
    EXPECT_EQ(field.values.shape, (Shape{2, 5})) << field.name;
  }
  std::filesystem::remove(path);
}

TEST(EigenvalueCurves, ModesThatAreNotResolvedFail) {
  const RunOutcome outcome = run_case(replaced(kPair, "modes: 2", "modes: 30"));
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  test::expect_holds(outcome.report.reason, "of 30 modes are resolved");
}

// q is normal: the mean and the variance of lam = 1 + q are its own, moved by 1.
TEST(EigenvalueCurves, OfAnUncertainParameterHaveStatistics) {
  const RunOutcome outcome =
      run_case(replaced(kPair, "q: [-1, 1]", "q: {distribution: normal, mean: 0.5, deviation: 0.02}"));
  expect_passes(outcome);
  const auto lam = std::find_if(outcome.statistics.begin(), outcome.statistics.end(),
                                [](const FieldStatistics& of) { return of.name == "lam"; });
  ASSERT_NE(lam, outcome.statistics.end());
  EXPECT_NEAR(lam->statistics.mean.data[0], 1.0, 1e-12);  // the lower one at q > 0
  EXPECT_NEAR(lam->statistics.mean.data[1], 1.5, 1e-12);
  EXPECT_NEAR(lam->statistics.variance.data[1], 4e-4, 1e-12);
}

TEST(EigenvalueCurves, BadInput) {
  const auto message = [](const std::string& what, const std::string& by,
                          const std::string& yaml = kPair) -> std::string {
    try {
      run_case(replaced(yaml, what, by));
    } catch (const CaseError& error) {
      return error.what();
    }
    return "";
  };
  test::expect_holds(message("q: [-1, 1],", "q: [-1, 1], p: [0, 1],", replaced(kPair, "{q: 6,", "{q: 6, p: 2,")),
                     "make `p` a constant");
  test::expect_holds(message("constants:", "critical: {parameter: eps}\nconstants:"), "`q` is a dimension");
  test::expect_holds(message("unknowns: [u, v]", "unknowns: [u, {name: v, dims: [x]}]"), "must have it");
}

}  // namespace
}  // namespace gwrm::eigenvalue_curves_test
