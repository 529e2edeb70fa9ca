// Many trials of something that must neither crash nor hang, each on its own damaged input. They run in a few processes
// of many trials each; a process that dies is a finding, and another goes on behind that trial.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>

namespace gwrm::hard_input {

struct TrialOptions {
  std::uint64_t seed = 1, first = 0, count = 1000;
  int jobs = 1;
  unsigned seconds = 60;  // of processor time for one trial; ten times as long by the clock
  std::string findings;   // folder for the inputs that failed and what was said about them; empty: not kept
  std::string inputs;     // the folder of the case files
  std::string program;    // the real gwrm, which takes every thousandth trial as well; empty: none
};

// PROGRAM INPUTS [--count N] [--first N] [--seed N] [--jobs N] [--seconds N] [--findings FOLDER] [--program GWRM];
// exits with 2 and `usage` for anything else.
TrialOptions parse_trial_options(int argc, char** argv, const char* usage);

struct Trial {
  std::uint64_t number = 0;
  std::string folder;  // of this process: for the input and whatever is written
  std::mt19937_64 random;

  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); }
};

struct TrialResult {
  int status = 0;         // the exit status that the program would have had
  std::string complaint;  // what is wrong; empty: nothing
};

// The same number of the same seed is the same trial. Prints the trials per exit status and the findings; returns the
// exit status for main: 0, or 1 with findings. stdout and stderr of the trials are not shown.
int run_trials(const TrialOptions& options, const std::function<TrialResult(Trial&)>& work);

std::string said_so_far();  // by this trial on stderr

// The most memory that this process, or a child that it has waited for, has had since the mark was set back; 0 under
// sanitizers, which have memory of their own.
void set_memory_mark_back();
std::size_t most_memory();

// Runs `work` in a process of its own, so that no thread of a library outlives it here; its exit status.
int in_child(const std::function<int()>& work);

}  // namespace gwrm::hard_input
