#include "weighted_residual/preconditioner/smallest_pivots.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace gwrm {

using Complex = std::complex<double>;

std::pair<double, double> smallest_pivots(const TensorField& field, Complex z, std::size_t k) {
  std::vector<Complex> pivots{field.mass[k]};
  for (const TensorAxis& axis : field.axes) {
    const Eigen::VectorXcd diagonal = axis.scale(z) * axis.triangle[axis.form(k)].diagonal();
    std::vector<Complex> sums;
    sums.reserve(pivots.size() * static_cast<std::size_t>(diagonal.size()));
    for (Complex pivot : pivots)
      for (Complex value : diagonal) sums.push_back(pivot + value);
    pivots = std::move(sums);
  }
  double smallest = std::numeric_limits<double>::infinity(), second = smallest;
  for (Complex pivot : pivots) {
    const double size = std::abs(pivot);
    if (size < smallest) {
      second = smallest;
      smallest = size;
    } else {
      second = std::min(second, size);
    }
  }
  return {smallest, second};
}

}  // namespace gwrm
