// Values on a grid in even and odd parts along those directions that are the same from both ends.
//
// Formula  fold: even[i] = x[i] + x[n-1-i] for i < n/2, the middle of an odd n as it is; odd[i] = x[i] - x[n-1-i].
//          unfold, the transposed: x[i] = even[i] + odd[i], x[n-1-i] = even[i] - odd[i], the middle even[i].
//          (Both, one after the other: 2 x, of the middle x.) A direction in one part is copied.
// Layout   x: slow.n x fast.n, row-major. Folded: slow.extent() x fast.extent(), row-major; part p of a direction
//          begins at p pitch, and what it does not fill is zero.
// Cost     one pass over memory for both directions.
// (kernels/linear_algebra/parity_split.hpp is for matrices whose rows or columns alternate between even and odd.)
#pragma once

#include <vector>

#include "core/array.hpp"
#include "core/context.hpp"

namespace gwrm {

// How the points of a direction, or its modes, are kept: in one part or in two.
struct EvenOddSplit {
  static constexpr int kAlignment = 8;  // rows begin at multiples of 64 bytes: whole words for the widest loads

  int n = 0;
  int n_parts = 1;
  int pitch = 0;  // places of a part

  EvenOddSplit() = default;
  EvenOddSplit(int n_points, bool in_halves)
      : n(n_points), n_parts(in_halves ? 2 : 1), pitch((size(0) + kAlignment - 1) / kAlignment * kAlignment) {}

  // Places that part p fills.
  int size(int p) const { return n_parts == 1 ? n : p == 0 ? n - n / 2 : n / 2; }
  int extent() const { return n_parts * pitch; }
  bool operator==(const EvenOddSplit&) const = default;
};

namespace cpu {

void fold(const EvenOddSplit& slow, const EvenOddSplit& fast, const double* x, double* folded);
void unfold(const EvenOddSplit& slow, const EvenOddSplit& fast, const double* folded, double* x);

}  // namespace cpu

namespace cuda {

// By way of the device: what kernels/sbp_sat/even_odd_split.cuh does, for tests. unfold() adds to x.
void fold(const Context& context, const EvenOddSplit& slow, const EvenOddSplit& fast, const std::vector<double>& x,
          std::vector<double>& folded);
void unfold(const Context& context, const EvenOddSplit& slow, const EvenOddSplit& fast,
            const std::vector<double>& folded, std::vector<double>& x);

}  // namespace cuda
}  // namespace gwrm
