// Bounds of data over a box of coordinates: a lowered expression without unknowns, by interval arithmetic.
//
// natural: every operation on intervals. mean value: f(m) + sum_i df/dz_i(box) (box_i - m_i), m the middle of the box;
// its excess over the true range falls with the square of the box's size, that of the natural one only linearly, and
// wide boxes are the other way round: the two are intersected. Derivatives by forward differentiation in interval
// arithmetic; where f jumps or is undefined somewhere in the box they are all reals, and the natural form remains.
// Source: R. E. Moore, R. B. Kearfott, M. J. Cloud, Introduction to Interval Analysis (2009), section 6.4.
#pragma once

#include <span>
#include <vector>

#include "expression/expression.hpp"
#include "expression/interval.hpp"
#include "expression/point_steps.hpp"

namespace gwrm::expression {

// Not for several threads at once: the values of the operations are kept.
class IntervalEvaluation {
 public:
  // An internal Error if e is not lowered or holds an unknown or an integral. Equal subexpressions are computed once.
  IntervalEvaluation(const Pool& pool, Expr e);

  // The axes of the pool that it varies along, ascending. Points and boxes have a number or an interval for each.
  const std::vector<int>& axes() const { return axes_; }

  std::size_t n_operations() const { return steps_.size(); }  // of one evaluation

  double value(std::span<const double> point);        // rounded as a tape does
  Interval natural(std::span<const Interval> box);    // the natural form alone
  Interval at(std::span<const double> point);         // of the natural form: the value within its rounding errors
  Interval enclosure(std::span<const Interval> box);  // both forms intersected
  // Of the last box of enclosure(), per axis: by how much the value may vary along the axis, |df/dz_i| times the width.
  const std::vector<double>& variation() const { return variation_; }
  // Of the same box: the derivative along the i-th of axes().
  const Interval& derivative(std::size_t i) const { return slopes_[i]; }

 private:
  // A value of data: its arguments, coordinates by their slot, numbers where that is -1.
  struct Data {
    const DataFunction* function = nullptr;
    std::vector<int> orders, axes;
    std::vector<double> points;
  };
  Interval of_data(const Data& data, std::span<const int> orders) const;  // over the box of values_
  void differentiate();                                                   // gradients_ from values_

  std::vector<int> axes_;
  std::vector<Data> data_;
  std::vector<PointStep> steps_;  // slots 0 .. axes_.size() - 1 are coordinates, data and the operations follow
  std::size_t output_ = 0;        // slot
  std::vector<double> numbers_;
  std::vector<Interval> values_, gradients_;  // gradients_[slot*n_axes + i]
  std::vector<Interval> middle_, slopes_;
  std::vector<double> variation_;
};

}  // namespace gwrm::expression
