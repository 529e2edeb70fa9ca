// Transforms of planes of a window that ranks share (shared_window.hpp).
#pragma once

#include <algorithm>

#include "kernels/transform/tensor_transform.hpp"

namespace gwrm {

// A transform of planes that follow each other along the first dimension. A product is one of a single plane, whose
// bits do not depend on how many there are. In two dimensions a plane is a single line: a fast transform takes eight
// such lines in the time of one, and they do not see each other (a ninth would be the imaginary part of the first).
inline void transform_planes(const double* x, const Shape& shape, std::size_t axis, const BlockMatrix& matrix,
                             double* y) {
  Shape one = shape;
  one.front() = 1;
  const Index n = element_count(one), n_made = n / shape[axis] * matrix.rows;
  const bool fast = matrix.blocks.size() == 1 && matrix.blocks.front().series != nullptr;
  const Index n_together = fast && n == shape[axis] ? 8 : 1;
  for (Index plane = 0; plane < shape.front(); plane += n_together) {
    one.front() = std::min(n_together, shape.front() - plane);
    cpu::block_transform(x + plane * n, one, axis, matrix, y + plane * n_made);
  }
}

}  // namespace gwrm
