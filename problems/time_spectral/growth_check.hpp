// Whether an answer that grew far beyond its data is one of the equations or of their discretisation.
//
// The windows in which it grew are solved again from the initial values, each in two or four parts and with a quarter
// more coefficients in space. Growth that belongs to the equations is the same, however finely they are solved (exp(50
// t), an instability, a solution on its way to infinity); that of an ill-posed problem has other rates at each
// resolution. The sizes are compared, not the values: chaotic solutions part, but not in size. Ends as soon as a size
// differs.
//
// Cost: nothing for a run whose growth is not doubtful (growth_watch.hpp); else two to eight times that of the windows
// until the growth reaches half of what it comes to.
#pragma once

#include "problems/time_spectral/growth_watch.hpp"
#include "problems/time_spectral/window_march.hpp"

namespace gwrm {

// The factor by which sizes may differ: exponents of ill-posed problems differ by more than a quarter, and growth of
// 1e3 becomes 6e3.
inline constexpr double kSameGrowth = 3.0;

// Adds to the report of a complete run: a check "growth" if it had to be solved again; a warning where that was not
// possible, and on growth in a run that failed its verification anyway.
void check_growth(const MarchInput& run, const GrowthWatch& watch, RunReport& report);

}  // namespace gwrm
