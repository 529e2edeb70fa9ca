// What the root solvers share: residual, corrections and norms of one nonlinear system, with the failures typed.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "solver/dense_solver.hpp"
#include "solver/newton.hpp"

namespace gwrm {

double root_mean_square(std::span<const double> v);
void add_scaled(std::vector<double>& x, double factor, const std::vector<double>& dx);

struct CorrectionEffort;  // newton_loop.hpp

class NewtonSteps {
 public:
  using Vector = std::vector<double>;

  NewtonSteps(NonlinearSystem& system, LinearSolver& solver, NewtonResult& result)
      : system_(system), solver_(solver), result_(result) {}

  // f(x); false if a value is not finite.
  bool residual(std::span<const double> x, std::vector<double>& f);
  // Prepares corrections at x. On failure the result holds status and detail, and false is returned.
  bool linearise(std::span<const double> x, bool fresh);
  // dx = -J^{-1} f to the relative tolerance, which may follow from -M^{-1} f. On failure as above; iterations are
  // counted in any case.
  bool correction(std::span<const double> f, const KrylovTolerance::OfDirection& tolerance, std::vector<double>& dx,
                  CorrectionEffort& effort);
  // -M^{-1} f: a correction without iterations (a direct solver: the simplified correction itself).
  std::vector<double> apply_preconditioner(std::span<const double> f);
  // Root mean square of v_i / w_i with the weights of x.
  double norm(std::span<const double> v, std::span<const double> x);
  // Corrections below this are noise of the linear solve.
  double roundoff_level() const;
  void fail_not_finite(std::span<const double> x);

  // What newton_loop.hpp wants besides.
  Vector moved(const Vector& x, double factor, const Vector& dx) const {
    Vector result = x;
    add_scaled(result, factor, dx);
    return result;
  }
  void add(Vector& x, double factor, const Vector& dx) const { add_scaled(x, factor, dx); }
  double root_mean_square(std::span<const double> f) const { return gwrm::root_mean_square(f); }
  bool is_linear() const { return system_.is_linear(); }
  int refresh_above() const { return solver_.refresh_above(); }

 private:
  NonlinearSystem& system_;
  LinearSolver& solver_;
  NewtonResult& result_;
  std::vector<double> weights_;
};

// The iterations behind newton() with Globalisation::sir and ::anderson.
NewtonResult sir(NonlinearSystem& system, std::vector<double>& x, const NewtonOptions& options, DenseSolver& solver,
                 const std::function<bool()>& interrupted);
NewtonResult anderson(NonlinearSystem& system, std::vector<double>& x, const NewtonOptions& options,
                      LinearSolver& solver, const std::function<bool()>& interrupted);

}  // namespace gwrm
