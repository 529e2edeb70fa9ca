#include "core/log.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <unistd.h>

#include <cstdlib>

namespace gwrm {

void configure_log(Verbosity verbosity) {
  const char* no_color = std::getenv("NO_COLOR");
  const bool color = isatty(STDERR_FILENO) != 0 && (no_color == nullptr || *no_color == '\0');
  auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>(color ? spdlog::color_mode::always
                                                                          : spdlog::color_mode::never);
  auto logger = std::make_shared<spdlog::logger>("gwrm", sink);
  logger->set_pattern("%^%l%$: %v");
  switch (verbosity) {
    case Verbosity::quiet:
      logger->set_level(spdlog::level::err);
      break;
    case Verbosity::normal:
      logger->set_level(spdlog::level::info);
      break;
    case Verbosity::verbose:
      logger->set_level(spdlog::level::debug);
      break;
  }
  spdlog::set_default_logger(logger);
}

}  // namespace gwrm
