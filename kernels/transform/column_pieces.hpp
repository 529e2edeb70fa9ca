// Columns of a tensor in pieces, interleaved: how chains, triangular products and banded solves take their batches.
//
// Layout    a column is the numbers of x (outer x n x inner, row-major) at one index before and one behind the treated
//           dimension; column number t = o inner + i begins at o n inner + i, its numbers are `inner` apart. So columns
//           are contiguous with inner = 1 and interleaved with outer = 1.
// Piece     up to kColumnsOfPiece neighbouring columns as rows[k][column], `width` numbers from row to row. Which
//           columns are a piece depends on their number alone, not on threads.
#pragma once

#include <omp.h>

#include <algorithm>

#include "core/array.hpp"
#include "core/thread_errors.hpp"

namespace gwrm::cpu {

constexpr Index kColumnsOfPiece = 64;

// rows[k][c] = number k of column first + c, c < count; columns count <= c < width become zero.
void gather_columns(const double* x, Index n, Index inner, Index first, Index count, Index width, double* rows);

// The way back.
void scatter_columns(const double* rows, Index n, Index inner, Index first, Index count, Index width, double* y);

// Loops of the calling thread stay with it for as long as this lives: those of the transforms within a piece.
class SingleThreadedLoops {
 public:
  SingleThreadedLoops() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~SingleThreadedLoops() { omp_set_num_threads(before_); }
  SingleThreadedLoops(const SingleThreadedLoops&) = delete;
  SingleThreadedLoops& operator=(const SingleThreadedLoops&) = delete;

 private:
  int before_;
};

// work(first column, their number, the thread's part of the workspace) for all pieces. `workspace` holds
// n_threads x per_thread numbers.
template <class Work>
void all_pieces(Index n_columns, int n_threads, double* workspace, Index per_thread, Work&& work) {
  const Index n_pieces = (n_columns + kColumnsOfPiece - 1) / kColumnsOfPiece;
  ThreadErrors errors;
  const bool in_threads = n_threads > 1 && n_pieces > 1;
#pragma omp parallel for num_threads(in_threads ? n_threads : 1) schedule(static)
  for (Index t = 0; t < n_pieces; ++t)
    errors.run([&] {
      const SingleThreadedLoops single;
      const Index first = t * kColumnsOfPiece;
      work(first, std::min(kColumnsOfPiece, n_columns - first), workspace + omp_get_thread_num() * per_thread);
    });
  errors.rethrow();
}

}  // namespace gwrm::cpu
