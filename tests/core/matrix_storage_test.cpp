// Eigen's matrices where there is no memory (core/matrix_storage.hpp). Without it the destructors here free twice,
// which the allocator or the sanitizer ends with a signal.
#include "core/matrix_storage.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <new>
#include <utility>

namespace gwrm::matrix_storage_test {
namespace {

constexpr Eigen::Index kImpossible = Eigen::Index{1} << 61;  // numbers: more bytes than there are addresses

template <class M>
void fail_and_go_on(M matrix, Eigen::Index rows, Eigen::Index columns) {
  EXPECT_THROW(matrix.resize(rows, columns), std::bad_alloc);
  EXPECT_EQ(matrix.size(), 0);
  const Eigen::Index two_rows = M::RowsAtCompileTime == 1 ? 1 : 2, two_columns = M::ColsAtCompileTime == 1 ? 1 : 2;
  matrix.setOnes(two_rows, two_columns);
  EXPECT_EQ(matrix.sum(), static_cast<typename M::Scalar>(static_cast<double>(two_rows * two_columns)));
}

TEST(MatrixStorage, ResizingThatFailsLeavesAnEmptyMatrix) {
  fail_and_go_on<Eigen::MatrixXd>(Eigen::MatrixXd::Ones(3, 4), kImpossible, 1);
  fail_and_go_on<Eigen::MatrixXcd>(Eigen::MatrixXcd::Ones(3, 4), kImpossible, 1);
  fail_and_go_on<Eigen::MatrixXf>(Eigen::MatrixXf::Ones(3, 4), kImpossible, 2);
  using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  fail_and_go_on<ByRows>(ByRows::Ones(3, 4), kImpossible, 1);
  fail_and_go_on<Eigen::VectorXd>(Eigen::VectorXd::Ones(3), kImpossible, 1);
  fail_and_go_on<Eigen::RowVectorXd>(Eigen::RowVectorXd::Ones(3), 1, kImpossible);
}

TEST(MatrixStorage, AllElseIsAsInEigen) {
  Eigen::MatrixXd a = Eigen::MatrixXd::Ones(2, 3);
  const double* const numbers = a.data();
  a.resize(3, 2);  // as many numbers: the same memory
  EXPECT_EQ(a.data(), numbers);
  Eigen::MatrixXd b = std::move(a);
  EXPECT_EQ(b.data(), numbers);
  Eigen::MatrixXd c(1, 1);
  c.swap(b);
  EXPECT_EQ(c.data(), numbers);
  c.conservativeResize(4, 2);
  EXPECT_EQ(c.topRows(3).sum(), 6.0);
  b = c;
  EXPECT_NE(b.data(), c.data());
  EXPECT_EQ(b.rows(), 4);
  b.resize(0, 5);
  EXPECT_EQ(b.size(), 0);
  EXPECT_EQ(b.cols(), 5);
}

}  // namespace
}  // namespace gwrm::matrix_storage_test
