// What series that end at a lower level lose, as a measure of what ends behind their last levels: the basis of what is
// said about other degrees, lower ones that would suffice (enough_degrees.hpp) and higher ones
// (missing_resolution.hpp).
#pragma once

#include <string>
#include <vector>

#include "output/solution.hpp"
#include "problems/time_spectral/march.hpp"

namespace gwrm {

inline constexpr int kLastLevels = 2;  // of a tail

// Per level of an axis, the sum of the magnitudes of all coefficients behind it along one dimension: of the subdomain
// where it is largest. n_lower: last levels that the series does not have (FieldModel::n_lower); it is seen as if its
// first ones were so many lower.
std::vector<double> sums_behind(const Array& coefficients, std::size_t dimension, const AxisDescription& subdomains,
                                int n_lower = 0);

// [axis of the model][level]: sums_behind(), relative to the field's size; of all windows together along time, of the
// worst elsewhere. Empty along axes that no field depends on.
using Losses = std::vector<std::vector<double>>;

// The largest of all fields.
Losses relative_losses(const Model& model, const Solution& answer);

// The largest of all fields, in units of `allowed`. As much as `error`, that of the run, exceeds what ends behind the
// last two levels of a field (growth, many steps, rounding), so much every loss of it counts for.
Losses weighted_losses(const Model& model, const Solution& answer, double error, double allowed);

// worst[axis][level] = max(worst[axis][level], weight losses[axis][level]), of which either may be the longer one.
void take_larger(Losses& worst, const Losses& losses, double weight = 1.0);

// "degree: {t: 8, x: 14}"
std::string degrees_text(const Model& model, const std::vector<AxisDescription>& subdomains);

}  // namespace gwrm
