// What a Jones-Worland transform is by definition, for the check of its benchmark.
//
// Formula   jones_worland.hpp; P_n of (-1/2, l - 1/2) by DLMF 18.9.1, norms from the ratios of their gamma functions,
//           sums over the points.
// Precision quadruple: the recurrence amplifies the rounding of x by n^2.
// Cost      n n_points steps of about 10 operations in software.
#pragma once

#include <vector>

#include "core/array.hpp"

namespace gwrm::bench {

struct JonesWorlandDefinition {
  // Of one column f of n_points values and one c of n coefficients, rounded to double.
  std::vector<double> coefficients_of_f, values_of_c;

  JonesWorlandDefinition(Index l, const std::vector<double>& f, const std::vector<double>& c);
};

}  // namespace gwrm::bench
