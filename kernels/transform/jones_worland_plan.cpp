#include <cmath>
#include <numbers>
#include <string>

#include "core/errors.hpp"
#include "kernels/transform/jones_worland.hpp"
#include "kernels/transform/jones_worland_functions.hpp"
#include "kernels/transform/roots_of_unity.hpp"

namespace gwrm {
namespace {

void check_order(Index l, Index n) {
  if (n < 1 || l < 0 || l > kHighestOrder || n > kHighestOrder)
    throw ShapeError("Jones-Worland transform: " + std::to_string(n) +
                     " coefficients of degree l = " + std::to_string(l) +
                     ", expected 1 or more and 0 or more, both at most " + std::to_string(kHighestOrder));
}

Index checked_point_count(Index n_points) {
  if (n_points < 1)
    throw ShapeError("Jones-Worland transform: " + std::to_string(n_points) + " points, expected 1 or more");
  return n_points;
}

}  // namespace

// In half angles theta/2 a function of N_T coefficients has frequencies up to 2 N_T - 1, a product of q up to
// G = q (2 N_T - 1); on these points g is taken for 4 N_r - g, which has to stay above 2 N_T - 1.
Index jones_worland_points(Index l, Index n, Index n_factors) {
  check_order(l, n);
  if (n_factors < 1)
    throw ShapeError("Jones-Worland transform: a product of " + std::to_string(n_factors) + " functions");
  return (n_factors + 1) * (2 * (n + l / 2) - 1) / 4 + 1;
}

JonesWorlandGrid::JonesWorlandGrid(Index n_points)
    : second_(CosineKind::cosine_2, checked_point_count(n_points)),
      third_(CosineKind::cosine_3, n_points),
      fourth_(CosineKind::cosine_4, n_points) {}

std::vector<double> JonesWorlandGrid::radii() const {
  std::vector<double> r;
  for (Index k = 0; k < n_points(); ++k) r.push_back(half_turns(2 * k + 1, 4 * n_points()).real());
  return r;
}

double JonesWorlandGrid::weight() const {
  return std::numbers::pi / (2.0 * static_cast<double>(n_points()));
}

JonesWorlandPlan::JonesWorlandPlan(std::shared_ptr<const JonesWorlandGrid> grid, Index l, Index n,
                                   JonesWorlandVariant variant)
    : grid_(std::move(grid)), l_(l), n_(n), variant_(variant) {
  check_order(l, n);
  const Index n_points = grid_->n_points(), least = jones_worland_points(l, n);
  if (n_points < least)
    throw ShapeError("Jones-Worland transform: " + std::to_string(n) +
                     " coefficients of degree l = " + std::to_string(l) + " take at least " + std::to_string(least) +
                     " points, there are " + std::to_string(n_points));
  if (variant != JonesWorlandVariant::quadrature) return;
  if (n > kMostEntries / n_points)
    throw ShapeError("Jones-Worland transform: " + std::to_string(n) + " x " + std::to_string(n_points) +
                     " entries are too many for the matrix of a quadrature; rotations take no matrix");
  matrix_ = jones_worland_functions(l, n, n_points);
}

CosineScale jones_worland_scale(const JonesWorlandPlan& plan, bool forward) {
  const double factor = forward ? std::sqrt(std::numbers::pi) / static_cast<double>(plan.grid().n_points())
                                : 2.0 / std::sqrt(std::numbers::pi);
  return {factor, plan.l() % 2 == 0 ? std::numbers::sqrt2 / 2.0 : 1.0};
}

}  // namespace gwrm
