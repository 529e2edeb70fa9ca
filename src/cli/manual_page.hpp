// The manual page, gwrm(1), in the language of troff's package man.
#pragma once

#include <string>

#include "cli/command_line_description.hpp"

namespace gwrm::cli {

// Options that all commands have alike stand once, behind the commands.
std::string manual_page(const CommandLineDescription& line);

}  // namespace gwrm::cli
