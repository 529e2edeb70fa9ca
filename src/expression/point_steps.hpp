// The operations of a tape at one point, one after the other: for kernels that are made while the program runs.
#pragma once

#include <string>
#include <vector>

#include "expression/expression.hpp"

namespace gwrm::expression {

// slot = operation(first, second); slots are numbers of values, each computed once.
struct PointStep {
  Op op = Op::number;  // number, negate, add, subtract, multiply, divide, power or call
  Function function = Function::sin;
  double value = 0.0;  // of a number; the exponent, a whole number, of a power without second argument
  int first = -1, second = -1;
  int slot = -1;
};

// The name of a slot in statements: s<number>.
std::string slot_name(int slot);

// `const double s<slot> = ..;` and a new line. The text calls functions of <cmath> and gwrm_minimum, _maximum, _sign,
// _step (scalar_functions.hpp without the prefix) and gwrm_power(base, int).
std::string statement(const PointStep& step);

}  // namespace gwrm::expression
