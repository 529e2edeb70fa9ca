#include "problems/time_spectral/time_kinks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "problems/time_spectral/data_edges.hpp"

namespace gwrm {

std::vector<double> times_of_kinks(const Model& model) {
  if (model.time_axis() < 0) return {};
  return kinks_along(model, model.time_axis());
}

std::string describe_kinks_inside_windows(const Model& model) {
  std::vector<double> inside;
  for (double t : times_of_kinks(model)) {
    const auto edge = std::lower_bound(model.window_edges.begin(), model.window_edges.end(), t);
    const double near = 1e-9 * (model.window_edges.back() - model.window_edges.front());
    const bool on_edge = (edge != model.window_edges.end() && *edge - t <= near) ||
                         (edge != model.window_edges.begin() && t - *(edge - 1) <= near);
    if (!on_edge) inside.push_back(t);
  }
  if (inside.empty()) return {};
  return fmt::format(
      "the data have a kink or a jump at t = {:.10g}{}, within a window: the series in t converge slowly there; put "
      "edges of resolution.domains.t on such times, or give resolution.tolerance, which does",
      inside.front(), inside.size() > 1 ? fmt::format(" and {} more times", inside.size() - 1) : "");
}

}  // namespace gwrm
