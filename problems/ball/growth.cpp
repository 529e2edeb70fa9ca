#include "problems/ball/growth.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace gwrm::ball {
namespace {

constexpr Index kMostWindows = 150;
constexpr int kFewestWindows = 10;     // that Arnoldi's method needs
constexpr double kLongest = 6.0;       // sqrt(h / kappa) max |u| of a window: some 40 iterations
constexpr double kWithoutFlow = 0.02;  // h kappa / R^2

double window_length(const BallModel& model, const BallSpace& space, double speed) {
  if (model.section().growth.window > 0.0) return model.section().growth.window;
  double kappa = 0.0;
  for (const Part& part : space.parts()) kappa = std::max(kappa, part.like_diffusivity());
  const double radius = model.section().radius,
               u = speed / radius;  // of the unit ball
  return std::min(kWithoutFlow / kappa, u > 0.0 ? kLongest * kLongest * kappa / (u * u) : kWithoutFlow / kappa);
}

// Eigenvalues of the leading part of the Hessenberg matrix as modes, the largest first.
std::vector<GrowthMode> modes_of(const Eigen::MatrixXd& h, Index n, double window, std::size_t wanted) {
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(h.topLeftCorner(n, n));
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::abs(solver.eigenvalues()(a)) > std::abs(solver.eigenvalues()(b));
  });
  std::vector<GrowthMode> modes;
  for (Index i : order) {
    const std::complex<double> mu = solver.eigenvalues()(i);
    if (mu.imag() < 0.0 || modes.size() == wanted || std::abs(mu) == 0.0) continue;
    const Eigen::VectorXcd vector = solver.eigenvectors().col(i);
    modes.push_back({std::log(std::abs(mu)) / window, std::arg(mu) / window,
                     std::abs(h(n, n - 1)) * std::abs(vector(n - 1)) / (vector.norm() * std::abs(mu) * window)});
  }
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
  Matrix basis(most + 1, size);
  basis.row(0) = Eigen::Map<const RowVector>(start.data(), size);
  if (basis.row(0).norm() == 0.0)
    for (Index i = 0; i < size; ++i) basis(0, i) = std::sin(12.9898 * static_cast<double>(i + 1));
  basis.row(0) /= basis.row(0).norm();
  Eigen::MatrixXd h = Eigen::MatrixXd::Zero(most + 1, most);
  const double begin = model.of_case().domain.front().axis.lower;
  for (Index k = 0; k < most; ++k) {
    if (interrupted && interrupted()) break;
    start.assign(basis.row(k).data(), basis.row(k).data() + size);
    const WindowValues values = solver.solve(start, begin, begin + result.window, true);
    if (!values.failure.empty()) {
      result.failure = values.failure + "; take a shorter growth.window";
      break;
    }
    RowVector next = values.rows.bottomRows(1);
    for (int pass = 0; pass < 2; ++pass)  // twice is enough
      for (Index j = 0; j <= k; ++j) {
        const double share = basis.row(j).dot(next);
        h(j, k) += share;
        next -= share * basis.row(j);
      }
    h(k + 1, k) = next.norm();
    result.n_windows = static_cast<int>(k + 1);
    const bool exhausted = h(k + 1, k) <= 1e-14 * h.topLeftCorner(k + 1, k + 1).norm();
    result.modes = modes_of(h, k + 1, result.window, wanted);
    const bool found = result.modes.size() == wanted &&
                       std::all_of(result.modes.begin(), result.modes.end(), [&](const GrowthMode& mode) {
                         return mode.residual <= model.section().growth.tolerance;
                       });
    if (found || exhausted) break;
    basis.row(k + 1) = next / h(k + 1, k);
  }
  return result;
}

}  // namespace gwrm::ball
