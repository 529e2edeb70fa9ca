// The log on stderr (stdout is for results). Set up once by main; levels by --quiet and -v.
#pragma once

#include <spdlog/spdlog.h>

#include <chrono>

namespace gwrm {

enum class Verbosity { quiet, normal, verbose };

// Says in the log of -v how long something took, when it ends.
class LogTime {
 public:
  explicit LogTime(const char* what) : what_(what) {}
  ~LogTime() {
    spdlog::debug("{}: {:.3f} s", what_,
                  std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count());
  }
  LogTime(const LogTime&) = delete;
  LogTime& operator=(const LogTime&) = delete;

 private:
  const char* what_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

// Colour only on a terminal and without NO_COLOR.
void configure_log(Verbosity verbosity);

}  // namespace gwrm
