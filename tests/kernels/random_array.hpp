// Random data with a fixed seed: constant data would hide a wrong index.
#pragma once

#include <random>

#include "core/matrix.hpp"

namespace gwrm::test {

class Random {
 public:
  explicit Random(unsigned seed) : generator_(seed) {}

  double number(double lower = -1.0, double upper = 1.0) {
    return std::uniform_real_distribution<double>(lower, upper)(generator_);
  }
  Array array(const Shape& shape) {
    Array result(shape);
    for (double& value : result.data) value = number();
    return result;
  }
  Matrix matrix(Index rows, Index cols) {
    return Matrix::NullaryExpr(rows, cols, [this] { return number(); });
  }

 private:
  std::mt19937_64 generator_;
};

}  // namespace gwrm::test
