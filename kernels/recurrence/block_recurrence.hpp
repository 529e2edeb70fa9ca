// Second-order two-point problems on N equidistant points as recurrences over blocks of points: the right-hand side is
// read (or evaluated) twice, the solution written once, and everything that runs over many blocks runs in
// double-double.
//
// Formula   One of three recurrences over points i = 0 .. N-1 with right-hand side f_i, constants F, q, and state (w,
//           s):
//   poisson    s <- s - f_i;              w <- w + F s            of  -w'' = f:            w_i is w before step i
//   shooting   s <- s + (q/F) w_i - f_i;  w <- w + F s            of  -w'' + k^2 w = f with k L small
//   two_sided  P_i = r_f P_{i-1} + f_i,  Q_{i-1} = r_b (Q_i + f_i),  w_i = G (P_i + Q_i), 0 <= r < 1; state (P_{-1},
//              Q_{N-1}). Of any tridiagonal Toeplitz matrix whose roots lie on either side of the unit circle.
//   The solution is u_i = w_i - c f_i. The derivation and the constants F, q, r, G, c are those of
//   docs/recurrence-bvp.md.
// Passes    (1) recurrence_totals: what N steps make of the state 0. The end conditions and this give the starting
//           state. (2) recurrence_fill: from the starting state, the solution.
// Accuracy  Within a block of kRecurrenceBlock points plain double, on the deviation from the block's start; from block
//           to block double-double. The result is within about one unit in the last place of the exact solution of the
//           discrete system for every N (two_sided: times the cancellation between P and Q, about 1/(k L)).
// Memory    f and u host pointers, N values each; they may be the same array. `workspace`: recurrence_workspace_size(N)
//           states from the caller. Float arrays: values are rounded on reading and writing only.
// Device    the same passes by kernels/recurrence/recurrence_device.cuh, called by recurrence_solver.hpp; the functions
//           here run on the CPU whatever the context says.
// Determinism  The division into blocks does not depend on the number of threads: the same bits on every run.
// Errors    ShapeError if N < 1 or the workspace is too small.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/array.hpp"
#include "core/context.hpp"
#include "kernels/linear_algebra/double_double.hpp"
#include "kernels/recurrence/recurrence_source.hpp"

namespace gwrm {

inline constexpr Index kRecurrenceBlock = 128;   // points between two carries: short enough that plain double loses
                                                 // less than one unit in the last place within it
inline constexpr Index kRecurrenceChunk = 4096;  // points of one task of a thread: right-hand side in the first cache

enum class RecurrenceKind { poisson, shooting, two_sided };

// The pair that runs along the recurrence, and where the operator asks for it the sum of all w_i so far beside it.
struct RecurrenceState {
  DoubleDouble first;
  DoubleDouble second;
  DoubleDouble sum;
};

inline constexpr DoubleDouble kOne{1.0, 0.0};
using DoubleDoubleMatrix = std::array<DoubleDouble, 4>;  // row-major 2 x 2

// Powers of r over one block. A carry p before the block contributes p r^j = p kept_j - p lost_j: where r^j > 1/2 by
// what it loses (kept_j = 1), so that no digit of p is lost, else by what is left.
struct DecayTable {
  std::vector<double> loss;        // 1 - r^j, j = 0 .. block
  std::vector<double> kept, lost;  // j = 0 .. block
};

// The constants of a recurrence and its tables over one block; made by the functions below.
struct RecurrenceOperator {
  RecurrenceKind kind = RecurrenceKind::poisson;
  bool with_sum = false;                       // poisson: RecurrenceState::sum is wanted
  DoubleDouble scale;                          // F; of two_sided G
  DoubleDouble growth;                         // shooting: q / F
  DoubleDouble forward_decay, backward_decay;  // two_sided: 1 - r_f, 1 - r_b
  double correction = 0.0;                     // c
  DoubleDoubleMatrix block_step, chunk_step;   // shooting: what a block or chunk makes of the state
  DoubleDouble forward_block, forward_chunk;   // two_sided: r_f^block, ...
  DoubleDouble backward_block, backward_chunk;
  // The share of f_j, j = 0 .. block-1, in the state behind a block from state 0; a shorter block takes the last of
  // them. poisson: times -F, -1, -F. two_sided: second_weights is the share in Q before the block, a shorter one takes
  // the first of them.
  std::vector<double> first_weights, second_weights, sum_weights;
  DecayTable forward, backward;  // two_sided
};

RecurrenceOperator poisson_recurrence(DoubleDouble scale, double correction);
RecurrenceOperator shooting_recurrence(DoubleDouble scale, DoubleDouble growth, double correction);
// `decay` = 1 - r, given itself because r near 1 has lost it; gain = G.
RecurrenceOperator two_sided_recurrence(DoubleDouble gain, DoubleDouble forward_decay, DoubleDouble backward_decay,
                                        double correction);

std::size_t recurrence_workspace_size(Index n_points);

// The state behind the last point from the state 0 before the first (two_sided: P_{N-1} from P_{-1} = 0 and Q_{-1} from
// Q_{N-1} = 0).
RecurrenceState recurrence_totals(const Context& context, const RecurrenceOperator& op, const RecurrenceSource& f,
                                  Index n_points, std::span<RecurrenceState> workspace);

// Directly behind recurrence_totals with the same workspace, which holds the chunks' own totals.
void recurrence_fill(const Context& context, const RecurrenceOperator& op, const RecurrenceSource& f,
                     const RecurrenceState& start, Index n_points, std::span<RecurrenceState> workspace, double* u);
void recurrence_fill(const Context& context, const RecurrenceOperator& op, const RecurrenceSource& f,
                     const RecurrenceState& start, Index n_points, std::span<RecurrenceState> workspace, float* u);

// What `count` steps with right-hand side 0 make of a state; for two_sided P forwards and Q backwards.
RecurrenceState homogeneous_steps(const RecurrenceOperator& op, const RecurrenceState& state, Index count);
// The same as a matrix of (first, second).
DoubleDoubleMatrix homogeneous_matrix(const RecurrenceOperator& op, Index count);

// The totals of consecutive pieces, each of `length` points but the last, become the states before them (two_sided: P
// before and Q behind them). Returns what `start` has become at the end.
RecurrenceState states_at_pieces(const RecurrenceOperator& op, std::span<RecurrenceState> pieces, Index length,
                                 Index n_points, const RecurrenceState& start);

// poisson: what N steps with right-hand side 1 make of the state 0.
RecurrenceState totals_of_one(const RecurrenceOperator& op, Index n_points);

}  // namespace gwrm
