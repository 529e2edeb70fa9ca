// Progress with the time left: a line that rewrites itself on a terminal, a line every ten seconds elsewhere.
#pragma once

#include <chrono>
#include <string>

namespace gwrm::cli {

class ProgressLine {
 public:
  explicit ProgressLine(bool enabled);
  ~ProgressLine();                                    // ends the line
  void update(double done, const std::string& note);  // done: 0 to 1

 private:
  using Clock = std::chrono::steady_clock;
  bool enabled_, terminal_;
  bool line_open_ = false;
  Clock::time_point began_, last_;
};

}  // namespace gwrm::cli
