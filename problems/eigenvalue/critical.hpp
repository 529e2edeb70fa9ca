// Where the growth of the leading mode vanishes: `critical: {parameter: Ra, minimise_over: k}`.
//
// growth(p, k) = 0 is solved for p by bracketing and the Illinois variant of false position (Dowell and Jarratt, BIT
// 11, 1971); the smallest such p over k by parabolas through three points within a bracket, and golden sections where
// they do not help (Brent, Algorithms for Minimization without Derivatives, 5).
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace gwrm {

struct CriticalPoint {
  double parameter = 0.0;
  double over = 0.0;    // k
  std::string failure;  // empty: found
};

// growth: NaN where there is none. The search begins at (parameter, over).
using Growth = std::function<double(double parameter, double over)>;
CriticalPoint find_critical(const Growth& growth, double parameter, std::optional<double> over,
                            const std::function<bool()>& interrupted);

}  // namespace gwrm
