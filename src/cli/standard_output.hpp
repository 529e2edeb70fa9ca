// What the commands write to std::cout: printable, and checked.
#pragma once

#include <streambuf>
#include <string>

namespace gwrm::cli {

// While it lives std::cout writes through it: control characters of file contents never reach the terminal
// (core/printable.hpp), and what could not be written is known at the end. A terminal gets every line at once.
class StandardOutput : public std::streambuf {
 public:
  StandardOutput();
  ~StandardOutput() override;
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;

  // Writes what is left. The exit status of the program: 8 where it would be 0 and stdout or stderr did not take
  // everything (a full disk).
  int finish(int status);

 protected:
  int_type overflow(int_type character) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;

 private:
  void take(std::string_view text);
  void write_out();

  std::streambuf* before_;
  std::string waiting_;  // less than a line, or than kEnough bytes
  bool line_by_line_;
  int error_ = 0;  // the system's number of the first failure
};

}  // namespace gwrm::cli
