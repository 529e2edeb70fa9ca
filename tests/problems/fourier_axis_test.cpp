// Periodic directions in a Fourier series through the whole program, from the case to the result file and the
// evaluation of expressions.
#include <stdlib.h>

#include <filesystem>
#include <numbers>

#include "core/errors.hpp"
#include "output/hdf5_file.hpp"
#include "problems/run_case.hpp"

namespace gwrm::fourier_axis_test {
namespace {

using test::replaced;
using test::value_at;

constexpr double kPi = std::numbers::pi;

RunOutcome run_periodic(const std::string& yaml) {
  return make_problem(read_case_text(yaml, "test.yaml"))->run(Context::create(BackendChoice::cpu, 1), {});
}

void expect_passed(const RunOutcome& outcome, double bound) {
  EXPECT_TRUE(outcome.complete) << outcome.report.reason;
  for (const Check& check : outcome.report.verification.checks)
    EXPECT_TRUE(check.passed()) << check.kind << " " << check.subject << ": " << check.value;
  EXPECT_LE(test::worst_error(outcome), bound);
  EXPECT_GE(test::worst_error(outcome), 0.0) << "no exact solution";
}

void expect_refused(const std::string& yaml, const std::string& text) {
  try {
    make_problem(read_case_text(yaml, "test.yaml"));
    FAIL() << "accepted, expected: " << text;
  } catch (const CaseError& error) {
    test::expect_holds(error.what(), text);
  }
}

// Fourier modes decay one by one; the forced one approaches its steady value.
const std::string kHeat = R"yaml(
domain: {t: [0, 1], x: {range: [-1, 1], basis: fourier}}
constants: {nu: 0.1}
unknowns: [u]
equations: ["dt(u) = nu*dx(u,2) + nu*pi^2*cos(pi*x)"]
initial: {u: "2 + sin(2*pi*x)"}
exact: {u: "2 + exp(-4*nu*pi^2*t)*sin(2*pi*x) + (1 - exp(-nu*pi^2*t))*cos(pi*x)"}
resolution: {degree: {t: 14, x: 6}}
solver: {linear: dense}
)yaml";

// Cole-Hopf: u = -2 nu phi_x / phi, phi = 2 + exp(-nu pi^2 t) cos(pi x), whose zeros lie at a distance from the real
// axis such that the modes fall by (2 + sqrt 3)^-1 = 0.27 each: 0.27^22 = 3e-13.
const std::string kBurgers = R"yaml(
domain: {t: [0, 1], x: {range: [0, 2], basis: fourier}}
constants: {nu: 0.1}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = nu*dx(u,2)"]
initial: {u: "2*nu*pi*sin(pi*x)/(2 + cos(pi*x))"}
exact: {u: "2*nu*pi*exp(-nu*pi^2*t)*sin(pi*x)/(2 + exp(-nu*pi^2*t)*cos(pi*x))"}
resolution: {degree: {t: 18, x: 22}}
solver: {linear: dense}
)yaml";

TEST(FourierAxis, PeriodicHeatWithEveryLinearSolverThatServes) {
  for (const char* solver : {"dense", "averaged", "wavenumber", "auto"}) {
    const RunOutcome outcome = run_periodic(replaced(kHeat, "linear: dense", std::string("linear: ") + solver));
    expect_passed(outcome, 1e-11);
    EXPECT_EQ(outcome.solution.fields[0].windows[0].shape, (Shape{15, 13})) << solver;  // 2 M + 1 along x
  }
}

TEST(FourierAxis, PeriodicBurgersByColeAndHopf) {
  for (const char* solver : {"dense", "averaged", "wavenumber"}) {
    const RunOutcome outcome = run_periodic(replaced(kBurgers, "linear: dense", std::string("linear: ") + solver));
    expect_passed(outcome, 1e-10);
    EXPECT_GT(outcome.report.n_newton_iterations, 1);
  }
}

TEST(FourierAxis, SeveralWindowsHandTheStateOn) {
  expect_passed(run_periodic(replaced(kBurgers, "{t: 18, x: 22}", "{t: 8, x: 22}, domains: {t: 4}")), 1e-9);
}

// A series cut off too early: one level, two coefficients, is what the tail sees.
TEST(FourierAxis, TailsAreThoseOfTheLastWavenumbers) {
  const RunOutcome outcome = run_periodic(replaced(kBurgers, "x: 22", "x: 5"));
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  const Check tail = test::find_check(outcome, "tail", "along x");
  EXPECT_GT(tail.value, tail.tolerance);
  const Array& a = outcome.solution.fields[0].windows[0];
  double expected = 0.0, largest = 0.0;
  for (Index k = 0; k < a.shape[0]; ++k)
    for (Index j = 0; j < 11; ++j) {
      const double here = a.data[static_cast<std::size_t>(k * 11 + j)];
      largest = std::max(largest, std::abs(here));
      if (j >= 7 && j % 2 == 1)  // sin 4, sin 5 with their cosines
        expected = std::max(expected, std::hypot(here, a.data[static_cast<std::size_t>(k * 11 + j + 1)]));
    }
  EXPECT_NEAR(tail.value, expected / largest, 1e-14);
}

// The tolerance raises the highest wavenumber; there is nothing to divide.
TEST(FourierAxis, ToleranceRaisesTheDegree) {
  const RunOutcome outcome =
      run_periodic(replaced(kBurgers, "{degree: {t: 18, x: 22}}", "{tolerance: 1e-8, degree: {x: 4}}"));
  expect_passed(outcome, 1e-7);
  const AxisDescription& last = outcome.solution.subdomains.back()[1];
  EXPECT_EQ(last.n_subdomains(), 1);
  EXPECT_GT(last.degree, 8);
}

TEST(FourierAxis, FileAndExpressionsReadBack) {
  std::string pattern = (std::filesystem::temp_directory_path() / "gwrm_second_basis_XXXXXX").string();
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  const std::string path = (std::filesystem::path(pattern) / "run.h5").string();
  const RunOutcome outcome = run_periodic(kBurgers);
  write_hdf5(path, outcome.output_data(), false);
  const Solution stored = read_hdf5(path).solution;
  std::filesystem::remove_all(pattern);

  EXPECT_EQ(stored.subdomains, outcome.solution.subdomains);
  EXPECT_EQ(stored.subdomains[0][0].basis, kChebyshev);
  EXPECT_EQ(stored.subdomains[0][1].basis, kFourier);
  EXPECT_EQ(stored.fields[0].windows[0].data, outcome.solution.fields[0].windows[0].data);
  const double nu = 0.1, t = 0.6, x = 0.7, e = std::exp(-nu * kPi * kPi * t), c = std::cos(kPi * x);
  const double slope = 2 * nu * kPi * kPi * e * (2 * c + e) / ((2 + e * c) * (2 + e * c));
  EXPECT_NEAR(value_at(stored, "dx(u)", {{"t", t}, {"x", x}}), slope, 1e-8);
  EXPECT_NEAR(value_at(stored, "integral(u, x)", {{"t", t}}), 0.0, 1e-12);
  // The square by quadrature, and by Parseval's sum of the coefficients at the end of the window: 1, 1/2, 1/2, ...
  const Array& a = stored.fields[0].windows[0];
  const Index n = a.shape[1];
  double sum = 0.0;
  for (Index j = 0; j < n; ++j) {
    double at_end = 0.0;
    for (Index k = 0; k < a.shape[0]; ++k) at_end += a.data[static_cast<std::size_t>(k * n + j)];
    sum += (j == 0 ? 2.0 : 1.0) * at_end * at_end;
  }
  EXPECT_NEAR(value_at(stored, "integral(u^2, x)", {{"t", 1.0}}), sum, 1e-12);
}

// Periodic in x, walls in y: one axis of each kind.
TEST(FourierAxis, BesideChebyshevSeriesInTwoDimensions) {
  const std::string mixed = R"yaml(
domain: {t: [0, 1], x: {range: [-1, 1], basis: fourier}, y: [0, 1]}
constants: {nu: 0.1}
unknowns: [u]
equations: ["dt(u) = nu*lap(u)"]
initial: {u: "(1 + sin(pi*x))*sin(pi*y)"}
boundary: ["u(y=0) = 0", "u(y=1) = 0"]
exact: {u: "(exp(-nu*pi^2*t) + exp(-2*nu*pi^2*t)*sin(pi*x))*sin(pi*y)"}
resolution: {degree: {t: 12, x: 4, y: 16}}
solver: {linear: dense}
)yaml";
  for (const char* solver : {"dense", "averaged", "tensor", "wavenumber", "auto"})
    expect_passed(run_periodic(replaced(mixed, "linear: dense", std::string("linear: ") + solver)), 1e-10);
}

// Taylor-Green vortices carried by a constant velocity: they decay like exp(-2 nu t), whatever the nonlinear terms. A
// condition or an unknown that depends on time fixes the mean of the stream function.
TEST(FourierAxis, DecayingVorticesInVorticityAndStreamFunction) {
  const std::string vortices = R"yaml(
domain: {t: [0, 1], x: {range: [0, 2*pi], basis: fourier}, y: {range: [0, 2*pi], basis: fourier}}
constants: {nu: 0.1, U: 0.7}
unknowns: [w, psi]
equations: ["dt(w) + (U + dy(psi))*dx(w) - dx(psi)*dy(w) = nu*lap(w)", "lap(psi) + w = 0"]
initial: {w: "2*cos(x)*cos(y)"}
boundary: ["integral(integral(psi, x), y) = 0"]
exact: {w: "2*exp(-2*nu*t)*cos(x - U*t)*cos(y)", psi: "exp(-2*nu*t)*cos(x - U*t)*cos(y)"}
resolution: {degree: {t: 12, x: 4, y: 5}}
solver: {linear: wavenumber}
)yaml";
  std::string gauge = replaced(vortices, "boundary: [\"integral(integral(psi, x), y) = 0\"]\n", "");
  gauge = replaced(gauge, "[w, psi]", "[w, psi, {name: c, dims: [t]}]");
  gauge = replaced(gauge, "\"lap(psi) + w = 0\"", "\"lap(psi) + w = c\", \"integral(integral(psi, x), y) = 0\"");
  for (const std::string& yaml : {vortices, gauge}) {
    const RunOutcome outcome = run_periodic(yaml);
    expect_passed(outcome, 1e-10);
    EXPECT_EQ(run_periodic(yaml).solution.fields[0].windows[0].data, outcome.solution.fields[0].windows[0].data);
  }
}

TEST(FourierAxis, ConditionsAreOneTooMany) {
  const std::string yaml = kHeat + "boundary: [\"u(x=-1) = u(x=1)\"]\n";
  try {
    make_problem(read_case_text(yaml, "test.yaml"));
    FAIL() << "a condition on an axis that takes none";
  } catch (const CaseError& error) {
    test::expect_holds(error.what(), "the equations take 0 along x, 1 given");
  }
}

TEST(FourierAxis, WavenumberSolverRefusesWithAReason) {
  const std::string yaml = replaced(kHeat, "linear: dense", "linear: wavenumber");
  expect_refused(replaced(yaml, "nu*dx(u,2) +", "nu*dx(u,2) + u(x=0) +"), "a value at a point of x couples");
}

TEST(FourierAxis, BandedSolverRefusesWithAReason) {
  try {
    make_problem(read_case_text(replaced(kHeat, "linear: dense", "linear: banded"), "test.yaml"));
    FAIL() << "there is no banded form";
  } catch (const CaseError& error) {
    test::expect_holds(error.what(), "no banded form");
  }
}

// Means that no equation determines, on a circle, a torus, and of a stream function at every time.
const std::string kCircle = R"yaml(
domain: {x: {range: [0, 2], basis: fourier}}
unknowns: [u]
equations: ["dx(u,2) = -pi^2*sin(pi*x)"]
boundary: ["integral(u, x) = 3"]
exact: {u: "sin(pi*x) + 1.5"}
resolution: {degree: {x: 3}}
)yaml";
const std::string kTorus = R"yaml(
domain: {x: {range: [0, 2*pi], basis: fourier}, y: {range: [0, 2*pi], basis: fourier}}
unknowns: [u]
equations: ["lap(u) = -2*sin(x)*cos(y)"]
boundary: ["integral(integral(u, x), y) = 0"]
exact: {u: "sin(x)*cos(y)"}
resolution: {degree: {x: 3, y: 2}}
)yaml";
// Taylor and Green's vortices: the nonlinear terms cancel.
const std::string kVortices = R"yaml(
domain: {t: [0, 1], x: {range: [0, 2*pi], basis: fourier}, y: {range: [0, 2*pi], basis: fourier}}
constants: {nu: 0.1}
unknowns: [w, psi]
equations: ["dt(w) + dy(psi)*dx(w) - dx(psi)*dy(w) = nu*lap(w)", "lap(psi) = -w"]
initial: {w: "2*cos(x)*cos(y)"}
boundary: ["integral(integral(psi, x), y) = 0"]
exact: {w: "2*exp(-2*nu*t)*cos(x)*cos(y)", psi: "exp(-2*nu*t)*cos(x)*cos(y)"}
resolution: {degree: {t: 8, x: 2, y: 2}}
)yaml";

TEST(FourierAxis, AConditionFixesTheMean) {
  for (const std::string& yaml : {kCircle, kTorus, kVortices}) {
    expect_passed(run_periodic(yaml), 1e-11);
    expect_passed(run_periodic(yaml + "solver: {linear: dense}\n"), 1e-11);
    expect_passed(run_periodic(yaml + "solver: {linear: averaged}\n"), 1e-11);
  }
}

TEST(FourierAxis, WithoutItTheProgramNamesTheCondition) {
  const RunOutcome outcome = run_periodic(replaced(kTorus, "boundary: [\"integral(integral(u, x), y) = 0\"]", ""));
  EXPECT_EQ(outcome.status, ExitStatus::singular);
  test::expect_holds(outcome.report.reason, "add to `boundary` \"integral(integral(u, x), y) = 0\"");
}

// A torus that is heated on the whole has no steady temperature: the equation's mean is not met.
TEST(FourierAxis, AMeanThatDoesNotVanishFails) {
  const RunOutcome outcome = run_periodic(replaced(kTorus, "cos(y)\"]", "cos(y) + 1e-4\"]"));
  EXPECT_EQ(outcome.status, ExitStatus::unresolved);
  EXPECT_FALSE(test::find_check(outcome, "mean", "equation 1").passed());
}

TEST(FourierAxis, ServesSpaceOnALinearMapAlone) {
  expect_refused(replaced(kHeat, "basis: fourier", "basis: wavelets"), "wavelets");
  expect_refused(replaced(kHeat, "t: [0, 1]", "t: {range: [0, 1], basis: fourier}"), "`t` is time");
  expect_refused(replaced(kHeat, "t: [0, 1]", "t: [0, 1], p: {range: [0, 1], basis: fourier}"), "`p` is a parameter");
  expect_refused(kHeat + "boundary: [\"integral(u, x) = 0\"]\n", "dt(u) and the initial value determine this mean");
  expect_refused(replaced(kCircle, "= 3\"]", "= 3\", \"integral(u, x) = 4\"]"), "a second time");
  expect_refused(replaced(kHeat, "range: [-1, 1]", "range: [1, 3], map: log"), "a periodic direction has a linear map");
}

}  // namespace
}  // namespace gwrm::fourier_axis_test
