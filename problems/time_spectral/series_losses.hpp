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

// How large a level is: the sum of the magnitudes of its coefficients, a bound of what it adds anywhere; or the root of
// the sum of their squares, which is the same for all axes of one function: in the mean over the other axes.
enum class LevelSize { magnitudes, mean_square };

// Per level of an axis, the sum of the sizes of all levels behind it along one dimension: of the subdomain where it is
// largest. n_lower: last levels that the series does not have (FieldModel::n_lower); it is seen as if its first ones
// were so many lower.
std::vector<double> sums_behind(const Array& coefficients, std::size_t dimension, const AxisDescription& subdomains,
                                LevelSize size, int n_lower = 0);
// Of every subdomain.
std::vector<std::vector<double>> sums_behind_each(const Array& coefficients, std::size_t dimension,
                                                  const AxisDescription& subdomains, LevelSize size, int n_lower = 0);

// [axis of the model][level]: sums_behind(), relative to the field's size. Empty along axes that no field depends on.
using Losses = std::vector<std::vector<double>>;

// Mean squares, of the worst window, the largest of all fields.
Losses relative_losses(const Model& model, const Solution& answer);

// Magnitudes, of all windows together along time, of the worst elsewhere; the largest of all fields, in units of
// `allowed`. As much as `error`, that of the run, exceeds what ends behind the last two levels of a field (growth, many
// steps, rounding), so much every loss of it counts for.
Losses weighted_losses(const Model& model, const Solution& answer, double error, double allowed);

// worst[axis][level] = max(worst[axis][level], weight losses[axis][level]), of which either may be the longer one.
void take_larger(Losses& worst, const Losses& losses, double weight = 1.0);

// "degree: {t: 8, x: 14}"
std::string degrees_text(const Model& model, const std::vector<AxisDescription>& subdomains);

}  // namespace gwrm
