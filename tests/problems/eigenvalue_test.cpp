// Eigenvalue problems (problems/eigenvalue) against eigenvalues that are known in closed form or from tables.
#include <algorithm>
#include <complex>
#include <filesystem>

#include "output/hdf5_file.hpp"
#include "run_case.hpp"

namespace gwrm::eigenvalue_test {
namespace {

using test::run_case;

std::vector<double> field_of(const RunOutcome& outcome, const std::string& name) {
  for (const SampledField& field : outcome.fields)
    if (field.name == name) return field.values.data;
  ADD_FAILURE() << "no field " << name;
  return {};
}

void expect_passes(const RunOutcome& outcome) {
  EXPECT_TRUE(outcome.complete) << outcome.report.reason;
  EXPECT_TRUE(outcome.report.verification.passed()) << outcome.report.reason;
  EXPECT_EQ(outcome.status, ExitStatus::converged);
}

std::string message_of(const std::string& yaml) {
  try {
    run_case(yaml);
  } catch (const CaseError& error) {
    return error.what();
  }
  return "";
}

const std::string kString = R"yaml(
domain: {x: [0, 1]}
unknowns: [u]
eigenvalue: {name: lam, modes: 20}
equations: ["-dx(u,2) = lam*u"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {x: 80}}
)yaml";

TEST(Eigenvalues, TonesOfAString) {
  const RunOutcome outcome = run_case(kString);
  expect_passes(outcome);
  const std::vector<double> lam = field_of(outcome, "lam");
  ASSERT_EQ(lam.size(), 20u);
  for (int k = 1; k <= 20; ++k) EXPECT_NEAR(lam[static_cast<std::size_t>(k - 1)] / std::pow(k * M_PI, 2), 1.0, 1e-12);
  for (double condition : field_of(outcome, "condition")) EXPECT_LT(condition, 1.5);  // 1 but for Chebyshev's weight
  // Scaled to 1 and positive where it is largest.
  EXPECT_NEAR(test::value_at(outcome.solution, "u", {{"mode", 0.0}, {"x", 0.5}}), 1.0, 1e-12);
  EXPECT_NEAR(test::value_at(outcome.solution, "dx(u)", {{"mode", 0.0}, {"x", 0.0}}), M_PI, 1e-10);
}

// More modes than the matrices hold right: passed over, and not passed.
TEST(Eigenvalues, ModesThatAreNotResolvedFail) {
  const RunOutcome outcome = run_case(test::replaced(kString, "{x: 80}", "{x: 20}"));
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  test::expect_holds(outcome.report.reason, "20 modes");
  for (double lam : field_of(outcome, "lam")) {
    const double k = std::sqrt(lam) / M_PI;
    EXPECT_NEAR(k, std::round(k), 0.1);  // none of the matrices' own
  }
}

TEST(Eigenvalues, ToleranceRaisesTheDegree) {
  const RunOutcome outcome =
      run_case(test::replaced(kString, "resolution: {degree: {x: 80}}", "resolution: {tolerance: 1.0e-9}"));
  expect_passes(outcome);
  EXPECT_NEAR(field_of(outcome, "lam").back() / std::pow(20 * M_PI, 2), 1.0, 1e-9);
}

TEST(Eigenvalues, ZeroIsOneOfThem) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {x: [0, pi]}
unknowns: [u]
eigenvalue: lam
equations: ["-dx(u,2) = lam*u"]
boundary: ["dx(u)(x=0) = 0", "dx(u)(x=pi) = 0"]
resolution: {degree: {x: 32}}
)yaml");
  expect_passes(outcome);
  const std::vector<double> lam = field_of(outcome, "lam");
  for (std::size_t k = 0; k < lam.size(); ++k) EXPECT_NEAR(lam[k], static_cast<double>(k * k), 1e-11);
}

TEST(Eigenvalues, QuarticOscillator) {  // Bender and Orszag, Advanced Mathematical Methods, table 10.1, and others
  const RunOutcome outcome = run_case(R"yaml(
domain: {x: [-7, 7]}
unknowns: [u]
eigenvalue: {name: E, modes: 3}
equations: ["-dx(u,2) + x^4*u = E*u"]
boundary: ["u(x=-7) = 0", "u(x=7) = 0"]
resolution: {degree: {x: 80}}
)yaml");
  expect_passes(outcome);
  const std::vector<double> energies = field_of(outcome, "E");
  EXPECT_NEAR(energies[0], 1.060362090484183, 1e-10);
  EXPECT_NEAR(energies[1], 3.799673029801394, 1e-10);
  EXPECT_NEAR(energies[2], 7.455697937986738, 1e-10);
}

// s^2 + 2 a s + (k pi)^2 = 0.
TEST(Eigenvalues, ADampedStringIsQuadraticAndComplex) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {x: [0, 1]}
unknowns: [u]
constants: {a: 1}
eigenvalue: {name: s, modes: 4, near: 0.5+3i}
equations: ["s^2*u + 2*a*s*u = dx(u,2)"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {x: 40}}
)yaml");
  expect_passes(outcome);
  const std::vector<double> re = field_of(outcome, "s_re"), im = field_of(outcome, "s_im");
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(re[k], -1.0, 1e-11);
    EXPECT_NEAR(im[k], std::sqrt(std::pow((static_cast<double>(k) + 1) * M_PI, 2) - 1.0), 1e-10);
  }
  // The equation itself, of the parts.
  const auto at = [&](const char* text) { return test::value_at(outcome.solution, text, {{"mode", 1.0}, {"x", 0.3}}); };
  EXPECT_NEAR(at("(s_re^2 - s_im^2 + 2*s_re)*u_re - (2*s_re*s_im + 2*s_im)*u_im - dx(u_re,2)"), 0.0, 1e-8);
}

const std::string kDrum = R"yaml(
domain: {x: [0, pi], y: [0, pi]}
unknowns: [u]
eigenvalue: {name: lam, modes: 6}
equations: ["-lap(u) = lam*u"]
boundary: ["u(x=0) = 0", "u(x=pi) = 0", "u(y=0) = 0", "u(y=pi) = 0"]
resolution: {degree: {x: 14, y: 14}}
)yaml";

void expect_tones_of_the_drum(const RunOutcome& outcome, double bound) {
  expect_passes(outcome);
  const std::vector<double> lam = field_of(outcome, "lam"), known = {2, 5, 5, 8, 10, 10};
  ASSERT_EQ(lam.size(), known.size());
  for (std::size_t k = 0; k < known.size(); ++k) EXPECT_NEAR(lam[k], known[k], bound) << k;
}

TEST(Eigenvalues, DoubleOnesOfADrum) {
  expect_tones_of_the_drum(run_case(kDrum), 1e-7);
}

// Beyond 1000 unknowns by shift and invert, with the solver that the steady equations have.
TEST(Eigenvalues, ManyUnknowns) {
  expect_tones_of_the_drum(run_case(test::replaced(kDrum, "{x: 14, y: 14}", "{x: 36, y: 36}")), 1e-9);
}

// -u'' + c u' on [0, 1]: (k pi)^2 + c^2/4, modes exp(c x/2) sin(k pi x), left modes exp(-c x/2) sin(k pi x).
TEST(Eigenvalues, ConditionNumbersOfOperatorsThatAreNotNormal) {
  const std::string yaml = R"yaml(
domain: {x: [0, 1]}
unknowns: [u]
constants: {c: 10}
eigenvalue: {name: lam, modes: 2}
equations: ["-dx(u,2) + c*dx(u) = lam*u"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {x: 48}}
)yaml";
  const RunOutcome outcome = run_case(yaml);
  expect_passes(outcome);
  EXPECT_NEAR(field_of(outcome, "lam")[0], M_PI * M_PI + 25.0, 1e-9);
  // |x|^2 = int exp(c x) sin^2(pi x), |z|^2 = int exp(-c x) sin^2(pi x), z . x = 1/2, by a fine rule.
  double right = 0.0, left = 0.0;
  for (int i = 0; i < 20000; ++i) {
    const double x = (i + 0.5) / 20000, sine = std::pow(std::sin(M_PI * x), 2);
    right += std::exp(10 * x) * sine / 20000;
    left += std::exp(-10 * x) * sine / 20000;
  }
  const double condition = field_of(outcome, "condition")[0];
  EXPECT_NEAR(condition / (2.0 * std::sqrt(right * left)), 1.0, 0.5);  // the norms have Chebyshev's weight
}

TEST(Eigenvalues, OrrSommerfeldInVelocityAndPressure) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {x: {range: [0, 2*pi], basis: fourier}, y: [-1, 1]}
constants: {Re: 10000}
unknowns: [u, v, p]
eigenvalue: {name: s, which: largest_real, modes: 2}
equations:
  - "s*u + (1 - y^2)*dx(u) - 2*y*v = -dx(p) + lap(u)/Re"
  - "s*v + (1 - y^2)*dx(v) = -dy(p) + lap(v)/Re"
  - "dx(u) + dy(v) = 0"
boundary: ["u(y=-1) = 0", "u(y=1) = 0", "v(y=-1) = 0", "v(y=1) = 0"]
resolution: {degree: {x: 1, y: 64}}
verification: {estimate: off, tail: 10, residual: 1}
)yaml");
  const std::vector<double> re = field_of(outcome, "s_re"), im = field_of(outcome, "s_im");
  EXPECT_NEAR(re[0], 0.00373967, 5e-9);  // s = -i alpha c, c = 0.23752649 + 0.00373967 i
  EXPECT_NEAR(im[0], 0.23752649, 5e-9);
  EXPECT_NEAR(re[1], -std::pow(M_PI / 2.0, 2) / 10000, 1e-10);  // of the mean flow
}

const std::string kOnset = R"yaml(
domain: {y: [0, 1]}
constants: {Ra: 1500, k: 3, Pr: 1}
unknowns: [v, w, T]
eigenvalue: {name: s, modes: 1}
critical: {parameter: Ra, minimise_over: k}
equations:
  - "w = dy(v,2) - k^2*v"
  - "s*w = Pr*(dy(w,2) - k^2*w) - Pr*Ra*k^2*T"
  - "s*T - v = dy(T,2) - k^2*T"
boundary: ["v(y=0) = 0", "v(y=1) = 0", "dy(v)(y=0) = 0", "dy(v)(y=1) = 0", "T(y=0) = 0", "T(y=1) = 0"]
resolution: {degree: {y: 20}}
)yaml";

TEST(Eigenvalues, OnsetOfConvection) {
  const RunOutcome outcome = run_case(kOnset);
  expect_passes(outcome);
  EXPECT_NEAR(field_of(outcome, "Ra").front(), 1707.76177710, 1e-6);
  EXPECT_NEAR(field_of(outcome, "k").front(), 3.11632356, 1e-5);
  EXPECT_NEAR(field_of(outcome, "s").front(), 0.0, 1e-9);
}

TEST(Eigenvalues, CriticalAtAGivenWavenumber) {
  const RunOutcome outcome =
      run_case(test::replaced(test::replaced(kOnset, ", minimise_over: k", ""), "k: 3,", "k: 4,"));
  expect_passes(outcome);
  EXPECT_NEAR(field_of(outcome, "Ra").front(), 1879.26, 0.01);  // Chandrasekhar 1961, table III: 1879.26 at a = 4
}

TEST(Eigenvalues, FilesReadBack) {
  RunOutcome outcome = run_case(kString);
  const std::string path = ::testing::TempDir() + "modes.h5";
  write_hdf5(path, outcome.output_data(), true);
  const StoredRun stored = read_hdf5(path);
  EXPECT_EQ(stored.solution.axes.front().name, "mode");
  EXPECT_EQ(stored.solution.n_windows(), 20u);
  EXPECT_EQ(test::value_at(stored.solution, "lam", {{"mode", 7.0}}), field_of(outcome, "lam")[7]);
  std::filesystem::remove(path);
}

// A well of depth 50 and width 2 between walls: even k tan k = q coth 3q, odd -k cot k = q coth 3q, k^2 = lam, q^2 = 50
// - lam (by bisection). A tolerance puts edges of subdomains on the jumps: no degree would do.
TEST(Eigenvalues, OfACoefficientThatJumps) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {x: [-4, 4]}
unknowns: [u]
eigenvalue: {name: lam, modes: 3}
equations: ["-dx(u,2) + step(abs(x) - 1)*50*u = lam*u"]
boundary: ["u(x=-4) = 0", "u(x=4) = 0"]
resolution: {tolerance: 1.0e-6}
)yaml");
  expect_passes(outcome);
  const std::vector<double> lam = field_of(outcome, "lam");
  const double known[] = {1.8908537234, 7.5250962398, 16.767207506};
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(lam[k], known[k], 1e-7 * known[k]);
}

// The condition numbers are like exp(60/2): rounding is larger than the tolerance at every degree.
TEST(Eigenvalues, ToleranceBelowRoundingIsToldEarly) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {x: [0, 1]}
unknowns: [u]
eigenvalue: {name: lam, modes: 5}
equations: ["-dx(u,2) + 60*dx(u) = lam*u"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {tolerance: 1.0e-6}
)yaml");
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  test::expect_holds(outcome.report.reason, "finer subdomains do not help: the condition number of the modes");
  EXPECT_LT(outcome.report.n_unknowns, 200);
}

TEST(Eigenvalues, BadInput) {
  const auto with = [](const char* what, const char* by) { return message_of(test::replaced(kString, what, by)); };
  test::expect_holds(with("u(x=1) = 0", "u(x=1) = 1"), "not homogeneous");
  test::expect_holds(with("lam*u", "lam*u^2"), "linear");
  test::expect_holds(with("-dx(u,2) = lam*u", "-dx(u,2) = exp(lam)*u"), "by itself or squared");
  test::expect_holds(with("-dx(u,2) = lam*u", "-dx(u,2) = u"), "no equation holds the eigenvalue");
  test::expect_holds(with("name: lam", "name: u"), "an unknown already");
  test::expect_holds(with("modes: 20", "near: 1+2j"), "0.5+0.1i");
  test::expect_holds(message_of(test::replaced(test::replaced(kString, "domain: {", "domain: {t: [0, 1], "), "{x: 80}",
                                               "{t: 4, x: 80}")),
                     "do not go together");
  test::expect_holds(with("resolution:", "critical: {parameter: Ra}\nresolution:"), "no constant");
}

}  // namespace
}  // namespace gwrm::eigenvalue_test
