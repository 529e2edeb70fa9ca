#include "core/log.hpp"

#include <fmt/format.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "core/printable.hpp"

namespace gwrm {
namespace {

// Our own, not spdlog's default one: that belongs to the program.
std::shared_ptr<spdlog::logger> silent_logger() {
  auto silent = std::make_shared<spdlog::logger>("gwrm");
  silent->set_level(spdlog::level::off);
  return silent;
}

// On a terminal a message takes the place of the line that shows the progress.
constexpr const char* kFromItsBegin = "\r\033[K";

std::shared_ptr<spdlog::logger>& current_logger() {
  static std::shared_ptr<spdlog::logger> current = silent_logger();
  return current;
}

// Of a warning that is told while a run goes on and stands in its report, too, which is told at its end; or that each
// run of a sweep has. No more are remembered than anybody reads.
class ToldWarnings {
 public:
  bool is_new(const std::string& warning) {
    const std::lock_guard lock(mutex_);
    if (told_.size() >= kRemembered) return told_.count(warning) == 0;
    return told_.insert(warning).second;
  }
  void forget() {
    const std::lock_guard lock(mutex_);
    told_.clear();
  }

 private:
  static constexpr std::size_t kRemembered = 1000;
  std::mutex mutex_;
  std::set<std::string> told_;
};

ToldWarnings& told_warnings() {
  static ToldWarnings told;
  return told;
}

// Messages may quote a file.
class PrintablePayload : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& into) override {
    const std::string text = printable({message.payload.data(), message.payload.size()});
    into.append(text.data(), text.data() + text.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override { return std::make_unique<PrintablePayload>(); }
};

}  // namespace

void Logger::write(Level level, fmt::string_view text, fmt::format_args values) noexcept {
  constexpr spdlog::level::level_enum kLevels[] = {spdlog::level::debug, spdlog::level::info, spdlog::level::warn,
                                                   spdlog::level::err};
  try {
    spdlog::logger& current = *current_logger();
    const spdlog::level::level_enum chosen = kLevels[static_cast<int>(level)];
    if (!current.should_log(chosen)) return;
    const std::string line = fmt::vformat(text, values);
    if (level != Level::warning || told_warnings().is_new(line)) current.log(chosen, line);
  } catch (...) {  // no memory, say: what it is about goes on
  }
}

void configure_log(Verbosity verbosity) {
  const char* no_color = std::getenv("NO_COLOR");
  const bool on_terminal = isatty(STDERR_FILENO) != 0;
  const bool color = on_terminal && (no_color == nullptr || *no_color == '\0');
  auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>(color ? spdlog::color_mode::always
                                                                          : spdlog::color_mode::never);
  auto chosen = std::make_shared<spdlog::logger>("gwrm", sink);
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<PrintablePayload>('*').set_pattern(std::string(on_terminal ? kFromItsBegin : "") + "%^%l%$: %*");
  chosen->set_formatter(std::move(formatter));
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
  told_warnings().forget();
}

}  // namespace gwrm
