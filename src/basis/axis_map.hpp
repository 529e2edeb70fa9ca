// The map between a physical coordinate z in [lower, upper] and the Chebyshev variable xi in [-1, 1].
//
// linear: z = (lower + upper)/2 + xi (upper - lower)/2;  log: log z is linear in xi (0 < lower), for positive scales.
#pragma once

#include "core/axis.hpp"
#include "core/matrix.hpp"

namespace gwrm {

// Throws ShapeError unless lower < upper, both finite, and 0 < lower on a log map.
class AxisMap {
 public:
  AxisMap(double lower, double upper, MapKind kind = MapKind::linear);
  explicit AxisMap(const Axis& axis) : AxisMap(axis.lower, axis.upper, axis.map) {}

  double lower() const { return lower_; }
  double upper() const { return upper_; }
  MapKind kind() const { return kind_; }
  // The ends map to exactly -1 and +1 and back.
  double to_reference(double z) const;
  // The same with the extra digits that T_k(xi) needs near the ends, where a round-off of xi grows by k^2.
  long double to_reference_extended(double z) const;
  double from_reference(double xi) const;
  Vector from_reference(const Vector& xi) const;

  // Half the length of the interval that is affine in xi: (upper - lower)/2, or log(upper/lower)/2 on a log map.
  long double half_length() const;

 private:
  double lower_, upper_;
  MapKind kind_;
};

}  // namespace gwrm
