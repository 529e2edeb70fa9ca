#include "problems/time_spectral/march.hpp"

#include "problems/time_spectral/automatic_march.hpp"
#include "problems/time_spectral/fixed_march.hpp"

namespace gwrm {

void MarchSoFar::see(const Model& model, const MarchWindow& window) {
  for (const std::vector<Array>& fields : window.fields) sizes.see(model, fields, window.pieces);
  ++n_windows;
  last = window;
}

MarchEnd march(const Context& context, const Case& problem, const Model& model, const SystemPlan& plan,
               const MarchSettings& settings, const std::vector<std::vector<double>>& parameter_points,
               const MarchSoFar& before, const std::function<void(MarchWindow&&)>& window_done,
               const std::function<bool()>& interrupted) {
  const MarchInput input{context, problem, model, plan, settings, parameter_points, window_done, interrupted};
  if (settings.resolution.automatic()) return AutomaticMarch(input).run(before);
  return FixedMarch(input).run(before);
}

}  // namespace gwrm
