// Batches of banded systems: how they lie in memory, by which algorithm they are solved, what is reported of them.
//
// Layout      A number per row i of system b of n rows each: contiguous at b n + i, interleaved at i batch + b.
// Right-hand
//             sides, solutions and the bands of matrices that every system has its own of lie alike; a matrix that all
//             systems share has bands of n numbers.
// Memory      the context's: host pointers on the CPU, device pointers on the GPU, but for the shared matrices from
// which
//             plans are made, which are host pointers always. A solution may overwrite its right-hand side.
// Scratch     workspace arguments hold the bytes that the function beside the operation says, aligned to 256; they may
// be
//             null where that is 0. Nothing allocates but the making of a plan; on a device all goes to the context's
//             stream and nothing waits.
// Pivots      No rows are exchanged: the matrices are to be diagonally dominant, or positive definite, or have the
// signs of
//             time integrals (a_i c_{i-1} < 0, positive diagonal); beyond, errors grow as those of elimination
//             without exchanges do. A pivot that is zero or not finite - on the given diagonal, whatever the algorithm,
//             or met on the way - makes its system singular: the status says so and the solution is zero in all rows.
// Determinism the same bits on every run; not the same between variants, which sum in different orders.
// Errors      ShapeError for n < 1, batch < 0, missing bands or a variant that does not serve the layout. A batch of
// none is
//             no work.
#pragma once

#include <cstddef>
#include <string>

#include "core/array.hpp"
#include "core/context.hpp"
#include "kernels/banded/numbers.hpp"

namespace gwrm {

enum class BatchLayout { contiguous, interleaved };

struct BandedShape {
  Index n = 0, batch = 0;
  BatchLayout layout = BatchLayout::contiguous;

  Index row_step() const { return layout == BatchLayout::contiguous ? 1 : batch; }
  Index system_step() const { return layout == BatchLayout::contiguous ? n : 1; }
};

enum class Side { lower, upper };

// Of one system; arrays of them on a device are ints of these values.
enum class BandedStatus : int { solved = 0, singular = 1 };

// How a device solves; the CPU eliminates row by row, whatever is asked.
//   hybrid            a warp a system, every lane consecutive rows (kernels/banded/warp_rows.cuh): elimination within a
//                     lane, parallel cyclic reduction among the 32 rows that remain. Contiguous.
//   cyclic_reduction  a warp a system, lane = row modulo 32, parallel cyclic reduction throughout; n <= 2048 with the
//   matrix
//                     shared, 512 with one per system. Contiguous.
//   thread            a thread a system, row by row. Interleaved, where neighbours in the warp read neighbours in
//   memory. automatic         hybrid or thread, as the layout demands.
enum class BandedVariant { automatic, hybrid, cyclic_reduction, thread };

std::string name_of(BandedVariant variant);

// What `automatic` is; ShapeError if the variant does not serve the layout.
BandedVariant chosen_variant(const BandedShape& shape, BandedVariant variant);

// ShapeError unless n >= 1 and batch >= 0.
void check_shape(const BandedShape& shape, const char* operation);

// A matrix that all systems of a batch share, prepared once. Owns its tables, in the context's memory; the context must
// outlive it.
template <class Number>
class BandedPlan {
 public:
  virtual ~BandedPlan() = default;

  // x = A^-1 y for every system. x = 0 if the status is singular.
  virtual void solve(const Number* y, Number* x) const = 0;
  virtual BandedStatus status() const = 0;
};

}  // namespace gwrm
