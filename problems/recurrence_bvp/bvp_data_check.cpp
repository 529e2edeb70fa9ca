#include "problems/recurrence_bvp/bvp_data_check.hpp"

#include <fmt/format.h>

namespace gwrm {

namespace {

using expression::SampledAxis;

constexpr int kMostHalvings = 20;  // that are advised

}  // namespace

void check_bvp_data(const BvpModel& model, Index finer, std::vector<Check>& checks,
                    std::vector<std::string>& warnings) {
  DataCollection data;
  data.add(model.source, "the source");
  data.add_exact(model.exact, model.unknown);

  const Index own = model.grid.intervals;
  const auto grid = [&](Index intervals) {
    return std::vector<SampledAxis>{
        SampledAxis::equal(model.grid.lower, model.grid.upper, static_cast<std::size_t>(intervals))};
  };
  const auto shown_by = [&](expression::Expr e, const auto&) {
    const int halvings = halvings_that_show(*model.pool, e, kMostHalvings, [&](int k) { return grid(own << k); });
    return halvings > kMostHalvings ? std::string()
                                    : fmt::format("recurrence.intervals: {} would show it", own << halvings);
  };
  report_unseen(find_unseen_data(*model.pool, data.take(), grid(finer > 0 ? finer : own), shown_by, kMaxDataBoxes),
                checks, warnings);
}

}  // namespace gwrm
