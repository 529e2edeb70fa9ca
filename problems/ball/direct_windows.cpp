#include "problems/ball/direct_windows.hpp"

#include <algorithm>

namespace gwrm::ball {
namespace {

constexpr double kMostBytes = 1e9;
constexpr double kSlownessOfTerms = 2.0, kSlownessOfVectors = 6.0;  // over LU's operations
constexpr double kIterationsOfWindow = 20.0;                        // for the length of Gram-Schmidt alone

// One application: products with the tables of r, theta and phi there and back (sphere_transform.hpp) for every vector
// field that a term needs on the grid; a few operations an unknown for terms within a degree l.
double operations_of_terms(const BallModel& model, const Degrees& degrees, double n_unknowns) {
  const Index n = degrees.r, l = degrees.l;
  const double n_columns = to_double(degrees.orders().n_columns());
  double operations = 20.0 * n_unknowns;
  for (const TermWord word : model.section().terms) {
    if (word == TermWord::buoyancy || word == TermWord::background) continue;
    const double n_r = to_double(n + l / 2) + 15.0, n_theta = to_double(l) + 3.0;
    const double along_r = 3.0 * to_double(n + 1) * to_double(l + 1) * n_columns * n_r;
    const double along_theta = 5.0 * n_columns * n_theta * to_double(l + 1) * n_r;
    const double along_phi = 3.0 * n_columns * n_columns * n_theta * n_r;
    operations += 4.0 * (along_r + along_theta + along_phi);
  }
  return operations;
}

}  // namespace

DirectCosts direct_costs(const BallModel& model, const Degrees& degrees) {
  DirectCosts costs;
  if (!has_axisymmetric_terms(model)) return costs;
  const double reach = to_double(reach_in_degree(model)), k = to_double(degrees.t),
               n_orders = static_cast<double>(degrees.orders().list().size());
  const double of_degree = to_double(degrees.r) * to_double(static_cast<Index>(model.parts().size()));
  const double n = of_degree * to_double(degrees.l + 1), width = std::min(n, (reach + 1.0) * of_degree);
  const double n_unknowns = n * to_double(degrees.orders().n_columns());
  const double terms = kSlownessOfTerms * operations_of_terms(model, degrees, n_unknowns);
  costs.iteration = k * terms + kSlownessOfVectors * k * n_unknowns * (8.0 * k + 100.0 + 4.0 * kIterationsOfWindow);
  costs.factors = (2.0 * reach + 1.0) * of_degree * terms + n_orders * 16.0 * k * n * width * width;
  costs.bytes = 16.0 * n_orders * n * (3.0 * k + 2.0) * width;
  costs.possible = costs.bytes <= kMostBytes;
  return costs;
}

DirectWindows::DirectWindows(const BallModel& model, const BallSpace& space, const BallTerms& terms, int n_alike)
    : space_(space),
      terms_(terms),
      reach_(reach_in_degree(model)),
      costs_(direct_costs(model, space.degrees())),
      n_alike_(n_alike) {}

void DirectWindows::count(double window_length, int iterations, bool failed) {
  if (window_length != length_) spent_ = 0.0;
  length_ = window_length;
  const double window = iterations * costs_.iteration;
  spent_ += window;
  due_ = costs_.possible && (failed || std::max(spent_, n_alike_ * window) >= costs_.factors);
}

bool DirectWindows::solve(double window_length, const double* r, double* d) {
  if (families_.empty()) families_ = axisymmetric_families(space_, terms_, reach_);
  if (solver_ == nullptr || solver_->window_length() != window_length)
    solver_ = std::make_unique<AxisymmetricSolver>(space_, families_, window_length);
  return solver_->solve(r, d);
}

}  // namespace gwrm::ball
