// Eigenvalues near a complex number, beyond the size of which all are found, against closed forms and the dense way.
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "run_case.hpp"

namespace gwrm::complex_shift_test {
namespace {

using Number = std::complex<double>;

std::vector<Number> eigenvalues(const RunOutcome& outcome, const std::string& name) {
  std::vector<Number> values;
  for (const char* part : {"_re", "_im"})
    for (const SampledField& field : outcome.fields) {
      if (field.name != name + part) continue;
      values.resize(field.values.data.size());
      for (std::size_t k = 0; k < values.size(); ++k)
        values[k] += (part[1] == 'r' ? Number(1.0) : Number(0.0, 1.0)) * field.values.data[k];
    }
  return values;
}

// s^2 + 2 a s + m^2 + n^2 = 0; the eigenvalue 5 of the drum is double.
std::string damped_drum(int degree, const std::string& near) {
  return R"yaml(
domain: {x: [0, pi], y: [0, pi]}
unknowns: [u]
constants: {a: 0.5}
eigenvalue: {name: s, modes: 3, near: )yaml" +
         near + R"yaml(}
equations: ["s^2*u + 2*a*s*u = lap(u)"]
boundary: ["u(x=0) = 0", "u(x=pi) = 0", "u(y=0) = 0", "u(y=pi) = 0"]
resolution: {degree: {x: )yaml" +
         std::to_string(degree) + ", y: " + std::to_string(degree) + "}}\n";
}

TEST(ComplexShifts, SquaredEigenvaluesInThePlane) {
  const std::vector<Number> all = eigenvalues(test::run_case(damped_drum(20, "-0.4+2.5i")), "s");  // the dense way
  ASSERT_EQ(all.size(), 3u);
  // 576 unknowns, 1152 of the companion form. Of a pair the one in the upper half plane is shown.
  const RunOutcome outcome = test::run_case(damped_drum(23, "-0.4-2.5i"));
  EXPECT_TRUE(outcome.report.verification.passed()) << outcome.report.reason;
  const std::vector<Number> s = eigenvalues(outcome, "s");
  ASSERT_EQ(s.size(), 3u);
  const double known[] = {8.0, 5.0, 5.0};  // -0.1 + 0.28 i and -0.1 - 0.32 i from there
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_LT(std::abs(s[k] - Number(-0.5, std::sqrt(known[k] - 0.25))), 1e-9) << k;
    EXPECT_LT(std::abs(s[k] - all[k]), 1e-9) << k;
  }
}

// -nu (k pi)^2 +- 20 i, by the banded solver; near the real axis there is none of them.
TEST(ComplexShifts, ByBandedFactors) {
  const RunOutcome outcome = test::run_case(R"yaml(
domain: {x: [0, 1]}
unknowns: [u, v]
constants: {nu: 0.1}
eigenvalue: {name: s, modes: 2, near: -3.5+19i}
equations: ["s*u = nu*dx(u,2) - 20*v", "s*v = nu*dx(v,2) + 20*u"]
boundary: ["u(x=0) = 0", "u(x=1) = 0", "v(x=0) = 0", "v(x=1) = 0"]
resolution: {degree: {x: 520}}
verification: {estimate: off}
)yaml");
  EXPECT_TRUE(outcome.report.verification.passed()) << outcome.report.reason;
  const std::vector<Number> s = eigenvalues(outcome, "s");
  ASSERT_EQ(s.size(), 2u);
  EXPECT_LT(std::abs(s[0] - Number(-0.1 * std::pow(2 * M_PI, 2), 20.0)), 1e-9);
  EXPECT_LT(std::abs(s[1] - Number(-0.1 * std::pow(M_PI, 2), 20.0)), 1e-9);
}

// The drum as two equations, one of them without derivatives: GMRES with tensor factors does not converge for the
// pairs, and dense factors take their place.
TEST(ComplexShifts, InThePlaneByDenseFactors) {
  const RunOutcome outcome = test::run_case(R"yaml(
domain: {x: [0, pi], y: [0, pi]}
unknowns: [u, v]
constants: {a: 0.5}
eigenvalue: {name: s, modes: 1, near: -0.4+2.5i}
equations: ["s*u = v", "s*v + 2*a*v = lap(u)"]
boundary: ["u(x=0) = 0", "u(x=pi) = 0", "u(y=0) = 0", "u(y=pi) = 0"]
resolution: {degree: {x: 22, y: 22}}
verification: {estimate: off}
)yaml");
  EXPECT_TRUE(outcome.report.verification.passed()) << outcome.report.reason;
  const std::vector<Number> s = eigenvalues(outcome, "s");
  ASSERT_EQ(s.size(), 1u);
  EXPECT_LT(std::abs(s[0] - Number(-0.5, std::sqrt(7.75))), 1e-9);
}

TEST(ComplexShifts, TellNamesThatMeanSomethingElse) {
  const std::string renamed =
      test::replaced(test::replaced(damped_drum(23, "-0.4+2.5i"), "a: 0.5", "i: 0.5"), "2*a", "2*i");
  try {
    test::run_case(renamed);
    ADD_FAILURE() << "the constant i passed";
  } catch (const CaseError& error) {
    test::expect_holds(error.what(), "choose another");
  }
}

}  // namespace
}  // namespace gwrm::complex_shift_test
