// The numbers of a sweep (kernels/banded/substitution.hpp) as the device's warps read them.
//
// Layout    kernels/banded/substitution_steps.cuh. Rows in order of the sweep: row k is i = k, of the side upper n - 1
// - k;
//           with `as_stored` i = k of both sides. Rows beyond the system couple to nothing.
// Accuracy  products of couplings in double-double, rounded once.
#pragma once

#include <vector>

#include "kernels/banded/substitution.hpp"

namespace gwrm {

template <class Number>
struct WarpTables {
  int distance = 1;
  std::vector<Number> scale, couplings, factors;  // scale empty: ones
};

// Of a sweep with one coupling; rows_of_lane even where its distance is 2. As many pieces as the system has, and
// n_warps at least: those of a team (kernels/banded/substitution_steps.cuh).
template <class Number>
WarpTables<Number> warp_tables(const Sweep<Number>& sweep, Index n, int rows_of_lane, bool as_stored, int n_warps = 1);

// For cyclic reduction throughout: `couplings` of the steps one after the other, 32 rows_of_lane >= n numbers each.
template <class Number>
WarpTables<Number> reduction_tables(const Sweep<Number>& sweep, Index n, int rows_of_lane);

// Of a sweep with two couplings. Matrices: what the rows of a lane, of the 2, 4, 8, 16 lanes up to it, and of all of
// its warp up to it, make of the two values before them (kernels/banded/second_order_steps.cuh).
template <class Number>
struct SecondOrderWarpTables {
  std::vector<Number> scale, first, second, matrices;  // scale empty: ones
};
template <class Number>
SecondOrderWarpTables<Number> second_order_tables(const Sweep<Number>& sweep, Index n, int rows_of_lane, bool as_stored,
                                                  int n_warps = 1);

}  // namespace gwrm
