// How long an automatic run will yet take by the clock, from what it has done so far; and when that is too long.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace gwrm {

// Steps of equal cost that `rest` takes behind two with the progress `before` and `last`: last (g + g^2 + ... + g^n) =
// rest with g = last/before where that grows, and last n = rest where it does not. So it is short for what speeds up:
// windows that grow threefold each behind a clash of the data, degrees that reach where series fall geometrically.
inline double steps_for(double before, double last, double rest) {
  if (!(last > 0.0)) return std::numeric_limits<double>::infinity();
  const double growth = before > 0.0 ? last / before : 1.0;
  if (growth < 1.0 + 1e-6) return rest / last;
  return std::log1p(rest * (growth - 1.0) / (last * growth)) / std::log(growth);
}

// Windows: progress in time in the first and in the second half of the seconds spent. The pace is taken to grow no
// faster than the windows do: attempts at the first ones, which look for their length, make the first half slow once,
// which says nothing of what is to come.
class MarchForecast {
 public:
  MarchForecast(double seconds, double t) : seen_{{seconds, t, 0.0}} {}

  void update(double seconds, double t) {
    if (seen_.size() > kMostSeen)  // every second one is enough
      for (std::size_t i = 1; 2 * i < seen_.size(); ++i) seen_[i] = seen_[2 * i];
    if (seen_.size() > kMostSeen) seen_.resize((seen_.size() + 1) / 2);
    ++n_windows_;
    seen_.push_back({seconds, t, static_cast<double>(n_windows_)});
  }
  // 0: not known, after fewer than eight windows.
  double seconds_left(double end) const {
    if (n_windows_ < kFewest) return 0.0;
    const Mark &first = seen_.front(), &last = seen_.back(), middle = at_middle();
    return (last.seconds - middle.seconds) * steps_between(first, middle, last, end);
  }
  // Within a window: as if it ended now, at `t`, which is the least that will yet be spent on it.
  double seconds_left(double end, double seconds, double t) const {
    if (n_windows_ < kFewest) return 0.0;
    const Mark& last = seen_.back();
    const Mark now{seconds, t, last.n + 1.0};
    const double half = 0.5 * (seen_.front().seconds + seconds);
    const Mark middle = half <= last.seconds ? at(half) : between(last, now, half);
    return (seconds - half) * steps_between(seen_.front(), middle, now, end);
  }
  // By how much the pace, and the mean length of a window, have grown from the first half of the seconds to the second.
  double growth() const { return growth(seen_.front(), at_middle(), seen_.back()); }
  double growth_of_windows() const {
    const Mark middle = at_middle();
    return growth() * (middle.n - seen_.front().n) / (seen_.back().n - middle.n);
  }
  std::size_t n_windows() const { return n_windows_; }
  double last_seconds() const { return seen_.back().seconds; }

 private:
  static constexpr std::size_t kMostSeen = 1024, kFewest = 8;
  struct Mark {
    double seconds, t, n;  // n: windows
  };
  static double growth(const Mark& first, const Mark& middle, const Mark& last) {
    return (last.t - middle.t) / (middle.t - first.t);
  }
  // Of as many seconds as from the middle to the last mark.
  static double steps_between(const Mark& first, const Mark& middle, const Mark& last, double end) {
    const double fewer = middle.n > first.n ? (last.n - middle.n) / (middle.n - first.n) : 1.0;
    return steps_for((middle.t - first.t) * std::max(1.0, fewer), last.t - middle.t, end - last.t);
  }
  static Mark between(const Mark& before, const Mark& after, double seconds) {
    const double gap = after.seconds - before.seconds,
                 share = gap > 0.0 ? std::clamp((seconds - before.seconds) / gap, 0.0, 1.0) : 1.0;
    return {seconds, before.t + share * (after.t - before.t), before.n + share * (after.n - before.n)};
  }
  Mark at(double seconds) const {
    const auto after = std::lower_bound(seen_.begin() + 1, seen_.end() - 1, seconds,
                                        [](const Mark& mark, double value) { return mark.seconds < value; });
    return between(*(after - 1), *after, seconds);
  }
  Mark at_middle() const { return at(0.5 * (seen_.front().seconds + seen_.back().seconds)); }

  std::vector<Mark> seen_;
  std::size_t n_windows_ = 0;
};

// Attempts at one window on ever finer subdomains: each gains digits of the tail and costs more than the one before.
class RefinementForecast {
 public:
  // seconds: of this attempt. excess: its largest tail over the tolerance.
  void update(double seconds, double excess) {
    seconds_.push_back(seconds);
    digits_.push_back(std::log(std::max(excess, 1.0)));
  }
  // 0: not known, before three attempts. No more attempts are counted than were seen: tails that stand still while
  // nothing is resolved may fall fast afterwards. elapsed: of the attempt that is being made.
  double seconds_left(double elapsed = 0.0) const {
    const std::size_t n = seconds_.size();
    if (n < 3) return 0.0;
    const double growth = std::max(1.0, std::sqrt(seconds_[n - 1] / seconds_[n - 3])),
                 n_left = steps_for(digits_[n - 3] - digits_[n - 2], digits_[n - 2] - digits_[n - 1], digits_[n - 1]);
    double left = 0.0, next = std::max(seconds_.back(), elapsed / growth);
    for (std::size_t i = 0; i < n && static_cast<double>(i) < n_left; ++i) left += next *= growth;
    return std::max(0.0, left - elapsed);
  }
  std::size_t n_attempts() const { return seconds_.size(); }

 private:
  std::vector<double> seconds_, digits_;
};

// Whether a run with so many seconds behind it and `left` before it exceeds the limit. Phases end: what was seen of a
// run for a share s of the limit is trusted for what comes to a factor of 1/sqrt(s). A run that creeps is then ended at
// once, one that is slow at first only when little of the limit is left.
inline bool exceeds_limit(double spent, double left, double limit) {
  return spent > limit || spent + left > limit * std::sqrt(limit / std::max(spent, 1e-3));
}

}  // namespace gwrm
