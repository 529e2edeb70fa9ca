// What long double arithmetic really keeps. std::numeric_limits tells what the compiler believes of the processor, and
// long double has a mantissa of 64 bits on x86; but valgrind computes with 53, as does an x87 whose control word asks
// for double precision, and elsewhere long double is double, or has 113 bits. Iterations therefore ask the arithmetic.
#pragma once

#include <limits>

namespace gwrm {

// The distance from 1 to the next number, as additions round now. Some sixty additions.
inline long double extended_epsilon() {
  volatile long double one = 1.0L, epsilon = 1.0L;  // volatile: computed when the program runs, not by the compiler
  for (;;) {
    volatile long double sum = one + epsilon / 2.0L;
    if (sum == one) return epsilon;
    epsilon = epsilon / 2.0L;
  }
}

// Whether long double carries more digits than double.
inline bool has_extended_precision() {
  return extended_epsilon() < static_cast<long double>(std::numeric_limits<double>::epsilon());
}

}  // namespace gwrm
