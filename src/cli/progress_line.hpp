// Progress with the time left: a line that rewrites itself on a terminal, a line every ten seconds elsewhere; or, for
// programs, every step as a line of JSON on stderr: {"done": 0.45, "note": "t = 0.45, 7 Newton iterations"}.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"

namespace gwrm::cli {

enum class ProgressForm { none, line, json };

ProgressForm progress_form(const Options& options);

// Seconds that are left, by the pace of the later half of the seconds so far. Nothing while that says little: before a
// twentieth is done, unless both halves agree to a factor of 2. The first windows of a run are much shorter than its
// later ones.
class TimeLeft {
 public:
  std::optional<double> update(double seconds, double done);

 private:
  struct Mark {
    double seconds, done;
  };
  std::vector<Mark> marks_;  // every one, or every second, fourth .. of a long run
};

class ProgressLine {
 public:
  explicit ProgressLine(ProgressForm form);
  ~ProgressLine();                                    // ends the line
  void update(double done, const std::string& note);  // done: 0 to 1

 private:
  using Clock = std::chrono::steady_clock;
  ProgressForm form_;
  bool terminal_;
  bool line_open_ = false;
  Clock::time_point began_, last_;
  TimeLeft left_;
};

}  // namespace gwrm::cli
