#include "cli/program.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/launched_team.hpp"
#include "cli/options.hpp"
#include "cli/standard_output.hpp"
#include "core/log.hpp"
#include "core/threads.hpp"
#include "core/version.hpp"
#include "expression/parser.hpp"
#include "output/hdf5_at_exit.hpp"

namespace {

using gwrm::ExitStatus;
using gwrm::cli::Options;

}  // namespace

namespace gwrm {

int run_program(int argc, char** argv, const ProblemModules& modules) {
  gwrm::cli::StandardOutput standard_output;
  Options options;
  options.modules = &modules;
  for (int i = 0; i < argc; ++i) options.command_line += (i > 0 ? " " : "") + std::string(i == 0 ? "gwrm" : argv[i]);

  CLI::App app{"gwrm: PDEs and ODEs written in YAML, solved by Chebyshev series in time, space and parameters", "gwrm"};
  gwrm::cli::Command command;
  gwrm::cli::declare_command_line(app, options, command);

  // CLI11 only says that a command is required; a misspelt one deserves its name and the nearest.
  std::vector<std::string> names;
  for (const CLI::App* known : app.get_subcommands(nullptr)) names.push_back(known->get_name());
  if (argc > 1 && argv[1][0] != '-' && std::find(names.begin(), names.end(), argv[1]) == names.end()) {
    const auto nearest = gwrm::expression::nearest_names(argv[1], names);
    std::fprintf(stderr, "error: unknown command '%s'%s%s; see gwrm --help\n", argv[1],
                 nearest.empty() ? "" : ", did you mean ", nearest.empty() ? "" : nearest.front().c_str());
    return static_cast<int>(ExitStatus::usage);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // CLI11's own codes are its own.
    return standard_output.finish(app.exit(error) == 0 ? 0 : static_cast<int>(ExitStatus::usage));
  }

  gwrm::configure_log(options.verbosity);
  gwrm::keep_hdf5_from_ending_the_process();
  gwrm::cli::keep_file_size_limit_from_ending();
  gwrm::cli::install_interrupt_handlers();
  for (const char* solving : {"run", "rerun", "converge", "sweep"})
    if (app.got_subcommand(solving)) gwrm::cli::end_interrupted_runs_with_status(options.json);
  if (!options.more_threads_than_cores && options.threads > available_cores()) {
    logger().info("{} threads asked for, {} taken, one for each core; --more-threads-than-cores takes them all",
                  options.threads, available_cores());
    options.threads = available_cores();
  }
  return gwrm::cli::leave_together(standard_output.finish(gwrm::cli::carry_out(command, options)));
}

}  // namespace gwrm
