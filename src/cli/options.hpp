// What the command line says, as plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/context.hpp"
#include "core/errors.hpp"
#include "core/log.hpp"
#include "problems/registry.hpp"

namespace gwrm::cli {

struct Options {
  const ProblemModules* modules = &problem_modules();  // what this program solves
  std::string case_path;                               // run, check
  std::string file;                                    // eval, export, rerun, diff: the result file
  std::string second_file;                             // diff
  std::string format = "xdmf";                         // export: xdmf, vtk, csv
  double tolerance = 1e-12;                            // diff, transform: relative
  std::vector<std::string> sets;                       // --set a.b=v
  std::string backend;                                 // --backend auto|cpu|cuda; empty: the case's
  int threads = 0;                                     // 0: all
  int runs_per_device = 0;                             // sweep, converge: at one time on each; 0: as is usual
  int ranks_per_run = 0;  // the same: that have each run together; 0: each rank has its own
  bool more_threads_than_cores = false;
  std::string output;  // -o; empty: the case's
  bool overwrite = false;
  std::string matrix;    // export: --matrix petsc, matrixmarket: of a case; empty: a result
  std::string solution;  // run: a vector that another program has found; empty: the system is solved
  std::string restart;   // run, sweep: the journal of an interrupted one; empty: from the start
  bool json = false;
  Verbosity verbosity = Verbosity::normal;
  std::string progress = "line";            // run, rerun, converge, sweep: line or json
  std::string at;                           // eval: t=0.3,x=0:1:101; export: nu=0.05
  std::vector<std::string> expressions;     // eval: --expr
  bool csv = false;                         // eval: lines of CSV
  bool error = false;                       // eval: the estimated error beside each value
  std::vector<std::string> plot_arguments;  // plot: all of them
  int port = 0;                             // serve: 0: any that is free
  bool browser = false;                     // serve: open the page in it
  std::vector<std::string> vary;            // converge: --vary x=8,12,16; none: the case's own. sweep: KEY=VALUES
  std::string points_file;                  // sweep, eval: --points; transform: names of datasets; empty: none
  std::size_t samples = 0;                  // sweep: of distributions
  std::uint64_t seed = 1;                   // sweep: of their samples
  bool sobol = false;                       // sweep: a Sobol sequence in place of random numbers
  std::string keep;                         // sweep: "runs": each run's own file, too; empty: no
  bool so_far = false;                      // run, sweep --restart: a result of what has ended, and no more of it
  bool latex = false;                       // check: the system in LaTeX alone
  bool jacobian = false;                    // check: against differences
  bool time = false;                        // check: an estimate of the run's time, from coarser runs
  bool manufactured = false;                // run, check, converge: data made from `exact`
  std::string kind;                         // transform: --kind
  bool inverse = false;                     // transform: coefficients to values
  std::string dataset;                      // transform: --dataset
  std::string degree;                       // transform: --degree l=1023; empty: what the data carry
  std::string grid;                         // transform --inverse: --grid theta=512,phi=1024; empty: the least
  std::string command_line;                 // for the history attribute
};

// The commands: results go to stdout, everything else to the log. They throw the errors of core/errors.hpp.
ExitStatus run_command(const Options& options);
ExitStatus check_command(const Options& options);
ExitStatus converge_command(const Options& options);
ExitStatus sweep_command(const Options& options);
ExitStatus eval_command(const Options& options);
ExitStatus export_command(const Options& options);
ExitStatus export_matrix_command(const Options& options);
ExitStatus rerun_command(const Options& options);
ExitStatus transform_command(const Options& options);
ExitStatus diff_command(const Options& options);
ExitStatus plot_command(const Options& options);   // returns only by throwing
ExitStatus serve_command(const Options& options);  // the same
ExitStatus info_command(const Options& options);
ExitStatus schema_command(const Options& options);

// Runs a command: its exit status, whatever it throws. An error becomes a message on stderr, with --json also an object
// on stdout.
int carry_out(const std::function<ExitStatus(const Options&)>& command, const Options& options);

// Reads the case with the command line's overrides applied, then `more`; manufactured where asked for.
Case load_case(const Options& options, const std::vector<Override>& more = {});
BackendChoice backend_choice(const Options& options, const Case& the_case);

// The one JSON object that a failing command prints with --json; of a mistake in a text, with its place.
void print_json_failure(ExitStatus status, const std::string& message, const ErrorPlace& place = {});

}  // namespace gwrm::cli
