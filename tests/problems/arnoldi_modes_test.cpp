// Modes by Arnoldi's method (problems/eigenvalue/arnoldi_modes.hpp) of matrices whose eigenvalues are known.
#include "problems/eigenvalue/arnoldi_modes.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <Eigen/SVD>

#include <algorithm>
#include <vector>

namespace gwrm::arnoldi_modes_test {
namespace {

// Upper triangular, so that vectors are no columns of the unit matrix: eigenvalues 1 and 0.8, as often as `copies`
// says, and others from 0.4 on.
Eigen::MatrixXd matrix_with(Index copies, Index size) {
  Eigen::MatrixXd d = Eigen::MatrixXd::Zero(size, size), basis = Eigen::MatrixXd::Identity(size, size);
  for (Index i = 0; i < size; ++i) {
    d(i, i) = i < copies ? 1.0 : i < 2 * copies ? 0.8 : 0.4 * std::cos(1.5 * static_cast<double>(i) / 60.0);
    for (Index j = i + 1; j < size; ++j) basis(i, j) = 0.1 * std::sin(static_cast<double>(i + 2 * j));
  }
  return basis * d * basis.inverse();
}

std::vector<Mode> modes_of(const Eigen::MatrixXd& matrix, std::size_t wanted) {
  return arnoldi_modes(
      matrix.rows(),
      [&](const Eigen::VectorXd& v, Eigen::VectorXd& w) {
        w = matrix * v;
        return true;
      },
      [](const RitzPair& pair, const Eigen::VectorXcd& vector, std::vector<Mode>& modes) {
        modes.push_back({pair.value, vector.normalized(), 0.0});
      },
      wanted, 1e-11, {});
}

// The Krylov space of one vector has one vector of each.
TEST(ArnoldiModes, FindEqualOnesAsOftenAsTheyAre) {
  for (const Index copies : {1, 2, 3}) {
    const Eigen::MatrixXd matrix = matrix_with(copies, 60);
    const std::vector<Mode> modes = modes_of(matrix, 2);
    for (const double value : {1.0, 0.8}) {
      std::vector<Eigen::VectorXcd> vectors;
      for (const Mode& mode : modes)
        if (std::abs(mode.value - value) < 1e-9) vectors.push_back(mode.vector);
      if (value == 0.8 && vectors.empty() && copies > 1) continue;  // two of 1 are two
      ASSERT_EQ(static_cast<Index>(vectors.size()), copies) << value;
      Eigen::MatrixXcd all(60, copies);
      for (Index k = 0; k < copies; ++k) {
        all.col(k) = vectors[static_cast<std::size_t>(k)];
        EXPECT_LT((matrix * all.col(k) - value * all.col(k)).norm(), 1e-8);
      }
      EXPECT_GT(all.jacobiSvd().singularValues()(copies - 1), 1e-3);  // independent
    }
    EXPECT_LE(modes.size(), static_cast<std::size_t>(2 * copies));  // and none besides
  }
}

}  // namespace
}  // namespace gwrm::arnoldi_modes_test
