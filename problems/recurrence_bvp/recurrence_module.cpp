#include "problems/recurrence_bvp/recurrence_module.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "problems/recurrence_bvp/manufactured_bvp.hpp"
#include "problems/recurrence_bvp/recurrence_bvp.hpp"

namespace gwrm {

std::unique_ptr<Problem> RecurrenceModule::make(const Case& the_case) const {
  return std::make_unique<RecurrenceBvp>(the_case);
}

// Points that coarse and fine grids share.
std::vector<Override> RecurrenceModule::changes_of_study(const Case& base) const {
  std::vector<Override> changes = ProblemModule::changes_of_study(base);
  changes.push_back({"output.grid", fmt::format("{{{}: 1025}}", base.domain.front().axis.name)});
  return changes;
}

Case RecurrenceModule::manufactured(const Case& the_case) const {
  return manufactured_recurrence(the_case);
}

Case RecurrenceModule::coarser(const Case& the_case, int divisor, std::size_t) const {
  auto section = std::make_shared<RecurrenceCase>(section_of<RecurrenceCase>(the_case));
  section->intervals = std::max<std::ptrdiff_t>(8, section->intervals / divisor);
  Case result = the_case;
  result.section = std::move(section);
  return result;
}

}  // namespace gwrm
