// What would have sufficed where a run is far more accurate than asked for (problems/spare_accuracy.hpp).
//
// Degrees    A series that ends at a lower level loses the sum of all coefficients behind it: of all windows in time,
// of
//            the worst window and subdomain elsewhere. Conditions take the place of the last equations, so that an
//            equation of order m loses as if the series ended m/2 levels before. As much as the errors of the run
//            exceed what ends behind its last two levels (growth, many steps, rounding), so much a loss counts for.
//            Taken are the lowest degrees of the same parity whose losses together stay below a third of the tolerance,
//            if they show the data.
// Tolerance  of an automatic run: errors are taken to be proportional to it, with a factor of 30 to be safe.
#pragma once

#include <string>

#include "output/solution.hpp"
#include "problems/time_spectral/march.hpp"

namespace gwrm {

// spare: as spare_accuracy() has it. "resolution.degree: {t: 8, x: 14} may suffice"; empty where nothing is to be
// saved, or not all is known.
std::string enough_degrees(const Case& the_case, const Model& model, const Solution& answer, double spare);
// "resolution.tolerance: 1e-05 with verification.tolerance: 1e-07 may suffice".
std::string enough_tolerance(const Case& the_case, double spare);

}  // namespace gwrm
