// Left modes (problems/eigenvalue/left_modes.hpp): sensitivities of eigenvalues against those in closed form and
// differences of two runs, and left modes in closed form.
#include <cmath>
#include <filesystem>
#include <string>

#include "output/hdf5_file.hpp"
#include "run_case.hpp"

namespace gwrm::left_modes_test {
namespace {

using test::replaced;
using test::run_case;
using test::value_at;

// (k pi)^2 nu + c^2/(4 nu); modes exp(c x/(2 nu)) sin(k pi x), left modes exp(-c x/(2 nu)) sin(k pi x).
const std::string kAdvection = R"yaml(
domain: {x: [0, 1]}
unknowns: [u]
constants: {c: 3, nu: 0.7}
eigenvalue: {name: lam, modes: 3}
equations: ["-nu*dx(u,2) + c*dx(u) = lam*u"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {x: 32}}
)yaml";

const std::vector<std::pair<std::string, double>> kFirst = {{"mode", 0.0}};

TEST(LeftModes, GiveTheSensitivity) {
  const RunOutcome outcome = run_case(kAdvection);
  const double step = 1e-4;
  const RunOutcome above = run_case(replaced(kAdvection, "nu: 0.7", "nu: 0.7001"));
  const RunOutcome below = run_case(replaced(kAdvection, "nu: 0.7", "nu: 0.6999"));
  for (const double mode : {0.0, 1.0, 2.0}) {
    const auto at = [&](const RunOutcome& of, const char* what) {
      return value_at(of.solution, what, {{"mode", mode}, {"x", 0.5}});
    };
    EXPECT_NEAR(at(outcome, "integral(u_left*u, x)"), 1.0, 1e-12);
    const double by_nu = at(outcome, "integral(-u_left*dx(u,2), x)");
    EXPECT_NEAR(by_nu, std::pow((mode + 1.0) * M_PI, 2) - 9.0 / (4.0 * 0.49), 1e-9);
    EXPECT_NEAR(by_nu, (at(above, "lam") - at(below, "lam")) / (2.0 * step), 1e-5);
    EXPECT_NEAR(at(outcome, "integral(u_left*dx(u), x)"), 3.0 / (2.0 * 0.7), 1e-10);
    // u_left u is 2 sin^2(k pi x): a power of the degree is missing of the function, not of the integrals.
    EXPECT_NEAR(at(outcome, "u_left*u"), 2.0 * std::pow(std::sin((mode + 1.0) * M_PI / 2.0), 2), 1e-4);
  }
}

// The same left mode however the equation is written.
TEST(LeftModes, DoNotDependOnTheSideOfTheEigenvalue) {
  const RunOutcome one = run_case(kAdvection);
  const RunOutcome other =
      run_case(replaced(kAdvection, "-nu*dx(u,2) + c*dx(u) = lam*u", "lam*u = -nu*dx(u,2) + c*dx(u)"));
  for (const char* what : {"u_left", "dx(u_left)"})
    EXPECT_NEAR(value_at(one.solution, what, {{"mode", 1.0}, {"x", 0.3}}),
                value_at(other.solution, what, {{"mode", 1.0}, {"x", 0.3}}), 1e-9);
}

TEST(LeftModes, AreTheModesWhereTheProblemIsSelfAdjoint) {
  const RunOutcome outcome = run_case(replaced(replaced(kAdvection, "c: 3", "c: 0"), "x: 32", "x: 48"));
  for (const double x : {0.1, 0.5, 0.8}) {
    const auto at = [&](const char* what) { return value_at(outcome.solution, what, {{"mode", 0.0}, {"x", x}}); };
    EXPECT_NEAR(at("u_left"), 2.0 * at("u"), 2e-8) << x;
  }
}

// So fine, rows are in ultraspherical polynomials.
TEST(LeftModes, OfRowsInBandedForm) {
  const RunOutcome outcome = run_case(replaced(replaced(kAdvection, "x: 32", "x: 260"), "modes: 3", "modes: 1"));
  EXPECT_NEAR(value_at(outcome.solution, "integral(-u_left*dx(u,2), x)", kFirst), M_PI * M_PI - 9.0 / (4.0 * 0.49),
              1e-8);
}

// s^2 + 2 a s + (k pi)^2 = 0: complex, squared, on subdomains; ds/da = -s/(s + a).
TEST(LeftModes, OfComplexEigenvaluesSquared) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {x: [0, 1]}
unknowns: [u]
constants: {a: 1}
eigenvalue: {name: s, modes: 2, near: 0.5+3i}
equations: ["s^2*u + 2*a*s*u = dx(u,2)"]
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {x: 24}, domains: {x: 2}}
)yaml");
  ASSERT_TRUE(outcome.report.verification.passed()) << outcome.report.reason;
  for (const double mode : {0.0, 1.0}) {
    const auto at = [&](const char* what) { return value_at(outcome.solution, what, {{"mode", mode}}); };
    const std::complex<double> s(at("s_re"), at("s_im"));
    // <left, u> = int conj(left) u dx
    const std::complex<double> product(at("integral(u_left_re*u_re + u_left_im*u_im, x)"),
                                       at("integral(u_left_re*u_im - u_left_im*u_re, x)"));
    EXPECT_NEAR(std::abs(-2.0 * s * product + s / (s + 1.0)), 0.0, 1e-10) << mode;
  }
}

// Two equations, one of them without the eigenvalue, and two dimensions, one of them periodic.
TEST(LeftModes, OfSystemsInTwoDimensions) {
  const std::string yaml = R"yaml(
domain: {x: {range: [0, 2*pi], basis: fourier}, y: [0, pi]}
unknowns: [u, w]
constants: {q: 0.3, r: 2}
eigenvalue: {name: lam, modes: 2, near: 0.9}
equations: ["w = lap(u)", "-w + q*cos(x)*u + r*dy(u) = lam*u"]
boundary: ["u(y=0) = 0", "u(y=pi) = 0"]
resolution: {degree: {x: 3, y: 14}}
verification: {tolerance: 1.0e-3}
)yaml";
  const RunOutcome outcome = run_case(yaml);
  ASSERT_TRUE(outcome.report.verification.passed()) << outcome.report.reason;
  const auto at = [&](const RunOutcome& of, const char* what) { return value_at(of.solution, what, kFirst); };
  const RunOutcome above = run_case(replaced(yaml, "q: 0.3", "q: 0.301"));
  const RunOutcome below = run_case(replaced(yaml, "q: 0.3", "q: 0.299"));
  const double difference = (at(above, "lam") - at(below, "lam")) / 0.002;
  EXPECT_LT(difference, -0.01);
  // The first equation is solved for w, the second one for u; for w the weights of both add up to nothing.
  EXPECT_NEAR(at(outcome, "integral(integral(u_left*cos(x)*u, x), y)"), difference, 1e-6);
  EXPECT_NEAR(at(outcome, "integral(integral((w_left + u_left)*u, x), y)"), 0.0, 1e-6);
}

// Of equal eigenvalues the left modes are those that pair with one mode each.
TEST(LeftModes, OfEqualEigenvaluesAreBiorthogonal) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {x: [0, pi], y: [0, pi]}
unknowns: [u]
eigenvalue: {name: lam, modes: 3}
equations: ["-lap(u) = lam*u"]
boundary: ["u(x=0) = 0", "u(x=pi) = 0", "u(y=0) = 0", "u(y=pi) = 0"]
resolution: {degree: {x: 14, y: 14}}
output: {grid: {x: 40, y: 40}}
)yaml");
  ASSERT_EQ(outcome.solution.n_windows(), 3u);
  // Two modes are no one expression: int int left_1 u_2 by the coefficients of a run in which they stand side by side.
  const auto samples = [&](const char* name) {
    for (const SampledField& field : outcome.fields)
      if (field.name == name) return field.values;
    ADD_FAILURE() << name;
    return Array();
  };
  const Array u = samples("u"), left = samples("u_left");
  const Index n = u.size() / 3;
  for (Index i = 0; i < 3; ++i)
    for (Index k = 0; k < 3; ++k) {  // by the trapezoidal rule, which is exact for products of sines
      double product = 0.0;
      for (Index p = 0; p < n; ++p)
        product += left.data[static_cast<std::size_t>(i * n + p)] * u.data[static_cast<std::size_t>(k * n + p)];
      EXPECT_NEAR(product * std::pow(M_PI / 39.0, 2), i == k ? 1.0 : 0.0, 2e-3) << i << k;
    }
}

// d lam/dq from the left modes is the slope of the curve, at its crossing, too: 1 + q and 1.
TEST(LeftModes, OverAParameter) {
  const RunOutcome outcome = run_case(R"yaml(
domain: {q: [-1, 1], x: [0, pi]}
unknowns: [u, v]
eigenvalue: {name: lam, modes: 2}
equations: ["-dx(u,2) = lam*u", "-(1 + 0.1*q)*dx(v,2) + q*v + q*dx(v) = lam*v"]
boundary: ["u(x=0) = 0", "u(x=pi) = 0", "v(x=0) = 0", "v(x=pi) = 0"]
resolution: {degree: {q: 10, x: 20}}
verification: {tolerance: 1.0e-6}
output: {grid: {q: 5, x: 3}}
)yaml");
  ASSERT_TRUE(outcome.report.verification.passed()) << outcome.report.reason;
  for (const double q : {-0.9, 0.0, 0.37})
    for (const double mode : {0.0, 1.0}) {
      const auto at = [&](const char* what) { return value_at(outcome.solution, what, {{"mode", mode}, {"q", q}}); };
      EXPECT_NEAR(at("integral(v_left*(v + dx(v) - 0.1*dx(v,2)), x)"), at("dq(lam)"), 1e-5) << q << " " << mode;
      EXPECT_NEAR(at("integral(u_left*u + v_left*v, x)"), 1.0, 1e-6);
    }
}

TEST(LeftModes, StandInTheFile) {
  RunOutcome outcome = run_case(kAdvection);
  const std::string path = ::testing::TempDir() + "left_modes.h5";
  write_hdf5(path, outcome.output_data(), true);
  const StoredRun stored = read_hdf5(path);
  for (const char* what : {"u_left(x=0.3)", "dx(u_left)(x=0.3)"})
    EXPECT_EQ(value_at(stored.solution, what, kFirst), value_at(outcome.solution, what, kFirst));
  std::filesystem::remove(path);
}

TEST(LeftModes, TakeTheirNames) {
  try {
    run_case(replaced(kAdvection, "c: 3,", "u_left: 3, c: 3,"));
    ADD_FAILURE() << "u_left is a name of the result";
  } catch (const CaseError& error) {
    test::expect_holds(error.what(), "choose another name than u_left");
  }
}

}  // namespace
}  // namespace gwrm::left_modes_test
