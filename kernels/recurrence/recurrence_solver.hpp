// A solution of N grid points that stays where it was computed: the block recurrences (block_recurrence.hpp) and the
// paper's algorithms with the arrays they need, on the CPU or the device.
//
// Memory    recurrence_solver_bytes(): the solution, and on the device the right-hand side beside it where it is
//           stored. What is larger than the device is streamed through it in pieces; the solution is then on the
//           host.
// Errors    MemoryError, DeviceError; ShapeError for sizes that do not fit together.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include "core/array.hpp"
#include "core/context.hpp"
#include "kernels/recurrence/block_recurrence.hpp"
#include "kernels/recurrence/recurrence_paper.hpp"
#include "kernels/recurrence/recurrence_source.hpp"

namespace gwrm {

class GridSolution {
 public:
  virtual ~GridSolution() = default;
  // u at these points, in their order.
  virtual void gather(std::span<const Index> points, double* u) const = 0;
};

using StartOfTotals = std::function<RecurrenceState(const RecurrenceState& totals)>;

class RecurrenceSolver : public GridSolution {
 public:
  // What N steps make of the state 0 (block_recurrence.hpp).
  virtual RecurrenceState totals() = 0;
  // The solution of the right-hand side f + shift from the starting state. After totals().
  virtual void fill(const RecurrenceState& start, double shift) = 0;
  // Both, for a start that is an affine function of the totals' first and second; returns these. On the device one
  // launch where the points fit onto the chip.
  virtual RecurrenceState solve(const StartOfTotals& start);
};

std::size_t recurrence_solver_bytes(Index n_points, bool single_precision);

// `single_precision`: the solution is stored as float. The arrays of `source` outlive the solver.
std::unique_ptr<RecurrenceSolver> make_recurrence_solver(const Context& context, const RecurrenceOperator& op,
                                                         const RecurrenceSource& source, Index n_points,
                                                         bool single_precision);

// d (n values in natural order, those of recurrence_paper.hpp) solved by one of the paper's algorithms.
std::unique_ptr<GridSolution> solve_by_paper(const Context& context, PaperAlgorithm algorithm, Index columns,
                                             const RecurrenceSource& d, Index n);

inline bool is_single(PaperAlgorithm algorithm) {
  return algorithm != PaperAlgorithm::a1d && algorithm != PaperAlgorithm::a2d;
}

namespace cpu {
std::unique_ptr<RecurrenceSolver> make_recurrence_solver(const Context& context, const RecurrenceOperator& op,
                                                         const RecurrenceSource& source, Index n_points,
                                                         bool single_precision);
std::unique_ptr<GridSolution> solve_by_paper(const Context& context, PaperAlgorithm algorithm, Index columns,
                                             const RecurrenceSource& d, Index n);
}  // namespace cpu

// Only in a build with CUDA. `most_bytes` of device memory, 0: what is free.
namespace cuda {
std::unique_ptr<RecurrenceSolver> make_recurrence_solver(const Context& context, const RecurrenceOperator& op,
                                                         const RecurrenceSource& source, Index n_points,
                                                         bool single_precision, std::size_t most_bytes = 0);
}

}  // namespace gwrm
