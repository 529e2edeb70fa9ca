#include "basis/reference_matrices.hpp"

#include "basis/chebyshev.hpp"
#include "core/remembered.hpp"
#include "kernels/transform/chebyshev_matrices.hpp"

namespace gwrm {
namespace {

const AxisMap& reference_axis() {
  static const AxisMap map(-1.0, 1.0);
  return map;
}

}  // namespace

std::shared_ptr<const Matrix> reference_trial(int degree, Index n_points, int order) {
  static Remembered<Matrix, int, Index, int> memory;
  return memory.get({degree, n_points, order}, [&] { return gauss_matrix(reference_axis(), degree, n_points, order); });
}

std::shared_ptr<const Matrix> reference_test(int degree, Index n_points) {
  static Remembered<Matrix, int, Index> memory;
  return memory.get({degree, n_points}, [&] { return coefficients_from_values(degree, n_points); });
}

std::shared_ptr<const Vector> reference_weights(Index n_points) {
  static Remembered<Vector, Index> memory;
  return memory.get({n_points}, [&] { return quadrature_weights(reference_axis(), n_points); });
}

std::shared_ptr<const Matrix> reference_end(int degree, int order, int side) {
  static Remembered<Matrix, int, int, int> memory;
  return memory.get({degree, order, side},
                    [&] { return Matrix(point_row(reference_axis(), degree, side == 0 ? -1.0 : 1.0, order)); });
}

}  // namespace gwrm
