// Systems with Fourier axes, wavenumber by wavenumber, against the LU of the whole spatial operator, which is assembled
// from points: equal where no coefficient varies along a Fourier axis; and as preconditioner where one does.
#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/LU>
#include <regex>

#include "weighted_residual/preconditioner/averaged_solver.hpp"
#include "weighted_residual/preconditioner/wavenumber_operators.hpp"
#include "weighted_residual/wavenumber_cases.hpp"

namespace gwrm::wavenumber_factors_test {
namespace {

using test::Assembled;
using test::Averaged;
using test::kExact;
using test::random_complex;
using test::random_vector;
using test::SpaceCase;
using Complex = std::complex<double>;

class WavenumberFactors : public ::testing::TestWithParam<SpaceCase> {
 protected:
  WavenumberFactors() : system_(GetParam().yaml) {}
  // Eigenvalues of (h/2) Q for long and short windows, and the real axis; a steady problem has no powers of z.
  std::vector<Complex> z() const {
    if (system_.a.system.discretisation().time() == nullptr) return {0.0};
    return {{0.05, 0.0}, {0.02, 0.03}, {0.001, 0.002}, {0.3, -0.2}};
  }
  FactorResult factors(Precision precision) const {
    return wavenumber_factors(system_.a.system, system_.layout, system_.averages, z(), precision);
  }
  Averaged system_;
};
INSTANTIATE_TEST_SUITE_P(Cases, WavenumberFactors, ::testing::ValuesIn(kExact),
                         [](const auto& what) { return what.param.name; });

// Double precision: round-off times the condition of the operators, which is at most 1e4 here; single precision 6e-8
// times the same, with a lesser one as rows and columns are scaled.
TEST_P(WavenumberFactors, InvertTheWholeOperator) {
  ASSERT_EQ(wavenumber_unsupported_reason(system_.a.model, system_.a.plan), "");
  for (Precision precision : {Precision::double_complex, Precision::single_complex}) {
    const FactorResult result = factors(precision);
    ASSERT_EQ(result.status, LuStatus::regular);
    for (std::size_t k = 0; k < z().size(); ++k) {
      const ComplexVector b = random_complex(system_.layout.size, 5 + static_cast<unsigned>(k));
      const ComplexVector expected = system_.operator_at(z()[k]).fullPivLu().solve(b);
      ComplexVector x(b.size()), again(b.size());
      const auto n = static_cast<std::size_t>(b.size());
      result.factors->solve(k, {b.data(), n}, {x.data(), n});
      EXPECT_LE((x - expected).norm(), (precision == Precision::double_complex ? 1e-11 : 1e-3) * expected.norm()) << k;
      // Part by part from behind: the same bits.
      for (std::size_t part = result.factors->n_parts(); part-- > 0;)
        result.factors->solve_part(part, k, {b.data(), n}, {again.data(), n});
      EXPECT_EQ(x, again);
    }
  }
}

TEST_P(WavenumberFactors, ApplyTheOperators) {
  const FactorResult result = factors(Precision::double_complex);
  ASSERT_EQ(result.status, LuStatus::regular);
  for (int p = 0; p <= highest_power(system_.a.system); ++p) {
    const ComplexVector x = random_complex(system_.layout.size, 15);
    const Matrix b = averaged_operator(system_.a.system, system_.averages, p);
    const ComplexVector expected = b.cast<Complex>() * x;
    ComplexVector y(x.size());
    const auto n = static_cast<std::size_t>(x.size());
    result.factors->apply(p, {x.data(), n}, {y.data(), n});
    EXPECT_LE((y - expected).norm(), 1e-12 * b.norm() * x.norm()) << p;
  }
}

// Parts of several thousand numbers: ranges of wavenumbers that do not begin with the mean.
TEST(WavenumberFactorsInParts, SolveByRangesOfWavenumbers) {
  const Averaged system(R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [-1, 2], basis: fourier}, y: {range: [0, 1], basis: fourier}}
unknowns: [u, v]
equations: ["dt(u) + 2*dx(u) = 0.1*lap(u) + v", "dt(v) - dy(v) = 0.2*lap(v) + 3*dx(u)"]
initial: {u: "0", v: "0"}
resolution: {degree: {t: 1, x: 40, y: 45}}
)yaml");
  const std::vector<Complex> z{{0.02, 0.03}};
  const FactorResult result =
      wavenumber_factors(system.a.system, system.layout, system.averages, z, Precision::double_complex);
  ASSERT_EQ(result.status, LuStatus::regular);
  EXPECT_GT(result.factors->n_parts(), 3u);
  // S x by the operators, term by term.
  const ComplexVector x = random_complex(system.layout.size, 3);
  ComplexVector b = ComplexVector::Zero(x.size()), y(x.size());
  const auto n = static_cast<std::size_t>(x.size());
  Complex power = 1.0;
  for (int p = 0; p <= highest_power(system.a.system); ++p, power *= z[0]) {
    result.factors->apply(p, {x.data(), n}, {y.data(), n});
    b += power * y;
  }
  result.factors->solve(0, {b.data(), n}, {y.data(), n});
  EXPECT_LE((y - x).norm(), 1e-12 * x.norm());
}

TEST(WavenumberFactorsAlone, ReportAMeanThatNothingFixes) {
  const Averaged system(R"yaml(schema: 1
domain: {x: {range: [-1, 2], basis: fourier}, y: {range: [0, 1], basis: fourier}}
unknowns: [u]
equations: ["lap(u) = 0"]
resolution: {degree: {x: 3, y: 3}}
)yaml");
  EXPECT_EQ(
      wavenumber_factors(system.a.system, system.layout, system.averages, {0.0}, Precision::double_complex).status,
      LuStatus::singular);
}

// The mean of cos(x) over the points is 1e-17, not 0.
TEST(WavenumberFactorsAlone, TakeARoundedMeanForNone) {
  const Averaged system(R"yaml(schema: 1
domain: {x: {range: [0, 2*pi], basis: fourier}, y: {range: [0, 2*pi], basis: fourier}}
unknowns: [u]
equations: ["lap(u) + cos(x)*u + sin(x)*dx(u) = 0"]
resolution: {degree: {x: 3, y: 3}}
)yaml");
  EXPECT_EQ(
      wavenumber_factors(system.a.system, system.layout, system.averages, {0.0}, Precision::double_complex).status,
      LuStatus::singular);
}

TEST(WavenumberFactorsAlone, ServeWhatDecouples) {
  const auto reason = [](const std::string& domain, const std::string& equation, const std::string& more) {
    const Assembled a("schema: 1\ndomain: {t: [0, 0.7], " + domain + "}\nunknowns: [u]\nequations: [\"" + equation +
                      "\"]\ninitial: {u: \"0\"}\n" + more);
    return wavenumber_unsupported_reason(a.model, a.plan);
  };
  const std::string fourier = "x: {range: [0, 1], basis: fourier}";
  EXPECT_EQ(reason(fourier, "dt(u) = dx(u,2)", "resolution: {degree: {t: 2, x: 3}}"), "");
  EXPECT_EQ(reason("x: [0, 1]", "dt(u) = dx(u,2)",
                   "boundary: [\"u(x=0) = 0\", \"u(x=1) = 0\"]\nresolution: {degree: {t: 2, x: 3}}"),
            "no axis has basis: fourier");
  EXPECT_EQ(reason(fourier, "dt(u) = dx(u,2) + u(x=0.5)", "resolution: {degree: {t: 2, x: 3}}"),
            "a value at a point of x couples all wavenumbers");
  EXPECT_EQ(reason(fourier + ", y: [0, 1], z: [0, 1]", "dt(u) = lap(u)",
                   "boundary: [\"u(y=0) = 0\", \"u(y=1) = 0\", \"u(z=0) = 0\", \"u(z=1) = 0\"]\n"
                   "resolution: {degree: {t: 2, x: 3, y: 3, z: 3}}"),
            "more than one axis is not periodic");
}

// Constant coefficients: the preconditioner is the inverse Jacobian, for diagonal and triangular time modes. What the
// eigenvectors in time amplify (1e-16 times their condition, 5e6 for 12 nodes) a second iteration takes away.
TEST(WavenumberFactorsAlone, NeedOneIterationWithConstantCoefficients) {
  for (int nodes : {1, 2, 5, 12, 17, 20}) {
    for (std::size_t i : {0, 2, 3, 4, 5, 6, 7}) {
      Assembled a(
          std::regex_replace(kExact[i].yaml, std::regex("t: [0-9]+, x"), "t: " + std::to_string(nodes) + ", x"));
      const std::vector<double> x(static_cast<std::size_t>(a.system.size()), 0.0);
      AveragedSolver solver(a.system, SpatialMethod::wavenumber);
      ASSERT_EQ(solver.linearise(x, true).status, LinearStatus::solved) << kExact[i].name;
      const std::vector<double> expected = random_vector(a.system.size(), 71);
      std::vector<double> v(expected.size());
      a.system.apply_jacobian(a.system.linearise(x), expected, v);
      std::vector<double> again = v;
      LinearOutcome outcome = solver.solve(v, 1e-8);
      EXPECT_EQ(outcome.status, LinearStatus::solved);
      EXPECT_LE(outcome.iterations, 1) << kExact[i].name << " " << nodes;
      outcome = solver.solve(again, 1e-12);
      EXPECT_EQ(outcome.status, LinearStatus::solved);
      EXPECT_LE(outcome.iterations, 2) << kExact[i].name << " " << nodes;
    }
  }
}

// Coefficients that vary along x: GMRES makes up for it. Single precision where there is a bounded axis.
TEST(WavenumberFactorsAlone, PreconditionVaryingCoefficients) {
  for (const char* space : {"x: {range: [0, 2*pi], basis: fourier}, y: {range: [0, 2*pi], basis: fourier}",
                            "x: {range: [0, 2*pi], basis: fourier}, y: [0, 2*pi]"}) {
    const bool walls = std::string(space).find("y: [") != std::string::npos;
    Assembled a(std::string("schema: 1\ndomain: {t: [0, 0.7], ") + space + R"yaml(}
unknowns: [u, v]
equations: ["dt(u) + u*dx(u) + v*dy(u) = 0.2*lap(u)", "dt(v) + u*dx(v) + v*dy(v) = (0.2 + 0.05*cos(x))*lap(v)"]
initial: {u: "0", v: "0"}
resolution: {degree: {t: 5, x: 5, y: 8}}
)yaml" + (walls ? "boundary: [\"u(y=0) = 0\", \"u(y=2*pi) = 0\", \"v(y=0) = 0\", \"dy(v)(y=2*pi) = 0\"]\n" : ""));
    std::vector<double> x = random_vector(a.system.size(), 11);
    for (double& value : x) value *= 0.1;
    for (std::vector<Array>& field : a.state)
      for (Array& state : field)
        for (double& value : state.data) value *= 0.1;
    AveragedSolver solver(a.system, SpatialMethod::wavenumber);
    ASSERT_EQ(solver.linearise(x, true).status, LinearStatus::solved);
    const std::vector<double> expected = random_vector(a.system.size(), 61);
    std::vector<double> right(expected.size());
    a.system.apply_jacobian(a.system.linearise(x), expected, right);
    std::vector<double> v = right, again = right;
    const LinearOutcome outcome = solver.solve(v, 1e-11);
    EXPECT_EQ(outcome.status, LinearStatus::solved) << outcome.detail;
    EXPECT_GE(outcome.iterations, 2);
    EXPECT_LE(outcome.iterations, 30);
    double error = 0.0, size = 0.0;
    for (std::size_t i = 0; i < v.size(); ++i) {
      error = std::max(error, std::abs(v[i] - expected[i]));
      size = std::max(size, std::abs(expected[i]));
    }
    EXPECT_LE(error, 1e-7 * size);  // 1e-11 times the condition of the Jacobian
    solver.solve(again, 1e-11);
    EXPECT_EQ(again, v) << "two solves differ";
  }
}

}  // namespace
}  // namespace gwrm::wavenumber_factors_test
