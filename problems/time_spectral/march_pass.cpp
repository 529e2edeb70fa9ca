#include "problems/time_spectral/march_pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "problems/time_spectral/distribution_text.hpp"
#include "problems/time_spectral/point_places.hpp"

namespace gwrm {

MarchPass::MarchPass(const Case& the_case, const Model& whole, const std::vector<AxisDescription>& subdomains,
                     RunJournal& journal, PointPlaces* places)
    : model(with_parameter_degrees(whole, subdomains)),
      points(parameter_points(model)),
      store(the_case, model, journal, places == nullptr ? nullptr : places->begin_answer(the_case, points.size())),
      before(model) {}

void MarchPass::take(MarchWindow&& window) {
  store.add(std::move(window));
}

void MarchPass::take_restored(MarchWindow&& window) {
  before.update(model, window);
  take(std::move(window));
}

bool MarchPass::is_finished() const {
  return before.n_windows > 0 && (model.window_edges.empty() || before.last.end >= model.window_edges.back());
}

bool raise_parameter_degrees(const Case& the_case, const Model& model, const ParameterTails& tails,
                             std::vector<AxisDescription>& subdomains, RunOutcome& outcome) {
  bool raised = false;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    if (!model.is_collocated(axis) || the_case.domain[axis].degree >= 0) continue;
    const double tail = tails.along(axis);
    if (tail <= the_case.resolution.tolerance) continue;
    int& degree = subdomains[axis].degree;
    const int highest = highest_degree(subdomains[axis], the_case.resolution.max_degree);
    if (degree >= highest) {
      outcome.status = ExitStatus::unresolved;
      outcome.report.status = "tolerance not met";
      outcome.report.reason = fmt::format(
          "degree {} along {} is not enough ({}): the last coefficients are {:.1e}", degree, model.axes[axis].name,
          highest < the_case.resolution.max_degree ? "the highest for its distribution" : "resolution.limits.degree",
          tail);
      return false;
    }
    degree = std::min(std::max(degree + 2, degree * 3 / 2), highest);
    raised = true;
  }
  return raised;
}

}  // namespace gwrm
