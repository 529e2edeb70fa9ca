#include "kernels/banded/substitution_tables.hpp"

#include <algorithm>
#include <array>

#include "kernels/banded/wide_numbers.hpp"

namespace gwrm {
namespace {

constexpr int kLanes = 32;

// A sweep's numbers by rows in order of the sweep, zero beyond the system.
template <class Number>
class OrderedRows {
 public:
  OrderedRows(const Sweep<Number>& sweep, Index n, bool as_stored)
      : sweep_(sweep), n_(n), reversed_(sweep.side == Side::upper && !as_stored) {}

  int distance() const { return sweep_.second.empty() ? 1 : 2; }
  Number coupling(Index k) const { return of(distance() == 1 ? sweep_.first : sweep_.second, k); }
  Number first(Index k) const { return of(sweep_.first, k); }
  Number second(Index k) const { return of(sweep_.second, k); }
  Number scale(Index k) const { return of(sweep_.scale, k); }

 private:
  Number of(const std::vector<Number>& values, Index k) const {
    return k < n_ ? values[static_cast<std::size_t>(reversed_ ? n_ - 1 - k : k)] : number<Number>(0.0);
  }

  const Sweep<Number>& sweep_;
  Index n_;
  bool reversed_;
};

}  // namespace

template <class Number>
WarpTables<Number> warp_tables(const Sweep<Number>& sweep, Index n, int rows_of_lane, bool as_stored, int n_warps) {
  const OrderedRows<Number> rows(sweep, n, as_stored);
  WarpTables<Number> tables;
  tables.distance = rows.distance();
  const Index piece = Index{kLanes} * rows_of_lane, n_pieces = std::max<Index>((n + piece - 1) / piece, n_warps);
  for (Index p = 0; p < n_pieces; ++p) {
    const auto row = [&](Index j, Index t) { return p * piece + t * rows_of_lane + j; };
    for (Index j = 0; j < rows_of_lane; ++j)
      for (Index t = 0; t < kLanes; ++t) {
        tables.couplings.push_back(rows.coupling(row(j, t)));
        if (!sweep.scale.empty()) tables.scale.push_back(rows.scale(row(j, t)));
      }
    for (Index c = 0; c < tables.distance; ++c)
      for (Index t = 0; t < kLanes; ++t) {
        WideNumber<Number> product = number<WideNumber<Number>>(1.0);
        for (Index j = c; j < rows_of_lane; j += tables.distance)
          product = -(product * widened(rows.coupling(row(j, t))));
        tables.factors.push_back(rounded<Number>(product));
      }
  }
  return tables;
}

template <class Number>
WarpTables<Number> reduction_tables(const Sweep<Number>& sweep, Index n, int rows_of_lane) {
  const OrderedRows<Number> rows(sweep, n, false);
  WarpTables<Number> tables;
  tables.distance = rows.distance();
  const Index count = Index{kLanes} * rows_of_lane;
  std::vector<WideNumber<Number>> s;
  for (Index k = 0; k < count; ++k) {
    s.push_back(widened(rows.coupling(k)));
    if (!sweep.scale.empty()) tables.scale.push_back(rows.scale(k));
  }
  for (Index d = tables.distance; d < count; d *= 2) {
    for (Index k = 0; k < count; ++k) tables.couplings.push_back(rounded<Number>(s[static_cast<std::size_t>(k)]));
    for (Index k = count; k-- > 0;) {
      const auto i = static_cast<std::size_t>(k), before = static_cast<std::size_t>(k - d);
      s[i] = k < d ? number<WideNumber<Number>>(0.0) : -(s[i] * s[before]);
    }
  }
  return tables;
}

// (x_i, x_{i-1}) of (x_{i-1}, x_{i-2}), or of earlier ones.
template <class Number>
struct Transition {
  WideNumber<Number> xx = number<WideNumber<Number>>(1.0), xy = number<WideNumber<Number>>(0.0), yx = xy, yy = xx;

  // Behind a row with these couplings.
  Transition after(Number first, Number second) const {
    const WideNumber<Number> s = widened(first), r = widened(second);
    return {-(s * xx) - r * yx, -(s * xy) - r * yy, xx, xy};
  }
  Transition times(const Transition& m) const {
    return {xx * m.xx + xy * m.yx, xx * m.xy + xy * m.yy, yx * m.xx + yy * m.yx, yx * m.xy + yy * m.yy};
  }
};

// Upward sweeps whose rows lie as stored begin in the last lane and there with the last row.
template <class Number>
SecondOrderWarpTables<Number> second_order_tables(const Sweep<Number>& sweep, Index n, int rows_of_lane, bool as_stored,
                                                  int n_warps) {
  constexpr Index kMatrices = 6;
  const OrderedRows<Number> rows(sweep, n, as_stored);
  const bool from_last = as_stored && sweep.side == Side::upper;
  SecondOrderWarpTables<Number> tables;
  const Index piece = Index{kLanes} * rows_of_lane, n_pieces = std::max<Index>((n + piece - 1) / piece, n_warps);
  for (Index p = 0; p < n_pieces; ++p) {
    const auto row = [&](Index j, Index t) { return p * piece + t * rows_of_lane + j; };
    std::array<Transition<Number>, kLanes> of_lanes, further;
    for (Index j = 0; j < rows_of_lane; ++j)
      for (Index t = 0; t < kLanes; ++t) {
        tables.first.push_back(rows.first(row(j, t)));
        tables.second.push_back(rows.second(row(j, t)));
        if (!sweep.scale.empty()) tables.scale.push_back(rows.scale(row(j, t)));
        const Index k = row(from_last ? rows_of_lane - 1 - j : j, t);
        Transition<Number>& own = of_lanes[static_cast<std::size_t>(t)];
        own = own.after(rows.first(k), rows.second(k));
      }
    for (Index step = 0; step < kMatrices; ++step) {
      for (const auto entry :
           {&Transition<Number>::xx, &Transition<Number>::xy, &Transition<Number>::yx, &Transition<Number>::yy})
        for (const Transition<Number>& own : of_lanes) tables.matrices.push_back(rounded<Number>(own.*entry));
      further = of_lanes;
      for (Index t = 0; t < kLanes; ++t) {
        const Index before = from_last ? t + (Index{1} << step) : t - (Index{1} << step);
        if (before >= 0 && before < kLanes)
          further[static_cast<std::size_t>(t)] =
              of_lanes[static_cast<std::size_t>(t)].times(of_lanes[static_cast<std::size_t>(before)]);
      }
      of_lanes = further;
    }
  }
  return tables;
}

#define GWRM_TABLES(Number)                                                             \
  template WarpTables<Number> warp_tables(const Sweep<Number>&, Index, int, bool, int); \
  template WarpTables<Number> reduction_tables(const Sweep<Number>&, Index, int);       \
  template SecondOrderWarpTables<Number> second_order_tables(const Sweep<Number>&, Index, int, bool, int)
GWRM_TABLES(double);
GWRM_TABLES(DoubleDouble);
GWRM_TABLES(Complex);

}  // namespace gwrm
