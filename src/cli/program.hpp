// The command line: parses it, runs one command, and turns every error into a message and an exit status.
#pragma once

#include "cli/command_line.hpp"
#include "problems/module.hpp"

namespace gwrm {
namespace cli {

// The part that all programs share: parses the arguments by what `app` declares, sets up the log, signals and threads,
// and carries out `command`, which may be set by parsing. Returns the exit status.
int parse_and_carry_out(CLI::App& app, int argc, char** argv, Options& options, const Command& command);

}  // namespace cli

int run_program(int argc, char** argv, const ProblemModules& modules);

}  // namespace gwrm
