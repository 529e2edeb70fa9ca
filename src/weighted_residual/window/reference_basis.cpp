#include "weighted_residual/window/reference_basis.hpp"

#include <map>
#include <mutex>
#include <tuple>

#include "kernels/transform/chebyshev_matrices.hpp"
#include "spectral/chebyshev.hpp"

namespace gwrm {
namespace {

// Values by key, each computed at most once.
template <class Value, class... Key>
class Memory {
 public:
  template <class Compute>
  std::shared_ptr<const Value> get(const std::tuple<Key...>& key, Compute compute) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const Value>& value = known_[key];
    if (value == nullptr) value = std::make_shared<const Value>(compute());
    return value;
  }

 private:
  std::mutex mutex_;
  std::map<std::tuple<Key...>, std::shared_ptr<const Value>> known_;
};

const AxisMap& reference_axis() {
  static const AxisMap map(-1.0, 1.0);
  return map;
}

}  // namespace

std::shared_ptr<const Matrix> reference_trial(int degree, Index n_points, int order) {
  static Memory<Matrix, int, Index, int> memory;
  return memory.get({degree, n_points, order}, [&] { return gauss_matrix(reference_axis(), degree, n_points, order); });
}

std::shared_ptr<const Matrix> reference_test(int degree, Index n_points) {
  static Memory<Matrix, int, Index> memory;
  return memory.get({degree, n_points}, [&] { return coefficients_from_values(degree, n_points); });
}

std::shared_ptr<const Vector> reference_weights(Index n_points) {
  static Memory<Vector, Index> memory;
  return memory.get({n_points}, [&] { return quadrature_weights(reference_axis(), n_points); });
}

std::shared_ptr<const Matrix> reference_end(int degree, int order, int side) {
  static Memory<Matrix, int, int, int> memory;
  return memory.get({degree, order, side},
                    [&] { return Matrix(point_row(reference_axis(), degree, side == 0 ? -1.0 : 1.0, order)); });
}

}  // namespace gwrm
