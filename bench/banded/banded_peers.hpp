// Other ways to the same solutions on a device, which only the bench has: cuSPARSE's solvers, and cyclic reduction in
// shared memory. All of double precision; operations on device memory, launched on the context's stream.
#pragma once

#include <functional>
#include <memory>

#include "core/context.hpp"
#include "kernels/banded/banded_batch.hpp"

namespace gwrm::bench::cuda {

// Diagonals -2 .. 2 of a batch in device memory, null where there is none; of n numbers if the batch shares them.
struct DeviceBands {
  const double *second_lower, *lower, *diagonal, *upper, *second_upper;
};

// What cuSPARSE has for a batch of tridiagonal or pentadiagonal systems:
//   shared matrix, contiguous   gtsv2_nopivot            (many right-hand sides)
//   own matrices, contiguous    gtsv2StridedBatch
//   own matrices, interleaved   gtsvInterleavedBatch (Thomas), gpsvInterleavedBatch (QR)
class CusparseSolver {
 public:
  CusparseSolver(const Context& context, const BandedShape& shape, bool shared, const DeviceBands& bands);
  ~CusparseSolver();
  CusparseSolver(const CusparseSolver&) = delete;
  CusparseSolver& operator=(const CusparseSolver&) = delete;

  // Null if there is none for such a batch.
  const char* name() const;
  // x: the right-hand sides, then the solutions.
  void solve(double* x);
  // Brings back what solve() overwrites of the matrix; its time is not that of the solver.
  void restore();
  // True if restore() has to come before every solve().
  bool overwrites_matrix() const;

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

// x_i + off_i x_{i-1} = y_i, `off` of n numbers shared by a contiguous batch: a block a system, y and off in shared
// memory, a barrier for every step of cyclic reduction. For n up to 2048.
void solve_in_shared_memory(const Context& context, const BandedShape& shape, const double* off, const double* y,
                            double* x);

}  // namespace gwrm::bench::cuda
