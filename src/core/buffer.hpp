// Memory that is used again and again: it grows when more is asked for and is not initialised.
#pragma once

#include <cstddef>
#include <memory>

namespace gwrm {

template <class Number>
class BufferOf {
 public:
  // Room for n numbers. What was there is lost if the buffer has to grow.
  Number* reserve(std::ptrdiff_t n) {
    if (n > size_) {
      numbers_.reset();  // first: both together may not fit
      numbers_ = std::make_unique_for_overwrite<Number[]>(static_cast<std::size_t>(n));
      size_ = n;
    }
    return numbers_.get();
  }

 private:
  std::unique_ptr<Number[]> numbers_;
  std::ptrdiff_t size_ = 0;
};
using Buffer = BufferOf<double>;

}  // namespace gwrm
