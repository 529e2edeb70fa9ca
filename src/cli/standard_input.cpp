#include "cli/standard_input.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "case/case_reader.hpp"
#include "case/yaml_source.hpp"
#include "core/log.hpp"

namespace gwrm::cli {
namespace {

constexpr const char* kName = "<stdin>";

bool is_standard_input(const Options& options) {
  return options.case_path == "-";
}

std::string read_standard_input() {
  if (isatty(STDIN_FILENO) != 0) logger().info("the case is read from this terminal: end it with Ctrl-D");
  // One byte more than allowed is enough to see that it is too much.
  std::string text(casefile::kMaxFileBytes + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), stdin));
  if (std::ferror(stdin) != 0)
    throw CaseError(std::string(kName) +
                    ": error: cannot read the case from the standard input: " + std::strerror(errno));
  return text;
}

}  // namespace

std::string case_text(const Options& options) {
  if (!is_standard_input(options)) return read_case_file(options.case_path);
  static const std::string text = read_standard_input();
  return text;
}

std::string case_name(const Options& options) {
  return is_standard_input(options) ? kName : options.case_path;
}

}  // namespace gwrm::cli
