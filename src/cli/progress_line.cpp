#include "cli/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/duration_text.hpp"

namespace gwrm::cli {

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
