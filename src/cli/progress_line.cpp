#include "cli/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "core/duration_text.hpp"

namespace gwrm::cli {
ProgressLine::ProgressLine(bool enabled)
    : enabled_(enabled), terminal_(isatty(STDERR_FILENO) != 0), began_(Clock::now()), last_(began_) {}

ProgressLine::~ProgressLine() {
  if (line_open_) std::fputs("\n", stderr);
}

void ProgressLine::update(double done, const std::string& note) {
  if (!enabled_) return;
  const auto now = Clock::now();
  const std::chrono::duration<double> elapsed = now - began_, since_last = now - last_;
  const bool last_step = done >= 1.0;
  if (terminal_ ? (since_last.count() < 0.1 && !last_step) : since_last.count() < 10.0) return;
  last_ = now;
  const double left = done > 0.0 ? elapsed.count() / done * (1.0 - done) : 0.0;
  const std::string text = fmt::format("{:.0f} %, {} left; {}", 100.0 * done, duration_text(left), note);
  if (terminal_) {
    fmt::print(stderr, "\r\033[K{}", text);
    std::fflush(stderr);
    line_open_ = true;
  } else {
    fmt::print(stderr, "{}\n", text);
  }
}

}  // namespace gwrm::cli
