#include "problems/time_spectral/series_decay.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "core/straight_line.hpp"

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
constexpr int kLeastForLaw = 6;  // levels
constexpr double kSteeper = 1.3, kNearLaw = 3.0, kScatter = 0.03;
constexpr double kLeastSlope = 0.5;  // of log c: rounding has none

int stretch(int n) {
  return std::max(kShortest, n / 2 * 2);
}

// The larger one of c_l and c_(l-1).
struct Level {
  double level, log_size;
};

Level larger_level(const std::vector<double>& losses, int level) {
  const auto l = static_cast<std::size_t>(level);
  const double here = losses[l - 1] - losses[l], before = losses[l - 2] - losses[l - 1];
  return {here >= before ? level : level - 1.0, std::log(std::max({here, before, kZero}))};
}

// The line over log l, where it is the law of the levels first to last.
std::optional<StraightLine> power_law_over(const std::vector<double>& losses, int first, int last) {
  if (last - first + 1 < kLeastForLaw) return {};
  std::vector<double> levels, logs, sizes;
  for (int l = first; l <= last; ++l) {
    const Level larger = larger_level(losses, l);
    levels.push_back(larger.level);
    logs.push_back(std::log(larger.level));
    sizes.push_back(larger.log_size);
  }
  const std::size_t half = levels.size() / 2;
  const auto fall_over = [&](std::size_t begin, std::size_t end) {
    const auto part = [&](const std::vector<double>& all) { return std::span(all).subspan(begin, end - begin); };
    return -StraightLine(part(levels), part(sizes)).slope;
  };
  const StraightLine powers(logs, sizes), geometric(levels, sizes);
  if (powers.slope < -kLeastSlope && powers.rms < std::min(geometric.rms, kScatter) &&
      fall_over(0, half) > kSteeper * fall_over(half, levels.size()))
    return powers;
  return {};
}

}  // namespace

std::optional<PowerLaw> power_law(const std::vector<double>& losses) {
  const int last = static_cast<int>(losses.size()) - 1;
  std::optional<StraightLine> line = power_law_over(losses, std::max(2, last / 3), last - 2);
  if (!line) {
    line = power_law_over(losses, std::max(2, last / 10), last / 4);
    for (int level : {last / 2, 3 * last / 4})
      if (const Level larger = larger_level(losses, std::max(2, level));
          line && std::abs(larger.log_size - line->at(std::log(larger.level))) > std::log(kNearLaw))
        line.reset();
  }
  if (!line) return {};
  return PowerLaw{-line->slope - 1.0, std::exp(line->at(std::log(last)))};
}

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

double SeriesDecay::share_of_levels(double from, double to) const {
  const double whole = behind(from);
  return whole > 0.0 ? 1.0 - behind(to) / whole : 1.0;
}

double SeriesDecay::level_for(double allowed) const {
  for (int level = 0; level <= last_; ++level)
    if (behind(level) <= allowed) return level;
  const double rate = law_ == Law::powers ? power_ : fall_, wanted = std::log(remainder_ / allowed);
  if (!(rate > kFlat)) return std::numeric_limits<double>::infinity();
  return law_ == Law::powers ? last_ * std::exp(wanted / rate) : last_ + wanted / rate;
}

}  // namespace gwrm
