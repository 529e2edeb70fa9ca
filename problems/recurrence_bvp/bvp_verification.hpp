// What the solution on the grid is held against.
//
// residual   The sum of the discrete equations over windows of 2 S - 1 points, with weights S, .. 1 outwards:
//            -(u_{i-S} - 2 u_i + u_{i+S}) = sum_j (S - |j|) h^2 p_{i+j},  p = f - k^2 u
//            (order 4 adds h^2/12 (p_{i-S} - 2 p_i + p_{i+S})), relative to the largest sum of |h^2 p| and of what
//            rounds in it. One equation alone (S = 1) would drown in the rounding of u / (h^2 f).
// boundary   Slopes by the same sum over one side, u_S - u_0 = S h u'(a) - sum; relative to the condition's terms.
// error      Against `exact`, at all points of a grid of up to 2^26, else at 2^20 spread over it. error_l2 is the
//            paper's eq. (14).
#pragma once

#include "case/case.hpp"
#include "output/report.hpp"
#include "problems/recurrence_bvp/grid_values.hpp"

namespace gwrm {

// `shift` has been added to the source to make three conditions agree. `rounding`: the relative spacing of the numbers
// that u is stored in. `judge_residual`: false where the estimated error is judged.
Verification verify_bvp(const Case& the_case, const BvpModel& model, const GridValues& values, double shift,
                        double rounding, bool judge_residual);

}  // namespace gwrm
