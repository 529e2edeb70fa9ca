#include "problems/time_spectral/series_decay.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gwrm {
namespace {

constexpr int kWidth = 4, kShort = 8;   // levels; series shorter than this have a width of 2
constexpr int kShortest = 4;            // stretch of levels
constexpr int kLeastForPowers = 12;     // levels
constexpr double kPowerLawFall = 0.75;  // of the fall before: between 1/2 (powers) and 1 (geometric)
constexpr double kSlowsDown = 0.85;     // within the last half: between 0.71 and 1
constexpr double kFlat = 1e-3;          // a fall that is none
constexpr double kLeastPower = 0.25;    // that is told from none: of 1/n (a jump) p is 0, of a root of x at an end 1
constexpr double kLeastFall = 0.03;     // in R: levels that end in the remains of an iteration do not go on for ever
constexpr double kZero = 1e-300;

int stretch(int n) {
  return std::max(kShortest, n / 2 * 2);
}

}  // namespace

SeriesDecay::SeriesDecay(std::vector<double> losses)
    : losses_(std::move(losses)),
      last_(static_cast<int>(losses_.size()) - 1),
      width_(std::min(last_, last_ < kShort ? kWidth / 2 : kWidth)) {
  const int end = last_ - width_;  // the last level of W
  if (end <= 0) return;
  const int middle = std::max(0, end - stretch(end / 2)), three_quarters = std::max(0, end - stretch(end / 4));
  const double half = fall(middle, end), quarter = fall(three_quarters, end);
  fall_ = quarter < half || half <= 0.0 ? quarter : std::sqrt(half * quarter);
  power_ = half * (end - middle) / std::log((end + 0.5 * width_) / (middle + 0.5 * width_)) - 1.0;
  if (end >= kLeastForPowers) {
    const double before = fall(end - stretch(3 * end / 4), middle), within = fall(middle, three_quarters);
    if (half < kPowerLawFall * before && quarter < kSlowsDown * within) law_ = Law::powers;
  }
  remainder_ = remainder();
}

bool SeriesDecay::shows_power() const {
  return last_ - width_ >= kLeastForPowers && power_ >= kLeastPower;
}

bool SeriesDecay::falls() const {
  return law_ == Law::powers ? power_ >= kLeastPower : fall_ > kFlat;
}

double SeriesDecay::next(int level) const {
  const auto l = static_cast<std::size_t>(level);
  return losses_[l] - losses_[l + static_cast<std::size_t>(width_)];
}

double SeriesDecay::fall(int from, int to) const {
  if (to <= from || next(from) <= 0.0) return 0.0;
  return std::log(next(from) / std::max(next(to), kZero)) / static_cast<double>(to - from);
}

double SeriesDecay::remainder() const {
  const double last = next(last_ - width_);
  if (last <= 0.0) return 0.0;
  if (law_ == Law::powers) return last / width_ * last_ / std::max(power_, kFlat);
  const double q = std::exp(-width_ * std::max(fall_, kLeastFall));
  return last * q / (1.0 - q);
}

double SeriesDecay::behind(double level) const {
  if (level <= last_) return losses_[static_cast<std::size_t>(std::max(0.0, std::floor(level)))] + remainder_;
  return law_ == Law::powers ? remainder_ * std::pow(level / last_, -std::max(power_, 0.0))
                             : remainder_ * std::exp(-(level - last_) * std::max(fall_, 0.0));
}

double SeriesDecay::level_for(double allowed) const {
  for (int level = 0; level <= last_; ++level)
    if (behind(level) <= allowed) return level;
  const double rate = law_ == Law::powers ? power_ : fall_, wanted = std::log(remainder_ / allowed);
  if (!(rate > kFlat)) return std::numeric_limits<double>::infinity();
  return law_ == Law::powers ? last_ * std::exp(wanted / rate) : last_ + wanted / rate;
}

}  // namespace gwrm
