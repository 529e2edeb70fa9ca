#include "core/log.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <utility>

namespace gwrm {
namespace {

// Our own, not spdlog's default one: that belongs to the program.
std::shared_ptr<spdlog::logger> silent_logger() {
  auto silent = std::make_shared<spdlog::logger>("gwrm");
  silent->set_level(spdlog::level::off);
  return silent;
}

std::shared_ptr<spdlog::logger>& current_logger() {
  static std::shared_ptr<spdlog::logger> current = silent_logger();
  return current;
}

}  // namespace

spdlog::logger& logger() {
  return *current_logger();
}

void configure_log(Verbosity verbosity) {
  const char* no_color = std::getenv("NO_COLOR");
  const bool color = isatty(STDERR_FILENO) != 0 && (no_color == nullptr || *no_color == '\0');
  auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>(color ? spdlog::color_mode::always
                                                                          : spdlog::color_mode::never);
  auto chosen = std::make_shared<spdlog::logger>("gwrm", sink);
  chosen->set_pattern("%^%l%$: %v");
  switch (verbosity) {
    case Verbosity::quiet:
      chosen->set_level(spdlog::level::err);
      break;
    case Verbosity::normal:
      chosen->set_level(spdlog::level::info);
      break;
    case Verbosity::verbose:
      chosen->set_level(spdlog::level::debug);
      break;
  }
  current_logger() = std::move(chosen);
}

}  // namespace gwrm
