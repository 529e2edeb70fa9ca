// Modes that an answer lacks (problems/eigenvalue/missed_modes.hpp, search_subdomains.hpp), defective eigenvalues, and
// complex pairs that only conditions hold: what must not pass, and what must.
#include <complex>

#include "problems/eigenvalue/missed_modes.hpp"
#include "run_case.hpp"

namespace gwrm::missed_modes_test {
namespace {

using Number = std::complex<double>;
using test::run_case;

JudgedMode mode_at(Number value) {
  JudgedMode judged{{value, {}, 1.0}};
  judged.size = std::abs(value);
  return judged;
}

const std::vector<JudgedMode> kFour = {mode_at(1.0), mode_at(4.0), mode_at(9.0), mode_at(16.0)};

bool is_below_16(Number value) {
  return std::abs(value) < 15.9;
}

TEST(MissedModes, ThoseOfTheAnswerAreNone) {
  const std::vector<Number> first = {1.0001, 4.0001, 9.0001, 16.0001, 25.0}, second = {1.0, 4.0, 9.0, 16.0, 25.0};
  const SearchedModes found = compare_searched(kFour, first, second, is_below_16);
  EXPECT_TRUE(found.missed.empty());
  for (double moved : found.moved) EXPECT_EQ(moved, 0.0);
}

TEST(MissedModes, WhatBothDivisionsHaveIsMissed) {
  const std::vector<Number> first = {1.0, 4.0, 5.0, 9.0, 16.0}, second = {1.0, 4.0, 5.001, 9.0, 16.0};
  const SearchedModes found = compare_searched(kFour, first, second, is_below_16);
  ASSERT_EQ(found.missed.size(), 1u);
  EXPECT_EQ(found.missed[0], Number(5.0));
}

TEST(MissedModes, WhatOneDivisionHasIsItsOwn) {
  const std::vector<Number> first = {1.0, 4.0, 5.0, 9.0, 16.0}, second = {1.0, 4.0, 6.0, 9.0, 16.0};
  EXPECT_TRUE(compare_searched(kFour, first, second, is_below_16).missed.empty());
}

TEST(MissedModes, BeyondTheLastNothingIsMissed) {
  const std::vector<Number> both = {1.0, 4.0, 9.0, 16.0, 15.95};
  EXPECT_TRUE(compare_searched(kFour, both, both, is_below_16).missed.empty());
}

TEST(MissedModes, EqualEigenvaluesCountAsOften) {
  const std::vector<Number> both = {1.0, 4.0, 4.0, 9.0, 16.0};
  EXPECT_EQ(compare_searched(kFour, both, both, is_below_16).missed.size(), 1u);
}

TEST(MissedModes, OfAPairOneIsEnough) {
  const std::vector<JudgedMode> pair = {mode_at({0.5, 0.5})};
  const std::vector<Number> both = {{0.5, -0.5}};
  EXPECT_TRUE(compare_searched(pair, both, both, is_below_16).missed.empty());
}

TEST(MissedModes, FurtherThanTheDivisionsDifferIsAnError) {
  const std::vector<Number> first = {1.001, 4.0001, 9.0, 16.0}, second = {1.00101, 4.0, 9.0, 16.0};
  const SearchedModes found = compare_searched(kFour, first, second, is_below_16);
  EXPECT_NEAR(found.moved[0], 1e-3, 1e-9);
  EXPECT_EQ(found.moved[1], 0.0);
}

std::vector<double> values_of(const RunOutcome& outcome, const std::string& name) {
  for (const SampledField& field : outcome.fields)
    if (field.name == name) return field.values.data;
  ADD_FAILURE() << "no field " << name;
  return {};
}

// The eigenvalues are those of a string, (k pi)^2, and of a harmonic oscillator of width 0.003, 10 (j + 1/2).
const std::string kHidden = R"yaml(
domain: {x: [0, 1]}
unknowns: [u, v]
eigenvalue: {name: lam, modes: 4}
equations: ["lam*u = -dx(u,2)", "lam*v = -5e-5*dx(v,2) + 5e5*(x - 0.4137)^2*v"]
boundary: ["u(x=0) = 0", "u(x=1) = 0", "v(x=0) = 0", "v(x=1) = 0"]
resolution: {degree: {x: 24}}
)yaml";

TEST(MissedModes, OfAnOscillatorBetweenThePointsFail) {
  const RunOutcome outcome = run_case(kHidden);
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  test::expect_holds(outcome.report.reason, "modes are missing, near 5,");
}

TEST(MissedModes, ToleranceResolvesThem) {
  const RunOutcome outcome = run_case(test::replaced(kHidden, "{degree: {x: 24}}", "{tolerance: 1e-5}"));
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  const std::vector<double> lam = values_of(outcome, "lam"), known = {5.0, M_PI * M_PI, 15.0, 25.0};
  ASSERT_EQ(lam.size(), known.size());
  for (std::size_t k = 0; k < known.size(); ++k) EXPECT_NEAR(lam[k], known[k], 1e-5 * known[k]);
}

TEST(MissedModes, OfCurvesFail) {
  const RunOutcome outcome = run_case(test::replaced(
      test::replaced(test::replaced(kHidden, "{x: [0, 1]}", "{q: [1, 1.2], x: [0, 1]}"), "5e5*(x", "5e5*q*(x"),
      "{x: 24}", "{q: 4, x: 24}"));
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  test::expect_holds(outcome.report.reason, "modes are missing at the lower end of q, near 5,");
}

// -u'' + i x^2 u: at this degree eigenvalues of the matrices lie among those of the operator.
TEST(MissedModes, UnresolvedEigenvaluesAmongThemFail) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {x: [-12, 12]}
unknowns: [p, q]
eigenvalue: {name: lam, modes: 24}
equations: ["lam*p = -dx(p,2) - x^2*q", "lam*q = -dx(q,2) + x^2*p"]
boundary: ["p(x=-12) = 0", "p(x=12) = 0", "q(x=-12) = 0", "q(x=12) = 0"]
resolution: {degree: {x: 100}}
verification: {tolerance: 0.1}
)yaml");
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  test::expect_holds(outcome.report.reason, "no counterpart on finer subdomains");
}

// Two layers of equal depth with the velocities 0 and 1: (1 - c)^2 + c^2 = 0.
TEST(ComplexPairs, OfAVortexSheetKeepTheirImaginaryPart) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {z: [0, 1]}
constants: {k: 2}
unknowns: [a, b]
eigenvalue: {name: c, modes: 1}
equations: ["dz(a,2) - k^2*a = 0", "dz(b,2) - k^2*b = 0"]
boundary: ["a(z=1) = 0", "b(z=1) = 0", "-c*a(z=0) = (1 - c)*b(z=0)", "(1 - c)*dz(a)(z=0) = c*dz(b)(z=0)"]
resolution: {degree: {z: 24}}
)yaml");
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
  EXPECT_NEAR(values_of(outcome, "c_re").front(), 0.5, 1e-12);
  EXPECT_NEAR(values_of(outcome, "c_im").front(), 0.5, 1e-12);
}

// u'' = lam u, u(0) = 0, u'(pi) = u'(0): 0 and -4 n^2, each of these a Jordan block of two.
const std::string kJoined = R"yaml(
domain: {x: [0, pi]}
unknowns: [u]
eigenvalue: {name: lam, modes: 3}
equations: ["dx(u,2) = lam*u"]
boundary: ["u(x=0) = 0", "dx(u)(x=pi) - dx(u)(x=0) = 0"]
resolution: {degree: {x: 24}}
verification: {tolerance: 1e-9}
)yaml";

TEST(DefectiveEigenvalues, AreKnownToTheRootOfRounding) {
  const RunOutcome fails = run_case(kJoined);
  EXPECT_EQ(fails.status, ExitStatus::unresolved);
  const std::vector<double> lam = values_of(fails, "lam"), error = values_of(fails, "lam_error");
  for (std::size_t k = 1; k < lam.size(); ++k) EXPECT_LE(std::abs(lam[k] + 4.0), error[k]);
  EXPECT_EQ(run_case(test::replaced(kJoined, "1e-9", "1e-6")).status, ExitStatus::converged);
}

TEST(DefectiveEigenvalues, EqualOnesThatAreNotDefectivePass) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {x: [0, 1]}
unknowns: [u, v]
eigenvalue: {name: lam, modes: 4}
equations: ["lam*u = -dx(u,2)", "lam*v = -dx(v,2)"]
boundary: ["u(x=0) = 0", "u(x=1) = 0", "v(x=0) = 0", "v(x=1) = 0"]
resolution: {degree: {x: 32}}
verification: {tolerance: 1e-10}
)yaml");
  EXPECT_EQ(outcome.status, ExitStatus::converged) << outcome.report.reason;
}

}  // namespace
}  // namespace gwrm::missed_modes_test
