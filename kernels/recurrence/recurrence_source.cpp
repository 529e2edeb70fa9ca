#include "kernels/recurrence/recurrence_source.hpp"

#include <algorithm>

namespace gwrm {

const double* RecurrenceSource::fetch(Index first, Index count, double* buffer) const {
  if (values != nullptr) return values + first;
  if (single_values != nullptr)
    std::copy_n(single_values + first, count, buffer);
  else
    evaluate(first, count, buffer);
  return buffer;
}

}  // namespace gwrm
