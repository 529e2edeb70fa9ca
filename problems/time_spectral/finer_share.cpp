#include "problems/time_spectral/finer_share.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "problems/time_spectral/finer_comparison.hpp"
#include "problems/time_spectral/series_decay.hpp"
#include "problems/time_spectral/series_losses.hpp"

namespace gwrm {
namespace {

constexpr double kHarmlessTail = 0.1;   // of the tolerance, N times the last levels: there the law does not matter. All
                                        // of it where levels hardly fall, which remains of an iteration do not either
constexpr double kSameLaw = 0.05;       // difference of p + 1 between U and V
constexpr double kFallingPower = 0.25;  // the power of a series that falls
constexpr double kLeastShareInFiner = 0.01;  // of series that do not fall: p = 0.05, a quarter more levels

// Of one field.
double share_of_field(const MarchInput& run, const MarchWindow& window, const PointWindows& finer, std::size_t field,
                      bool is_barely_finer) {
  const Model& model = run.model;
  double least = 1.0;
  for (std::size_t p = 0; p < finer.size(); ++p) {
    const Array& of_u = window.fields[p][field];
    const std::vector<AxisDescription> subdomains = finer[p]->discretisation.subdomains();
    const Array of_v = finer[p]->system.coefficients(finer[p]->x(), static_cast<int>(field));
    const double allowed = run.the_case.verification.tolerance * largest_magnitude(of_u.data);
    double of_point = 1.0;
    int n_slow_axes = 0;
    for (int axis : model.fields[field].axes) {
      if (!model.is_modal(axis)) continue;
      const auto losses_of = [&](const Array& coefficients, const AxisDescription& description) {
        return sums_behind_each(coefficients, static_cast<std::size_t>(axis), description, LevelSize::mean_square,
                                model.fields[field].n_lower[static_cast<std::size_t>(axis)]);
      };
      const auto losses = losses_of(of_u, window.subdomains[axis]), finer_losses = losses_of(of_v, subdomains[axis]);
      const int of_run = window.subdomains[axis].degree, of_finer = subdomains[axis].degree;
      bool is_slow = false;
      for (std::size_t k = 0; k < losses.size(); ++k) {
        const std::optional<PowerLaw> law = power_law(losses[k]), of_more = power_law(finer_losses[k]);
        double share = 1.0;
        if (law && of_more && std::abs(law->power - of_more->power) <= kSameLaw * (1.0 + std::abs(law->power))) {
          if (law->last_level * of_run <= (law->power > kFallingPower ? kHarmlessTail : 1.0) * allowed) continue;
          is_slow = true;
          share -= std::pow(static_cast<double>(of_finer) / of_run, -std::max(law->power, 0.0));
        } else if (const SeriesDecay decay(losses[k]);
                   is_barely_finer && decay.behind(of_run) > kHarmlessTail * allowed) {
          share = decay.share_of_levels(of_run, of_finer);
        }
        of_point = std::min(of_point, share);
      }
      n_slow_axes += is_slow ? 1 : 0;
    }
    if (n_slow_axes <= 1) least = std::min(least, of_point);
  }
  return std::max(least, kLeastShareInFiner);
}

}  // namespace

std::vector<double> shares_in_finer(const MarchInput& run, const MarchWindow& window, const PointWindows& finer,
                                    bool is_barely_finer) {
  std::vector<double> shares;
  for (std::size_t f = 0; f < run.model.fields.size(); ++f)
    shares.push_back(share_of_field(run, window, finer, f, is_barely_finer));
  return shares;
}

}  // namespace gwrm
