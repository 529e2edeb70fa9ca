#include "problems/time_spectral/time_spectral_module.hpp"

#include <algorithm>

#include "problems/time_spectral/eigenvalue_section.hpp"
#include "problems/time_spectral/manufactured_equations.hpp"
#include "problems/time_spectral/time_spectral.hpp"

namespace gwrm {

std::unique_ptr<Problem> TimeSpectralModule::make(const Case& the_case) const {
  if (the_case.continuation.active()) return branch_(the_case);
  if (eigenvalue_of(the_case) != nullptr) return modes_(the_case);
  return std::make_unique<TimeSpectral>(the_case);
}

// Errors and differences are made from the coefficients.
std::vector<Override> TimeSpectralModule::changes_of_study(const Case&) const {
  return {{"output.fields", "{}"}};
}

VariedSize TimeSpectralModule::varied_size(const std::string& key) const {
  if (key.rfind("resolution.degree", 0) == 0) return VariedSize::degree;
  return key == "resolution.tolerance" ? VariedSize::tolerance : VariedSize::other;
}

Case TimeSpectralModule::manufactured(const Case& the_case) const {
  return manufactured_equations(the_case);
}

Case TimeSpectralModule::coarser(const Case& the_case, int divisor, std::size_t n_windows) const {
  Case result = the_case;
  for (AxisCase& axis : result.domain) {
    axis.degree = std::max(std::min(axis.degree, 4), axis.degree / divisor);
    if (axis.axis.kind != AxisKind::time) continue;
    axis.edges.resize(n_windows + 1);
    axis.axis.upper = axis.edges.back();
  }
  result.verification.values.clear();
  return result;
}

std::string TimeSpectralModule::no_time_estimate(const Case& the_case) const {
  if (the_case.resolution.automatic()) return "the program chooses windows and degrees as it goes";
  if (the_case.continuation.active()) return "the branch decides how many points it takes";
  return {};
}

}  // namespace gwrm
