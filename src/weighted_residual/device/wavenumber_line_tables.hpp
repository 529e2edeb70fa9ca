// The operators of a system with Fourier axes and one bounded axis (preconditioner/wavenumber_operators.hpp), as tables
// from which the device makes the dense block of each vector of wavenumbers (wavenumber_lines.cuh).
//
// Formula   S(z, k)_ij = sum over the terms of i's rows and j's field of
//             z^power prod_a (i slope_a k_a)^orders_a values_ij;
//           a term counts where its masks allow it. Each row that does not take part at these wavenumbers is given a 1
//           in a column that does not, so that every block is regular or not by itself, and as large as the others.
// Mirror    along an axis is x -> -x with signs r_i of rows and f_j of fields such that r_i f_j = (-1)^(orders_a) for
//           every term that counts where k_a != 0: then S(z, -k) = R S(z, k) F, and one inverse serves both. Equations
//           without advection by a mean, and every axis of even derivatives alone, have it.
#pragma once

#include <complex>
#include <vector>

#include "weighted_residual/preconditioner/wavenumber_operators.hpp"

namespace gwrm {

inline constexpr int kLineAxes = static_cast<int>(kMaxWavenumberAxes);
inline constexpr int kMaxLineUnknowns = 8192;  // of a block; a column of it is to fit into shared memory

// A row block or a field. Bit a of a mask: along Fourier axis a.
struct LinePlace {
  long long offset = 0, mode_stride = 0;  // of its first number, and of the next time mode's
  long long stride = 1;                   // along the bounded axis
  long long strides[kLineAxes] = {};      // along the Fourier axes; 0: it lacks the axis
  unsigned lacks = 0;                     // it lacks the axis
  unsigned odd = 0;                       // a mirror along the axis changes its sign
  int first = 0, count = 0;               // in a block
};

struct LineTerm {
  int orders[kLineAxes] = {};
  int power = 0;
  unsigned zero = 0;      // counts only where k_a = 0
  unsigned replaced = 0;  // does not count where k_a = 0 along all of them
  int n_rows = 0, n_columns = 0;
  int values = 0;  // where its numbers begin, n_rows x n_columns
};

struct WavenumberLineTables {
  int n = 0;                           // rows of a block
  int extents[kLineAxes] = {1, 1, 1};  // coefficients along the axes
  double slopes[kLineAxes] = {};
  unsigned exponential = 0;  // odd derivatives occur: sine and cosine couple
  unsigned mirrored = 0;     // k and -k have one inverse
  std::vector<LinePlace> rows, fields;
  std::vector<int> row_of, field_of;  // of a block's row, of its column
  std::vector<int> begins;            // [row block][field]: its first term; one more at the end
  std::vector<LineTerm> terms;
  std::vector<double> values;
  std::vector<int> units;  // [mask of the axes with k_a != 0][row]: the column of its 1, -1 if it takes part
  bool all_take_part = true;

  Index n_vectors() const;   // of wavenumbers, sines and cosines apart
  Index n_matrices() const;  // inverses for each time mode
};

// Of operators with a bounded axis. Offsets are those of `operators`, mode strides 0. singular: rows and unknowns that
// take part differ in number for some wavenumbers.
LuStatus wavenumber_line_tables(const WavenumberOperators& operators, WavenumberLineTables& tables);

}  // namespace gwrm
