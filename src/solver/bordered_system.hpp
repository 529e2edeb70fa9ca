// A system with one of its rows replaced by a linear condition: border . (x - reference) = 0.
//
// Continuation treats the parameter as an unknown and lets the border say where on the branch a point is sought: at a
// fixed parameter, or on a plane across the branch. Source: Keller, "Numerical solution of bifurcation and nonlinear
// eigenvalue problems", 1977 (bordered systems, regular at folds).
#pragma once

#include <vector>

#include "solver/nonlinear_system.hpp"

namespace gwrm {

class BorderedSystem : public NonlinearSystem {
 public:
  // `row` of the system is never looked at. The system stays the caller's.
  BorderedSystem(NonlinearSystem& system, Index row);

  void set_border(std::vector<double> border, std::vector<double> reference);
  // Sizes below which no unknown's corrections are judged; empty: the system's own weights alone.
  void set_least_weights(std::vector<double> weights) { least_weights_ = std::move(weights); }

  Index size() const override { return system_.size(); }
  bool is_linear() const override { return system_.is_linear(); }
  void residual(std::span<const double> x, std::span<double> f) override;
  void jacobian(std::span<const double> x, std::span<double> matrix) override;
  void weights(std::span<const double> x, std::span<double> w) const override;
  std::string describe_row(Index row) const override;
  std::string describe_unknown(Index column) const override { return system_.describe_unknown(column); }
  std::string locate_not_finite(std::span<const double> x) override { return system_.locate_not_finite(x); }

 private:
  NonlinearSystem& system_;
  std::size_t row_;
  std::vector<double> border_, reference_, least_weights_;
};

}  // namespace gwrm
