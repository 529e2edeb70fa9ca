// The spatial operators of the time average against the Jacobian itself, their factorisations against double precision.
#include "weighted_residual/preconditioner/spatial_factors.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/LU>

#include "basis/radau.hpp"
#include "weighted_residual/assembled.hpp"
#include "weighted_residual/averaged_systems.hpp"
#include "weighted_residual/window/dense_rows.hpp"

namespace gwrm::spatial_factors_test {
namespace {

using test::Assembled;
using test::AveragedSystem;
using test::kAveragedSystems;
using test::kDivisions;
using test::random_vector;
using Complex = std::complex<double>;

// A system at a random iterate, averaged over the window.
struct Averaged {
  Assembled a;
  SpatialLayout layout;
  Linearisation at_x;
  std::vector<Array> averages;

  explicit Averaged(const std::string& yaml)
      : a(yaml),
        layout(a.system),
        at_x(a.system.linearise(random_vector(a.system.size(), 11))),
        averages(time_averages(a.system, at_x)) {}
};

class SpatialOperators : public ::testing::TestWithParam<AveragedSystem> {};
INSTANTIATE_TEST_SUITE_P(Systems, SpatialOperators, ::testing::ValuesIn(kAveragedSystems),
                         [](const auto& what) { return what.param.name; });

// J with averaged coefficients is sum_p (h/2)^p Q^p (x) B_p: the linearised rows themselves say what it does to a
// vector.
TEST_P(SpatialOperators, MakeUpTheJacobianOfAveragedCoefficients) {
  for (int degree : {1, 4, 7}) {
    const Averaged averaged(GetParam().with(degree, kDivisions[2]));
    const WindowSystem& system = averaged.a.system;
    ASSERT_EQ(averaging_unsupported_reason(averaged.a.model, averaged.a.plan), "");
    const std::vector<double> v = random_vector(system.size(), 31);
    std::vector<double> expected(v.size());
    system.apply_jacobian({averaged.averages}, v, expected);

    const TimeBasis* time = system.discretisation().time();
    const Matrix q = time ? radau(degree).integration : Matrix::Identity(1, 1);
    const double half = time ? (time->end() - time->start()) / 2.0 : 1.0;
    Matrix in_time = averaged.layout.gather(v, averaged.layout.fields);
    Matrix sum = Matrix::Zero(in_time.rows(), in_time.cols());
    double size = 0.0;
    for (int p = 0; p <= highest_power(system); ++p) {
      const Matrix b = averaged_operator(system, averaged.averages, p);
      sum += in_time * b.transpose();
      size = std::max(size, b.cwiseAbs().rowwise().sum().maxCoeff());
      in_time = half * q * in_time;
    }
    std::vector<double> result(v.size());
    averaged.layout.scatter(sum, averaged.layout.rows, result);
    for (std::size_t i = 0; i < v.size(); ++i)
      ASSERT_NEAR(result[i], expected[i], 1e-13 * size) << system.describe_row(static_cast<Index>(i));
  }
}

TEST(SpatialLayout, GatherAndScatterAreInverse) {
  const Averaged averaged(kAveragedSystems[6].with(3, kDivisions[1]));
  const std::vector<double> v = random_vector(averaged.a.system.size(), 5);
  for (const std::vector<Index>* offsets : {&averaged.layout.fields, &averaged.layout.rows}) {
    std::vector<double> back(v.size());
    averaged.layout.scatter(averaged.layout.gather(v, *offsets), *offsets, back);
    EXPECT_EQ(back, v);
  }
}

ComplexMatrix operator_at(const Averaged& averaged, Complex z) {
  ComplexMatrix sum = ComplexMatrix::Zero(averaged.layout.size, averaged.layout.size);
  Complex power = 1.0;
  for (int p = 0; p <= highest_power(averaged.a.system); ++p, power *= z)
    sum += power * averaged_operator(averaged.a.system, averaged.averages, p).cast<Complex>();
  return sum;
}

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

// Factors are judged by what they are for: one solve has the leading digits (in double precision nearly all), and each
// refinement with the operator gains more, down to the round-off of the double-precision solution.
void expect_solves(const SpatialFactors& factors, std::size_t k, const ComplexMatrix& s, Precision precision,
                   const std::string& what) {
  const Eigen::PartialPivLU<Eigen::MatrixXcd> exact{Eigen::MatrixXcd(s)};
  const ComplexVector b = random_complex(s.rows(), 41);
  const ComplexVector expected = exact.solve(b);
  ComplexVector x = solved(factors, k, b);
  EXPECT_LE((x - expected).norm(), (precision == Precision::single_complex ? 1e-2 : 1e-9) * expected.norm()) << what;
  for (int refinement = 0; refinement < 6; ++refinement) x += solved(factors, k, b - s * x);
  EXPECT_LE((x - expected).norm(), 1e-8 * expected.norm()) << what;
}

class Factors : public ::testing::TestWithParam<AveragedSystem> {
 protected:
  // Eigenvalues of (h/2) Q for short and long windows, and the real axis.
  const std::vector<Complex> z_{{0.05, 0.0}, {0.02, 0.03}, {0.001, 0.002}, {0.3, -0.2}};
};
INSTANTIATE_TEST_SUITE_P(Systems, Factors, ::testing::ValuesIn(kAveragedSystems),
                         [](const auto& what) { return what.param.name; });

TEST_P(Factors, OfAllSpaceSolve) {
  for (const std::string& division : {kDivisions[0], kDivisions[3]}) {
    const Averaged averaged(GetParam().with(3, division));
    for (Precision precision : {Precision::single_complex, Precision::double_complex}) {
      const FactorResult result = dense_factors(averaged.a.system, averaged.layout, averaged.averages, z_, precision);
      ASSERT_EQ(result.status, LuStatus::regular);
      for (std::size_t k = 0; k < z_.size(); ++k)
        expect_solves(*result.factors, k, operator_at(averaged, z_[k]), precision, division);
    }
  }
}

TEST_P(Factors, OfCondensedSubdomainsSolve) {
  for (const std::string& division : kDivisions) {
    const Averaged averaged(GetParam().with(3, division));
    ASSERT_EQ(condensation_unsupported_reason(averaged.a.model, averaged.a.plan), "");
    for (Precision precision : {Precision::single_complex, Precision::double_complex}) {
      const FactorResult result =
          static_condensation(averaged.a.system, averaged.layout, averaged.averages, z_, precision);
      ASSERT_EQ(result.status, LuStatus::regular) << division;
      for (std::size_t k = 0; k < z_.size(); ++k)
        expect_solves(*result.factors, k, operator_at(averaged, z_[k]), precision, division);
    }
  }
}

TEST_P(Factors, ApplyTheSameOperators) {
  const Averaged averaged(GetParam().with(3, kDivisions[4]));
  const FactorResult dense =
      dense_factors(averaged.a.system, averaged.layout, averaged.averages, z_, Precision::single_complex);
  const FactorResult condensed =
      static_condensation(averaged.a.system, averaged.layout, averaged.averages, z_, Precision::single_complex);
  const Index n = averaged.layout.size;
  const ComplexVector x = random_complex(n, 51);
  for (int p = 0; p <= highest_power(averaged.a.system); ++p) {
    const Matrix b = averaged_operator(averaged.a.system, averaged.averages, p);
    const ComplexVector expected = b.cast<Complex>() * x;
    for (const SpatialFactors* factors : {dense.factors.get(), condensed.factors.get()}) {
      ComplexVector y(n);
      factors->apply(p, {x.data(), static_cast<std::size_t>(n)}, {y.data(), static_cast<std::size_t>(n)});
      EXPECT_LE((y - expected).cwiseAbs().maxCoeff(), 1e-13 * b.cwiseAbs().rowwise().sum().maxCoeff());
    }
  }
}

// More subdomains than a dense interface system is taken for, by far: the sparse one.
TEST(StaticCondensation, OfManySubdomains) {
  for (const char* name : {"Burgers", "KdV", "ScalarAndIntegral", "PeriodicOddAndEven"}) {
    const auto& system = *std::find_if(kAveragedSystems.begin(), kAveragedSystems.end(),
                                       [&](const AveragedSystem& candidate) { return candidate.name == name; });
    const Averaged averaged(system.with(2, "40"));
    const std::vector<Complex> z{{0.02, 0.03}};
    for (Precision precision : {Precision::single_complex, Precision::double_complex}) {
      const FactorResult result =
          static_condensation(averaged.a.system, averaged.layout, averaged.averages, z, precision);
      ASSERT_EQ(result.status, LuStatus::regular) << name;
      expect_solves(*result.factors, 0, operator_at(averaged, z[0]), precision, name);
    }
  }
}

TEST(StaticCondensation, SayWhyTheyCannotServe) {
  const auto unsupported_reason = [](const std::string& domain, const std::string& equation,
                                     const std::string& boundary, const std::string& degree) {
    const Assembled a("schema: 1\ndomain: {" + domain + "}\nunknowns: [u]\nequations: [\"" + equation +
                      "\"]\ninitial: {u: \"0\"}\nboundary: [" + boundary + "]\nresolution: {degree: {" + degree +
                      "}}\n");
    return condensation_unsupported_reason(a.model, a.plan);
  };
  const std::string ends = "\"u(x=0) = 0\", \"u(x=1) = 0\"";
  EXPECT_EQ(unsupported_reason("t: [0, 1], x: [0, 1]", "dt(u) = dx(u,2)", ends, "t: 2, x: 4"), "");
  EXPECT_NE(unsupported_reason("t: [0, 1], x: [0, 1]", "dt(u) = dx(u,2) + u(x=0.5)", ends, "t: 2, x: 4"), "");
  EXPECT_NE(unsupported_reason("t: [0, 1], x: [0, 1]", "dt(u) = dx(u,2) + integral(u, x)", ends, "t: 2, x: 4"), "");
  EXPECT_NE(unsupported_reason("t: [0, 1], x: [0, 1], y: [0, 1]", "dt(u) = dx(u,2)", ends, "t: 2, x: 4, y: 2"), "");
}

// A condition said twice leaves the numbers that couple the subdomains undetermined.
TEST(StaticCondensation, FindASingularSystem) {
  for (const std::string& division : {kDivisions[0], kDivisions[2]}) {
    std::string yaml = kAveragedSystems[0].with(3, division);
    yaml.replace(yaml.find("u(x=2) = t"), 10, "u(x=-1) = t");
    const Averaged averaged(yaml);
    const std::vector<Complex> z{{0.05, 0.02}};
    for (Precision precision : {Precision::single_complex, Precision::double_complex}) {
      const FactorResult condensed =
          static_condensation(averaged.a.system, averaged.layout, averaged.averages, z, precision);
      EXPECT_EQ(condensed.status, LuStatus::singular) << division;
      EXPECT_EQ(condensed.factors, nullptr);
    }
  }
}

TEST(AveragedRows, SayWhyThereIsNoAverage) {
  const auto unsupported_reason = [](const std::string& equation, const std::string& rest) {
    const Assembled a(
        "schema: 1\ndomain: {t: [0, 0.7], x: [0, 1]}\nunknowns: [u" +
        std::string(equation.find("c*") != std::string::npos ? ", {name: c, dims: []}" : "") + "]\nequations: [\"" +
        equation + "\"" + (equation.find("c*") != std::string::npos ? ", \"u(t=0.7, x=0.5) = 1\"" : "") +
        "]\ninitial: {u: \"0\"}\nboundary: [\"u(x=0) = 0\", \"u(x=1) = 0\"]\nresolution: {degree: {t: 3, x: 4}}\n" +
        rest);
    return averaging_unsupported_reason(a.model, a.plan);
  };
  EXPECT_EQ(unsupported_reason("dt(u) = dx(u,2) + u^2", ""), "");
  EXPECT_NE(unsupported_reason("dt(u) = dx(u,2) + u^2", "time: {weighting: chebyshev}\n").find("chebyshev"),
            std::string::npos);
  EXPECT_NE(unsupported_reason("dt(u) = dx(u,2) + u(t=0.7)", "").find("restriction"), std::string::npos);
  EXPECT_NE(unsupported_reason("dt(u) = dx(u,2) + integral(u, t)", "").find("integral"), std::string::npos);
  EXPECT_NE(unsupported_reason("dt(u) = dx(u,2) + c*x", "").find("unknown c"), std::string::npos);
}

}  // namespace
}  // namespace gwrm::spatial_factors_test
