// The names of core/matrix.hpp for headers that only declare functions of matrices, as <iosfwd> has those of streams.
#pragma once

namespace Eigen {
template <typename Scalar, int Rows, int Columns, int Options, int MaxRows, int MaxColumns>
class Matrix;
}

namespace gwrm {

using Matrix = Eigen::Matrix<double, -1, -1, 1, -1, -1>;  // Eigen::Dynamic is -1, Eigen::RowMajor 1
using Vector = Eigen::Matrix<double, -1, 1, 0, -1, 1>;
using RowVector = Eigen::Matrix<double, 1, -1, 1, 1, -1>;

}  // namespace gwrm
