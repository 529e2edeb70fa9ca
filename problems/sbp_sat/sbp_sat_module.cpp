#include "problems/sbp_sat/sbp_sat_module.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "problems/sbp_sat/manufactured_poisson.hpp"
#include "problems/sbp_sat/sbp_sat_case.hpp"
#include "problems/sbp_sat/sbp_sat_poisson.hpp"

namespace gwrm {

std::unique_ptr<Problem> SbpSatModule::make(const Case& the_case) const {
  return std::make_unique<SbpSatPoisson>(the_case);
}

// One number for both dimensions has no place for that of one of them.
std::vector<Override> SbpSatModule::changes_of_study(const Case& base) const {
  std::vector<Override> changes = ProblemModule::changes_of_study(base);
  const auto is_varied = [&](const AxisCase& axis) {
    return std::any_of(base.convergence.vary.begin(), base.convergence.vary.end(),
                       [&](const VariedKey& varied) { return varied.key == axis.axis.name; });
  };
  if (std::none_of(base.domain.begin(), base.domain.end(), is_varied)) return changes;
  const auto& sbp = section_of<SbpSatCase>(base);
  std::string intervals;
  for (std::size_t d = 0; d < base.domain.size(); ++d)
    intervals +=
        fmt::format("{}{}: [{}]", d == 0 ? "" : ", ", base.domain[d].axis.name, fmt::join(sbp.intervals[d], ", "));
  changes.push_back({"sbp_sat.intervals", "{" + intervals + "}"});
  return changes;
}

Case SbpSatModule::manufactured(const Case& the_case) const {
  return manufactured_poisson(the_case);
}

Case SbpSatModule::coarser(const Case& the_case, int divisor, std::size_t) const {
  auto section = std::make_shared<SbpSatCase>(section_of<SbpSatCase>(the_case));
  for (std::vector<int>& counts : section->intervals)
    for (int& count : counts) count = std::max(20, count / divisor);
  Case result = the_case;
  result.section = std::move(section);
  return result;
}

}  // namespace gwrm
