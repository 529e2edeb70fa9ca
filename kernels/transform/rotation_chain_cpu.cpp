#include <omp.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/buffer.hpp"
#include "core/errors.hpp"
#include "core/thread_errors.hpp"
#include "core/vector_clones.hpp"
#include "kernels/transform/rotation_chain.hpp"

namespace gwrm::cpu {
namespace {

constexpr Index kColumnsOfPiece = 64;  // the coefficients of a pair, two roots each, are shared by as many columns
constexpr double kWorthThreads = 1e6;  // rotations, about a millisecond

void check(const RotationChain& chain, Index n, Index width) {
  if (n < 1 || width < 1 || chain.first_order < 0 || chain.n_pairs < 0)
    throw ShapeError("rotation chain: " + std::to_string(n) + " coefficients, " + std::to_string(width) +
                     " columns, order " + std::to_string(chain.first_order) + ", " + std::to_string(chain.n_pairs) +
                     " pairs");
}

// s_n and c_n, n < count, of the pair that begins at an order. The products are exact, so that each root is within one
// unit in its last place.
void coefficients(RotationFamily family, Index order, Index count, double* s, double* c) {
  const double l = static_cast<double>(order);
  for (Index i = 0; i < count; ++i) {
    const double n = static_cast<double>(i);
    switch (family) {
      case RotationFamily::jones_worland: {
        const double below = (n + l + 1.5) * (n + l + 1.0);
        s[i] = -std::sqrt((n + 1.0) * (n + 0.5) / below);
        c[i] = std::sqrt((l + 0.5) * (2.0 * n + l + 2.0) / below);
        break;
      }
      case RotationFamily::energy: {
        const double below = n + l + 2.5;
        s[i] = -(n + 1.0) / below;
        c[i] = std::sqrt((l + 1.5) * (2.0 * n + l + 3.5)) / below;
        break;
      }
      case RotationFamily::legendre: {
        const double below = (n + 2.0 * l + 3.0) * (n + 2.0 * l + 4.0);
        s[i] = std::sqrt((n + 1.0) * (n + 2.0) / below);
        c[i] = std::sqrt((2.0 * l + 2.0) * (2.0 * n + 2.0 * l + 5.0) / below);
        break;
      }
    }
  }
}

// (a, b) <- (c a - s b, s a + c b) for the columns of two rows
GWRM_INLINE void rotate(double s, double c, Index width, double* __restrict a, double* __restrict b) {
  for (Index i = 0; i < width; ++i) {
    const double p = a[i], q = b[i];
    a[i] = c * p - s * q;
    b[i] = s * p + c * q;
  }
}
GWRM_VECTOR_CLONES void pair_forward(const double* s, const double* c, Index count, Index distance, Index row,
                                     Index width, double* x) {
  for (Index k = 0; k < count; ++k) rotate(s[k], c[k], width, x + k * row, x + (k + distance) * row);
}
GWRM_VECTOR_CLONES void pair_backward(const double* s, const double* c, Index count, Index distance, Index row,
                                      Index width, double* x) {
  for (Index k = count - 1; k >= 0; --k) rotate(-s[k], c[k], width, x + k * row, x + (k + distance) * row);
}

// pair(number, coefficients) of all pairs for every piece of columns.
template <class Pair>
void all_pieces(const RotationChain& chain, Index n, Index width, Pair&& pair) {
  check(chain, n, width);
  const Index n_pieces = (width + kColumnsOfPiece - 1) / kColumnsOfPiece, n_rows = chain.n_rows(n);
  const double work = static_cast<double>(chain.n_pairs) * static_cast<double>(n_rows) * static_cast<double>(width);
  const bool in_threads = work > kWorthThreads && n_pieces > 1 && omp_in_parallel() == 0;
  ThreadErrors errors;
#pragma omp parallel for schedule(static) if (in_threads)
  for (Index t = 0; t < n_pieces; ++t)
    errors.run([&] {
      thread_local Buffer own;
      double* s = own.reserve(2 * n_rows);
      const Index first = t * kColumnsOfPiece;
      pair(first, std::min(kColumnsOfPiece, width - first), s, s + n_rows);
    });
  errors.rethrow();
}

}  // namespace

void rotate_forward(const RotationChain& chain, Index n, Index width, double* x) {
  const Index d = chain.distance();
  all_pieces(chain, n, width, [&](Index first, Index columns, double* s, double* c) {
    for (Index i = 0; i < chain.n_pairs; ++i) {
      const Index count = n + d * (chain.n_pairs - 1 - i);  // that are left behind this pair
      coefficients(chain.family, chain.first_order + 2 * i, count, s, c);
      pair_forward(s, c, count, d, width, columns, x + first);
    }
  });
}

void rotate_backward(const RotationChain& chain, Index n, Index width, double* x) {
  const Index d = chain.distance();
  all_pieces(chain, n, width, [&](Index first, Index columns, double* s, double* c) {
    for (Index k = n; k < chain.n_rows(n); ++k) std::fill_n(x + k * width + first, columns, 0.0);
    for (Index i = chain.n_pairs - 1; i >= 0; --i) {
      const Index count = n + d * (chain.n_pairs - 1 - i);
      coefficients(chain.family, chain.first_order + 2 * i, count, s, c);
      pair_backward(s, c, count, d, width, columns, x + first);
    }
  });
}

}  // namespace gwrm::cpu
