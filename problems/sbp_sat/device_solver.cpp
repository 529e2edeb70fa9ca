#include "problems/sbp_sat/device_solver.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <fmt/format.h>

#include <Eigen/Dense>

#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "core/matrix.hpp"
#include "core/thread_errors.hpp"
#include "problems/sbp_sat/grid_blocks.hpp"

namespace gwrm::sbp {
namespace {

DeviceLevel device_level(const Grid& grid) {
  if (grid.separable()) return {separable_operator(grid)};
  return {block_operator(grid)};
}

}  // namespace

std::optional<DeviceMultigrid> device_multigrid(const Grid& grid) {
  if (coarsest_size(grid) > cuda::kMaxCoarsestUnknowns || !can_coarsen(grid)) return {};
  DeviceMultigrid result;
  result.levels.push_back(device_level(grid));
  Grid level = coarsened(grid);
  for (; can_coarsen(level); level = coarsened(level)) result.levels.push_back(device_level(level));
  result.levels.push_back(device_level(level));
  const DirectSolver solver(level);
  const Index n = level.size();
  result.coarsest_inverse.resize(n, n);
  ThreadErrors errors;
#pragma omp parallel
  {
    Vector unit;
    errors.run([&] { unit = Vector::Zero(n); });
#pragma omp for schedule(static)
    for (Index k = 0; k < n; ++k)  // the rows of a symmetric inverse are its columns
      errors.run([&] {
        unit[k] = 1.0;
        solver.solve(unit.data(), result.coarsest_inverse.data() + k * n);
        unit[k] = 0.0;
      });
  }
  errors.rethrow();
  return result;
}

bool device_pays(const SolverChoice& choice, const Grid& grid) {
  // About where whole processes beside 16 cores draw level (docs/sbp-sat.md). Multigrid with constant coefficients on
  // one rectangle was not compared; it is not slower on the CPU than fast diagonalisation.
  constexpr Index kPlain = 300000, kGeneral = 1000000, kSeparable = 4000000;
  const bool plain = choice.solver == PoissonSolver::cg || choice.solver == PoissonSolver::jacobi_cg;
  return grid.size() >= (plain ? kPlain : grid.separable() ? kSeparable : kGeneral);
}

bool runs_on_device(const Context& context, const SolverChoice& choice, const Grid& grid) {
#if GWRM_HAVE_CUDA
  if (context.backend() != Backend::cuda) return false;
  const bool stored = choice.operator_form == PoissonOperator::csr || choice.operator_form == PoissonOperator::ell;
  switch (choice.solver) {
    case PoissonSolver::fast_diagonalisation:
      return true;
    case PoissonSolver::multigrid_cg:
      return !stored && can_coarsen(grid) && coarsest_size(grid) <= cuda::kMaxCoarsestUnknowns;
    default:
      return choice.reduction == ReductionChoice::standard || (grid.separable() && !stored);
  }
#else
  static_cast<void>(context);
  static_cast<void>(choice);
  static_cast<void>(grid);
  return false;
#endif
}

std::string why_not_on_device(const SolverChoice& choice) {
  if (choice.solver != PoissonSolver::multigrid_cg)
    return "the GPU has reduction: single for constant coefficients on one rectangle alone; take reduction: standard";
  if (choice.operator_form != PoissonOperator::matrix_free) return "on the GPU multigrid takes operator: matrix_free";
  return fmt::format(
      "on the GPU multigrid wants numbers of intervals that can be halved down to {} points; take more factors of two, "
      "or jacobi_cg",
      cuda::kMaxCoarsestUnknowns);
}

DeviceCgResult solve_on_device(const Context& context, const SolverChoice& choice, const Grid& grid,
                               const std::vector<double>& b, std::vector<double>& u, double stop, int max_iterations) {
#if GWRM_HAVE_CUDA
  DeviceCgOptions options{choice.solver == PoissonSolver::jacobi_cg, stop, max_iterations};
  options.constants_in_kernel = grid.all_flux();
  if (choice.solver == PoissonSolver::fast_diagonalisation)
    return cuda::solve_by_fast_diagonalisation(context, separable_operator(grid), b, u, 2);
  if (choice.solver == PoissonSolver::multigrid_cg) {
    const auto multigrid = device_multigrid(grid);
    return cuda::cg_multigrid(context, multigrid->levels, multigrid->coarsest_inverse, b, u, options);
  }
  if (choice.operator_form == PoissonOperator::csr)
    return cuda::cg_csr(context, GridOperator(grid).assemble(), b, u, options);
  if (choice.operator_form == PoissonOperator::ell)
    return cuda::cg_ell(context, to_ell(GridOperator(grid).assemble()), b, u, options);
  if (!grid.separable()) return cuda::cg_blocks(context, block_operator(grid), b, u, options);
  const SeparableOperator a = separable_operator(grid);
  if (cuda::on_chip_fits(context, a)) return cuda::cg_on_chip(context, a, b, u, options);
  if (choice.reduction == ReductionChoice::single && !cuda::one_pass_fits(a))
    throw DeviceError("reduction: single on the device is for grids of order 2: take reduction: standard");
  return cuda::cg_graph(context, a, b, u, options);
#else
  static_cast<void>(choice);
  static_cast<void>(grid);
  static_cast<void>(b);
  static_cast<void>(u);
  static_cast<void>(stop);
  static_cast<void>(max_iterations);
  throw DeviceError("built without CUDA: " + context.device_name());
#endif
}

}  // namespace gwrm::sbp
