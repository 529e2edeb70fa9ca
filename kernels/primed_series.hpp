// The papers' primed sums and ours: a_0' = 2 a_0 in every dimension.
#pragma once

#include "core/matrix.hpp"

namespace gwrm {

// Multiplies the coefficients of index 0 of every dimension by `factor`: 2 turns plain series into primed ones, 1/2
// turns them back.
inline void scale_first_coefficients(Array& series, double factor) {
  Index inner = series.size();
  for (Index extent : series.shape) {
    const Index block = inner;
    inner /= extent;
    for (Index start = 0; start < series.size(); start += block)
      for (Index i = 0; i < inner; ++i) series.data[static_cast<std::size_t>(start + i)] *= factor;
  }
}

}  // namespace gwrm
