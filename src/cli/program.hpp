// The command line: parses it, runs one command, and turns every error into a message and an exit status.
#pragma once

#include "problems/module.hpp"

namespace gwrm {

int run_program(int argc, char** argv, const ProblemModules& modules);

}  // namespace gwrm
