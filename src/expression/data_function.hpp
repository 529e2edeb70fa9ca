// A function of some dimensions that is known by numbers - an interpolant of a file, an earlier answer, noise of a
// generator - as expressions know it: its axes, its values and derivatives, bounds on them.
//
// Values    are those of one function, whose derivatives are the derivatives of its values, up to a highest order.
// Bounds    from values at `sampling` points: the extremes of those in and next to a box. They are no proof: what such
//           a function does between its own points is known no better than its interpolation is.
// Threads   several may ask one object.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "expression/interval.hpp"

namespace gwrm::expression {

class DataFunction {
 public:
  DataFunction();
  virtual ~DataFunction();
  DataFunction(const DataFunction&) = delete;
  DataFunction& operator=(const DataFunction&) = delete;

  virtual const std::vector<std::string>& axes() const = 0;  // names of dimensions, in the order of the domain
  virtual int highest_order(std::size_t axis) const = 0;     // of a derivative along it
  virtual std::string why_no_higher_order(std::size_t axis) const = 0;

  // Physical coordinates along each axis; values of the tensor grid, the last axis fastest.
  virtual void on_grid(std::span<const std::span<const double>> points, std::span<const int> orders,
                       std::span<double> values) const = 0;
  // values.size() points; an axis with one coordinate has it at all points.
  virtual void at_points(std::span<const std::span<const double>> points, std::span<const int> orders,
                         std::span<double> values) const = 0;
  // Along an axis, ascending: between neighbours it does little that the values there do not show.
  virtual std::vector<double> sampling(std::size_t axis) const = 0;

  double at(std::span<const double> point, std::span<const int> orders) const;
  // All reals for derivatives that it does not have.
  Interval enclosure(std::span<const Interval> box, std::span<const int> orders) const;

 private:
  class Extremes;
  const Extremes& extremes(std::span<const int> orders) const;

  mutable std::mutex mutex_;
  mutable std::map<std::vector<int>, std::unique_ptr<const Extremes>> extremes_;  // by the orders of the derivative
};

}  // namespace gwrm::expression
