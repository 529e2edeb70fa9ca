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
    MarchInput timed = input;
    if (const double limit = input.settings.resolution.max_seconds; limit > 0.0)
      timed.interrupted = [&] {
        return input.settings.seconds() > limit || (input.interrupted && input.interrupted());
      };
    return AutomaticMarch(timed).run(before);
  }
  return FixedMarch(input).run(before);
}

}  // namespace gwrm
