#include "problems/ball/growth.hpp"

#include "solver/arnoldi.hpp"  // before other headers of Eigen

#include <algorithm>
#include <cmath>

namespace gwrm::ball {
namespace {

constexpr Index kMostWindows = 150;
constexpr int kFewestWindows = 10;            // that Arnoldi's method needs
constexpr double kLongestGrowthWindow = 6.0;  // sqrt(h / kappa) max |u| of a window: some 40 iterations
constexpr double kWithoutFlow = 0.02;         // h kappa / R^2

double window_length(const BallModel& model, const BallSpace& space, double speed) {
  if (model.section().growth.window > 0.0) return model.section().growth.window;
  double kappa = 0.0;
  for (const Part& part : space.parts()) kappa = std::max(kappa, part.like_diffusivity());
  const double radius = model.section().radius,
               u = speed / radius;  // of the unit ball
  return std::min(kWithoutFlow / kappa,
                  u > 0.0 ? kLongestGrowthWindow * kLongestGrowthWindow * kappa / (u * u) : kWithoutFlow / kappa);
}

std::vector<GrowthMode> modes_of(const Arnoldi& arnoldi, double window, std::size_t wanted) {
  std::vector<GrowthMode> modes;
  for (const RitzPair& pair : arnoldi.ritz_pairs())
    if (modes.size() < wanted)
      modes.push_back({std::log(std::abs(pair.value)) / window, std::arg(pair.value) / window, pair.residual / window});
  return modes;
}

}  // namespace

GrowthResult find_growth(const BallModel& model, const BallSpace& space, const std::function<bool()>& interrupted,
                         WindowDevice* device) {
  WindowSolver solver(model, space, kFewestWindows, device);
  GrowthResult result;
  result.window = window_length(model, space, solver.terms().largest_speed());
  const Index size = space.unknowns().size(), most = std::min(kMostWindows, size);
  const auto wanted = static_cast<std::size_t>(model.section().growth.modes);
  std::vector<double> start = space.project(model.initial_series(space));
  Eigen::VectorXd first = Eigen::Map<const Eigen::VectorXd>(start.data(), size);
  Arnoldi arnoldi(first.isZero(0.0) ? Arnoldi::start_without_structure(size) : first, most);
  const double begin = model.of_case().domain.front().axis.lower;
  while (!arnoldi.is_full()) {
    if (interrupted && interrupted()) break;
    Eigen::Map<Eigen::VectorXd>(start.data(), size) = arnoldi.last();
    const WindowValues values = solver.solve(start, begin, begin + result.window, true);
    if (!values.failure.empty()) {
      result.failure = values.failure + "; take a shorter growth.window";
      break;
    }
    arnoldi.add(values.rows.bottomRows(1).transpose());
    result.n_windows = static_cast<int>(arnoldi.n_products());
    result.modes = modes_of(arnoldi, result.window, wanted);
    const bool found = result.modes.size() == wanted &&
                       std::all_of(result.modes.begin(), result.modes.end(), [&](const GrowthMode& mode) {
                         return mode.residual <= model.section().growth.tolerance;
                       });
    if (found) break;
  }
  return result;
}

}  // namespace gwrm::ball
