// A system whose residual is that of a cheaper one and a constant, which makes it exact at one point.
//
//   f(x) = g(x) + c,   c = f*(x_c) - g(x_c),   f* the exact residual, g the cheap one.
//
// Newton's iteration on f with c renewed where it has converged (defect correction: Stetter, Numer. Math. 29, 1978)
// contracts by || J^{-1} (f* - g)' || each time and ends at a root of f*. Where g differs by what a discretisation
// leaves out anyhow, as series on points that fold products back do, one or two evaluations of f* are enough.
#pragma once

#include <algorithm>
#include <vector>

#include "solver/nonlinear_system.hpp"

namespace gwrm {

class CorrectedSystem final : public NonlinearSystem {
 public:
  // Both of the same unknowns and rows; `exact` gives everything but the residual. They stay where they are.
  CorrectedSystem(NonlinearSystem& exact, NonlinearSystem& cheap) : exact_(exact), cheap_(cheap) {}

  Index size() const override { return exact_.size(); }
  bool is_linear() const override { return exact_.is_linear(); }
  void residual(std::span<const double> x, std::span<double> f) override {
    cheap_.residual(x, f);
    if (!correction_.empty()) std::transform(f.begin(), f.end(), correction_.begin(), f.begin(), std::plus<>());
  }
  bool correct(std::span<const double> x, std::span<double> f) override {
    exact_.residual(x, f);
    correction_.resize(f.size());
    cheap_.residual(x, correction_);
    std::transform(f.begin(), f.end(), correction_.begin(), correction_.begin(), std::minus<>());
    return true;
  }
  void jacobian(std::span<const double> x, std::span<double> matrix) override { exact_.jacobian(x, matrix); }
  LuStatus factor_jacobian(std::span<const double> x, DenseLu& lu) override { return exact_.factor_jacobian(x, lu); }
  void weights(std::span<const double> x, std::span<double> w) const override { exact_.weights(x, w); }
  std::string describe_row(Index row) const override { return exact_.describe_row(row); }
  std::string describe_unknown(Index column) const override { return exact_.describe_unknown(column); }
  std::string locate_not_finite(std::span<const double> x) override { return exact_.locate_not_finite(x); }

 private:
  NonlinearSystem &exact_, &cheap_;
  std::vector<double> correction_;  // empty: 0
};

}  // namespace gwrm
