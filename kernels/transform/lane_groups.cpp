#include "kernels/transform/lane_groups.hpp"

#include <algorithm>

#include "core/vector_clones.hpp"

namespace gwrm::cpu {
namespace {

// The beginning of each lane's line, and whether they stand next to each other.
struct Beginnings {
  std::array<Index, kLanes> at{};
  bool adjacent = false;
  Beginnings(Index n, Index inner, Index line, int count) {
    for (int i = 0; i < kLanes; ++i) {
      const Index t = line + (i < count ? i : 0);
      at[static_cast<std::size_t>(i)] = t / inner * n * inner + t % inner;
    }
    adjacent = count == kLanes && at[kLanes - 1] - at[0] == kLanes - 1;
  }
};

// Where number j of a line stands, and its sign.
struct Place {
  Index first, step;
  double sign, change;
  explicit Place(const LineOrder& order)
      : first(order.reversed ? order.length - 1 : 0),
        step(order.reversed ? -1 : 1),
        sign(1.0),
        change(order.alternating ? -1.0 : 1.0) {}
  Place behind(Index even) const {
    Place place = *this;
    place.first += even * step;
    return place;
  }
};

// Eight lines whose numbers stand `inner` apart, the lines themselves next to each other ...
GWRM_VECTOR_CLONES void take_rows(const double* x, Index n, Index inner, Place place, Index n_groups,
                                  double* __restrict to, Index distance) {
  for (Index j = 0; j < n; ++j, place.first += place.step, place.sign *= place.change)
    for (Index g = 0; g < n_groups; ++g)
      for (int i = 0; i < kLanes; ++i)
        to[g * distance + place.first * kLanes + i] = place.sign * x[j * inner + g * kLanes + i];
}
GWRM_VECTOR_CLONES void give_rows(const double* from, Index distance, double factor, Place place, Index n, Index inner,
                                  Index n_groups, double* __restrict y) {
  place.sign = factor;
  for (Index j = 0; j < n; ++j, place.first += place.step, place.sign *= place.change)
    for (Index g = 0; g < n_groups; ++g)
      for (int i = 0; i < kLanes; ++i)
        y[j * inner + g * kLanes + i] = place.sign * from[g * distance + place.first * kLanes + i];
}

// ... or contiguous, each somewhere: in squares of 4 x 4 numbers ...
#if defined(__GNUC__)
#define GWRM_SQUARES 1
typedef double Four __attribute__((vector_size(32), aligned(8)));

// The transpose of the four numbers behind each of a, b, c, d.
struct Square {
  Four row[4];
  GWRM_INLINE Square(const double* a, const double* b, const double* c, const double* d) {
    const Four p = *reinterpret_cast<const Four*>(a), q = *reinterpret_cast<const Four*>(b),
               r = *reinterpret_cast<const Four*>(c), s = *reinterpret_cast<const Four*>(d);
    const Four pq_even = __builtin_shufflevector(p, q, 0, 4, 2, 6), pq_odd = __builtin_shufflevector(p, q, 1, 5, 3, 7);
    const Four rs_even = __builtin_shufflevector(r, s, 0, 4, 2, 6), rs_odd = __builtin_shufflevector(r, s, 1, 5, 3, 7);
    row[0] = __builtin_shufflevector(pq_even, rs_even, 0, 1, 4, 5);
    row[1] = __builtin_shufflevector(pq_odd, rs_odd, 0, 1, 4, 5);
    row[2] = __builtin_shufflevector(pq_even, rs_even, 2, 3, 6, 7);
    row[3] = __builtin_shufflevector(pq_odd, rs_odd, 2, 3, 6, 7);
  }
};
GWRM_VECTOR_CLONES void take_squares(const double* x, const Index* at, Index n, Place place, double* __restrict to) {
  for (Index j = 0; j < n; j += 4)
    for (int half = 0; half < kLanes; half += 4) {
      const Square square(x + at[half] + j, x + at[half + 1] + j, x + at[half + 2] + j, x + at[half + 3] + j);
      const double other = place.sign * place.change;
      double* row = to + (place.first + j * place.step) * kLanes + half;
      for (int i = 0; i < 4; ++i)
        *reinterpret_cast<Four*>(row + i * place.step * kLanes) = (i % 2 == 0 ? place.sign : other) * square.row[i];
    }
}
GWRM_VECTOR_CLONES void give_squares(const double* from, double factor, Place place, Index n, const Index* at,
                                     double* __restrict y) {
  const double other = factor * place.change;
  for (Index j = 0; j < n; j += 8)
    for (int half = 0; half < kLanes; half += 4)
      for (Index k = j; k < j + 8 && k < n; k += 4) {
        const double* row = from + (place.first + k * place.step) * kLanes + half;
        const Index next = place.step * kLanes;
        const Square square(row, row + next, row + 2 * next, row + 3 * next);
        const Four factors = {factor, other, factor, other};
        for (int i = 0; i < 4; ++i) *reinterpret_cast<Four*>(y + at[half + i] + k) = factors * square.row[i];
      }
}
#else
#define GWRM_SQUARES 0
#endif

// ... or anywhere.
GWRM_VECTOR_CLONES void take_lanes(const double* x, const Index* at, Index n, Index inner, Place place,
                                   double* __restrict to) {
  for (Index j = 0; j < n; ++j, place.first += place.step, place.sign *= place.change)
    for (int i = 0; i < kLanes; ++i) to[place.first * kLanes + i] = place.sign * x[at[i] + j * inner];
}
void give_lanes(const double* from, double factor, Place place, Index n, Index inner, const Index* at, int count,
                double* y) {
  place.sign = factor;
  for (Index j = 0; j < n; ++j, place.first += place.step, place.sign *= place.change)
    for (int i = 0; i < count; ++i) y[at[i] + j * inner] = place.sign * from[place.first * kLanes + i];
}

// How many numbers of each line are taken in squares.
Index in_squares(Index n, Index inner, int count) {
  return GWRM_SQUARES && inner == 1 && count == kLanes ? n / 4 * 4 : 0;
}

void take_one(const double* x, Index n, Index inner, Place place, double* to) {
  for (Index j = 0; j < n; ++j, place.first += place.step, place.sign *= place.change)
    to[place.first] = place.sign * x[j * inner];
}
void give_one(const double* from, double factor, Place place, Index n, Index inner, double* y) {
  place.sign = factor;
  for (Index j = 0; j < n; ++j, place.first += place.step, place.sign *= place.change)
    y[j * inner] = place.sign * from[place.first];
}

}  // namespace

void gather_lines(const double* x, Index n, Index inner, Index line, int count, int n_lanes, LineOrder order,
                  double* to) {
  const Beginnings lines(n, inner, line, count);
  const Place place(order);
  if (n_lanes == 1)
    take_one(x + lines.at[0], n, inner, place, to);
  else if (lines.adjacent)
    take_rows(x + lines.at[0], n, inner, place, 1, to, 0);
  else if (const Index square = in_squares(n, inner, count); square > 0) {
    take_squares(x, lines.at.data(), square, place, to);
    take_lanes(x + square, lines.at.data(), n - square, 1, place.behind(square), to);
  } else
    take_lanes(x, lines.at.data(), n, inner, place, to);
  double* rest = to + (order.reversed ? 0 : n * n_lanes);
  std::fill_n(rest, (order.length - n) * n_lanes, 0.0);
}

void scatter_lines(const double* from, double factor, int n_lanes, LineOrder order, Index n, Index inner, Index line,
                   int count, double* y) {
  const Beginnings lines(n, inner, line, count);
  const Place place(order);
  if (n_lanes == 1)
    give_one(from, factor, place, n, inner, y + lines.at[0]);
  else if (lines.adjacent)
    give_rows(from, 0, factor, place, n, inner, 1, y + lines.at[0]);
  else if (const Index square = in_squares(n, inner, count); square > 0) {
    give_squares(from, factor, place, square, lines.at.data(), y);
    give_lanes(from, factor, place.behind(square), n - square, 1, lines.at.data(), count, y + square);
  } else
    give_lanes(from, factor, place, n, inner, lines.at.data(), count, y);
}

void gather_panel(const double* x, Index n, Index inner, Index line, Index n_groups, LineOrder order, double* to,
                  Index distance) {
  const Beginnings lines(n, inner, line, kLanes);
  take_rows(x + lines.at[0], n, inner, Place(order), n_groups, to, distance);
  for (Index g = 0; g < n_groups; ++g)
    std::fill_n(to + g * distance + (order.reversed ? 0 : n * kLanes), (order.length - n) * kLanes, 0.0);
}

void scatter_panel(const double* from, Index distance, double factor, LineOrder order, Index n, Index inner, Index line,
                   Index n_groups, double* y) {
  const Beginnings lines(n, inner, line, kLanes);
  give_rows(from, distance, factor, Place(order), n, inner, n_groups, y + lines.at[0]);
}

}  // namespace gwrm::cpu
