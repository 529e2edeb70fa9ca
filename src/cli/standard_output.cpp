#include "cli/standard_output.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string_view>

#include "core/errors.hpp"
#include "core/last_resort.hpp"
#include "core/printable.hpp"

namespace gwrm::cli {
namespace {

constexpr std::size_t kEnough = std::size_t{1} << 14;

}  // namespace

StandardOutput::StandardOutput() : before_(std::cout.rdbuf(this)), line_by_line_(isatty(STDOUT_FILENO) != 0) {
  // A stream keeps what its buffer throws to itself, and drops all that comes after: here it comes out.
  std::cout.exceptions(std::ios::badbit);
}

StandardOutput::~StandardOutput() {
  write_out();
  std::cout.exceptions(std::ios::goodbit);
  std::cout.rdbuf(before_);
}

StandardOutput::int_type StandardOutput::overflow(int_type character) {
  if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
  const char c = traits_type::to_char_type(character);
  take({&c, 1});
  return character;
}

std::streamsize StandardOutput::xsputn(const char* text, std::streamsize size) {
  take({text, static_cast<std::size_t>(size)});
  return size;
}

int StandardOutput::sync() {
  write_out();
  return 0;  // an error is for finish()
}

// Whole lines are written, so that no character of several bytes is cut.
void StandardOutput::take(std::string_view text) {
  waiting_ += text;
  const bool is_due = waiting_.size() > kEnough || (line_by_line_ && text.find('\n') != text.npos);
  if (!is_due) return;
  const std::size_t end = waiting_.rfind('\n');
  if (end == std::string::npos) return;
  std::string rest = waiting_.substr(end + 1);
  waiting_.resize(end + 1);
  write_out();
  waiting_ = std::move(rest);
}

void StandardOutput::write_out() {
  const std::string text = printable(waiting_);
  waiting_.clear();
  if (error_ != 0 || text.empty()) return;
  last_resort_in_json(false);
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    error_ = errno != 0 ? errno : EIO;
}

int StandardOutput::finish(int status) {
  write_out();
  if (error_ != 0)
    std::fprintf(stderr, "error: the standard output could not be written: %s; some of it is missing\n",
                 std::strerror(error_));
  const bool complete = error_ == 0 && std::fflush(stderr) == 0 && std::ferror(stderr) == 0;
  return complete || status != 0 ? status : static_cast<int>(ExitStatus::output);
}

}  // namespace gwrm::cli
