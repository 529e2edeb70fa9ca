// Scripts that make a shell complete the commands, options and words of the command line.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line_description.hpp"

namespace gwrm::cli {

std::vector<std::string> completion_shells();  // bash, zsh, fish

// The script for one of these shells, to be sourced (bash: a file of its own name in
// share/bash-completion/completions; zsh: as _gwrm in a folder of fpath; fish: in vendor_completions.d).
std::string completions(const CommandLineDescription& line, const std::string& shell);

}  // namespace gwrm::cli
