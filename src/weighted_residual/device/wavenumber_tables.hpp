// The operators of a box that is periodic along every axis (preconditioner/wavenumber_operators.hpp), as tables from
// which each thread of the device makes the block of its own wavenumbers.
//
// Formula   S(z, k)_ij = sum over the terms of entry (i, j) of factor(z) prod_a k_a^orders_a, with factor(z) =
//           value z^power prod_a (i slope_a)^orders_a; a term counts where its masks allow it. What does not take part
//           at these wavenumbers has zero rows and columns; each such row is given a 1 in such a column, so that every
//           block is square and as large as the others.
// Shapes    n: fields, the size of a block; entry (i, j) = i n + j.
#pragma once

#include <complex>
#include <vector>

#include "weighted_residual/preconditioner/wavenumber_operators.hpp"

namespace gwrm {

inline constexpr int kMaxWavenumberFields = 8;  // what a thread keeps in registers, or nearly

// The wavenumbers of one term, without its factor. Bit a of a mask: along axis a.
struct WavenumberPower {
  int orders[kMaxWavenumberAxes] = {};
  unsigned zero = 0;      // counts only where k_a = 0
  unsigned replaced = 0;  // does not count where k_a = 0 along all of them
};

struct WavenumberTables {
  std::vector<int> begins;  // per entry the first of its terms, and their number: n n + 1
  std::vector<WavenumberPower> powers;
  std::vector<std::complex<double>> factors;  // [z][term]
  std::vector<int> units;  // [mask of the axes with k_a != 0][row]: the column of its 1, -1 if it takes part
  bool all_take_part = true;
};

// units: [mask of the axes with k_a != 0][row of n]: the column of its 1, -1 if it takes part; all_take_part is cleared
// where some do not. singular: rows and unknowns that take part differ in number for some wavenumbers.
LuStatus rows_of_absent_fields(const WavenumberOperators& operators, int n_axes, std::size_t n, std::vector<int>& units,
                               bool& all_take_part);

// Of operators without a bounded axis, at most kMaxWavenumberFields of them. singular: rows and unknowns that take part
// differ in number for some wavenumbers.
LuStatus wavenumber_tables(const WavenumberOperators& operators, const std::vector<std::complex<double>>& z,
                           WavenumberTables& tables);

}  // namespace gwrm
