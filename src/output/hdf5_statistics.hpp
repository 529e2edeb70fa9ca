// The group /statistics of the result file: parameter_statistics() of the sampled fields.
//
// Layout (netCDF-4 shaped, opens with xarray.open_dataset(path, group="statistics")):
//   t, z, y, x               dimension scales of the axes in use, as at the root
//   parameter                dimension scale of texts: the names of the parameters, in the program's order
//   lower, upper             (parameter)  the interval
//   distribution             (parameter)  "uniform", "log-uniform", or what the case gives: "normal(1, 0.1)"
//   <field>_mean, <field>_variance, <field>_std                       (axes of the field but the parameters)
//   <field>_sensitivity, <field>_sensitivity_normalised,
//   <field>_sobol_first, <field>_sobol_total                          (parameter, axes of the field but the parameters)
//   quantile, <field>_quantile                                        (quantile, axes of the field but the parameters)
//                                                                     only where a parameter has a distribution
// Attributes of the group: `distribution`, `fields` (names, separated by blanks). Of every array: `long_name`, `units`,
// `expression` (of the field) and `field`.
#pragma once

#include <span>

#include "core/quantities.hpp"
#include "output/hdf5_format.hpp"
#include "output/hdf5_handles.hpp"
#include "output/parameter_statistics.hpp"

namespace gwrm::hdf5 {

inline constexpr const char* kParameterScale = "parameter";
inline constexpr const char* kQuantileScale = "quantile";

// `grid` is that of the sampled fields, per axis of the solution. Without fields the group is not written. Fields that
// depend on no parameter are better left out: their variance is 0 and every index NaN. Throws ShapeError if the arrays
// do not fill the grid.
void write_statistics(hid_t root, const Solution& solution, const GridPoints& grid,
                      std::span<const FieldStatistics> fields, const Quantities& quantities);

}  // namespace gwrm::hdf5
