// Result files of all problem modules, small, of a sweep and of a convergence study, and the commands that read a
// result.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/options.hpp"

namespace gwrm::hard_input {

struct Original {
  std::string case_name;
  std::vector<std::string> sets;  // small, so that many trials take little time
  std::string expression, at;     // for eval
  std::vector<std::string> vary = {};
  ExitStatus (*command)(const cli::Options&) = cli::run_command;  // what made it; others take `vary`
  std::string bytes = {};
};

// Runs the cases; exits with 2 where one does not run.
std::vector<Original> make_originals(const std::string& inputs);

// eval (plain, JSON), export (csv, vtk, xdmf), rerun, diff (first, second file); the exit status. `sound`: an undamaged
// file for diff; what is written goes to `folder`.
inline constexpr std::size_t kCommands = 8;
int read_by(std::size_t command, const std::string& path, const std::string& sound, const Original& original,
            const std::string& folder);
inline bool compares(std::size_t command) {
  return command >= 6;
}

// 2: the case in the file, or an expression that it does not have; 6: diff found differences; 7: more memory than there
// is; 8: the file.
bool is_documented(int status, bool is_diff);

}  // namespace gwrm::hard_input
