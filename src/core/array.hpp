// Dense arrays of any number of dimensions on the host, row-major.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace gwrm {

using Index = std::ptrdiff_t;

// Numbers of axes, fields and equations are int (-1: none), those of entries Index; this makes either a subscript.
constexpr std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

constexpr double to_double(Index i) {
  return static_cast<double>(i);
}

// Extents of a tensor, one per dimension, the last running fastest. An extent 1 broadcasts.
using Shape = std::vector<Index>;

inline Index element_count(const Shape& shape) {
  Index count = 1;
  for (Index extent : shape) count *= extent;
  return count;
}

// A dense tensor that owns its numbers, row-major (last dimension fastest).
struct Array {
  Shape shape;
  std::vector<double> data;

  Array() = default;
  explicit Array(Shape extents, double fill = 0.0) : shape(std::move(extents)) {
    data.assign(static_cast<std::size_t>(element_count(shape)), fill);
  }
  Index size() const { return static_cast<Index>(data.size()); }
};

// A tensor whose numbers are somebody else's.
struct ArrayView {
  Shape shape;
  const double* data = nullptr;

  ArrayView() = default;
  ArrayView(Shape extents, const double* numbers) : shape(std::move(extents)), data(numbers) {}
  ArrayView(const Array& array) : shape(array.shape), data(array.data.data()) {}
  Index size() const { return element_count(shape); }
  Array copy() const {
    Array result;
    result.shape = shape;
    result.data.assign(data, data + size());
    return result;
  }
  // The part at one index of the first dimension, with extent 1 there; the whole if it does not vary there.
  ArrayView at_first(Index i) const {
    if (shape.empty() || shape.front() == 1) return *this;
    ArrayView part = *this;
    part.data += i * (size() / shape.front());
    part.shape.front() = 1;
    return part;
  }
};

}  // namespace gwrm
