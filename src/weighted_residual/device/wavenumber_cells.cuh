// The blocks of a box that is periodic along every axis, made and solved by threads that each take a cell: one
// wavenumber >= 0 along the axes with odd derivatives, whose sine and cosine couple, and one coefficient along the
// others.
//
// Contract: src/weighted_residual/preconditioner/wavenumber_operators.hpp; blocks are not inverted and kept but made
// from their terms and eliminated whenever they are solved with.
//
// Formula   2^D slots of a cell, D axes with odd derivatives: bit d of a slot is 0 for exp(+i k theta), at the place of
//           the sine, 1 for exp(-i k theta), at that of the cosine. Per axis s, c -> (c - i s, c + i s), a solve with
//           S(z, k) for each slot, and back.
// Elimination  rows, then columns are scaled to a largest part of 1, pivots are the largest of their column. Singular:
//           a pivot below 1e-14.
// Cost      per slot about 8/3 F^3 + 8 F^2 operations and 2 or 3 for each term; every number of the right-hand side
//           is read once and every one of the solution written once, nothing else that grows with the degrees.
// Determinism  each cell is one thread's: the same bits on every run.
#pragma once

#include <algorithm>

#include "weighted_residual/device/wavenumber_tables.hpp"

namespace gwrm::cuda {

constexpr int kCellAxes = static_cast<int>(kMaxWavenumberAxes);

struct alignas(16) WavenumberNumber {
  double re, im;
};

// Where the numbers of one row or one field lie.
struct WavenumberNumbers {
  WavenumberNumber* data = nullptr;  // of the first time mode
  long long mode_stride = 0;
  long long strides[kCellAxes] = {};  // along the axes; 0: it lacks the axis
  unsigned lacks = 0;                 // bit a: it lacks axis a
};

struct WavenumberBlocks {
  int n_fields = 1, n_modes = 1, n_terms = 0;
  int n_odd = 0;                      // axes with a bit: D
  int n[kCellAxes] = {1, 1, 1};       // coefficients along the axes
  int bit[kCellAxes] = {-1, -1, -1};  // of the axis in a slot; -1: even derivatives only
  int axis_of_bit[kCellAxes] = {};
  // WavenumberTables; units null: everything takes part.
  const int* begins = nullptr;
  const WavenumberPower* powers = nullptr;
  const WavenumberNumber* factors = nullptr;
  const int* units = nullptr;
  WavenumberNumbers rows[kMaxWavenumberFields], fields[kMaxWavenumberFields];
};

// Sizes and strides; the tables, the numbers and how far their modes are apart are the caller's.
inline WavenumberBlocks wavenumber_blocks(const WavenumberOperators& operators) {
  WavenumberBlocks b;
  b.n_fields = static_cast<int>(operators.size);
  for (std::size_t a = 0; a < operators.axes.size(); ++a) {
    b.n[a] = static_cast<int>(operators.axes[a].n);
    if (operators.axes[a].even) continue;
    b.axis_of_bit[b.n_odd] = static_cast<int>(a);
    b.bit[a] = b.n_odd++;
  }
  const auto set = [](const std::vector<WavenumberPlace>& places, WavenumberNumbers* numbers) {
    for (const WavenumberPlace& place : places) {
      std::copy(place.strides.begin(), place.strides.end(), numbers->strides);
      (numbers++)->lacks = place.lacks;
    }
  };
  set(operators.rows, b.rows);
  set(operators.fields, b.fields);
  return b;
}

struct WavenumberCell {
  int place[kCellAxes];  // k along axes with a bit, else the coefficient
};

__host__ __device__ inline int cells_along(const WavenumberBlocks& b, int a) {
  return b.bit[a] < 0 ? b.n[a] : (b.n[a] + 1) / 2;
}

__host__ __device__ inline long long cells_of(const WavenumberBlocks& b) {
  return static_cast<long long>(cells_along(b, 0)) * cells_along(b, 1) * cells_along(b, 2);
}

__device__ inline WavenumberCell cell_at(const WavenumberBlocks& b, long long number) {
  WavenumberCell cell;
  auto rest = static_cast<unsigned>(number);
#pragma unroll
  for (int a = kCellAxes - 1; a >= 0; --a) {
    const auto n = static_cast<unsigned>(cells_along(b, a));
    cell.place[a] = static_cast<int>(rest % n);
    rest /= n;
  }
  return cell;
}

// Along an axis: the wavenumber of a slot, with the sign of the exponential.
__device__ inline int wavenumber_of(const WavenumberBlocks& b, const WavenumberCell& cell, int slot, int a) {
  if (b.bit[a] < 0) return (cell.place[a] + 1) / 2;
  return (slot >> b.bit[a] & 1) != 0 ? -cell.place[a] : cell.place[a];
}

// The mask of the axes with k_a != 0.
__device__ inline unsigned nonzero_of(const WavenumberCell& cell) {
  unsigned nonzero = 0;
#pragma unroll
  for (int a = 0; a < kCellAxes; ++a) nonzero |= cell.place[a] != 0 ? 1u << a : 0u;
  return nonzero;
}

// Where a slot lies among the numbers of a row or field; -1: nowhere (there is no sine of wavenumber 0, and what lacks
// an axis has no wavenumbers along it).
__device__ inline long long place_of(const WavenumberBlocks& b, const WavenumberNumbers& numbers,
                                     const WavenumberCell& cell, unsigned nonzero, int slot) {
  if ((numbers.lacks & nonzero) != 0) return -1;
  long long place = 0;
#pragma unroll
  for (int a = 0; a < kCellAxes; ++a) {
    int along = cell.place[a];
    if (b.bit[a] >= 0) {
      const bool second = (slot >> b.bit[a] & 1) != 0;
      if (along == 0 && second) return -1;
      along = along == 0 ? 0 : second ? 2 * along : 2 * along - 1;
    }
    place += numbers.strides[a] * along;
  }
  return place;
}

// How far loops are unrolled, so that what they index stays in registers: more would take the compiler minutes.
template <int F>
inline constexpr int kFieldsAtOnce = F <= 4 ? F : 1;
template <int F, int D>
inline constexpr int kSlotsAtOnce = (F << D) <= 12 ? 1 << D : 1;

// S(z, k) at the wavenumbers of a slot; units on the diagonal behind the fields.
template <int F>
__device__ inline void make_block(const WavenumberBlocks& b, const WavenumberCell& cell, unsigned nonzero, int mode,
                                  int slot, WavenumberNumber (&s)[F][F]) {
  [[maybe_unused]] constexpr int kFields = kFieldsAtOnce<F>;
  double k[kCellAxes];
#pragma unroll
  for (int a = 0; a < kCellAxes; ++a) k[a] = wavenumber_of(b, cell, slot, a);
  const WavenumberNumber* const factors = b.factors + static_cast<long long>(mode) * b.n_terms;
#pragma unroll kFields
  for (int i = 0; i < F; ++i)
#pragma unroll kFields
    for (int j = 0; j < F; ++j) {
      WavenumberNumber sum{0.0, 0.0};
      if (i >= b.n_fields || j >= b.n_fields) {
        sum.re = i == j ? 1.0 : 0.0;
      } else {
        for (int t = b.begins[i * b.n_fields + j]; t < b.begins[i * b.n_fields + j + 1]; ++t) {
          const WavenumberPower& power = b.powers[t];
          if ((power.zero & nonzero) != 0 || (power.replaced != 0 && (power.replaced & nonzero) == 0)) continue;
          double symbol = 1.0;
#pragma unroll
          for (int a = 0; a < kCellAxes; ++a)
            for (int m = 0; m < power.orders[a]; ++m) symbol *= k[a];
          sum.re += factors[t].re * symbol;
          sum.im += factors[t].im * symbol;
        }
        if (b.units != nullptr && b.units[nonzero * static_cast<unsigned>(b.n_fields) + static_cast<unsigned>(i)] == j)
          sum.re = 1.0;
      }
      s[i][j] = sum;
    }
}

__device__ inline WavenumberNumber times(const WavenumberNumber& a, const WavenumberNumber& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

__device__ inline void subtract_product(const WavenumberNumber& a, const WavenumberNumber& b, WavenumberNumber& y) {
  y.re -= a.re * b.re - a.im * b.im;
  y.im -= a.re * b.im + a.im * b.re;
}

__device__ inline double larger_part(const WavenumberNumber& a) {
  return fmax(fabs(a.re), fabs(a.im));
}

__device__ inline WavenumberNumber reciprocal(const WavenumberNumber& a) {
  const double inverse = 1.0 / (a.re * a.re + a.im * a.im);
  return {a.re * inverse, -a.im * inverse};
}

// x becomes S^{-1} x; s is overwritten. False, and x arbitrary, if S is singular to round-off.
template <int F>
__device__ inline bool eliminate(WavenumberNumber (&s)[F][F], WavenumberNumber (&x)[F]) {
  [[maybe_unused]] constexpr int kFields = kFieldsAtOnce<F>;
  constexpr double kTinyPivot = 1e-14;
  bool regular = true;
  double column_scale[F];
#pragma unroll kFields
  for (int i = 0; i < F; ++i) {
    double largest = 0.0;
#pragma unroll kFields
    for (int j = 0; j < F; ++j) largest = fmax(largest, larger_part(s[i][j]));
    regular = regular && largest > 0.0;
    const double scale = 1.0 / largest;
#pragma unroll kFields
    for (int j = 0; j < F; ++j) s[i][j] = {scale * s[i][j].re, scale * s[i][j].im};
    x[i] = {scale * x[i].re, scale * x[i].im};
  }
#pragma unroll kFields
  for (int j = 0; j < F; ++j) {
    double largest = 0.0;
#pragma unroll kFields
    for (int i = 0; i < F; ++i) largest = fmax(largest, larger_part(s[i][j]));
    regular = regular && largest > 0.0;
    column_scale[j] = 1.0 / largest;
#pragma unroll kFields
    for (int i = 0; i < F; ++i) s[i][j] = {column_scale[j] * s[i][j].re, column_scale[j] * s[i][j].im};
  }
#pragma unroll kFields
  for (int c = 0; c < F; ++c) {
    int pivot = c;
    double largest = larger_part(s[c][c]);
#pragma unroll kFields
    for (int r = c + 1; r < F; ++r) {
      const double size = larger_part(s[r][c]);
      if (size > largest) {
        largest = size;
        pivot = r;
      }
    }
    regular = regular && largest > kTinyPivot;
    // Places that are known when the code is compiled stay in registers.
#pragma unroll kFields
    for (int r = c + 1; r < F; ++r)
      if (r == pivot) {
#pragma unroll kFields
        for (int j = c; j < F; ++j) {
          const WavenumberNumber kept = s[c][j];
          s[c][j] = s[r][j];
          s[r][j] = kept;
        }
        const WavenumberNumber kept = x[c];
        x[c] = x[r];
        x[r] = kept;
      }
    const WavenumberNumber inverse = reciprocal(s[c][c]);
    s[c][c] = inverse;
#pragma unroll kFields
    for (int r = c + 1; r < F; ++r) {
      const WavenumberNumber factor = times(s[r][c], inverse);
#pragma unroll kFields
      for (int j = c + 1; j < F; ++j) subtract_product(factor, s[c][j], s[r][j]);
      subtract_product(factor, x[c], x[r]);
    }
  }
#pragma unroll kFields
  for (int c = F - 1; c >= 0; --c) {
#pragma unroll kFields
    for (int j = c + 1; j < F; ++j) subtract_product(s[c][j], x[j], x[c]);
    x[c] = times(s[c][c], x[c]);
  }
#pragma unroll kFields
  for (int j = 0; j < F; ++j) x[j] = {column_scale[j] * x[j].re, column_scale[j] * x[j].im};
  return regular;
}

// One cell of one time mode: numbers of the rows read, numbers of the fields written.
template <int F, int D>
__device__ inline void solve_cell(const WavenumberBlocks& b, int mode, long long number) {
  constexpr int kSlots = 1 << D;
  [[maybe_unused]] constexpr int kFields = kFieldsAtOnce<F>, kSlotsUnrolled = kSlotsAtOnce<F, D>;
  const WavenumberCell cell = cell_at(b, number);
  const unsigned nonzero = nonzero_of(cell);
  WavenumberNumber x[kSlots][F];
#pragma unroll kFields
  for (int i = 0; i < F; ++i)
#pragma unroll kSlotsUnrolled
    for (int slot = 0; slot < kSlots; ++slot) {
      x[slot][i] = {0.0, 0.0};
      if (i >= b.n_fields) continue;
      const long long place = place_of(b, b.rows[i], cell, nonzero, slot);
      if (place >= 0) x[slot][i] = b.rows[i].data[mode * b.rows[i].mode_stride + place];
    }
#pragma unroll
  for (int d = 0; d < D; ++d) {
    if (cell.place[b.axis_of_bit[d]] == 0) continue;
#pragma unroll kSlotsUnrolled
    for (int slot = 0; slot < kSlots; ++slot) {
      if ((slot >> d & 1) != 0) continue;
#pragma unroll kFields
      for (int i = 0; i < F; ++i) {
        const WavenumberNumber s = x[slot][i], c = x[slot | 1 << d][i];
        x[slot][i] = {c.re + s.im, c.im - s.re};
        x[slot | 1 << d][i] = {c.re - s.im, c.im + s.re};
      }
    }
  }
#pragma unroll kSlotsUnrolled
  for (int slot = 0; slot < kSlots; ++slot) {
    WavenumberNumber s[F][F];
    make_block(b, cell, nonzero, mode, slot, s);
    eliminate(s, x[slot]);
  }
#pragma unroll
  for (int d = 0; d < D; ++d) {
    if (cell.place[b.axis_of_bit[d]] == 0) continue;
#pragma unroll kSlotsUnrolled
    for (int slot = 0; slot < kSlots; ++slot) {
      if ((slot >> d & 1) != 0) continue;
#pragma unroll kFields
      for (int i = 0; i < F; ++i) {
        const WavenumberNumber p = x[slot][i], m = x[slot | 1 << d][i];
        x[slot][i] = {0.5 * (m.im - p.im), 0.5 * (p.re - m.re)};
        x[slot | 1 << d][i] = {0.5 * (p.re + m.re), 0.5 * (p.im + m.im)};
      }
    }
  }
#pragma unroll kFields
  for (int i = 0; i < F; ++i)
#pragma unroll kSlotsUnrolled
    for (int slot = 0; slot < kSlots; ++slot) {
      if (i >= b.n_fields) continue;
      const long long place = place_of(b, b.fields[i], cell, nonzero, slot);
      if (place >= 0) b.fields[i].data[mode * b.fields[i].mode_stride + place] = x[slot][i];
    }
}

// Whether the blocks of a cell can be eliminated.
template <int F, int D>
__device__ inline bool is_regular_cell(const WavenumberBlocks& b, int mode, long long number) {
  const WavenumberCell cell = cell_at(b, number);
  const unsigned nonzero = nonzero_of(cell);
  bool regular = true;
#pragma unroll 1
  for (int slot = 0; slot < 1 << D; ++slot) {
    WavenumberNumber s[F][F], x[F] = {};
    make_block(b, cell, nonzero, mode, slot, s);
    regular = eliminate(s, x) && regular;
  }
  return regular;
}

}  // namespace gwrm::cuda
