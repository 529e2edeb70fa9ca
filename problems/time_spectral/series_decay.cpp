#include "problems/time_spectral/series_decay.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gwrm {
namespace {

constexpr int kLeastForPowers = 16;   // levels
constexpr double kByPowers = 0.75;    // of the fall before: between 1/2 (powers) and 1 (geometric)
constexpr double kSlowsDown = 0.85;   // within the last half: between 0.71 and 1
constexpr double kFlat = 1e-9;        // a fall that is none
constexpr double kRounding = 1e-300;  // S that is zero

constexpr int kShortest = 4;  // stretch of levels: the last of a collocated series are right to a factor of 2

// Even functions have every second coefficient alone.
int stretch(int n) {
  return std::max(kShortest, n / 2 * 2);
}

}  // namespace

SeriesDecay::SeriesDecay(std::vector<double> losses, int n_unsure) : losses_(std::move(losses)) {
  last_ = std::max(0, static_cast<int>(losses_.size()) - 1 - n_unsure);
  losses_.resize(static_cast<std::size_t>(last_) + 1);
  if (last_ == 0) return;
  const int middle = std::max(0, last_ - stretch(last_ / 2)), three_quarters = std::max(0, last_ - stretch(last_ / 4));
  const double half = fall(middle, last_), end = fall(three_quarters, last_);
  fall_ = end < half ? end : std::sqrt(half * end);
  if (middle > 0) power_ = half * (last_ - middle) / std::log(static_cast<double>(last_) / static_cast<double>(middle));
  if (last_ < kLeastForPowers) return;
  const double before = fall(last_ - stretch(3 * last_ / 4), middle), within = fall(middle, three_quarters);
  if (half < kByPowers * before && end < kSlowsDown * within) law_ = Law::powers;
}

double SeriesDecay::fall(int from, int to) const {
  const double first = losses_[static_cast<std::size_t>(from)], last = losses_[static_cast<std::size_t>(to)];
  if (to <= from || first <= 0.0) return 0.0;
  return std::log(first / std::max(last, kRounding)) / static_cast<double>(to - from);
}

double SeriesDecay::behind(double level) const {
  if (level <= last_) return losses_[static_cast<std::size_t>(std::max(0.0, std::floor(level)))];
  const double end = losses_.back();
  return law_ == Law::powers ? end * std::pow(level / last_, -power_) : end * std::exp(-(level - last_) * fall_);
}

double SeriesDecay::level_for(double allowed) const {
  for (int level = 0; level <= last_; ++level)
    if (losses_[static_cast<std::size_t>(level)] <= allowed) return level;
  const double wanted = std::log(losses_.back() / allowed);
  if (!((law_ == Law::powers ? power_ : fall_) > kFlat)) return std::numeric_limits<double>::infinity();
  return law_ == Law::powers ? last_ * std::exp(wanted / power_) : last_ + wanted / fall_;
}

}  // namespace gwrm
