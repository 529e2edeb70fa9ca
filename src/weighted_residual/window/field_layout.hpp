// Where the numbers of a window are: unknowns field by field, the state at its start.
#pragma once

#include <vector>

#include "core/array.hpp"

namespace gwrm {

struct FieldLayout {
  Shape extents;     // per axis of the model, 1 where the field lacks it; time first
  Index offset = 0;  // of its first unknown
};

// u and its time derivatives at the start of a window: per field, per order m < time_order, the coefficients along its
// modal axes (one extent per axis of the model, 1 along time and absent axes).
using State = std::vector<std::vector<Array>>;

}  // namespace gwrm
