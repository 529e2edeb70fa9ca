// What is left of a system in a step too short for anything but dt, the constraints and their multipliers to count:
//   m w + G q = r,   D w = c,   B w = g
// as the equations of a window of one Radau node and so short a length z, an implicit Euler step: J = S(z)
// (spatial_factors.hpp), with the coefficients at that node. The rows of D and B are z times as large.
//
// Solved by the exact J, whatever its coefficients vary along, with that of the averaged coefficients as the
// preconditioner: iterative refinement whose corrections GMRES finds (Saad and Schultz 1986). The processor that has
// the equations gives products and solves; the iteration is one, on the host.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "weighted_residual/preconditioner/spatial_factors.hpp"

namespace gwrm {

// The length of such a step over that of the window: the other terms of the equations change w/z and q by a share of
// this order. The unknown is w/z, and no difference is formed: rounding is that of the rows, however short the step.
inline constexpr double kShortStep = 1e-12;
// That of a window of this length at time t, where clocks tell its ends apart.
double short_step(double length, double t);

// A window of one length and another of these equations, state and points of the collocated parameters; what it is
// made of outlives it.
struct ShortWindow {
  Discretisation discretisation;
  WindowSystem system;
  SpatialLayout layout;

  ShortWindow(const Context& context, const Model& model, const SystemPlan& plan,
              std::vector<AxisDescription> subdomains, const std::vector<double>& parameter_values, int n_nodes,
              double start, double end, const State& state);
};

// The equations of a short window with its state as it is, a = dt(u) and the multipliers zero: on the processor that
// evaluates and factors them.
class InstantaneousSystem {
 public:
  virtual ~InstantaneousSystem() = default;
  // All rows (WindowSystem::residual()).
  virtual std::vector<double> rows() = 0;
  // Of one node; before the two below. The structured preconditioner of the system, in double precision; singular where
  // it has but a dense one.
  virtual LuStatus factor() = 0;
  // x = S~^-1 b, the coefficients averaged as in a window.
  virtual void precondition(std::span<const double> b, std::span<double> x) = 0;
  // b = J x.
  virtual void apply(std::span<const double> x, std::span<double> b) = 0;
};
// MemoryError: no room for it there.
using InstantaneousPlace =
    std::function<std::unique_ptr<InstantaneousSystem>(WindowSystem& system, const SpatialLayout& layout)>;

// Both arguments are to outlive it. may_be_dense: a system without a structured preconditioner, of 2000 unknowns at
// most, has the factors of its own matrix.
std::unique_ptr<InstantaneousSystem> instantaneous_on_cpu(WindowSystem& system, const SpatialLayout& layout,
                                                          bool may_be_dense = false);
// There; on the CPU if `where` is empty, or has no room.
std::unique_ptr<InstantaneousSystem> instantaneous_at(const InstantaneousPlace& where, WindowSystem& system,
                                                      const SpatialLayout& layout, bool may_be_dense = false);

struct InstantaneousSolution {
  std::vector<double> x;
  double change = 0.0;  // size of S~^-1 (b - J x) before the last correction over that of x
  int iterations = 0;   // of GMRES
};

// J x = b of a factored system: x <- x + S~^-1 (b - J x) as long as that falls by a factor of ten each time, by what
// GMRES makes of it where it does not, until it is at most `tolerance` of x (0: rounding) or GMRES does not halve it.
// size: of a vector, by those of its numbers that count. change is no small number where the preconditioner is of no
// use.
InstantaneousSolution solve_instantaneous(InstantaneousSystem& system, std::span<const double> b, double tolerance,
                                          const std::function<double(std::span<const double>)>& size);

}  // namespace gwrm
