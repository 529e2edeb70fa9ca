// The right-hand side of a recurrence: values in memory, or a function that makes them when they are asked for.
#pragma once

#include <functional>

#include "core/matrix.hpp"

namespace gwrm {

// Exactly one of the three is set. `evaluate` writes the values at points first .. first + count - 1; several threads
// call it side by side.
struct RecurrenceSource {
  const double* values = nullptr;
  const float* single_values = nullptr;
  std::function<void(Index first, Index count, double* f)> evaluate;

  // `count` values from `first` on, in place where they are stored as doubles, else in `buffer`.
  const double* fetch(Index first, Index count, double* buffer) const;
};

}  // namespace gwrm
