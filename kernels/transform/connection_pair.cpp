#include "kernels/transform/connection_pair.hpp"

#include <algorithm>
#include <cmath>

#include "core/vector_clones.hpp"

namespace gwrm::cpu {
namespace {

// Of a pair that begins at the order l: g and z of V, and of M z/g and 1/g.
struct Pair {
  double *g, *z, *ratio, *inverse;
};

double main_diagonal(double n, double l) {
  if (n == 0.0) return std::sqrt((2.0 * l + 1.0) / (l + 1.0));
  return std::sqrt((2.0 * n + 2.0 * l + 1.0) * (n + l) / ((2.0 * n + l) * (2.0 * n + l + 1.0)));
}
double side_diagonal(double n, double l) {
  if (n == 0.0) return 0.0;
  return std::sqrt(n * (2.0 * n - 1.0) / ((2.0 * n + l - 1.0) * (2.0 * n + l)));
}

// Rows 0 .. count of V, of M as many less one.
Pair coefficients(Index order, Index count, double* scratch) {
  const Index room = count + 1;
  const Pair pair{scratch, scratch + room, scratch + 2 * room, scratch + 3 * room};
  const double l = static_cast<double>(order);
  for (Index i = 0; i <= count; ++i) {
    const double n = static_cast<double>(i), g = main_diagonal(n, l + 1.0);
    pair.g[i] = main_diagonal(n, l);
    pair.z[i] = side_diagonal(n, l);
    pair.ratio[i] = side_diagonal(n, l + 1.0) / g;
    pair.inverse[i] = 1.0 / g;
  }
  return pair;
}

GWRM_VECTOR_CLONES void pair_forward(const Pair& pair, Index count, Index width, double* x) {
  for (Index k = 0; k < count; ++k) {
    const double g = pair.g[k] * pair.inverse[k], z = pair.z[k + 1] * pair.inverse[k], ratio = pair.ratio[k];
    double *row = x + k * width, *next = row + width;
    if (k == 0)
      for (Index c = 0; c < width; ++c) row[c] = g * row[c] + z * next[c];
    else
      for (Index c = 0; c < width; ++c) row[c] = g * row[c] + z * next[c] - ratio * row[c - width];
  }
}

// Row k holds y_k = (c_k - z_(k+1) y_(k+1)) / g_k of M^T until the row below needs it no more: then V^T.
GWRM_VECTOR_CLONES void pair_backward(const Pair& pair, Index count, Index width, double* x) {
  std::fill_n(x + count * width, width, 0.0);
  for (Index k = count - 1; k >= 0; --k) {
    const double inverse = pair.inverse[k], side = k + 1 < count ? pair.ratio[k + 1] / pair.inverse[k + 1] : 0.0;
    const double g = pair.g[k + 1], z = pair.z[k + 1];
    double *row = x + k * width, *next = row + width;
    for (Index c = 0; c < width; ++c) {
      row[c] = (row[c] - side * next[c]) * inverse;
      next[c] = g * next[c] + z * row[c];
    }
  }
  for (Index c = 0; c < width; ++c) x[c] *= pair.g[0];
}

}  // namespace

void connect_forward(Index first_order, Index n_pairs, Index n, Index width, double* x, double* scratch) {
  for (Index i = 0; i < n_pairs; ++i) {
    const Index count = n + n_pairs - 1 - i;
    pair_forward(coefficients(first_order + 2 * i, count, scratch), count, width, x);
  }
}

void connect_backward(Index first_order, Index n_pairs, Index n, Index width, double* x, double* scratch) {
  for (Index i = n_pairs - 1; i >= 0; --i) {
    const Index count = n + n_pairs - 1 - i;
    pair_backward(coefficients(first_order + 2 * i, count, scratch), count, width, x);
  }
}

}  // namespace gwrm::cpu
