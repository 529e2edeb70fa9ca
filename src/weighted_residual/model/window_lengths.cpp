#include "weighted_residual/model/window_lengths.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gwrm {
namespace {

constexpr int kMostHalvings = 12;  // of a window in which Newton fails, and of its parts in the estimate of the error

struct Kind {
  double sum_beyond = 0.0;  // of the lengths, each without the first one
  double n_windows = 0.0;
};

// The entry whose key is within `slack` of `length`, or the end.
template <class Map>
auto near(Map& map, double length, double slack) {
  const auto found = map.lower_bound(length - slack);
  return found != map.end() && found->first <= length + slack ? found : map.end();
}

}  // namespace

WindowLengths::WindowLengths(const std::vector<double>& edges) {
  // An edge a + (b - a) i/n is rounded three times, its neighbour as well.
  rounding_ = 6.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(edges.front()), std::abs(edges.back()));
  std::map<double, Kind> kinds;
  for (std::size_t i = 1; i < edges.size(); ++i) {
    const double length = edges[i] - edges[i - 1];
    auto kind = near(kinds, length, rounding_);
    if (kind == kinds.end()) kind = kinds.emplace(length, Kind{}).first;
    kind->second.sum_beyond += length - kind->first;  // differences of near numbers are exact
    kind->second.n_windows += 1.0;
  }
  for (const auto& [first, kind] : kinds) known_.emplace(first, first + kind.sum_beyond / kind.n_windows);
}

double WindowLengths::of(double start, double end) const {
  const double length = end - start;
  double parts = 1.0;
  for (int halvings = 0; halvings <= kMostHalvings; ++halvings, parts *= 2.0)
    if (const auto kind = near(known_, parts * length, parts * rounding_); kind != known_.end())
      return kind->second / parts;
  return length;
}

}  // namespace gwrm
