// The orders m of series of spherical harmonics: all up to the highest, multiples of a number, or a list; and the
// columns that hold their cosines and sines.
//
// Columns   the orders increase; each has one column for the cosine and one for the sine, m = 0 a single one: the
//           harmonics of a degree l have the first n_columns(l) of them.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include "core/array.hpp"

namespace gwrm::ball {

class Orders {
 public:
  // m >= 0, increasing.
  explicit Orders(std::vector<Index> orders) : list_(std::move(orders)) {
    for (std::size_t k = 0; k < list_.size(); ++k)
      for (const Index m : {list_[k], -list_[k]}) {
        if (m == 0 && !columns_.empty()) continue;
        columns_.push_back(m);
        places_.push_back(k);
      }
  }
  static Orders multiples(Index step, Index highest) {
    std::vector<Index> list;
    for (Index m = 0; m <= highest; m += step) list.push_back(m);
    return Orders(std::move(list));
  }

  const std::vector<Index>& list() const { return list_; }
  bool has(Index m) const { return std::binary_search(list_.begin(), list_.end(), std::abs(m)); }

  Index n_columns() const { return static_cast<Index>(columns_.size()); }
  Index n_columns(Index l) const {
    const auto above = std::upper_bound(list_.begin(), list_.end(), l);
    return above == list_.end() ? n_columns() : column(*above);
  }
  // m of the column; of sines -m.
  Index of(Index c) const { return columns_[static_cast<std::size_t>(c)]; }
  Index size_of(Index c) const { return std::abs(of(c)); }
  // Its place in the list.
  std::size_t place(Index c) const { return places_[static_cast<std::size_t>(c)]; }
  // Of the cosine of m, or, for m < 0, of the sine; -1: the order is not there.
  Index column(Index m) const {
    const auto found = std::lower_bound(list_.begin(), list_.end(), std::abs(m));
    if (found == list_.end() || *found != std::abs(m)) return -1;
    const Index before = 2 * (found - list_.begin()) - (list_.front() == 0 && m != 0 ? 1 : 0);
    return before + (m < 0 ? 1 : 0);
  }
  // The series of dY/dphi / sin theta: cos m phi becomes -sin, sin becomes cos.
  Index turned(Index c) const { return of(c) == 0 ? c : of(c) > 0 ? c + 1 : c - 1; }
  double sign_of_turned(Index c) const { return of(c) > 0 ? -1.0 : 1.0; }

 private:
  std::vector<Index> list_;
  std::vector<Index> columns_;       // m, of sines -m
  std::vector<std::size_t> places_;  // of each column
};

// Into how many equal parts a circle falls, in each of which the product of two functions of these orders with data of
// others is the same: points in one of them are enough for its integral.
inline Index equal_parts(const Orders& orders, const std::vector<Index>& of_data) {
  Index parts = 0;
  for (const Index m : orders.list()) {
    parts = std::gcd(parts, m - orders.list().front());
    parts = std::gcd(parts, 2 * m);
  }
  for (const Index m : of_data) parts = std::gcd(parts, m);
  return std::max<Index>(parts, 1);
}

}  // namespace gwrm::ball
