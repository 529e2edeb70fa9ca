// Mixed second derivatives against products of whole matrices.
#include "kernels/sbp_sat/mixed_stiffness.hpp"

#include <gtest/gtest.h>

#include "core/errors.hpp"
#include "core/matrix.hpp"
#include "random_array.hpp"

namespace gwrm::mixed_stiffness_test {
namespace {

// D_slow^T W D_fast u + D_fast^T W D_slow u + q; u, W, q as n_slow x n_fast matrices.
Matrix by_matrices(const Matrix& slow, const Matrix& fast, const Matrix& weight, const Matrix& u, const Matrix& q) {
  const Matrix along_fast = weight.cwiseProduct(u * fast.transpose()), along_slow = weight.cwiseProduct(slow * u);
  return q + slow.transpose() * along_fast + along_slow * fast;
}

TEST(MixedStiffness, IsTheProductOfItsMatrices) {
  test::Random random(7);
  for (int order : {2, 4, 6})
    // The smallest, odd ones, strips that end within a closure, and enough points for several threads.
    for (const auto& [m, n] : {std::pair<Index, Index>{19, 21}, {48, 40}, {49, 63}, {131, 207}}) {
      const double h_slow = 0.3, h_fast = 0.7;
      const Matrix weight = random.matrix(m, n), u = random.matrix(m, n), q = random.matrix(m, n);
      const MixedStiffness a(order, m, n, h_slow, h_fast, {weight.data(), weight.data() + weight.size()});
      Matrix found = q;
      cpu::add_mixed_stiffness(a, u.data(), found.data());
      const Matrix expected =
          by_matrices(dense(sbp_derivative(order, m, h_slow)), dense(sbp_derivative(order, n, h_fast)), weight, u, q);
      EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-13 * expected.cwiseAbs().maxCoeff())
          << order << ", " << m << " x " << n;
    }
}

TEST(MixedStiffness, WantsAValueAtEveryPoint) {
  EXPECT_THROW(MixedStiffness(2, 20, 21, 0.1, 0.1, std::vector<double>(400)), ShapeError);
}

}  // namespace
}  // namespace gwrm::mixed_stiffness_test
