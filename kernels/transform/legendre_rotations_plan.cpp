#include <numbers>
#include <string>

#include "core/errors.hpp"
#include "kernels/transform/legendre_rotations.hpp"

namespace gwrm {
namespace {

constexpr Index kMostPoints = kMostConnected - 1;  // sine transforms have the frequency N_x too

Index checked_rotation_degree(Index degree, Index n_points) {
  const Index least = legendre_rotation_points(degree);
  if (n_points < least)
    throw ShapeError("associated Legendre transform: degree " + std::to_string(degree) + " takes at least " +
                     std::to_string(least) + " points, there are " + std::to_string(n_points));
  if (n_points > kMostPoints)
    throw ShapeError("associated Legendre transform: " + std::to_string(n_points) + " points, expected at most " +
                     std::to_string(kMostPoints));
  return n_points;
}

}  // namespace

// A product has the frequencies 0 to n_factors times the degree; that of even m needs one point more than the highest.
Index legendre_rotation_points(Index degree, Index n_factors) {
  if (degree < 0 || degree >= kMostPoints || n_factors < 1)
    throw ShapeError("associated Legendre transform: a product of " + std::to_string(n_factors) +
                     " functions of degree " + std::to_string(degree) + ", expected 1 or more and 0 to " +
                     std::to_string(kMostPoints - 1));
  return n_factors * degree + 1;
}

LegendreRotationGrid::LegendreRotationGrid(Index degree, Index n_points)
    : cosine_2_(CosineKind::cosine_2, checked_rotation_degree(degree, n_points)),
      cosine_3_(CosineKind::cosine_3, n_points),
      sine_2_(CosineKind::sine_2, n_points),
      sine_3_(CosineKind::sine_3, n_points),
      to_legendre_(ConnectionKind::chebyshev_to_legendre, n_points + 1),
      to_chebyshev_(ConnectionKind::legendre_to_chebyshev, degree + 1) {}

std::vector<double> LegendreRotationGrid::theta() const {
  std::vector<double> nodes;
  for (Index k = 0; k < n_points(); ++k)
    nodes.push_back(std::numbers::pi * static_cast<double>(2 * k + 1) / static_cast<double>(2 * n_points()));
  return nodes;
}

LegendreRotationPlan::LegendreRotationPlan(std::shared_ptr<const LegendreRotationGrid> grid, Index m, Index n)
    : grid_(std::move(grid)), m_(m), n_(n) {
  if (n < 1 || m < 0)
    throw ShapeError("associated Legendre transform: " + std::to_string(n) +
                     " coefficients of order m = " + std::to_string(m) + ", expected 1 or more and 0 or more");
  if (m > grid_->degree() || n > grid_->degree() - m + 1)
    throw ShapeError("associated Legendre transform: " + std::to_string(n) +
                     " coefficients of order m = " + std::to_string(m) + " reach degree " + std::to_string(m + n - 1) +
                     " and take at least " + std::to_string(m + n) + " points, the grid is one of degree " +
                     std::to_string(grid_->degree()) + " and " + std::to_string(grid_->n_points()) + " points");
}

}  // namespace gwrm
