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

namespace gwrm {

int cli::parse_and_carry_out(CLI::App& app, int argc, char** argv, Options& options, const Command& command) {
  StandardOutput standard_output;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // CLI11's own codes are its own.
    return standard_output.finish(app.exit(error) == 0 ? 0 : static_cast<int>(ExitStatus::usage));
  }

  configure_log(options.verbosity);
  keep_hdf5_from_ending_the_process();
  keep_file_size_limit_from_ending();
  install_interrupt_handlers();
  for (const CLI::App* chosen : app.get_subcommands())
    for (const char* solving : {"run", "rerun", "converge", "sweep"})
      if (chosen->get_name() == solving) end_interrupted_runs_with_status(options.json);
  if (!options.more_threads_than_cores && options.threads > available_cores()) {
    logger().info("{} threads asked for, {} taken, one for each core; --more-threads-than-cores takes them all",
                  options.threads, available_cores());
    options.threads = available_cores();
  }
  return standard_output.finish(carry_out(command, options));
}

int run_program(int argc, char** argv, const ProblemModules& modules) {
  cli::Options options;
  options.modules = &modules;
  for (int i = 0; i < argc; ++i) options.command_line += (i > 0 ? " " : "") + std::string(i == 0 ? "gwrm" : argv[i]);

  CLI::App app{"gwrm: PDEs and ODEs written in YAML, solved by Chebyshev series in time, space and parameters", "gwrm"};
  cli::Command command;
  cli::declare_command_line(app, options, command);

  // CLI11 only says that a command is required; a misspelt one deserves its name and the nearest.
  std::vector<std::string> names;
  for (const CLI::App* known : app.get_subcommands(nullptr)) names.push_back(known->get_name());
  if (argc > 1 && argv[1][0] != '-' && std::find(names.begin(), names.end(), argv[1]) == names.end()) {
    const auto nearest = expression::nearest_names(argv[1], names);
    if (argv[1] == std::string("bench"))
      std::fprintf(stderr, "error: unknown command 'bench': the benchmarks are a program of their own, gwrm-bench\n");
    else
      std::fprintf(stderr, "error: unknown command '%s'%s%s; see gwrm --help\n", argv[1],
                   nearest.empty() ? "" : ", did you mean ", nearest.empty() ? "" : nearest.front().c_str());
    return static_cast<int>(ExitStatus::usage);
  }
  return cli::leave_together(cli::parse_and_carry_out(app, argc, argv, options, command));
}

}  // namespace gwrm
