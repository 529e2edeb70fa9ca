// The dense blocks of a system with Fourier axes and one bounded axis on the device: made from their terms, and their
// inverses applied.
//
// Contract: src/weighted_residual/preconditioner/wavenumber_operators.hpp; explicit inverses in place of factors
//
// Vectors   of wavenumbers, the last axis fastest, are counted by places of coefficients: 0, then sine and cosine of
//           each k. Along axes where they couple exp(+i k theta) takes the place of the sine, exp(-i k theta) that of
//           the cosine. Matrices are counted by |k| along mirrored axes, by places along the others.
// Layout    inverses [mode][matrix][unknown][row], right-hand sides and solutions [mode][vector][row or unknown].
// Cost      one pass over the inverses for each application; a warp takes four rows of one of them, with every
//           right-hand side that it serves.
// Determinism  each number is summed by one warp, in a fixed order: the same bits on every run.
#pragma once

#include "weighted_residual/device/wavenumber_line_tables.hpp"

namespace gwrm::cuda {

constexpr int kLineThreads = 256;
constexpr int kRowsOfAWarp = 4, kRowsOfABlock = kRowsOfAWarp * kLineThreads / 32;
constexpr int kMostServed = 4;  // right-hand sides that a matrix serves: two mirrored axes

// WavenumberLineTables on the device; units null: everything takes part.
struct WavenumberLines {
  int n = 0, n_modes = 1, n_vectors = 1, n_matrices = 1, n_terms = 0, n_fields = 1;
  int extents[kLineAxes] = {1, 1, 1};
  double slopes[kLineAxes] = {};
  unsigned exponential = 0, mirrored = 0;
  const LinePlace *rows = nullptr, *fields = nullptr;
  const int *row_of = nullptr, *field_of = nullptr, *begins = nullptr, *units = nullptr;
  const LineTerm* terms = nullptr;
  const double* values = nullptr;
  const double2* z = nullptr;
};

// Sizes; the tables are the caller's.
inline WavenumberLines wavenumber_lines(const WavenumberLineTables& tables, int n_modes) {
  WavenumberLines l;
  l.n = tables.n;
  l.n_modes = n_modes;
  l.n_vectors = static_cast<int>(tables.n_vectors());
  l.n_matrices = static_cast<int>(tables.n_matrices());
  l.n_terms = static_cast<int>(tables.terms.size());
  l.n_fields = static_cast<int>(tables.fields.size());
  for (int a = 0; a < kLineAxes; ++a) {
    l.extents[a] = tables.extents[a];
    l.slopes[a] = tables.slopes[a];
  }
  l.exponential = tables.exponential;
  l.mirrored = tables.mirrored;
  return l;
}

struct LineVector {
  int places[kLineAxes];
};

__device__ inline bool has_bit(unsigned mask, int a) {
  return (mask >> a & 1u) != 0;
}

__device__ inline LineVector line_vector(const WavenumberLines& l, int number) {
  LineVector vector;
  for (int a = kLineAxes - 1; a >= 0; --a) {
    vector.places[a] = number % l.extents[a];
    number /= l.extents[a];
  }
  return vector;
}

// The mask of the axes with k_a != 0.
__device__ inline unsigned nonzero_of(const LineVector& vector) {
  unsigned nonzero = 0;
  for (int a = 0; a < kLineAxes; ++a) nonzero |= vector.places[a] != 0 ? 1u << a : 0u;
  return nonzero;
}

// The first of the vectors that a matrix serves: places of +|k| along mirrored axes.
__device__ inline LineVector vector_of_matrix(const WavenumberLines& l, int matrix) {
  LineVector vector;
  for (int a = kLineAxes - 1; a >= 0; --a) {
    const bool mirrored = has_bit(l.mirrored, a);
    const int n = mirrored ? (l.extents[a] + 1) / 2 : l.extents[a], place = matrix % n;
    vector.places[a] = mirrored && place > 0 ? 2 * place - 1 : place;
    matrix /= n;
  }
  return vector;
}

// The others: bit m of `served` is the opposite wavenumber along the m-th mirrored axis. -1: there is none.
__device__ inline int served_vector(const WavenumberLines& l, const LineVector& first, int served) {
  int number = 0;
  for (int a = 0; a < kLineAxes; ++a) {
    int place = first.places[a];
    if (has_bit(l.mirrored, a)) {
      const bool opposite = (served & 1) != 0;
      served >>= 1;
      if (opposite && place == 0) return -1;
      place += opposite ? 1 : 0;
    }
    number = number * l.extents[a] + place;
  }
  return number;
}

// z^power prod_a (i slope_a k_a)^orders_a, or 0 where the term does not count.
__device__ inline double2 term_factor(const WavenumberLines& l, const LineTerm& term, const double2& z,
                                      const LineVector& vector) {
  const unsigned nonzero = nonzero_of(vector);
  if ((term.zero & nonzero) != 0 || (term.replaced != 0 && (term.replaced & nonzero) == 0)) return double2{0.0, 0.0};
  double2 factor{1.0, 0.0};
  for (int a = 0; a < kLineAxes; ++a) {
    const int place = vector.places[a], k = place % 2 == 1 ? (place + 1) / 2 : -place / 2;
    for (int m = 0; m < term.orders[a]; ++m)
      factor = double2{-factor.y * (l.slopes[a] * k), factor.x * (l.slopes[a] * k)};
  }
  for (int p = 0; p < term.power; ++p)
    factor = double2{factor.x * z.x - factor.y * z.y, factor.x * z.y + factor.y * z.x};
  return factor;
}

// One block of threads makes S(z, k) of one mode and matrix, n x n. factors: shared, one for each term.
__device__ inline void make_line_block(const WavenumberLines& l, int mode, int matrix, double2* factors,
                                       double2* block) {
  const int thread = static_cast<int>(threadIdx.x), n = l.n;
  const LineVector vector = vector_of_matrix(l, matrix);
  const unsigned nonzero = nonzero_of(vector);
  for (int t = thread; t < l.n_terms; t += kLineThreads) factors[t] = term_factor(l, l.terms[t], l.z[mode], vector);
  __syncthreads();
  for (int e = thread; e < n * n; e += kLineThreads) {
    const int i = e / n, j = e % n, row = l.row_of[i], field = l.field_of[j];
    double2 sum{0.0, 0.0};
    if ((l.rows[row].lacks & nonzero) == 0 && (l.fields[field].lacks & nonzero) == 0) {
      const int along_i = i - l.rows[row].first, along_j = j - l.fields[field].first, pair = row * l.n_fields + field;
      for (int t = l.begins[pair]; t < l.begins[pair + 1]; ++t) {
        const LineTerm& term = l.terms[t];
        if (along_i >= term.n_rows || along_j >= term.n_columns) continue;
        const double value = l.values[term.values + along_i * term.n_columns + along_j];
        sum.x += factors[t].x * value;
        sum.y += factors[t].y * value;
      }
    }
    if (l.units != nullptr && l.units[nonzero * static_cast<unsigned>(n) + static_cast<unsigned>(i)] == j) sum.x = 1.0;
    block[e] = sum;
  }
}

// i^quarters
__device__ inline double2 turned(const double2& z, int quarters) {
  switch (quarters & 3) {
    case 0:
      return z;
    case 1:
      return double2{-z.y, z.x};
    case 2:
      return double2{-z.x, -z.y};
    default:
      return double2{z.y, -z.x};
  }
}

// -1 where a row or a field changes its sign for one of the opposite wavenumbers of this vector.
__device__ inline double mirror_sign(const WavenumberLines& l, const LinePlace& place, const LineVector& vector) {
  bool negative = false;
  for (int a = 0; a < kLineAxes; ++a)
    if (has_bit(l.mirrored & l.exponential & place.odd, a) && vector.places[a] != 0 && vector.places[a] % 2 == 0)
      negative = !negative;
  return negative ? -1.0 : 1.0;
}

// The place of one number of `combination` in the vectors: its bit m is, along the m-th axis where sine and cosine
// couple and k is not 0, the second of the two.
__device__ inline LineVector partner(const WavenumberLines& l, const LineVector& vector, int combination) {
  LineVector result = vector;
  for (int a = 0; a < kLineAxes; ++a) {
    if (!has_bit(l.exponential, a) || vector.places[a] == 0) continue;
    result.places[a] = (vector.places[a] - 1) / 2 * 2 + 1 + (combination & 1);
    combination >>= 1;
  }
  return result;
}

__device__ inline int n_combinations(const WavenumberLines& l, const LineVector& vector) {
  int count = 1;
  for (int a = 0; a < kLineAxes; ++a)
    if (has_bit(l.exponential, a) && vector.places[a] != 0) count *= 2;
  return count;
}

// Quarter turns of the coefficients between sine, cosine (from) and the exponentials of +k, -k (to):
//   p = c - i s, m = c + i s;  the other way round s = i (p - m) / 2, c = (p + m) / 2.
__device__ inline int quarters_to_exponentials(const WavenumberLines& l, const LineVector& from, const LineVector& to) {
  int quarters = 0;
  for (int a = 0; a < kLineAxes; ++a)
    if (has_bit(l.exponential, a) && from.places[a] % 2 == 1) quarters += to.places[a] % 2 == 1 ? 3 : 1;
  return quarters;
}

// Number i of vector w in the right-hand side, from the time modes of the rows.
__device__ inline double2 right_hand_side(const WavenumberLines& l, const double2* numbers, int mode, int w, int i) {
  const LinePlace& place = l.rows[l.row_of[i]];
  const LineVector vector = line_vector(l, w);
  double2 sum{0.0, 0.0};
  if ((place.lacks & nonzero_of(vector)) != 0) return sum;
  const int n_parts = n_combinations(l, vector);
  for (int part = 0; part < n_parts; ++part) {
    const LineVector from = partner(l, vector, part);
    long long offset = place.offset + mode * place.mode_stride + (i - place.first) * place.stride;
    for (int a = 0; a < kLineAxes; ++a) offset += from.places[a] * place.strides[a];
    const double2 value = turned(numbers[offset], quarters_to_exponentials(l, from, vector));
    sum.x += value.x;
    sum.y += value.y;
  }
  const double sign = mirror_sign(l, place, vector);
  return double2{sign * sum.x, sign * sum.y};
}

// The number of a field that belongs to unknown j at the places of w, from the solutions of all vectors; goes to the
// time modes of the fields.
__device__ inline void leave_solution(const WavenumberLines& l, const double2* solutions, int mode, int w, int j,
                                      double2* numbers) {
  const LinePlace& place = l.fields[l.field_of[j]];
  const LineVector vector = line_vector(l, w);
  if ((place.lacks & nonzero_of(vector)) != 0) return;
  const int n_parts = n_combinations(l, vector);
  double2 sum{0.0, 0.0};
  for (int part = 0; part < n_parts; ++part) {
    const LineVector from = partner(l, vector, part);
    int number = 0, quarters = 0;
    for (int a = 0; a < kLineAxes; ++a) {
      number = number * l.extents[a] + from.places[a];
      if (has_bit(l.exponential, a) && vector.places[a] % 2 == 1) quarters += from.places[a] % 2 == 1 ? 1 : 3;
    }
    const double sign = mirror_sign(l, place, from) / n_parts;
    const double2 value = turned(solutions[(static_cast<long long>(mode) * l.n_vectors + number) * l.n + j], quarters);
    sum.x += sign * value.x;
    sum.y += sign * value.y;
  }
  long long offset = place.offset + mode * place.mode_stride + (j - place.first) * place.stride;
  for (int a = 0; a < kLineAxes; ++a) offset += vector.places[a] * place.strides[a];
  numbers[offset] = sum;
}

// Blocks of threads: (mode, matrix, rows), the last fastest. n_served: right-hand sides of a matrix, 1, 2 or 4.
__host__ __device__ inline int row_tiles(const WavenumberLines& l) {
  return (l.n + kRowsOfABlock - 1) / kRowsOfABlock;
}

template <int n_served>
__device__ inline void apply_inverses(const WavenumberLines& l, const double2* inverses, const double2* right,
                                      double2* solutions) {
  const int n = l.n, tile = static_cast<int>(blockIdx.x) % row_tiles(l);
  const int which = static_cast<int>(blockIdx.x) / row_tiles(l), mode = which / l.n_matrices;
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const int first_row = tile * kRowsOfABlock + warp * kRowsOfAWarp;
  if (first_row >= n) return;  // with its whole warp
  const LineVector first = vector_of_matrix(l, which % l.n_matrices);
  long long begins[n_served];
  bool exists[n_served];
#pragma unroll
  for (int s = 0; s < n_served; ++s) {
    const int vector = served_vector(l, first, s);
    exists[s] = vector >= 0;
    begins[s] = (static_cast<long long>(mode) * l.n_vectors + (exists[s] ? vector : served_vector(l, first, 0))) * n;
  }
  const double2* const a = inverses + static_cast<long long>(which) * n * n;
  double2 sums[kRowsOfAWarp][n_served] = {};
  for (int j = lane; j < n; j += 32) {
    double2 b[n_served];
#pragma unroll
    for (int s = 0; s < n_served; ++s) b[s] = right[begins[s] + j];
#pragma unroll
    for (int r = 0; r < kRowsOfAWarp; ++r) {
      const int row = first_row + r < n ? first_row + r : n - 1;
      const double2 entry = __ldcs(a + static_cast<long long>(row) * n + j);
#pragma unroll
      for (int s = 0; s < n_served; ++s) {
        sums[r][s].x += entry.x * b[s].x - entry.y * b[s].y;
        sums[r][s].y += entry.x * b[s].y + entry.y * b[s].x;
      }
    }
  }
#pragma unroll
  for (int r = 0; r < kRowsOfAWarp; ++r)
#pragma unroll
    for (int s = 0; s < n_served; ++s) {
      double2 sum = sums[r][s];
      for (int distance = 16; distance > 0; distance /= 2) {
        sum.x += __shfl_xor_sync(0xffffffffu, sum.x, distance);
        sum.y += __shfl_xor_sync(0xffffffffu, sum.y, distance);
      }
      if (lane == 0 && exists[s] && first_row + r < n) solutions[begins[s] + first_row + r] = sum;
    }
}

}  // namespace gwrm::cuda
