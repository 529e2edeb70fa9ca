// Dense arrays whose numbers have several owners: none of them changes them, the last one frees them.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core/array.hpp"

namespace gwrm {

struct SharedArray {
  Shape shape;
  std::shared_ptr<const double> data;  // the first number, which may lie in something larger

  SharedArray(Shape extents, std::shared_ptr<const double> numbers)
      : shape(std::move(extents)), data(std::move(numbers)) {}
  SharedArray(Array array) : shape(std::move(array.shape)) {
    const auto numbers = std::make_shared<const std::vector<double>>(std::move(array.data));
    data = {numbers, numbers->data()};
  }
  operator ArrayView() const { return {shape, data.get()}; }
  Index size() const { return element_count(shape); }
};

}  // namespace gwrm
