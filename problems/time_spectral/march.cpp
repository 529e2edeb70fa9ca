#include "problems/time_spectral/march.hpp"

#include "problems/time_spectral/automatic_march.hpp"
#include "problems/time_spectral/fixed_march.hpp"

namespace gwrm {

void MarchSoFar::update(const Model& model, const MarchWindow& window) {
  for (const std::vector<Array>& fields : window.fields) sizes.update(model, fields, window.subdomains);
  ++n_windows;
  last = window;
}

MarchEnd march(const MarchInput& input, const MarchSoFar& before) {
  if (input.settings.resolution.automatic()) {
    RunWatch watch([&] { return input.settings.seconds(); }, input.settings.resolution.max_seconds,
                   input.settings.is_trial, input.settings.forecasts_from);
    watch.look_from_thread();
    MarchInput timed = input;
    timed.interrupted = [&] { return watch.must_stop() || (input.interrupted && input.interrupted()); };
    MarchEnd end = AutomaticMarch(timed, watch).run(before);
    const std::vector<std::string> warnings = watch.warnings();
    end.warnings.insert(end.warnings.end(), warnings.begin(), warnings.end());
    return end;
  }
  return FixedMarch(input).run(before);
}

}  // namespace gwrm
