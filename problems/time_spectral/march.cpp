#include "problems/time_spectral/march.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "core/log.hpp"
#include "problems/time_spectral/automatic_march.hpp"
#include "problems/time_spectral/fixed_march.hpp"

namespace gwrm {
namespace {

constexpr double kScoutTolerance = 3e-2;
constexpr int kScoutWindows = 400;

// The same run with other settings.
MarchInput with(const MarchInput& input, const MarchSettings& settings, RunWatch& watch,
                std::function<void(MarchWindow&&)> window_done, PointPlaces* places) {
  return {input.context,
          input.the_case,
          input.model,
          input.plan,
          settings,
          input.points,
          input.linear,
          std::move(window_done),
          [&] { return watch.must_stop() || (input.interrupted && input.interrupted()); },
          places};
}

// Sizes of the fields in the whole run, from one with a loose tolerance: what starts from rest has none of its own at
// first, and is resolved relative to nothing. Not those of first windows of a flow that starts, in which pressure may
// be anything. An interrupted run finds the same ones again. Empty where that run fails.
std::vector<double> scouted_sizes(const MarchInput& input) {
  MarchSettings settings = input.settings;
  settings.resolution.tolerance = std::max(kScoutTolerance, settings.resolution.tolerance);
  settings.resolution.max_windows = std::min(settings.resolution.max_windows, kScoutWindows);
  settings.newton.tolerance = std::max(settings.newton.tolerance, 1e-2 * settings.resolution.tolerance);
  settings.is_trial = true;
  FieldScales sizes(input.model);
  RunWatch watch([&] { return settings.seconds(); }, settings.resolution.max_seconds, true, settings.forecasts_from);
  const auto take = [&](MarchWindow&& window) {
    if (settings.flows.is_one(window.start)) return;
    for (const std::vector<Array>& fields : window.fields) sizes.update(input.model, fields, window.subdomains);
  };
  const MarchSoFar nothing(input.model);
  const MarchEnd end = AutomaticMarch(with(input, settings, watch, take, nullptr), watch).run(nothing);
  if (end.status != MarchStatus::finished) return {};
  logger().debug("sizes of the fields, from a run with tolerance {:g}: {:.3g}", settings.resolution.tolerance,
                 fmt::join(sizes.seen(), ", "));
  return sizes.seen();
}

}  // namespace

void MarchSoFar::update(const Model& model, const MarchWindow& window) {
  for (const std::vector<Array>& fields : window.fields) sizes.update(model, fields, window.subdomains);
  ++n_windows;
  last = window;
}

MarchEnd march(const MarchInput& input, const MarchSoFar& before) {
  if (input.settings.resolution.automatic()) {
    MarchSettings settings = input.settings;
    if (settings.flows.starts_from_rest) settings.sizes = scouted_sizes(input);
    RunWatch watch([&] { return input.settings.seconds(); }, input.settings.resolution.max_seconds,
                   input.settings.is_trial, input.settings.forecasts_from);
    watch.look_from_thread();
    MarchEnd end = AutomaticMarch(with(input, settings, watch, input.window_done, input.places), watch).run(before);
    const std::vector<std::string> warnings = watch.warnings();
    end.warnings.insert(end.warnings.end(), warnings.begin(), warnings.end());
    return end;
  }
  return FixedMarch(input).run(before);
}

}  // namespace gwrm
