#include "basis/radau.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <complex>

#include "basis/chebyshev.hpp"
#include "core/errors.hpp"

namespace gwrm::radau_test {
namespace {

using Complex = std::complex<double>;
using ComplexMatrix = Eigen::MatrixXcd;
using ComplexVector = Eigen::VectorXcd;

TEST(Radau, HasTheKnownNodesAndMatricesOfOneTwoAndThreeStages) {
  const Radau one = radau(1);
  EXPECT_EQ(one.nodes(0), 1.0);
  EXPECT_DOUBLE_EQ(one.integration(0, 0), 2.0);  // implicit Euler

  const Radau two = radau(2);
  EXPECT_DOUBLE_EQ(two.nodes(0), -1.0 / 3.0);
  const Matrix A2 = (Matrix(2, 2) << 5.0 / 12, -1.0 / 12, 3.0 / 4, 1.0 / 4).finished();
  EXPECT_LE((two.integration - 2.0 * A2).cwiseAbs().maxCoeff(), 3e-16);

  const Radau three = radau(3);
  const double s = std::sqrt(6.0);
  EXPECT_NEAR(three.nodes(0), 2.0 * (4.0 - s) / 10.0 - 1.0, 2e-16);
  EXPECT_NEAR(three.nodes(1), 2.0 * (4.0 + s) / 10.0 - 1.0, 2e-16);
  Matrix A3(3, 3);                                                       // Hairer and Wanner, table IV.5.6
  A3 << (88 - 7 * s) / 360, (296 - 169 * s) / 1800, (-2 + 3 * s) / 225,  //
      (296 + 169 * s) / 1800, (88 + 7 * s) / 360, (-2 - 3 * s) / 225,    //
      (16 - s) / 36, (16 + s) / 36, 1.0 / 9;
  EXPECT_LE((three.integration - 2.0 * A3).cwiseAbs().maxCoeff(), 4e-16);
}

TEST(Radau, FindsAscendingNodesUpTo200) {
  for (Index K = 1; K <= 200; K += K < 64 ? 1 : 8) {
    const Radau method = radau(K);
    EXPECT_EQ(method.nodes(K - 1), 1.0);
    EXPECT_GT(method.nodes(0), -1.0);
    for (Index j = 1; j < K; ++j) ASSERT_LT(method.nodes(j - 1), method.nodes(j)) << K;
    EXPECT_GT(method.weights.minCoeff(), 0.0);
    EXPECT_NEAR(method.weights.sum(), 2.0, 2e-15 * std::sqrt(static_cast<double>(K))) << K;
  }
}

TEST(Radau, IsExactToItsDegrees) {
  for (Index K : {1, 2, 5, 12, 31, 64}) {
    const Radau method = radau(K);
    const auto powers = [&](Index n) { return Vector(method.nodes.array().pow(static_cast<double>(n))); };
    for (Index n = 0; n <= 2 * K - 2; ++n)
      EXPECT_NEAR(method.weights.dot(powers(n)), n % 2 == 0 ? 2.0 / static_cast<double>(n + 1) : 0.0, 2e-15)
          << K << " " << n;
    for (Index n = 0; n < K; ++n) {
      const double start = n % 2 == 0 ? -1.0 : 1.0;  // (-1)^{n+1}
      const Vector exact = (powers(n + 1).array() - start) / static_cast<double>(n + 1);
      EXPECT_LE((method.integration * powers(n) - exact).cwiseAbs().maxCoeff(), 5e-15) << K << " " << n;
    }
    EXPECT_LE((method.integration.row(K - 1).transpose() - method.weights).cwiseAbs().maxCoeff(), 1e-15);
  }
}

TEST(Radau, IsNotExactBeyond) {
  const Radau method = radau(4);
  const double error = method.weights.dot(Vector(method.nodes.array().pow(7.0)));
  EXPECT_GT(std::abs(error), 1e-4);  // degree 2K - 1
}

TEST(Radau, TurnsNodalValuesIntoChebyshevCoefficients) {
  for (Index K : {1, 2, 3, 16, 64}) {
    const Radau method = radau(K);
    Matrix basis(K, K);
    for (Index j = 0; j < K; ++j) basis.row(j) = basis_row(K - 1, method.nodes(j));
    // Both factors are rounded entry by entry; the nodes as well, which moves T_k by up to k^2 eps near the ends.
    const double tolerance = K <= 16 ? 1e-14 : 1e-12;
    EXPECT_LE((method.coefficients * basis - Matrix::Identity(K, K)).cwiseAbs().maxCoeff(), tolerance) << K;
  }
}

TEST(Radau, HasTheReferenceEigenvalues) {
  struct Reference {
    Index K;
    double largest, smallest;
  };
  // Roots of the denominator polynomial in 40 digits. The eigenvalues react to round-off with the conditioning of the
  // eigenvectors, 7e3, 1.5e6 and 3e8 at K = 8, 12 and 16.
  for (const auto& [K, largest, smallest] :
       {Reference{8, 0.19413130387981, 0.1551330099933}, Reference{12, 0.128279981687, 0.098524844379023},
        Reference{16, 0.09575819148793, 0.071855655582218}}) {
    const Eigen::VectorXd size = Eigen::EigenSolver<Eigen::MatrixXd>(radau(K).integration).eigenvalues().cwiseAbs();
    const double tolerance = K == 8 ? 1e-12 : K == 12 ? 1e-10 : 1e-8;
    EXPECT_NEAR(size.maxCoeff(), largest, tolerance);
    EXPECT_NEAR(size.minCoeff(), smallest, tolerance);
  }
}

// u' = z u, u(-1) = 1 on [-1, 1]: the largest |u(1)| for z on the imaginary axis, from 0.1 to the far end of what K
// modes notice: the growth of the papers' form peaks at |z| of the order of K^2.
template <typename EndValue>
double largest_growth(Index K, EndValue end_value) {
  const double last = 10.0 * static_cast<double>(K * K);
  double growth = 0.0;
  for (double y = 0.1; y < last; y *= 1.004) growth = std::max(growth, std::abs(end_value(Complex(0.0, y))));
  return growth;
}

TEST(Radau, DampsTheWholeImaginaryAxis) {
  for (Index K : {1, 2, 4, 8, 16, 32}) {
    const ComplexMatrix Q = radau(K).integration.cast<Complex>();
    const double growth = largest_growth(K, [&](Complex z) {
      const ComplexMatrix system = ComplexMatrix::Identity(K, K) - z * Q;
      return ComplexVector(system.partialPivLu().solve(ComplexVector::Ones(K)))(K - 1);
    });
    EXPECT_LE(growth, 1.0 + 1e-10) << K;
  }
}

TEST(PapersTimeWeighting, GrowsOnTheImaginaryAxisAsMeasured) {
  struct Reference {
    Index K;
    double growth;
  };
  for (const auto& [K, expected] :
       {Reference{4, 1.3576}, Reference{8, 1.3980}, Reference{16, 1.4099}, Reference{32, 1.4133}}) {
    const ComplexMatrix J = integral_matrix(K).topRows(K + 1).cast<Complex>();
    const double growth = largest_growth(K, [&](Complex z) {
      const ComplexMatrix system = ComplexMatrix::Identity(K + 1, K + 1) - z * J;
      return ComplexVector(system.partialPivLu().solve(ComplexVector::Unit(K + 1, 0))).sum();
    });
    EXPECT_NEAR(growth, expected, 3e-4) << K;  // the reference values come from samples too
  }
}

TEST(Radau, NeedsANode) {
  EXPECT_THROW(radau(0), ShapeError);
}

}  // namespace
}  // namespace gwrm::radau_test
