// Operators inverted axis by axis against the LU of the whole spatial operator, where the equations are separable and
// the answers therefore the same; and as preconditioner where they are not.
#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/LU>

#include "weighted_residual/assembled.hpp"
#include "weighted_residual/preconditioner/averaged_solver.hpp"
#include "weighted_residual/space_cases.hpp"
#include "weighted_residual/window/dense_rows.hpp"

namespace gwrm::tensor_factors_test {
namespace {

using test::Assembled;
using test::kNotSeparable;
using test::kSeparable;
using test::random_vector;
using test::SpaceCase;
using Complex = std::complex<double>;

// The averages at a zero iterate: linear systems have the same everywhere.
struct Separable {
  Assembled a;
  SpatialLayout layout;
  std::vector<Array> averages;

  explicit Separable(const std::string& yaml)
      : a(yaml),
        layout(a.system),
        averages(time_averages(
            a.system, a.system.linearise(std::vector<double>(static_cast<std::size_t>(a.system.size()), 0.0)))) {}

  Eigen::MatrixXcd operator_at(Complex z) const {
    Eigen::MatrixXcd sum = Eigen::MatrixXcd::Zero(layout.size, layout.size);
    Complex power = 1.0;
    for (int p = 0; p <= highest_power(a.system); ++p, power *= z)
      sum += power * averaged_operator(a.system, averages, p).cast<Complex>();
    return sum;
  }

  // True for the numbers of a right-hand side that belong to conditions or continuity.
  std::vector<bool> condition_rows() const {
    std::vector<bool> is_condition(static_cast<std::size_t>(layout.size), true);
    for (std::size_t i = 0; i < a.system.rows().size(); ++i)
      if (a.system.rows()[i].kind == RowBlock::Kind::equation)
        std::fill(is_condition.begin() + layout.rows[i], is_condition.begin() + layout.rows[i + 1], false);
    return is_condition;
  }

  FactorResult factors(const std::vector<Complex>& z, Precision precision) const {
    return tensor_factors(a.system, layout, averages, z, precision);
  }
};

ComplexVector random_complex(Index n, unsigned seed) {
  const std::vector<double> re = random_vector(n, seed), im = random_vector(n, seed + 1);
  ComplexVector v(n);
  for (Index i = 0; i < n; ++i) v(i) = {re[static_cast<std::size_t>(i)], im[static_cast<std::size_t>(i)]};
  return v;
}

ComplexVector solved(const SpatialFactors& factors, std::size_t k, const ComplexVector& b) {
  ComplexVector x(b.size());
  const auto n = static_cast<std::size_t>(b.size());
  factors.solve(k, {b.data(), n}, {x.data(), n});
  return x;
}

// Eigenvalues of (h/2) Q for long and short windows, and the real axis.
const std::vector<Complex> kEigenvalues{{0.05, 0.0}, {0.02, 0.03}, {0.001, 0.002}, {0.3, -0.2}};

class TensorFactors : public ::testing::TestWithParam<SpaceCase> {
 protected:
  TensorFactors() : system_(GetParam().yaml) {}
  // A steady problem has no powers of z.
  std::vector<Complex> z() const {
    return system_.a.system.discretisation().time() ? kEigenvalues : std::vector<Complex>{1.0};
  }
  Separable system_;
};
INSTANTIATE_TEST_SUITE_P(Systems, TensorFactors, ::testing::ValuesIn(kSeparable),
                         [](const auto& what) { return what.param.name; });

// Right-hand sides of all rows, of the equations alone (all that a preconditioner meets once the conditions hold), and
// of the conditions alone. Unitary transforms keep errors near the round-off of their precision, 6e-8 or 1e-16,
// whatever the condition: 5e-5 and 1e-12 leave room for a factor 1000, 30 were measured. Refinement brings single
// precision to double.
TEST_P(TensorFactors, SolveAsTheWholeOperatorDoes) {
  const std::vector<bool> is_condition = system_.condition_rows();
  for (Precision precision : {Precision::single_complex, Precision::double_complex}) {
    const bool single = precision == Precision::single_complex;
    const FactorResult result = system_.factors(z(), precision);
    ASSERT_EQ(result.status, LuStatus::regular);
    ASSERT_NE(result.factors, nullptr);
    for (std::size_t k = 0; k < z().size(); ++k) {
      const Eigen::MatrixXcd s = system_.operator_at(z()[k]);
      const Eigen::PartialPivLU<Eigen::MatrixXcd> exact(s);
      for (const char* which : {"all", "equations", "conditions"}) {
        ComplexVector b = random_complex(system_.layout.size, 41);
        for (Index i = 0; i < b.size(); ++i)
          if (*which == (is_condition[static_cast<std::size_t>(i)] ? 'e' : 'c')) b(i) = 0.0;
        const ComplexVector expected = exact.solve(b);
        ASSERT_GT(expected.norm(), 0.0);
        ComplexVector x = solved(*result.factors, k, b);
        EXPECT_LE((x - expected).norm(), (single ? 5e-5 : 1e-12) * expected.norm()) << which << ", z " << z()[k];
        for (int refinement = 0; refinement < 2; ++refinement) x += solved(*result.factors, k, b - s * x);
        EXPECT_LE((x - expected).norm(), 1e-10 * expected.norm()) << which << ", z " << z()[k];
      }
    }
  }
}

TEST_P(TensorFactors, ApplyTheOperatorsOfEveryPower) {
  const FactorResult result = system_.factors(z(), Precision::single_complex);
  ASSERT_NE(result.factors, nullptr);
  const auto n = static_cast<std::size_t>(system_.layout.size);
  const ComplexVector x = random_complex(system_.layout.size, 51);
  for (int p = 0; p <= highest_power(system_.a.system); ++p) {
    const Matrix b = averaged_operator(system_.a.system, system_.averages, p);
    const ComplexVector expected = b.cast<Complex>() * x;
    ComplexVector y = ComplexVector::Constant(system_.layout.size, Complex(7.0, 7.0));  // every number is to be written
    result.factors->apply(p, {x.data(), n}, {y.data(), n});
    EXPECT_LE((y - expected).cwiseAbs().maxCoeff(), 1e-13 * b.cwiseAbs().rowwise().sum().maxCoeff()) << p;
  }
}

// Right-hand sides as small as late GMRES residuals: single precision neither underflows nor loses digits to them.
TEST(TensorFactorsAlone, AreLinearDownToTheSmallestNumbers) {
  const Separable system(kSeparable[0].yaml);
  const FactorResult result = system.factors(kEigenvalues, Precision::single_complex);
  const ComplexVector b = random_complex(system.layout.size, 41);
  const ComplexVector x = solved(*result.factors, 1, b);
  for (double size : {1e-60, 1e60}) {
    const ComplexVector scaled = solved(*result.factors, 1, size * b);
    EXPECT_LE((scaled / size - x).norm(), 1e-4 * x.norm()) << size;  // another rounding of the same numbers
  }
  EXPECT_EQ(solved(*result.factors, 1, ComplexVector::Zero(b.size())).norm(), 0.0);
}

// The constant is in the null space of  lap u  with Neumann conditions on all sides, and T_0 its series.
TEST(TensorFactorsAlone, FindASingularOperator) {
  const std::string poisson = R"yaml(schema: 1
domain: {x: [-1, 2], y: [0, 1]}
unknowns: [u]
equations: ["lap(u) + MASS*u = x"]
boundary: ["dx(u)(x=-1) = 0", "dx(u)(x=2) = 0", "dy(u)(y=0) = 0", "dy(u)(y=1) = 0"]
resolution: {degree: {x: 7, y: 6}}
)yaml";
  for (Precision precision : {Precision::single_complex, Precision::double_complex}) {
    const auto factors_with = [&](const std::string& mass) {
      std::string yaml = poisson;
      return Separable(yaml.replace(yaml.find("MASS"), 4, mass)).factors({1.0}, precision);
    };
    EXPECT_EQ(factors_with("0").status, LuStatus::singular);
    EXPECT_EQ(factors_with("0").factors, nullptr);
    EXPECT_EQ(factors_with("0.01").status, LuStatus::regular);
  }
}

// The same condition twice; a pressure that its own equation does not hold.
TEST(TensorFactorsAlone, FindSingularConditionsAndEquations) {
  std::string twice = kSeparable[0].yaml;
  twice.replace(twice.find("dx(u)(x=2) = 0"), 14, "2*u(x=-1) = 0");
  EXPECT_EQ(Separable(twice).factors(kEigenvalues, Precision::single_complex).status, LuStatus::singular);

  const Separable stokes(R"yaml(schema: 1
domain: {x: [-1, 2], y: [0, 1]}
unknowns: [u, v, p]
equations: ["lap(u) = dx(p)", "lap(v) = dy(p) + 1", "dx(u) + dy(v) = 0"]
boundary: ["u(x=-1) = 0", "u(x=2) = 0", "u(y=0) = 0", "u(y=1) = 1",
           "v(x=-1) = 0", "v(x=2) = 0", "v(y=0) = 0", "v(y=1) = 0"]
resolution: {degree: {x: 5, y: 4}}
)yaml");
  EXPECT_EQ(stokes.factors({1.0}, Precision::single_complex).status, LuStatus::singular);
}

TEST(TensorFactorsAlone, RefuseWhatIsNotFinite) {
  Separable system(kSeparable[0].yaml);
  system.averages.front().data.front() = std::numeric_limits<double>::quiet_NaN();
  const FactorResult result = system.factors(kEigenvalues, Precision::single_complex);
  EXPECT_EQ(result.status, LuStatus::not_finite);
  EXPECT_EQ(result.factors, nullptr);
}

// ---- As the preconditioner of GMRES

Eigen::VectorXd as_vector(const std::vector<double>& v) {
  return Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Index>(v.size()));
}

class TensorCorrections : public ::testing::TestWithParam<std::tuple<SpaceCase, int>> {};
INSTANTIATE_TEST_SUITE_P(Systems, TensorCorrections,
                         ::testing::Combine(::testing::ValuesIn(kNotSeparable), ::testing::Values(4, 13, 18)),
                         [](const auto& what) {
                           return std::get<0>(what.param).name + std::to_string(std::get<1>(what.param));
                         });

// Diagonal time modes in single and double precision and triangular ones. GMRES stops at a residual of 1e-11; the
// residual with the dense matrix has its round-off on top. 22 iterations at most were measured; there are hundreds of
// unknowns.
TEST_P(TensorCorrections, AreThoseOfTheWholeJacobian) {
  std::string yaml = std::get<0>(GetParam()).yaml;
  Assembled a(yaml.replace(yaml.find("t: K"), 4, "t: " + std::to_string(std::get<1>(GetParam()))));
  std::vector<double> x = random_vector(a.system.size(), 11);
  for (double& value : x) value *= 0.1;
  AveragedSolver solver(a.system, SpatialMethod::tensor);
  const LinearOutcome linearised = solver.linearise(x, true);
  ASSERT_EQ(linearised.status, LinearStatus::solved) << linearised.detail;
  const Eigen::MatrixXd matrix = a.jacobian(x);
  const Eigen::VectorXd expected = as_vector(random_vector(a.system.size(), 61));
  const Eigen::VectorXd right = matrix * expected;
  std::vector<double> v(right.begin(), right.end());
  const LinearOutcome outcome = solver.solve(v, 1e-11);
  EXPECT_EQ(outcome.status, LinearStatus::solved) << outcome.detail;
  EXPECT_GE(outcome.iterations, 2);
  EXPECT_LE(outcome.iterations, 40);
  EXPECT_LE((matrix * as_vector(v) - right).norm(), 1e-10 * right.norm());
  const Eigen::VectorXd direct = Eigen::PartialPivLU<Eigen::MatrixXd>(matrix).solve(right);
  EXPECT_LE((as_vector(v) - direct).norm(), 1e-7 * direct.norm());  // 1e3 for the condition of the Jacobian
}

// Separable and with nothing that varies in time: the preconditioner is the inverse Jacobian but for round-off.
TEST(TensorCorrection, IsExactForSeparableEquations) {
  for (const char* degree : {"t: 3", "t: 8", "t: 14", "t: 20"}) {
    std::string yaml = kSeparable[4].yaml;
    Assembled a(yaml.replace(yaml.find("t: 3"), 4, degree));
    const std::vector<double> x(static_cast<std::size_t>(a.system.size()), 0.0);
    AveragedSolver solver(a.system, SpatialMethod::tensor);
    ASSERT_EQ(solver.linearise(x, true).status, LinearStatus::solved);
    const Eigen::VectorXd expected = as_vector(random_vector(a.system.size(), 71));
    const Eigen::VectorXd right = a.jacobian(x) * expected;
    std::vector<double> v(right.begin(), right.end());
    const LinearOutcome outcome = solver.solve(v, 1e-11);
    EXPECT_EQ(outcome.status, LinearStatus::solved);
    EXPECT_LE(outcome.iterations, 5) << degree;
    EXPECT_LE((as_vector(v) - expected).norm(), 1e-8 * expected.norm()) << degree;
  }
}

TEST(TensorCorrection, SaysThatItsApproximationIsSingular) {
  Assembled a(R"yaml(schema: 1
domain: {x: [-1, 2], y: [0, 1]}
unknowns: [u]
equations: ["lap(u) = u^2"]
boundary: ["dx(u)(x=-1) = 0", "dx(u)(x=2) = 0", "dy(u)(y=0) = 0", "dy(u)(y=1) = 1"]
resolution: {degree: {x: 5, y: 4}}
)yaml");
  AveragedSolver solver(a.system, SpatialMethod::tensor);
  std::vector<double> x(static_cast<std::size_t>(a.system.size()), 0.0);
  const LinearOutcome outcome = solver.linearise(x, true);
  EXPECT_NE(outcome.status, LinearStatus::solved);
  EXPECT_NE(outcome.detail.find("singular"), std::string::npos) << outcome.detail;
  x[0] = 1.0;  // 2 u delta u: no longer
  EXPECT_EQ(solver.linearise(x, true).status, LinearStatus::solved);
}

}  // namespace
}  // namespace gwrm::tensor_factors_test
