#include "problems/time_spectral/fixed_march.hpp"

#include <algorithm>

namespace gwrm {
namespace {

constexpr int kMaxWindowHalvings = 10;  // of a window in which Newton fails

}  // namespace

void FixedMarch::advance(double /*next_step*/) {
  // Steady: one window without time.
  if (!is_timed()) {
    const std::vector<NewtonResult> results = attempt(0.0, 1.0);
    if (first_failure(results) < results.size())
      fail(results, 0.0, 1.0);
    else
      accept(results, 0.0);
    return;
  }
  // A stack of ends: a window that fails is halved by putting its middle on top, and the halves of that likewise.
  std::vector<double> edges = ends_to_come();  // the next last
  double start = origin_.initial ? first_edge(0) : now_;
  int halvings = 0;
  while (!edges.empty()) {
    const double end = edges.back();
    const std::vector<NewtonResult> results = attempt(start, end);
    const std::size_t p = first_failure(results);
    if (p == results.size()) {
      accept(results, 0.0);
      start = end;
      edges.pop_back();
      // Halvings are counted in depth: one is given back by each window that succeeds.
      halvings = std::max(0, halvings - 1);
      continue;
    }
    if (!worth_shortening(results[p].status) || !can_divide_time() || halvings >= kMaxWindowHalvings ||
        is_too_short(0.5 * (end - start))) {
      fail(results, start, end);
      return;
    }
    ++halvings;
    halved_.push_back({start, end, results[p].status});
    edges.push_back(0.5 * (start + end));
  }
}

std::vector<double> FixedMarch::ends_to_come() const {
  std::vector<double> ends;
  for (std::size_t i = model_.window_edges.size(); i-- > 1;) {
    double lower = model_.window_edges[i - 1], upper = model_.window_edges[i];
    if (!origin_.initial && now_ >= upper) break;
    ends.push_back(upper);
    if (origin_.initial || now_ <= lower) continue;
    // now_ is where bisection of [lower, upper] came to: the upper halves that it left are still to come.
    while (now_ > lower) {
      const double middle = 0.5 * (lower + upper);
      if (!(lower < middle && middle < upper)) break;
      if (now_ < middle)
        ends.push_back(upper = middle);
      else
        lower = middle;
    }
  }
  return ends;
}

}  // namespace gwrm
