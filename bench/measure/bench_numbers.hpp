// Numbers without a pattern for benchmarks, the same on every run, and the larger of two errors of their results.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace gwrm::bench {

inline std::vector<double> sequence_of_numbers(std::size_t n) {
  std::vector<double> numbers;
  std::uint64_t state = 20240713;
  for (std::size_t i = 0; i < n; ++i) {
    state += 0x9e3779b97f4a7c15ULL;
    std::uint64_t mixed = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
    numbers.push_back(static_cast<double>((mixed ^ (mixed >> 31)) >> 11) * 0x1p-52 - 1.0);
  }
  return numbers;
}

// NaN if one of them is: a result that is no number stays wrong whatever comes after it.
template <class Real>
Real larger_error(Real a, Real b) {
  return a >= b || std::isnan(a) ? a : b;
}

}  // namespace gwrm::bench
