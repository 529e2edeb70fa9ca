// Operators along a bounded axis as dense matrices in long double: rows of derivatives of Chebyshev series in
// ultraspherical bases C^(m) (Olver and Townsend, SIAM Rev. 55 (2013) 462), rows of walls, inverses.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

using Real = long double;

// Dense square matrices, row by row, while the operators are made.
struct Square {
  int n = 0;
  std::vector<Real> a;
  explicit Square(int size) : n(size), a(static_cast<std::size_t>(size) * size, 0.0L) {}
  Real& operator()(int i, int j) { return a[static_cast<std::size_t>(i) * n + j]; }
  Real operator()(int i, int j) const { return a[static_cast<std::size_t>(i) * n + j]; }
};

inline Square operator*(const Square& a, const Square& b) {
  Square c(a.n);
  for (int i = 0; i < a.n; ++i)
    for (int k = 0; k < a.n; ++k)
      if (a(i, k) != 0.0L)
        for (int j = 0; j < a.n; ++j) c(i, j) += a(i, k) * b(k, j);
  return c;
}

inline Square operator*(Real factor, Square a) {
  for (Real& one : a.a) one *= factor;
  return a;
}

inline Square operator+(Square a, const Square& b) {
  for (std::size_t i = 0; i < a.a.size(); ++i) a.a[i] += b.a[i];
  return a;
}

// From C^(l) to C^(l+1); l = 0: from T.
inline Square conversion(int n, int l) {
  Square s(n);
  for (int k = 0; k < n; ++k) {
    s(k, k) = l == 0 ? (k == 0 ? 1.0L : 0.5L) : static_cast<Real>(l) / (l + k);
    if (k + 2 < n) s(k, k + 2) = l == 0 ? -0.5L : -static_cast<Real>(l) / (l + k + 2);
  }
  return s;
}

// d^m/dy^m from T to C^(m), 0 <= y <= 1.
inline Square derivative(int n, int m) {
  Square d(n);
  Real factor = m == 0 ? 1.0L : 0.5L;
  for (int i = 1; i <= m; ++i) factor *= 4.0L;  // 2 of the formula, 2 of the map
  for (int i = 1; i < m; ++i) factor *= i;
  for (int k = 0; k + m < n; ++k) d(k, k + m) = m == 0 ? 1.0L : factor * (k + m);
  return d;
}

// d^m as rows in C^(of).
inline Square rows(int n, int m, int of) {
  Square d = derivative(n, m);
  for (int l = m; l < of; ++l) d = conversion(n, l) * d;
  return d;
}

inline Square inverse(Square a) {
  const int n = a.n;
  Square b(n);
  for (int i = 0; i < n; ++i) b(i, i) = 1.0L;
  for (int c = 0; c < n; ++c) {
    int pivot = c;
    for (int i = c; i < n; ++i)
      if (std::abs(a(i, c)) > std::abs(a(pivot, c))) pivot = i;
    for (int j = 0; j < n; ++j) {
      std::swap(a(c, j), a(pivot, j));
      std::swap(b(c, j), b(pivot, j));
    }
    const Real one = 1.0L / a(c, c);
    for (int j = 0; j < n; ++j) {
      a(c, j) *= one;
      b(c, j) *= one;
    }
    for (int i = 0; i < n; ++i) {
      const Real factor = a(i, c);
      if (i == c || factor == 0.0L) continue;
      for (int j = 0; j < n; ++j) {
        a(i, j) -= factor * a(c, j);
        b(i, j) -= factor * b(c, j);
      }
    }
  }
  return b;
}

// The last rows become those of the values at both walls and, with 4, of the slopes.
inline void set_walls(Square& a, int count) {
  for (int j = 0; j < a.n; ++j) {
    const Real sign = j % 2 == 0 ? 1.0L : -1.0L, slope = static_cast<Real>(j) * j;
    a(a.n - 1, j) = 1.0L;
    a(a.n - 2, j) = sign;
    if (count == 4) {
      a(a.n - 3, j) = slope;
      a(a.n - 4, j) = -sign * slope;
    }
  }
}

inline void clear_walls(Square& a, int count) {
  for (int i = a.n - count; i < a.n; ++i)
    for (int j = 0; j < a.n; ++j) a(i, j) = 0.0L;
}
