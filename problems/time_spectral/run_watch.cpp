#include "problems/time_spectral/run_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "core/duration_text.hpp"
#include "core/log.hpp"

namespace gwrm {
namespace {

// Without a limit: what a user would not wait for unwarned, and when; in seconds.
constexpr double kLongRun = 600.0, kWarnedAfter = 60.0;
constexpr std::chrono::seconds kBetweenLooks{1};
// Unfinished work says how slow a run has become once it has taken this share of the limit.
constexpr double kTellsOfLimit = 0.1;
constexpr double kGrows = 1.1;  // pace or windows, from one half of the seconds to the other
// A window that has taken this share of the seconds is what holds the run.
constexpr double kMostOfIt = 0.2;

}  // namespace

RunWatch::RunWatch(std::function<double()> seconds, double limit, bool is_trial, double forecasts_from)
    : seconds_(std::move(seconds)),
      limit_(limit),
      forecasts_from_(forecasts_from),
      is_trial_(is_trial),
      began_(seconds_()) {}

RunWatch::~RunWatch() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void RunWatch::look_from_thread() {
  try {
    thread_ = std::thread([this] { watch(); });
  } catch (const std::exception& error) {
    logger().debug("nobody watches the clock: {}", error.what());
  }
}

void RunWatch::watch() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, kBetweenLooks, [&] { return closed_; })) {
    lock.unlock();
    try {
      look();
    } catch (const std::exception&) {  // no memory for its words: perhaps a second later
    }
    lock.lock();
  }
}

void RunWatch::begin(double t, double end) {
  const std::lock_guard lock(mutex_);
  timed_ = true;
  began_ = seconds_();
  first_ = t_ = t;
  end_ = end;
  forecast_.emplace(began_, t);
}

void RunWatch::begin_steady() {
  const std::lock_guard lock(mutex_);
  began_ = seconds_();
}

void RunWatch::begin_attempt(double start, double end, const std::string& size) {
  const std::lock_guard lock(mutex_);
  start_of_window_ = start;
  end_of_window_ = end;
  attempt_began_ = seconds_();
  ++n_attempts_;
  size_ = size;
}

void RunWatch::shorten(const std::string& why) {
  const std::lock_guard lock(mutex_);
  attempt_began_ = -1.0;
  ++n_shortened_;
  why_ = why;
  refinement_ = {};
}

void RunWatch::refine(double excess, const std::string& why) {
  const std::lock_guard lock(mutex_);
  refinement_.update(seconds_() - attempt_began_, excess);
  attempt_began_ = -1.0;
  why_ = why;
}

void RunWatch::accept(double t, double length, const std::string& why) {
  const std::lock_guard lock(mutex_);
  attempt_began_ = -1.0;
  n_attempts_ = n_shortened_ = 0;
  t_ = t;
  last_length_ = length;
  why_ = why;
  refinement_ = {};
  if (forecast_) forecast_->update(seconds_(), t);
}

RunWatch::Outlook RunWatch::outlook(double now, bool for_limit) const {
  const bool attempts = attempt_began_ >= 0.0;
  Outlook result{refinement_.seconds_left(attempts ? now - attempt_began_ : 0.0), false};
  if (!timed_) return result;
  const double length = n_attempts_ > 0 ? end_of_window_ - start_of_window_ : last_length_;
  const double reached = std::min(t_ + length, end_);
  if (const double by_windows = forecast_->seconds_left(end_); by_windows > 0.0) {
    const bool tells = n_attempts_ > 0 && (!for_limit || in_window(now) > kTellsOfLimit * limit_);
    result.left = std::max(result.left, tells ? forecast_->seconds_left(end_, now, reached) : by_windows);
  } else if (!for_limit && reached > first_) {
    const double left = (now - began_) * (end_ - reached) / (reached - first_);
    if (left > result.left) result = {left, true};
  }
  return result;
}

bool RunWatch::exceeds(double now) const {
  if (now <= std::min(forecasts_from_, limit_)) return false;
  return exceeds_limit(now, now > limit_ ? 0.0 : outlook(now, true).left, limit_);
}

bool RunWatch::must_stop() {
  if (!(limit_ > 0.0)) return false;
  const std::lock_guard lock(mutex_);
  return exceeds(seconds_());
}

void RunWatch::look() {
  const std::lock_guard lock(mutex_);
  const double now = seconds_();
  if (limit_ > 0.0 || now < kWarnedAfter || now < 2.0 * warned_at_) return;
  const double left = outlook(now, false).left;
  if (left > 0.0 ? !exceeds_limit(now, left, kLongRun) : in_window(now) < kWarnedAfter) return;
  warned_at_ = now;
  const std::string words =
      fmt::format("{}{}; resolution.limits.time ends such a run early, a larger resolution.tolerance shortens it",
                  timed_ ? fmt::format("t = {:.6g} of {:.6g}: ", t_, end_) : "", text(now));
  if (warnings_.empty()) warnings_.push_back(words);
  logger().warn("{}", words);
}

std::string RunWatch::where(double now) const {
  if (timed_ && forecast_->n_windows() > 0 && in_window(now) < kMostOfIt * (now - began_))
    return fmt::format("windows of about {:.1e} {}", last_length_,
                       forecast_->growth_of_windows() > kGrows ? "grow too slowly" : "do not grow");
  std::string words = duration_text(in_window(now)) + " of it ";
  if (timed_) {
    words += fmt::format("in the window from t = {:.6g} to {:.6g}", start_of_window_, end_of_window_);
    if (n_shortened_ > 0)
      words +=
          fmt::format(", the {} before it being too long", n_shortened_ == 1 ? "one" : std::to_string(n_shortened_));
  } else {
    words += "before an answer";
  }
  if (n_attempts_ > 0) words += fmt::format(", attempt {}{}", n_attempts_, size_.empty() ? "" : " on " + size_);
  return words;
}

std::string RunWatch::text(double now) const {
  const Outlook seen = outlook(now, false);
  const bool slows = timed_ && forecast_->n_windows() > 0 && forecast_->growth() < 1.0 / kGrows;
  std::string words = seen.left == 0.0 ? "the run has taken " + duration_text(now)
                                       : fmt::format("{} the run takes {}another {}",
                                                     seen.is_pace ? "at its present pace" : "by its own estimate",
                                                     slows || is_trial_ ? "at least " : "", duration_text(seen.left));
  if (is_trial_ && timed_)
    words += fmt::format(" from t = {:.6g} of {:.6g} on", t_, end_);
  else if (limit_ > 0.0 && !is_trial_)
    words += fmt::format(" (resolution.limits.time is {:g} s)", limit_);
  return words + ", " + where(now) + why_;
}

std::string RunWatch::text() const {
  const std::lock_guard lock(mutex_);
  return text(seconds_());
}

std::vector<std::string> RunWatch::warnings() const {
  const std::lock_guard lock(mutex_);
  return warnings_;
}

}  // namespace gwrm
