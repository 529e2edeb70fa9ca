// The right-hand side of a recurrence: values in memory, or a function that makes them when they are asked for.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/array.hpp"

namespace gwrm {

// sin, cos or exp of slope * coordinate + offset.
struct AffineCall {
  enum class Function { sine, cosine, exponential };
  Function function = Function::sine;
  double slope = 0.0, offset = 0.0;
};

// Points over which the device follows an affine call by the addition theorem: over them exp must not overflow.
constexpr Index kAffineReach = 2048;
constexpr Index kMaxAffineCalls = 4;

// An expression for a device: statements that return the value at the coordinate whose name stands in `coordinate`
// (expression/device_text.hpp), at the points lower + step i, the last of which is `upper`.
struct DeviceExpression {
  std::string statements;  // empty: there is none
  std::string coordinate;
  double lower = 0.0, step = 0.0, upper = 0.0;
  Index last = 0;
  std::vector<AffineCall> calls{};  // at most kMaxAffineCalls, whose values the statements find as a0, a1, ..
  // Where the value is `constant` + sum of factors[k] ak and nothing more; else no factors.
  std::vector<double> factors{};
  double constant = 0.0;
};

// Exactly one of the three is set. `evaluate` writes the values at points first .. first + count - 1; several threads
// call it side by side.
struct RecurrenceSource {
  const double* values = nullptr;
  const float* single_values = nullptr;
  std::function<void(Index first, Index count, double* f)> evaluate;
  DeviceExpression device{};  // the same as `evaluate`, for a device

  // `count` values from `first` on, in place where they are stored as doubles, else in `buffer`.
  const double* fetch(Index first, Index count, double* buffer) const;
};

}  // namespace gwrm
