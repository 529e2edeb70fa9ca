#include <omp.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/buffer.hpp"
#include "core/errors.hpp"
#include "core/thread_errors.hpp"
#include "core/thread_scratch.hpp"
#include "core/vector_clones.hpp"
#include "kernels/transform/rotation_chain.hpp"
#include "kernels/transform/rotation_sweep.hpp"

namespace gwrm::cpu {
namespace {

constexpr Index kRotatedColumns = 64;  // the coefficients of a pair, two roots each, are shared by as many columns
constexpr Index kPairsTogether = 4;    // their carried numbers, of two registers, stay in registers
constexpr double kRotationsForThreads = 1e6;  // rotations, about a millisecond

// s_n and c_n, n < count, of the pair that begins at an order. The products are exact, so that each root is within one
// unit in its last place.
GWRM_VECTOR_CLONES void coefficients(RotationFamily family, Index order, Index count, double* s, double* c) {
  const double l = static_cast<double>(order);
  switch (family) {
    case RotationFamily::jones_worland:
      for (Index i = 0; i < count; ++i) {
        const double n = static_cast<double>(i), below = (n + l + 1.5) * (n + l + 1.0);
        s[i] = -std::sqrt((n + 1.0) * (n + 0.5) / below);
        c[i] = std::sqrt((l + 0.5) * (2.0 * n + l + 2.0) / below);
      }
      break;
    case RotationFamily::energy:
      for (Index i = 0; i < count; ++i) {
        const double n = static_cast<double>(i), below = n + l + 2.5;
        s[i] = -(n + 1.0) / below;
        c[i] = std::sqrt((l + 1.5) * (2.0 * n + l + 3.5)) / below;
      }
      break;
    case RotationFamily::legendre:
      for (Index i = 0; i < count; ++i) {
        const double n = static_cast<double>(i), below = (n + 2.0 * l + 3.0) * (n + 2.0 * l + 4.0);
        s[i] = std::sqrt((n + 1.0) * (n + 2.0) / below);
        c[i] = std::sqrt((2.0 * l + 2.0) * (2.0 * n + 2.0 * l + 5.0) / below);
      }
      break;
  }
}

template <int width>
using Wide = rotation::Columns<butterfly::Vector<width>, 2>;
template <int width>
using Narrow = rotation::Columns<butterfly::Vector<width>, 1>;
using Single = rotation::Columns<double, 1>;

// n_pairs pairs of a piece of columns: n_rows rows go in.
struct Sweep {
  rotation::Coefficients of;
  Index n_rows, row, columns;
  double* x;
};
template <int n_pairs, int d, int width>
GWRM_INLINE void forward_of(const Sweep& w) {
  Index i = 0;
  for (; i + Wide<width>::kWidth <= w.columns; i += Wide<width>::kWidth)
    rotation::forward<Wide<width>, n_pairs, d>(w.of, w.n_rows, w.row, w.x + i);
  for (; i + Narrow<width>::kWidth <= w.columns; i += Narrow<width>::kWidth)
    rotation::forward<Narrow<width>, n_pairs, d>(w.of, w.n_rows, w.row, w.x + i);
  for (; i < w.columns; ++i) rotation::forward<Single, n_pairs, d>(w.of, w.n_rows, w.row, w.x + i);
}
template <int n_pairs, int d, int width>
GWRM_INLINE void backward_of(const Sweep& w) {
  Index i = 0;
  for (; i + Wide<width>::kWidth <= w.columns; i += Wide<width>::kWidth)
    rotation::backward<Wide<width>, n_pairs, d>(w.of, w.n_rows, w.row, w.x + i);
  for (; i + Narrow<width>::kWidth <= w.columns; i += Narrow<width>::kWidth)
    rotation::backward<Narrow<width>, n_pairs, d>(w.of, w.n_rows, w.row, w.x + i);
  for (; i < w.columns; ++i) rotation::backward<Single, n_pairs, d>(w.of, w.n_rows, w.row, w.x + i);
}
GWRM_VECTOR_WIDTHS(void forward_next(const Sweep& w), forward_of<kPairsTogether, 1, width>(w))
GWRM_VECTOR_WIDTHS(void forward_next_but_one(const Sweep& w), forward_of<kPairsTogether, 2, width>(w))
GWRM_VECTOR_WIDTHS(void backward_next(const Sweep& w), backward_of<kPairsTogether, 1, width>(w))
GWRM_VECTOR_WIDTHS(void backward_next_but_one(const Sweep& w), backward_of<kPairsTogether, 2, width>(w))
GWRM_VECTOR_WIDTHS(void one_forward(const Sweep& w, Index distance),
                   distance == 1 ? forward_of<1, 1, width>(w) : forward_of<1, 2, width>(w))
GWRM_VECTOR_WIDTHS(void one_backward(const Sweep& w, Index distance),
                   distance == 1 ? backward_of<1, 1, width>(w) : backward_of<1, 2, width>(w))

struct SweepRoom : Buffer {};  // each thread's own

// sweeps(first column, their number, room for the coefficients of kPairsTogether pairs) for every piece of columns.
template <class Sweeps>
void all_pieces(const RotationChain& chain, Index n, Index width, Sweeps&& sweeps) {
  check_rotations(chain, n, width);
  const Index n_pieces = (width + kRotatedColumns - 1) / kRotatedColumns, n_rows = chain.n_rows(n);
  const double work = static_cast<double>(chain.n_pairs) * static_cast<double>(n_rows) * static_cast<double>(width);
  const bool in_threads = work > kRotationsForThreads && n_pieces > 1 && omp_in_parallel() == 0;
  ThreadErrors errors;
#pragma omp parallel for schedule(static) if (in_threads)
  for (Index t = 0; t < n_pieces; ++t)
    errors.run([&] {
      double* room = thread_scratch<SweepRoom>().reserve(2 * kPairsTogether * n_rows);
      const Index first = t * kRotatedColumns;
      sweeps(first, std::min(kRotatedColumns, width - first), room);
    });
  errors.rethrow();
}

// How many pairs the next sweep takes of those left: kPairsTogether, or one.
Index pairs_of_sweep(Index left) {
  return left >= kPairsTogether ? kPairsTogether : 1;
}

}  // namespace

void rotate_forward(const RotationChain& chain, Index n, Index width, double* x) {
  const Index d = chain.distance(), n_rows = chain.n_rows(n);
  all_pieces(chain, n, width, [&](Index first, Index columns, double* s) {
    double* c = s + kPairsTogether * n_rows;
    for (Index i = 0, m = 0; i < chain.n_pairs; i += m) {
      m = pairs_of_sweep(chain.n_pairs - i);
      for (Index j = 0; j < m; ++j)  // pair i + j leaves n_rows - d (i + j + 1) rows
        coefficients(chain.family, chain.first_order + 2 * (i + j), n_rows - d * (i + j + 1), s + j * n_rows,
                     c + j * n_rows);
      const Sweep sweep{{s, c, n_rows}, n_rows - d * i, width, columns, x + first};
      if (m == 1)
        one_forward(sweep, d);
      else
        d == 1 ? forward_next(sweep) : forward_next_but_one(sweep);
    }
  });
}

void rotate_backward(const RotationChain& chain, Index n, Index width, double* x) {
  const Index d = chain.distance(), n_rows = chain.n_rows(n);
  all_pieces(chain, n, width, [&](Index first, Index columns, double* s) {
    double* c = s + kPairsTogether * n_rows;
    for (Index i = chain.n_pairs, m = 0; i > 0; i -= m) {
      m = pairs_of_sweep(i);
      for (Index j = 0; j < m; ++j)  // pair i - 1 - j takes n_rows - d (i - j) rows
        coefficients(chain.family, chain.first_order + 2 * (i - 1 - j), n_rows - d * (i - j), s + j * n_rows,
                     c + j * n_rows);
      const Sweep sweep{{s, c, n_rows}, n_rows - d * i, width, columns, x + first};
      if (m == 1)
        one_backward(sweep, d);
      else
        d == 1 ? backward_next(sweep) : backward_next_but_one(sweep);
    }
  });
}

}  // namespace gwrm::cpu

namespace gwrm {

void check_rotations(const RotationChain& chain, Index n, Index width) {
  if (n < 1 || width < 1 || chain.first_order < 0 || chain.n_pairs < 0)
    throw ShapeError("rotation chain: " + std::to_string(n) + " coefficients, " + std::to_string(width) +
                     " columns, order " + std::to_string(chain.first_order) + ", " + std::to_string(chain.n_pairs) +
                     " pairs");
}

}  // namespace gwrm
