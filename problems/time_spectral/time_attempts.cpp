#include "problems/time_spectral/time_attempts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gwrm {
namespace {

constexpr double kAsymptotic = 0.05;       // tails below this fall as they will
constexpr double kNoFall = 0.35;           // q
constexpr double kMuchShorter = 0.2;       // windows, to know that a tail does not fall
constexpr double kDifferentLength = 0.95;  // windows, to know a q

bool same_space(const std::vector<AxisDescription>& a, const std::vector<AxisDescription>& b) {
  for (std::size_t axis = 1; axis < a.size() && axis < b.size(); ++axis)  // time is the first
    if (!(a[axis] == b[axis])) return false;
  return a.size() == b.size();
}

}  // namespace

void TimeAttempts::add(double start, double length, const std::vector<AxisDescription>& subdomains,
                       const std::vector<double>& tails) {
  if (start != start_ || !same_space(subdomains, subdomains_)) all_.clear();
  start_ = start;
  subdomains_ = subdomains;
  all_.push_back({length, tails});
}

double TimeAttempts::exponent_of(std::size_t unknown) const {
  const auto first =
      std::find_if(all_.begin(), all_.end(), [&](const Attempt& one) { return one.tails[unknown] < kAsymptotic; });
  if (first == all_.end() || !(all_.back().length < kDifferentLength * first->length) ||
      !(all_.back().tails[unknown] > 0.0))
    return HUGE_VAL;
  return std::log(first->tails[unknown] / all_.back().tails[unknown]) / std::log(first->length / all_.back().length);
}

double TimeAttempts::exponent(double allowed) const {
  double smallest = HUGE_VAL;
  if (!all_.empty())
    for (std::size_t f = 0; f < all_.back().tails.size(); ++f)
      if (all_.back().tails[f] > allowed) smallest = std::min(smallest, exponent_of(f));
  return std::isfinite(smallest) && smallest > kNoFall ? smallest : 0.0;
}

std::vector<bool> TimeAttempts::unmoved(double allowed) const {
  std::vector<bool> found(all_.empty() ? 0 : all_.back().tails.size(), false);
  for (std::size_t f = 0; f < found.size(); ++f) {
    const auto first =
        std::find_if(all_.begin(), all_.end(), [&](const Attempt& one) { return one.tails[f] < kAsymptotic; });
    found[f] = first != all_.end() && all_.back().tails[f] > allowed &&
               all_.back().length <= kMuchShorter * first->length && exponent_of(f) < kNoFall;
  }
  return found;
}

std::string TimeAttempts::text(std::size_t unknown) const {
  return fmt::format("{:.1e} in a window of {:.2g}, {:.1e} in one of {:.2g}", all_.front().tails[unknown],
                     all_.front().length, all_.back().tails[unknown], all_.back().length);
}

}  // namespace gwrm
