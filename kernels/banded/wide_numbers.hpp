// What the tables of a shared matrix are computed in, before they are rounded once: double-double for doubles, the
// others as they are.
#pragma once

#include <type_traits>

#include "kernels/banded/numbers.hpp"

namespace gwrm {

template <class Number>
using WideNumber = std::conditional_t<std::is_same_v<Number, double>, DoubleDouble, Number>;

template <class Number>
WideNumber<Number> widened(Number a) {
  if constexpr (std::is_same_v<Number, double>)
    return {a, 0.0};
  else
    return a;
}

template <class Number>
Number rounded(WideNumber<Number> a) {
  if constexpr (std::is_same_v<Number, double>)
    return a.high;
  else
    return a;
}

}  // namespace gwrm
