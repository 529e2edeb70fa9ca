// The command line as it is declared to CLI11: what program.cpp parses, what --help, the completions and the manual
// page say.
#pragma once

#include <functional>

#include "cli/options.hpp"

namespace CLI {
class App;
}

namespace gwrm::cli {

using Command = std::function<ExitStatus(const Options&)>;

// The options that all commands have: --json, -q, -v, --threads, --more-threads-than-cores.
void add_common(CLI::App& command, Options& options);

// `options` and `command` are filled by parsing: what the command line says, and the command to call with it.
void declare_command_line(CLI::App& app, Options& options, Command& command);

}  // namespace gwrm::cli
