#include "cli/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/duration_text.hpp"

namespace gwrm::cli {

namespace {

constexpr std::size_t kMostMarks = 256;
constexpr double kTells = 0.05, kAgree = 2.0;

}  // namespace

std::optional<double> TimeLeft::update(double seconds, double done) {
  marks_.push_back({seconds, done});
  if (marks_.size() > kMostMarks) {
    for (std::size_t i = 0; 2 * i < marks_.size(); ++i) marks_[i] = marks_[2 * i];
    marks_.resize((marks_.size() + 1) / 2);
  }
  if (done >= 1.0) return 0.0;
  const auto middle =
      std::find_if(marks_.begin(), marks_.end(), [&](const Mark& m) { return 2.0 * m.seconds >= seconds; });
  if (middle == marks_.end() || !(done > middle->done) || !(middle->done > 0.0) || !(middle->seconds > 0.0)) return {};
  const double later = (done - middle->done) / (seconds - middle->seconds), earlier = middle->done / middle->seconds;
  if (done < kTells && std::max(later, earlier) > kAgree * std::min(later, earlier)) return {};
  return (1.0 - done) / later;
}

ProgressForm progress_form(const Options& options) {
  if (options.progress == "json") return ProgressForm::json;
  return options.verbosity == Verbosity::quiet ? ProgressForm::none : ProgressForm::line;
}

ProgressLine::ProgressLine(ProgressForm form)
    : form_(form), terminal_(isatty(STDERR_FILENO) != 0), began_(Clock::now()), last_(began_) {}

ProgressLine::~ProgressLine() {
  if (line_open_) std::fputs("\n", stderr);
}

void ProgressLine::update(double done, const std::string& note) {
  if (form_ == ProgressForm::none) return;
  if (form_ == ProgressForm::json) {
    const nlohmann::ordered_json step = {{"done", done}, {"note", note}};
    // One call, one line: what other threads log stays outside of it.
    std::fputs((step.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n").c_str(), stderr);
    std::fflush(stderr);
    return;
  }
  const auto now = Clock::now();
  const std::chrono::duration<double> elapsed = now - began_, since_last = now - last_;
  const bool last_step = done >= 1.0;
  const std::optional<double> left = left_.update(elapsed.count(), done);
  if (terminal_ ? (since_last.count() < 0.1 && !last_step) : since_last.count() < 10.0) return;
  last_ = now;
  const std::string text =
      fmt::format("{:.0f} %{}; {}", 100.0 * done, left ? ", " + duration_text(*left) + " left" : "", note);
  if (terminal_) {
    fmt::print(stderr, "\r\033[K{}", text);
    std::fflush(stderr);
    line_open_ = true;
  } else {
    fmt::print(stderr, "{}\n", text);
  }
}

}  // namespace gwrm::cli
