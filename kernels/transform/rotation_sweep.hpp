// Several pairs of a rotation chain in one pass over the rows: what a pair needs of the one before it stays in
// registers, so that memory is read and written once for all of them.
//
// Formula   pairs j = 0 .. P-1 with s_j[k], c_j[k], in the order they are carried out, d the distance of coupled rows.
//           forward   t_k = x_k (k < d); out_k = c_k t_k - s_k x_(k+d), t_(k+d) = s_k t_k + c_k x_(k+d)
//                     the row r of x is row r - d j of pair j and leaves as row r - d P
//           backward  u_k = 0 for the last d; out_(k+d) = c_k u_(k+d) - s_k x_k, u_k = c_k x_k + s_k u_(k+d);
//                     out_k = u_k (k < d); the row r of x is row r + d j of pair j and leaves as row r + d P
// Registers P d carried numbers for each column, one Real or several of them side by side.
#pragma once

#include <utility>

#include "core/array.hpp"
#include "kernels/transform/fourier_butterflies.hpp"

namespace gwrm::cpu::rotation {

// Sines and cosines of pair j from s + j distance, c + j distance on.
struct Coefficients {
  const double *s, *c;
  Index distance;
};

// n_parts Reals next to each other.
template <class Real, int n_parts>
struct Columns {
  Real part[n_parts];

  static GWRM_INLINE Columns at(const double* from) {
    Columns a;
    for (int e = 0; e < n_parts; ++e) a.part[e] = butterfly::load<Real>(from + e * kNumbers);
    return a;
  }
  GWRM_INLINE void put(double* to) const {
    for (int e = 0; e < n_parts; ++e) butterfly::store(to + e * kNumbers, part[e]);
  }
  static constexpr Index kNumbers = sizeof(Real) / sizeof(double), kWidth = n_parts * kNumbers;
};

// (a, b) <- (c a - s b, s a + c b)
template <class Real, int n_parts>
GWRM_INLINE void rotate(double s, double c, Columns<Real, n_parts>& a, Columns<Real, n_parts>& b) {
  for (int e = 0; e < n_parts; ++e) {
    const Real p = a.part[e], q = b.part[e];
    a.part[e] = c * p - s * q;
    b.part[e] = s * p + c * q;
  }
}

// Rows 0 .. n_rows - 1 go in, n_rows - d P come out.
template <class Vector, int n_pairs, int d>
GWRM_INLINE void forward(const Coefficients& of, Index n_rows, Index row, double* x) {
  Vector carried[n_pairs][d];
  Vector v;
  // The first rows fill the pairs, one after the other.
  const Index filled = n_pairs * d;
  for (Index r = 0; r < filled; ++r) {
    v = Vector::at(x + r * row);
    for (int j = 0; j < n_pairs; ++j) {
      const Index k = r - d * (j + 1);  // the step of pair j that this row ends
      Vector& t = carried[j][(k + d) % d];
      if (k < 0) {
        t = v;
        break;
      }
      rotate(of.s[j * of.distance + k], of.c[j * of.distance + k], t, v);
      std::swap(t, v);
    }
  }
  for (Index begin = filled; begin < n_rows; begin += d)
    for (int q = 0; q < d; ++q) {
      const Index r = begin + q;
      if (r >= n_rows) break;
      v = Vector::at(x + r * row);
      for (int j = 0; j < n_pairs; ++j) {
        const Index k = r - d * (j + 1);
        rotate(of.s[j * of.distance + k], of.c[j * of.distance + k], carried[j][q], v);
        std::swap(carried[j][q], v);
      }
      v.put(x + (r - filled) * row);
    }
}

// Rows 0 .. n_rows - 1 go in, n_rows + d P come out.
template <class Vector, int n_pairs, int d>
GWRM_INLINE void backward(const Coefficients& of, Index n_rows, Index row, double* x) {
  Vector carried[n_pairs][d] = {};
  Vector v;
  const Index emptied = n_pairs * d;
  for (Index end = (n_rows + d - 1) / d * d; end > 0; end -= d)
    for (int q = d - 1; q >= 0; --q) {
      const Index r = end - d + q;
      if (r >= n_rows) continue;
      v = Vector::at(x + r * row);
      for (int j = 0; j < n_pairs; ++j) {
        const Index k = r + d * j;
        rotate(-of.s[j * of.distance + k], of.c[j * of.distance + k], v, carried[j][q]);
        std::swap(carried[j][q], v);
      }
      v.put(x + (r + emptied) * row);
    }
  // What the pairs hold follows, row by row.
  for (Index r = -1; r >= -emptied; --r) {
    const int first = static_cast<int>((-r + d - 1) / d);  // pairs before it have given all they held
    v = carried[first - 1][r + d * first];
    for (int j = first; j < n_pairs; ++j) {
      const Index k = r + d * j;
      rotate(-of.s[j * of.distance + k], of.c[j * of.distance + k], v, carried[j][k % d]);
      std::swap(carried[j][k % d], v);
    }
    v.put(x + (r + emptied) * row);
  }
}

}  // namespace gwrm::cpu::rotation
