// How Newton gets its corrections: J(x) dx = f, by a factorisation or by a preconditioned Krylov iteration.
#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <string>
#include <utility>

#include "kernels/linear_algebra/dense_lu.hpp"
#include "solver/krylov_tolerance.hpp"

namespace gwrm {

enum class LinearStatus { solved, singular, not_finite, no_convergence, interrupted };

struct LinearOutcome {
  LinearStatus status = LinearStatus::solved;
  int iterations = 0;        // of a Krylov method; 0 for a direct one
  std::string detail;        // of a failure: the dependent equations and modes, the residual reached
  bool to_tolerance = true;  // false: near enough for Newton to go on, but no nearer
};

// What a factorisation of the Jacobian came to; describe() tells what makes it singular, asked only then.
template <class Describe>
LinearOutcome factorisation_outcome(LuStatus status, Describe describe) {
  if (status == LuStatus::regular) return {};
  if (status == LuStatus::singular) return {LinearStatus::singular, 0, describe()};
  return {
      LinearStatus::not_finite, 0,
      "the Jacobian holds NaN or Inf although the residual is finite: a derivative of the equations is unbounded at "
      "this iterate (for example sqrt at 0)"};
}

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  // Prepares for solves with J(x). fresh: whatever approximates J (a lagged preconditioner) is to be built anew.
  virtual LinearOutcome linearise(std::span<const double> x, bool fresh) = 0;
  // Overwrites v with J^{-1} v to the relative tolerance in the residual (a direct solver: to round-off).
  virtual LinearOutcome solve(std::span<double> v, const KrylovTolerance& tolerance) = 0;
  // Overwrites v with an approximation of J^{-1} v that costs no iteration; a direct solver: J^{-1} v.
  virtual void apply_preconditioner(std::span<double> v) = 0;

  virtual bool is_direct() const = 0;
  // After this many iterations in one solve a fresh preconditioner is worth its cost.
  virtual int refresh_above() const { return 0; }
  virtual double reciprocal_condition() const = 0;  // estimate of 1/cond; 0: not known
  int n_factorisations() const { return n_factorisations_; }

  // Asked between the iterations of a solve, fifty times a second at most; true ends it as `interrupted`. Empty: never.
  void set_interrupted(std::function<bool()> interrupted) { interrupted_ = std::move(interrupted); }

 protected:
  // For Krylov iterations.
  std::function<bool()> interruption() const {
    if (!interrupted_) return {};
    return [this, asked = Clock::time_point()]() mutable {
      const Clock::time_point now = Clock::now();
      if (now - asked < kBetweenQuestions) return false;
      asked = now;
      return interrupted_();
    };
  }
  int n_factorisations_ = 0;

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kBetweenQuestions{20};
  std::function<bool()> interrupted_;
};

// The question is asked while this lives.
class InterruptedSolver {
 public:
  InterruptedSolver(LinearSolver& solver, std::function<bool()> interrupted) : solver_(solver) {
    solver_.set_interrupted(std::move(interrupted));
  }
  ~InterruptedSolver() { solver_.set_interrupted({}); }
  InterruptedSolver(const InterruptedSolver&) = delete;
  InterruptedSolver& operator=(const InterruptedSolver&) = delete;

 private:
  LinearSolver& solver_;
};

}  // namespace gwrm
