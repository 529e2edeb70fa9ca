#include "problems/sbp_sat/poisson_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/blas.hpp"
#include "core/log.hpp"
#include "kernels/sbp_sat/fast_diagonalisation.hpp"
#include "problems/sbp_sat/device_solver.hpp"
#include "problems/sbp_sat/grid_operator.hpp"
#include "problems/sbp_sat/multigrid.hpp"

namespace gwrm::sbp {
namespace {

double norm(const std::vector<double>& v) {
  double sum = 0.0;
  for (double value : v) sum += value * value;
  return std::sqrt(sum);
}

Index largest_side(const Grid& grid) {
  Index largest = 0;
  for (const Block& block : grid.blocks) largest = std::max({largest, block.n_slow, block.n_fast});
  return largest;
}

// A correction is made if the bound on the algebraic error exceeds this share of the tolerance ...
constexpr double kRefinedFrom = 1e-3;
// ... and, with a tolerance above the default one, if |b - A u|_2 exceeds this multiple of what the iteration has
// reached.
constexpr double kRoundedFrom = 2.0;
// The correction ends at this share of its first residual.
constexpr double kRefinement = 1e-6;

// Pure Neumann data: what is left of sum b is the error of the quadrature, of the order of the scheme, or the problem
// has no solution.
constexpr double kUsualShare = 0.25;  // of what is allowed, that the quadrature of smooth data is out of balance by

void remove_sum(std::vector<double>& b) {
  const double mean = std::accumulate(b.begin(), b.end(), 0.0) / static_cast<double>(b.size());
  for (double& value : b) value -= mean;
}

double balance(const Case& the_case, const PoissonModel& model, std::vector<double>& b,
               std::vector<std::string>& warnings) {
  if (!model.pure_neumann) return 0.0;
  double sum = 0.0, size = 0.0;
  for (double value : b) {
    sum += value;
    size += std::abs(value);
  }
  const double imbalance = size > 0.0 ? std::abs(sum) / size : 0.0;
  Index fewest = largest_side(model.grid);
  for (const Block& block : model.grid.blocks) fewest = std::min({fewest, block.n_slow, block.n_fast});
  const double allowed = std::max(1e-10, std::pow(4.0 / static_cast<double>(fewest), model.grid.order));
  if (imbalance > allowed)
    throw_case_error(section_of<SbpSatCase>(the_case).source, 0,
                     fmt::format("flux conditions on all sides need data in balance, integral(source) + "
                                 "integral(flux over the sides) = 0: it is {:.3g} of the size of the data. Change the "
                                 "source or a flux, or give the value of the unknown at a side",
                                 imbalance));
  if (imbalance > kUsualShare * allowed)
    warnings.push_back(fmt::format(
        "integral(source) + integral(flux over the sides) is {:.1e} of the size of the data and not 0, more than "
        "the scheme's error usually is: it is taken from all points alike",
        imbalance));
  remove_sum(b);
  return imbalance;
}

std::unique_ptr<SymmetricOperator> make_operator(const Grid& grid, PoissonOperator form) {
  if (form == PoissonOperator::csr) return std::make_unique<CsrOperator>(GridOperator(grid).assemble());
  if (form == PoissonOperator::ell) return std::make_unique<EllOperator>(to_ell(GridOperator(grid).assemble()));
  return matrix_free_operator(grid);
}

class Run {
 public:
  Run(const Context& context, const Case& the_case, const PoissonModel& model, const SolverChoice& choice,
      const RunControl& control)
      : context_(context), case_(the_case), grid_(model.grid), model_(model), choice_(choice), control_(control) {}

  PoissonAnswer run() {
    take_right_hand_side();
    answer_.right_hand_side = norm(b_);
    double weight = std::numeric_limits<double>::infinity();
    for (const Block& block : grid_.blocks) weight = std::min(weight, block.h_slow * block.h_fast);
    answer_.error_factor = 1.0 / (smallest_eigenvalue(grid_) * std::sqrt(weight));
    const double by_error = section_of<SbpSatCase>(case_).algebraic_error / answer_.error_factor;
    stop_ = by_error > 0.0 ? by_error : section_of<SbpSatCase>(case_).tolerance * answer_.right_hand_side;
    if (control_.solution) return judge(control_.solution->x);
    a_ = make_operator(grid_, choice_.operator_form);
    solve(2);
    answer_.residual = norm(residual(answer_.u));
    if (answer_.status == CgStatus::converged && !is_direct() && needs_correction()) refine();
    return std::move(answer_);
  }

  PoissonAnswer run_defect(const std::vector<double>& u, double share) {
    take_right_hand_side();
    a_ = make_operator(grid_, choice_.operator_form);
    b_ = residual(u);
    if (model_.pure_neumann) remove_sum(b_);  // which rounding has left
    answer_.right_hand_side = norm(b_);
    stop_ = share * answer_.right_hand_side;
    solve(1);
    return std::move(answer_);
  }

 private:
  void take_right_hand_side() {
    PoissonRightHandSide right = right_hand_side(case_, model_);
    b_ = std::move(right.b);
    answer_.imbalance = right.imbalance;
    answer_.warnings = std::move(right.warnings);
  }

  PoissonAnswer judge(const std::vector<double>& given) {
    answer_.u = given;
    if (model_.pure_neumann) remove_mean(grid_, answer_.u);
    answer_.residual = norm(residual(answer_.u));
    answer_.residuals.push_back(answer_.residual);
    return std::move(answer_);
  }

  bool is_direct() const { return choice_.solver == PoissonSolver::fast_diagonalisation; }

  // On what iteration and rounding leave of u, relative.
  double bound() const {
    const std::vector<double> weights = norm_weights(grid_);
    double square = 0.0;
    for (std::size_t k = 0; k < weights.size(); ++k) square += weights[k] * answer_.u[k] * answer_.u[k];
    return square > 0.0 ? answer_.residual * std::abs(answer_.error_factor) / std::sqrt(square) : 0.0;
  }

  // A stated tolerance or algebraic error is kept, unless A p has rounded so much that b - A u is larger than stated.
  // With the default tolerance or a smaller one the bound decides: where |b| is large by C, 1e-12 of it may be too
  // much.
  bool needs_correction() const {
    if (bound() <= kRefinedFrom * case_.verification.tolerance) return false;
    const SbpSatCase& sbp = section_of<SbpSatCase>(case_);
    const bool is_loose = sbp.algebraic_error > 0.0 || sbp.tolerance > SbpSatCase().tolerance;
    return !is_loose || answer_.residual > kRoundedFrom * stop_;
  }

  // One step of iterative refinement. If C is large and u nearly constant, A p rounds by more than u may err, in all
  // iterations; residual() does not. The iterations are counted in n_correction_iterations.
  void refine() {
    PoissonAnswer first = std::move(answer_);
    answer_ = PoissonAnswer();
    const std::vector<double> b = b_;
    b_ = residual(first.u);
    if (model_.pure_neumann) remove_sum(b_);
    stop_ = kRefinement * norm(b_);
    solve(1);
    b_ = b;
    first.n_correction_iterations = answer_.iterations;
    if (answer_.status == CgStatus::converged)
      for (std::size_t k = 0; k < first.u.size(); ++k) first.u[k] += answer_.u[k];
    answer_ = std::move(first);
    answer_.residual = norm(residual(answer_.u));
  }

  // A u = b from u = 0; `n_solves` where a solve is direct.
  void solve(int n_solves) {
    answer_.u.assign(b_.size(), 0.0);
    if (runs_on_device(context_, choice_, grid_))
      on_device();
    else if (choice_.solver == PoissonSolver::fast_diagonalisation)
      fast_diagonalisation(n_solves);
    else
      iterate();
    if (model_.pure_neumann) remove_mean(grid_, answer_.u);
  }

  // b - A u, with less rounding than A u has.
  std::vector<double> residual(const std::vector<double>& u) const {
    std::vector<double> r(b_.size());
    if (grid_.separable()) {
      cpu::separable_residual(separable_operator(grid_), b_.data(), u.data(), r.data());
      return r;
    }
    GridOperator(grid_).apply_to_differences(u.data(), r.data());
    for (std::size_t k = 0; k < r.size(); ++k) r[k] = b_[k] - r[k];
    return r;
  }

  // The solution and refinements; one brings the error of the eigenvectors down to rounding.
  void fast_diagonalisation(int n_solves) {
    set_blas_threads(context_.n_threads());
    const SeparableOperator a = separable_operator(grid_);
    const auto solver = cpu::make_fast_diagonalisation(a);
    std::vector<double> r = b_, correction(b_.size());
    answer_.residuals.push_back(answer_.right_hand_side);
    for (int step = 0; step < n_solves; ++step) {
      solver->solve(r.data(), correction.data());
      for (std::size_t k = 0; k < r.size(); ++k) answer_.u[k] += correction[k];
      cpu::separable_residual(a, b_.data(), answer_.u.data(), r.data());
      answer_.residuals.push_back(norm(r));
      ++answer_.iterations;
    }
    if (!std::isfinite(answer_.residuals.back())) answer_.status = CgStatus::not_finite;
  }

  void on_device() {
    DeviceCgResult result =
        solve_on_device(context_, choice_, grid_, b_, answer_.u, stop_, section_of<SbpSatCase>(case_).max_iterations);
    answer_.status = result.status == DeviceCgStatus::converged      ? CgStatus::converged
                     : result.status == DeviceCgStatus::stalled      ? CgStatus::stalled
                     : result.status == DeviceCgStatus::not_definite ? CgStatus::not_definite
                                                                     : CgStatus::not_finite;
    answer_.iterations = result.iterations;
    answer_.residuals = std::move(result.residuals);
  }

  void iterate() {
    CgOptions options;
    options.variant =
        choice_.reduction == ReductionChoice::single ? CgVariant::chronopoulos_gear : CgVariant::hestenes_stiefel;
    options.residual = stop_;
    options.max_iterations = section_of<SbpSatCase>(case_).max_iterations;
    options.watch = [&](int iteration, double size) {
      const bool stop = control_.interrupted && control_.interrupted();
      if (control_.progress && iteration > 0) {
        const double all = std::log(options.residual / answer_.right_hand_side);
        const double done = all < 0.0 ? std::log(size / answer_.right_hand_side) / all : 1.0;
        control_.progress(std::clamp(done, 0.0, 1.0), fmt::format("iteration {}, residual {:.1e}", iteration, size));
      }
      return !stop;
    };
    std::vector<double> inverse;
    std::unique_ptr<Multigrid> cycle;
    if (choice_.solver == PoissonSolver::jacobi_cg) {
      inverse = inverse_diagonal(grid_);
      options.inverse_diagonal = &inverse;
    } else if (choice_.solver == PoissonSolver::multigrid_cg) {
      cycle = std::make_unique<Multigrid>(grid_);
      options.preconditioner = cycle.get();
      options.constants_in_kernel = grid_.all_flux();
    }
    CgResult result = conjugate_gradients(*a_, b_, answer_.u, options);
    answer_.status = result.status;
    answer_.iterations = result.iterations;
    answer_.residuals = std::move(result.residuals);
  }

  const Context& context_;
  const Case& case_;
  const Grid& grid_;
  const PoissonModel& model_;
  const SolverChoice& choice_;
  const RunControl& control_;
  std::vector<double> b_;
  std::unique_ptr<SymmetricOperator> a_;
  double stop_ = 0.0;  // |r|_2 at which an iteration ends
  PoissonAnswer answer_;
};

}  // namespace

SolverChoice choose_solver(const Case& the_case, const Grid& grid) {
  const SbpSatCase& sbp = section_of<SbpSatCase>(the_case);
  SolverChoice choice{sbp.solver, sbp.operator_form, sbp.reduction};
  if (choice.operator_form == PoissonOperator::automatic) choice.operator_form = PoissonOperator::matrix_free;
  if (choice.solver == PoissonSolver::automatic) {
    const bool wants_cg = sbp.reduction == ReductionChoice::single;
    choice.solver = !wants_cg && grid.separable() && largest_side(grid) <= kMaxDirectPoints
                        ? PoissonSolver::fast_diagonalisation
                    : !wants_cg && multigrid_applies(grid) ? PoissonSolver::multigrid_cg
                                                           : PoissonSolver::jacobi_cg;
  }
  if (choice.solver == PoissonSolver::fast_diagonalisation && !grid.separable())
    throw_case_error(sbp.solver_where, 0,
                     "fast_diagonalisation needs one block, a constant diagonal coefficient without mapping, and Robin "
                     "conditions with constant factors: choose multigrid_cg");
  if (choice.solver == PoissonSolver::multigrid_cg && !multigrid_applies(grid))
    throw_case_error(sbp.intervals_where, 0,
                     "multigrid halves the numbers of intervals: choose them with more factors of two, as 256, or "
                     "another solver");
  const bool has_diagonal = choice.solver == PoissonSolver::cg || choice.solver == PoissonSolver::jacobi_cg;
  if (choice.reduction == ReductionChoice::single && !has_diagonal)
    throw_case_error(sbp.solver_where, 0, "reduction: single is a form of cg and jacobi_cg");
  return choice;
}

std::string describe(const SolverChoice& choice, const Grid& grid) {
  const std::string form = choice.operator_form == PoissonOperator::csr   ? "CSR matrix"
                           : choice.operator_form == PoissonOperator::ell ? "ELLPACK matrix"
                                                                          : "matrix-free";
  const std::string reduction = choice.reduction == ReductionChoice::single ? ", one reduction" : "";
  switch (choice.solver) {
    case PoissonSolver::fast_diagonalisation:
      return "fast diagonalisation, one refinement";
    case PoissonSolver::multigrid_cg: {
      const int n_levels = 1 + n_coarsenings(grid);
      return fmt::format("conjugate gradients with multigrid on {} levels, {}", n_levels, form);
    }
    case PoissonSolver::jacobi_cg:
      return "conjugate gradients with Jacobi, " + form + reduction;
    default:
      return "conjugate gradients, " + form + reduction;
  }
}

double memory_of(const SolverChoice& choice, const Grid& grid) {
  const double n = static_cast<double>(grid.size());
  const double per_row = grid.order == 2 ? 5.0 : grid.order == 4 ? 9.0 : 13.0;
  double bytes = 8.0 * n * (grid.constant() ? 4.0 : 7.0);  // u, b, source, exact; coefficients
  if (choice.operator_form != PoissonOperator::matrix_free) bytes += 12.0 * per_row * n;
  if (choice.solver == PoissonSolver::fast_diagonalisation)  // residual and correction, the solver's own
    return bytes + 8.0 * 2.0 * n + cpu::fast_diagonalisation_memory(separable_operator(grid));
  return bytes + 8.0 * n * (choice.solver == PoissonSolver::multigrid_cg ? 12.0 : 6.0);
}

void remove_mean(const Grid& grid, std::vector<double>& u) {
  const std::vector<double> weights = norm_weights(grid);
  double sum = 0.0, volume = 0.0;
  for (std::size_t k = 0; k < u.size(); ++k) {
    sum += weights[k] * u[k];
    volume += weights[k];
  }
  for (double& value : u) value -= sum / volume;
}

PoissonRightHandSide right_hand_side(const Case& the_case, const PoissonModel& model) {
  PoissonRightHandSide right;
  right.b = GridOperator(model.grid).right_hand_side(model.source, model.data);
  right.imbalance = balance(the_case, model, right.b, right.warnings);
  return right;
}

PoissonAnswer solve_poisson(const Context& context, const Case& the_case, const PoissonModel& model,
                            const SolverChoice& choice, const RunControl& control) {
  return Run(context, the_case, model, choice, control).run();
}

PoissonAnswer solve_defect(const Context& context, const Case& the_case, const PoissonModel& model,
                           const SolverChoice& choice, const RunControl& control, const std::vector<double>& u,
                           double share) {
  return Run(context, the_case, model, choice, control).run_defect(u, share);
}

}  // namespace gwrm::sbp
