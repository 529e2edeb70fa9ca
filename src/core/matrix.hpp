// Dense matrices on the host, by Eigen. They are row-major unless a name says otherwise. What needs no more than arrays
// includes core/array.hpp, and headers that only declare functions of matrices core/matrix_forward.hpp: Eigen takes a
// compiler a second, and nvcc, which reads it three times, three.
#pragma once

#include "core/array.hpp"
#include "core/matrix_forward.hpp"  // the same types, or this does not compile
#include "core/matrix_storage.hpp"

namespace gwrm {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
using RowVector = Eigen::RowVectorXd;

}  // namespace gwrm
