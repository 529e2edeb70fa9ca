#include "weighted_residual/preconditioner/shared_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "solver/krylov_outcome.hpp"
#include "solver/newton_loop.hpp"
#include "weighted_residual/preconditioner/averaged_solver.hpp"
#include "weighted_residual/preconditioner/krylov_limits.hpp"
#include "weighted_residual/preconditioner/shared_gmres.hpp"

namespace gwrm {
namespace {

// The operations of newton_loop.hpp; x, dx are unknowns and f is of rows.
class SharedSteps {
 public:
  using Vector = std::vector<double>;

  SharedSteps(WindowSystem& system, SharedWindow& window, Communicator& ranks, SpatialMethod method,
              const std::function<bool()>& interrupted, const FactorsOfWindows& known, NewtonResult& result)
      : system_(system),
        window_(window),
        ranks_(ranks),
        interrupted_(interrupted),
        result_(result),
        average_(make_shared_preconditioner(method, system, window, ranks)),
        is_factored_(known.factors != nullptr),
        borrowed_(is_factored_ && !known.same_jacobian) {
    if (is_factored_) average_->reuse(known.factors);
  }

  bool residual(const Vector& x, Vector& f) {
    f.resize(static_cast<std::size_t>(window_.rows().size_of(ranks_.rank())));
    window_.residual(x, f);
    const bool finite = std::all_of(f.begin(), f.end(), [](double value) { return std::isfinite(value); });
    return ranks_.agree(finite ? 0 : 1) == 0;
  }

  bool linearise(const Vector& x, bool fresh) {
    const bool first = !is_linearised_;
    if (first || !is_linear()) window_.linearise(x, at_x_);
    is_linearised_ = true;
    if (is_factored_ && (borrowed_ ? first || !fresh : !fresh || is_linear())) return true;
    return goes_on(factor_anew(), result_);
  }

  template <class Accuracy>
  bool correction(const Vector& f, const Accuracy& accuracy, Vector& dx, CorrectionEffort& effort) {
    dx.resize(static_cast<std::size_t>(window_.unknowns().size_of(ranks_.rank())));
    const Vector right = negative(f);
    LinearOutcome outcome = iterate(right, KrylovTolerance(accuracy), dx);
    if (borrowed_) {  // as in AveragedSolver::solve()
      is_stale_ |= outcome.iterations > kBorrowUpTo;
      if (outcome.status != LinearStatus::solved && outcome.status != LinearStatus::interrupted) {
        const int in_vain = outcome.iterations;
        outcome = factor_anew();
        if (outcome.status == LinearStatus::solved) outcome = iterate(right, KrylovTolerance(accuracy), dx);
        outcome.iterations += in_vain;
      }
    }
    return goes_on(outcome, effort, result_);
  }

  // For the next window; null where they have grown old.
  std::shared_ptr<SharedFactors> factors() const { return is_factored_ && !is_stale_ ? average_->factors() : nullptr; }

  Vector apply_preconditioner(const Vector& f) {
    Vector dx(static_cast<std::size_t>(window_.unknowns().size_of(ranks_.rank())));
    average_->apply(negative(f), dx);
    return dx;
  }

  // The root mean square of v_i / w_i, w the weight of its field at x.
  double norm(std::span<const double> v, std::span<const double> x) {
    const Vector of_x = window_.unknowns().squares(ranks_, x), of_v = window_.unknowns().squares(ranks_, v);
    Vector sizes;
    for (std::size_t field = 0; field < of_x.size(); ++field) {
      const SharedVectors::Part& part = window_.unknowns().parts()[field];
      sizes.push_back(std::sqrt(of_x[field] / static_cast<double>(part.n_lines * part.n_columns)));
    }
    const Vector weights = system_.field_weights(sizes);
    double sum = 0.0;
    for (std::size_t field = 0; field < of_v.size(); ++field) {
      // An iterate so large that its weights overflow must not make a correction look small.
      if (!std::isfinite(weights[field])) return std::numeric_limits<double>::infinity();
      sum += of_v[field] / (weights[field] * weights[field]);
    }
    return std::sqrt(sum / static_cast<double>(window_.unknowns().size()));
  }

  double roundoff_level() const {
    constexpr double kOfLinear = 1e-5;  // as NewtonSteps
    return is_linear() ? kOfLinear : kUnknownRoundoff;
  }

  void fail_not_finite(const Vector& x) {
    Vector whole(ranks_.rank() == 0 ? static_cast<std::size_t>(window_.unknowns().size()) : 0);
    window_.unknowns().collect(ranks_, x, whole);
    result_.status = NewtonStatus::not_finite;
    if (ranks_.rank() == 0) result_.detail = system_.locate_not_finite(whole);
    result_.detail.resize(static_cast<std::size_t>(ranks_.agree(static_cast<int>(result_.detail.size()))));
    ranks_.broadcast(reinterpret_cast<std::byte*>(result_.detail.data()), result_.detail.size(), 0);
  }

  Vector moved(const Vector& x, double factor, const Vector& dx) const {
    Vector result = x;
    add(result, factor, dx);
    return result;
  }
  void add(Vector& x, double factor, const Vector& dx) const {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += factor * dx[i];
  }
  double root_mean_square(const Vector& f) const {
    const double* own = f.data();
    return std::sqrt(window_.rows().dots(ranks_, {&own, 1}, f).front() / static_cast<double>(window_.rows().size()));
  }
  bool is_linear() const { return system_.is_linear(); }
  int refresh_above() const { return kRefreshAbove; }

 private:
  LinearOutcome factor_anew() {
    borrowed_ = is_stale_ = false;
    const LuStatus status = average_->factor(at_x_);
    ++result_.n_factorisations;
    is_factored_ = status == LuStatus::regular;
    return factorisation_outcome(status, [] { return kSingularAverage; });
  }

  LinearOutcome iterate(const Vector& right, const KrylovTolerance& tolerance, Vector& dx) {
    return krylov_outcome(
        shared_gmres([&](std::span<const double> v, std::span<double> y) { window_.apply_jacobian(at_x_, v, y); },
                     [&](std::span<const double> v, std::span<double> y) { average_->apply(v, y); }, window_.rows(),
                     ranks_, right, dx, tolerance, {kMaxKrylovIterations, interrupted_}));
  }

  static Vector negative(const Vector& f) {
    Vector result(f.size());
    std::transform(f.begin(), f.end(), result.begin(), [](double value) { return -value; });
    return result;
  }

  WindowSystem& system_;
  SharedWindow& window_;
  Communicator& ranks_;
  const std::function<bool()>& interrupted_;
  NewtonResult& result_;
  std::unique_ptr<SharedPreconditioner> average_;
  SharedLinearisation at_x_;
  bool is_linearised_ = false, is_factored_ = false;
  bool borrowed_ = false, is_stale_ = false;  // the factors are another window's, and have grown old
};

}  // namespace

std::string shared_newton_unsupported_reason(const WindowSystem& system, SpatialMethod method) {
  if (std::string reason = shared_unsupported_reason(system); !reason.empty()) return reason;
  const TimeBasis* time = system.discretisation().time();
  if (time != nullptr && !has_diagonal_modes(time->n_unknowns())) return "it has more than 16 nodes in time";
  return shared_method_unsupported_reason(method, system);
}

NewtonResult shared_newton(WindowSystem& system, SharedWindow& window, Communicator& ranks, SpatialMethod method,
                           std::vector<double>& x, const NewtonOptions& options,
                           const std::function<bool()>& interrupted, FactorsOfWindows* known) {
  NewtonResult result;
  SharedSteps steps(system, window, ranks, method, interrupted, known == nullptr ? FactorsOfWindows() : *known, result);
  std::function<bool()> by_any;
  if (interrupted) by_any = [&] { return ranks.agree(interrupted() ? 1 : 0) != 0; };
  newton_loop(steps, x, options, by_any, result);
  if (known != nullptr) known->factors = steps.factors();
  return result;
}

}  // namespace gwrm
