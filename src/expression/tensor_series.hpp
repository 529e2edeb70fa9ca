// Data as a series over a tensor grid: u = sum a_ij.. f_i(x) g_j(y) .., the functions of each axis being local
// (splines) or global (polynomials, sines and cosines). What is a grid of points is summed axis by axis.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/matrix.hpp"
#include "expression/data_function.hpp"

namespace gwrm::expression {

// The functions along one axis. Immutable.
class AxisFunctions {
 public:
  // Row p: the functions first[p] .. first[p] + values.cols() - 1 at point p; all others are zero there.
  struct Rows {
    Matrix values;
    std::vector<Index> first;
  };

  virtual ~AxisFunctions() = default;
  virtual Index size() const = 0;
  virtual Rows rows(std::span<const double> points, int order) const = 0;
  virtual int highest_order() const = 0;
  virtual std::string why_no_higher_order() const = 0;
  virtual std::vector<double> sampling() const = 0;  // of DataFunction
};

class TensorSeries : public DataFunction {
 public:
  // coefficients: functions[0].size() x functions[1].size() x .., the last axis fastest.
  TensorSeries(std::vector<std::string> axes, std::vector<std::shared_ptr<const AxisFunctions>> functions,
               std::vector<double> coefficients);

  const std::vector<std::string>& axes() const override { return axes_; }
  int highest_order(std::size_t axis) const override { return functions_[axis]->highest_order(); }
  std::string why_no_higher_order(std::size_t axis) const override { return functions_[axis]->why_no_higher_order(); }
  std::vector<double> sampling(std::size_t axis) const override { return functions_[axis]->sampling(); }
  void on_grid(std::span<const std::span<const double>> points, std::span<const int> orders,
               std::span<double> values) const override;
  void at_points(std::span<const std::span<const double>> points, std::span<const int> orders,
                 std::span<double> values) const override;

 private:
  std::vector<std::string> axes_;
  std::vector<std::shared_ptr<const AxisFunctions>> functions_;
  std::vector<double> coefficients_;
};

// result[o, p, i] = sum_w rows.values(p, w) a[o, rows.first[p] + w, i].
std::vector<double> summed_along(const AxisFunctions::Rows& rows, std::span<const double> a, Index outer, Index n,
                                 Index inner);

}  // namespace gwrm::expression
