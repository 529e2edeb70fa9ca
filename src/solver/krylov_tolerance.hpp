// The relative residual that a Krylov iteration may leave: a number, or what follows from its first direction, M^{-1}
// b, which it forms anyhow (Newton asks for digits by the size of the step to come).
#pragma once

#include <functional>
#include <span>
#include <utility>

namespace gwrm {

class KrylovTolerance {
 public:
  using OfDirection = std::function<double(std::span<const double> direction)>;

  KrylovTolerance(double value) : value_(value) {}
  KrylovTolerance(OfDirection of_direction) : of_direction_(std::move(of_direction)) {}

  bool needs_direction() const { return of_direction_ != nullptr; }
  // direction: M^{-1} b; not looked at unless needed.
  double operator()(std::span<const double> direction) const {
    return of_direction_ ? of_direction_(direction) : value_;
  }

 private:
  double value_ = 0.0;
  OfDirection of_direction_;
};

}  // namespace gwrm
