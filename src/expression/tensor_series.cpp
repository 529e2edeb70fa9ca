#include "expression/tensor_series.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/errors.hpp"

namespace gwrm::expression {
namespace {

constexpr std::size_t kBlock = 64;  // points whose functions are tabulated together

}  // namespace

std::vector<double> summed_along(const AxisFunctions::Rows& rows, std::span<const double> a, Index outer, Index n,
                                 Index inner) {
  const Index n_points = rows.values.rows(), width = rows.values.cols();
  std::vector<double> result(static_cast<std::size_t>(outer * n_points * inner), 0.0);
  for (Index o = 0; o < outer; ++o)
    for (Index p = 0; p < n_points; ++p) {
      double* const out = result.data() + (o * n_points + p) * inner;
      for (Index w = 0; w < width; ++w) {
        const double factor = rows.values(p, w);
        const double* const from = a.data() + (o * n + rows.first[static_cast<std::size_t>(p)] + w) * inner;
        for (Index i = 0; i < inner; ++i) out[i] += factor * from[i];
      }
    }
  return result;
}

TensorSeries::TensorSeries(std::vector<std::string> axes, std::vector<std::shared_ptr<const AxisFunctions>> functions,
                           std::vector<double> coefficients)
    : axes_(std::move(axes)), functions_(std::move(functions)), coefficients_(std::move(coefficients)) {
  Index size = 1;
  for (const auto& along : functions_) size *= along->size();
  if (axes_.size() != functions_.size() || size != std::ssize(coefficients_))
    throw ShapeError("TensorSeries: coefficients and functions do not fit together");
}

void TensorSeries::on_grid(std::span<const std::span<const double>> points, std::span<const int> orders,
                           std::span<double> values) const {
  std::vector<double> now = coefficients_;
  Index inner = 1;
  for (std::size_t axis = functions_.size(); axis-- > 0;) {
    const Index n = functions_[axis]->size();
    now =
        summed_along(functions_[axis]->rows(points[axis], orders[axis]), now, std::ssize(now) / (n * inner), n, inner);
    inner *= std::ssize(points[axis]);
  }
  if (now.size() != values.size())
    throw ShapeError("TensorSeries: room for another number of values than the grid has");
  std::copy(now.begin(), now.end(), values.begin());
}

void TensorSeries::at_points(std::span<const std::span<const double>> points, std::span<const int> orders,
                             std::span<double> values) const {
  const std::size_t n_axes = functions_.size();
  std::vector<Index> strides(n_axes, 1);
  for (std::size_t axis = n_axes; axis-- > 1;) strides[axis - 1] = strides[axis] * functions_[axis]->size();
  for (std::size_t begin = 0; begin < values.size(); begin += kBlock) {
    const std::size_t count = std::min(kBlock, values.size() - begin);
    std::vector<AxisFunctions::Rows> rows;
    for (std::size_t axis = 0; axis < n_axes; ++axis) {
      const std::span<const double> all = points[axis];
      rows.push_back(functions_[axis]->rows(all.size() == 1 ? all : all.subspan(begin, count), orders[axis]));
    }
    for (std::size_t p = 0; p < count; ++p) {
      const std::function<double(std::size_t, Index)> sum = [&](std::size_t axis, Index start) {
        if (axis == n_axes) return coefficients_[static_cast<std::size_t>(start)];
        const AxisFunctions::Rows& along = rows[axis];
        const auto row = static_cast<Index>(along.first.size() == 1 ? 0 : p);
        double total = 0.0;
        for (Index w = 0; w < along.values.cols(); ++w)
          total += along.values(row, w) *
                   sum(axis + 1, start + (along.first[static_cast<std::size_t>(row)] + w) * strides[axis]);
        return total;
      };
      values[begin + p] = sum(0, 0);
    }
  }
}

}  // namespace gwrm::expression
