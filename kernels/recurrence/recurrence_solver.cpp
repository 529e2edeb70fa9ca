#include "kernels/recurrence/recurrence_solver.hpp"

#include "core/have_cuda.hpp"

namespace gwrm {

std::size_t recurrence_solver_bytes(Index n_points, bool single_precision) {
  return static_cast<std::size_t>(n_points) * (single_precision ? sizeof(float) : sizeof(double)) +
         recurrence_workspace_size(n_points) * sizeof(RecurrenceState);
}

RecurrenceState RecurrenceSolver::solve(const StartOfTotals& start) {
  const RecurrenceState own = totals();
  fill(start(own), 0.0);
  return own;
}

std::unique_ptr<RecurrenceSolver> make_recurrence_solver(const Context& context, const RecurrenceOperator& op,
                                                         const RecurrenceSource& source, Index n_points,
                                                         bool single_precision) {
#if GWRM_HAVE_CUDA
  if (context.backend() == Backend::cuda)
    return cuda::make_recurrence_solver(context, op, source, n_points, single_precision);
#endif
  return cpu::make_recurrence_solver(context, op, source, n_points, single_precision);
}

std::unique_ptr<GridSolution> solve_by_paper(const Context& context, PaperAlgorithm algorithm, Index columns,
                                             const RecurrenceSource& d, Index n) {
  return cpu::solve_by_paper(context, algorithm, columns, d, n);
}

}  // namespace gwrm
