// The log: of the program on stderr (stdout is for results), at the levels of --quiet and -v; silent in a library.
#pragma once

#include <spdlog/spdlog.h>

#include <chrono>

namespace gwrm {

// Nothing is shown before configure_log.
spdlog::logger& logger();

enum class Verbosity { quiet, normal, verbose };

// Says in the log of -v how long something took, when it ends.
class LogTime {
 public:
  explicit LogTime(const char* what) : what_(what) {}
  ~LogTime() {
    logger().debug("{}: {:.3f} s", what_,
                   std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count());
  }
  LogTime(const LogTime&) = delete;
  LogTime& operator=(const LogTime&) = delete;

 private:
  const char* what_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

// From here on to stderr; once, by main. Colour only on a terminal and without NO_COLOR.
void configure_log(Verbosity verbosity);

}  // namespace gwrm
