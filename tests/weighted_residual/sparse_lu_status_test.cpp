// What sparse_lu_status makes of what Eigen says.
#include "weighted_residual/preconditioner/sparse_lu_status.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <gtest/gtest.h>

#include <Eigen/SparseLU>
#include <new>
#include <string>
#include <vector>

namespace gwrm::sparse_lu_status_test {
namespace {

struct Said {
  std::string message;
  Eigen::ComputationInfo status;
  std::string lastErrorMessage() const { return message; }
  Eigen::ComputationInfo info() const { return status; }
};

TEST(SparseLuStatus, WantOfMemoryIsNoAnswer) {
  EXPECT_THROW(sparse_lu_status(Said{"UNABLE TO ALLOCATE WORKING MEMORY\n\n", Eigen::Success}), std::bad_alloc);
  EXPECT_THROW(sparse_lu_status(Said{"UNABLE TO EXPAND MEMORY IN COLUMN_DFS() ", Eigen::NumericalIssue}),
               std::bad_alloc);
}

TEST(SparseLuStatus, SingularAndRegularMatrices) {
  Eigen::SparseMatrix<double> matrix(3, 3);
  matrix.setIdentity();
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
  lu.compute(matrix);
  EXPECT_EQ(sparse_lu_status(lu), LuStatus::regular);
  const std::vector<Eigen::Triplet<double>> entries = {{0, 0, 1.0}, {1, 1, 1.0}, {0, 2, 1.0}};
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseLU<Eigen::SparseMatrix<double>> singular;
  singular.compute(matrix);
  EXPECT_EQ(sparse_lu_status(singular), LuStatus::singular);
}

}  // namespace
}  // namespace gwrm::sparse_lu_status_test
