#include "cli/written_names.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "core/errors.hpp"

namespace gwrm::cli {

void check_written_names(const std::vector<std::string>& written, const std::vector<std::string>& read) {
  std::error_code ignored;
  for (const std::string& name : written) {
    if (name == "-") throw OutputError("-: files cannot be written to the standard output; give a file name with -o");
    for (const std::string& input : read)
      if (!input.empty() && std::filesystem::equivalent(input, name, ignored))
        throw OutputError(fmt::format(
            "{}: this file is what the command reads, and would be written over; give another name with -o", name));
  }
}

}  // namespace gwrm::cli
