// A row of a banded product on the device.
//
// Contract: kernels/banded/banded_product.hpp
#pragma once

#include "kernels/banded/numbers.hpp"

namespace gwrm::banded {

// Memory as lines: of a contiguous batch the systems, of an interleaved one the rows.
struct ProductShape {
  long long n_lines, length;
  bool contiguous, shared;
};

template <class Number>
__device__ inline Number product_row(const ProductShape& shape, const Number* const* bands, const Number* x,
                                     long long line, long long place) {
  const long long n = shape.contiguous ? shape.length : shape.n_lines, row = shape.contiguous ? place : line;
  const long long step = shape.contiguous ? 1 : shape.length, here = line * shape.length + place;
  Number sum = number<Number>(0.0);
#pragma unroll
  for (int o = -2; o <= 2; ++o) {
    const Number* band = bands[o + 2];
    if (band == nullptr || row + o < 0 || row + o >= n) continue;
    sum = sum + band[shape.shared ? row : here] * x[here + o * step];
  }
  return sum;
}

}  // namespace gwrm::banded
