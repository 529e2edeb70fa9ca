// Sparse matrices by rows (CSR) and as a rectangle of padded rows (ELLPACK), with products on the CPU.
//
// CSR      entries row_start[i] .. row_start[i + 1] of row i, columns ascending.
// ELLPACK  entry k of row i at [k * n + i]; rows shorter than `width` repeat their own column with the value 0, so that
//          neighbouring rows lie side by side for threads that take one row each.
// Device   the products with what conjugate gradients want of them: kernels/sbp_sat/device_cg_products.cuh.
// Source   ELLPACK: Bell and Garland, Efficient sparse matrix-vector multiplication on CUDA, 2008.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "core/array.hpp"

namespace gwrm {

struct CsrMatrix {
  Index n = 0;
  std::vector<std::int64_t> row_start;
  std::vector<std::int32_t> columns;
  std::vector<double> values;
};

struct EllMatrix {
  Index n = 0;
  int width = 0;
  std::vector<std::int32_t> columns;
  std::vector<double> values;
};

// The entries of one row in any order; entries of one column are added up.
using RowEntries = std::vector<std::pair<Index, double>>;

// Calls row_of(i, entries) twice for every row, from several threads: once to count, once to fill. No intermediate
// list of all entries exists. ShapeError if n does not fit 32-bit columns.
CsrMatrix assemble_csr(Index n, const std::function<void(Index, RowEntries&)>& row_of);
EllMatrix to_ell(const CsrMatrix& a);

namespace cpu {
void csr_apply(const CsrMatrix& a, const double* u, double* q);
void ell_apply(const EllMatrix& a, const double* u, double* q);
}  // namespace cpu
std::vector<double> diagonal(const CsrMatrix& a);

}  // namespace gwrm
