// What is left of a system in a step too short for anything but dt, the constraints and their multipliers to count:
//   m w + G q = r,   D w = c,   B w = g
// as S(z) for a small z (spatial_factors.hpp), where the rows of D and B are z times as large.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "weighted_residual/preconditioner/spatial_factors.hpp"

namespace gwrm {

// The length of such a step over that of the window: the other terms of the equations change w by a share of this
// order, rounding changes the acceleration w/z by the machine epsilon over it. At its root both are alike.
inline constexpr double kShortStep = 1.5e-8;

// The equations of a short window with its state as it is, a = dt(u) and the multipliers zero: on the processor that
// evaluates and factors them.
class InstantaneousSystem {
 public:
  virtual ~InstantaneousSystem() = default;
  // All rows (WindowSystem::residual()).
  virtual std::vector<double> rows() = 0;
  // S(z), coefficients averaged as in a window, by the structured preconditioner of the system in double precision;
  // singular where it has but a dense one. b is real and z, too: so is x. Not to be used after this object.
  virtual FactorResult factors(double z) = 0;
};
// MemoryError: no room for it there.
using InstantaneousPlace =
    std::function<std::unique_ptr<InstantaneousSystem>(WindowSystem& system, const SpatialLayout& layout)>;

// Both arguments are to outlive it.
std::unique_ptr<InstantaneousSystem> instantaneous_on_cpu(WindowSystem& system, const SpatialLayout& layout);
// There; on the CPU if `where` is empty, or has no room.
std::unique_ptr<InstantaneousSystem> instantaneous_at(const InstantaneousPlace& where, WindowSystem& system,
                                                      const SpatialLayout& layout);

struct InstantaneousSolution {
  std::vector<std::complex<double>> x;
  double change = 0.0;  // size of the last correction over that of x; infinite where the factors are of no use
};

// S(z) x = b by iterative refinement with these factors, which are not exact: x <- x + S~^-1 (b - S x), as long as each
// correction is less than half of the one before, until it is `tolerance` of x (0: down to rounding). size: of a
// vector, by those of its numbers that count.
InstantaneousSolution solve_instantaneous(const WindowSystem& system, const SpatialFactors& factors, double z,
                                          const std::vector<std::complex<double>>& b, double tolerance,
                                          const std::function<double(const std::vector<std::complex<double>>&)>& size);

}  // namespace gwrm
