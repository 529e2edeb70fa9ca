// The log: of the program on stderr (stdout is for results), at the levels of --quiet and -v; silent in a library.
#pragma once

#include <fmt/core.h>

#include <chrono>

namespace gwrm {

// logger().warn("{} of {}", 1, 2). Nothing is shown before configure_log; nothing is thrown, a line that cannot be made
// is lost. The library behind it is not seen here: its headers take longer than most files that write a line.
class Logger {
 public:
  template <class... Values>
  void debug(fmt::format_string<Values...> text, Values&&... values) const {
    write(Level::debug, text, fmt::make_format_args(values...));
  }
  template <class... Values>
  void info(fmt::format_string<Values...> text, Values&&... values) const {
    write(Level::info, text, fmt::make_format_args(values...));
  }
  template <class... Values>
  void warn(fmt::format_string<Values...> text, Values&&... values) const {
    write(Level::warning, text, fmt::make_format_args(values...));
  }
  template <class... Values>
  void error(fmt::format_string<Values...> text, Values&&... values) const {
    write(Level::error, text, fmt::make_format_args(values...));
  }

 private:
  enum class Level { debug, info, warning, error };
  static void write(Level level, fmt::string_view text, fmt::format_args values) noexcept;
};

inline Logger logger() {
  return {};
}

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
