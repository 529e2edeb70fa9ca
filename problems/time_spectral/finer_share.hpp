// How much of what a run lacks its finer solution holds, where series fall slowly (error_estimate.hpp).
//
// Of what U lacks, V has the levels N_U to N_V only. Where one axis has series that fall as l^-(p + 1)
// (series_decay.hpp), those of V too, that is the share s = 1 - (N_V/N_U)^-p. With such series along several axes at
// once, corners, V - U was measured to hold 0.7 to 0.9 of the error, and s is 1. It is 1 as well where N c_N, c_N the
// last level, is a tenth of the tolerance at most (the tolerance, where p <= 1/4: remains of an iteration do not fall
// either). Where memory does for four more levels only, s is that of any series.
// Source: docs/method.md 8, and the measured ratios there.
#pragma once

#include <vector>

#include "problems/time_spectral/march.hpp"
#include "problems/time_spectral/point_solver.hpp"

namespace gwrm {

// s of every field in a window of the run, `finer` a part of it, at the worst point of the parameters; at least 0.01.
std::vector<double> shares_in_finer(const MarchInput& run, const MarchWindow& window, const PointWindows& finer,
                                    bool is_barely_finer);

}  // namespace gwrm
