#include "cli/command_line.hpp"

#include <CLI/CLI.hpp>
#include <iostream>

#include "cli/command_line_description.hpp"
#include "cli/completions.hpp"
#include "cli/manual_page.hpp"
#include "cli/transform_kinds.hpp"
#include "core/version.hpp"

namespace gwrm::cli {
namespace {

constexpr const char* kFile = "FILE";

// `-o -` leaves no place for the object of --json.
void refuse_two_outputs(const Options& options) {
  if (options.json && options.output == "-") throw CLI::ExcludesError("--json", "-o -");
}

void require_names_for_so_far(const Options& options) {
  if (options.so_far && (options.restart.empty() || options.output.empty()))
    throw CLI::RequiredError("--restart with a journal and -o with a name, for --so-far:");
}

// Where many runs are computed.
void add_places(CLI::App& command, Options& options) {
  command.add_option("--runs-per-device", options.runs_per_device, "runs beside one another on each GPU (default: 8)")
      ->check(CLI::Range(1, 64));
  command
      .add_option("--ranks-per-run", options.ranks_per_run,
                  "of those that mpirun or srun has started: so many have each run together")
      ->check(CLI::Range(1, 1000000));
}

void add_progress(CLI::App& command, Options& options) {
  command
      .add_option("--progress", options.progress,
                  "line (default), or json: every step as a line of JSON on stderr, for programs")
      ->check(CLI::IsMember({"line", "json"}));
}

void add_overrides(CLI::App& command, Options& options) {
  command.add_option("--set", options.sets, "override a key: --set resolution.degree.x=48 (repeatable)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_option("--backend", options.backend, "auto, cpu or cuda")->check(CLI::IsMember({"auto", "cpu", "cuda"}));
}

void add_case(CLI::App& command, Options& options, bool required = true) {
  command.add_option("case", options.case_path, "the case file (YAML); -: the standard input")
      ->type_name(kFile)
      ->required(required);
  add_overrides(command, options);
  command.add_flag("--manufactured", options.manufactured,
                   "change sources, initial and boundary data such that `exact` solves the case");
}

// What packages install. They are answers by themselves, as --help and --version are.
void add_own_description(CLI::App& app) {
  app.add_option_function<std::string>(
         "--completions",
         [&app](const std::string& shell) {
           std::cout << completions(describe(app), shell);
           throw CLI::Success();
         },
         "print what makes this shell complete commands and options: bash, zsh or fish")
      ->type_name("SHELL")
      ->check(CLI::IsMember(completion_shells()));
  app.add_flag_callback(
      "--manual-page",
      [&app] {
        std::cout << manual_page(describe(app));
        throw CLI::Success();
      },
      "print the manual page, for man");
}

}  // namespace

void add_common(CLI::App& command, Options& options) {
  command.add_flag("--json", options.json, "print one JSON object instead of text");
  command.add_flag(
      "-q,--quiet", [&](std::int64_t) { options.verbosity = Verbosity::quiet; },
      "errors only: no log, and no report of what was done");
  command.add_flag(
      "-v,--verbose", [&](std::int64_t) { options.verbosity = Verbosity::verbose; }, "more on the log");
  command.add_option("--threads", options.threads, "CPU threads (default and at most: one for each core)")
      ->check(CLI::Range(1, 4096));
  command.add_flag("--more-threads-than-cores", options.more_threads_than_cores,
                   "as many threads as --threads says, slow as they may be");
}

void declare_command_line(CLI::App& app, Options& options, Command& command) {
  app.set_version_flag("--version", version());
  add_own_description(app);
  app.require_subcommand(1);

  CLI::App* run = app.add_subcommand("run", "solve a case, verify the answer, write the HDF5 file");
  add_case(*run, options, false);
  add_common(*run, options);
  run->add_option("-o,--output", options.output,
                  "result file (default: output.file of the case); -: the standard output")
      ->type_name(kFile);
  run->add_flag("--overwrite", options.overwrite, "replace an existing result file");
  run->add_option("--restart", options.restart, "continue an interrupted run from its journal (NAME.journal)")
      ->type_name(kFile);
  run->add_flag("--so-far", options.so_far, "with --restart: a result of the windows that have ended, and no more");
  add_progress(*run, options);
  run->add_option("--solution", options.solution,
                  "judge this solution of the system that export --matrix has written: a PETSc vector or a "
                  "MatrixMarket array")
      ->type_name(kFile);
  run->callback([&] {
    refuse_two_outputs(options);
    if (!options.solution.empty() && !options.restart.empty()) throw CLI::ExcludesError("--solution", "--restart");
    if (options.case_path.empty() && options.restart.empty())
      throw CLI::RequiredError("a case file, or --restart with a journal,");
    require_names_for_so_far(options);
    command = run_command;
  });

  CLI::App* check = app.add_subcommand("check", "read a case and show what would be solved");
  add_case(*check, options);
  add_common(*check, options);
  check->add_flag("--latex", options.latex, "print the system in LaTeX, and nothing else");
  check->add_flag("--jacobian", options.jacobian, "compare the analytic Jacobian with differences at random fields");
  check->add_flag("--time", options.time, "estimate the time of a run, from coarser runs");
  check->callback([&] { command = check_command; });

  CLI::App* converge = app.add_subcommand("converge", "run a case at several resolutions; errors and observed rates");
  add_case(*converge, options);
  add_common(*converge, options);
  converge->add_option("--vary", options.vary, "what changes, in place of convergence.vary: x=8,12,16 (repeatable)")
      ->type_name("KEY=VALUES")
      ->allow_extra_args(false);
  converge->add_option("-o,--output", options.output, "study file; the table beside it ends in .csv")->type_name(kFile);
  converge->add_flag("--overwrite", options.overwrite, "replace existing files");
  add_places(*converge, options);
  add_progress(*converge, options);
  converge->callback([&] { command = converge_command; });

  CLI::App* sweep = app.add_subcommand("sweep", "run a case at many values of its keys; one result over all of them");
  add_case(*sweep, options, false);
  add_common(*sweep, options);
  sweep
      ->add_option(
          "--vary", options.vary,
          "what changes (repeatable): constants.nu=0.01,0.02 (a list), =0.01:1:20 (a range) or =0.01:1:20:log, "
          "=normal(8,0.1), uniform(a,b), lognormal(mu,sigma) (samples)")
      ->type_name("KEY=VALUES")
      ->allow_extra_args(false);
  sweep->add_option("--points", options.points_file, "a CSV file with a header of keys, or a YAML list of maps")
      ->type_name(kFile);
  sweep->add_option("--samples", options.samples, "how many samples of the distributions");
  sweep->add_option("--seed", options.seed, "of the samples (default: 1)");
  sweep->add_flag("--sobol", options.sobol, "samples of a Sobol sequence in place of random ones");
  sweep->add_option("-o,--output", options.output, "result file (default: NAME_sweep.h5)")->type_name(kFile);
  sweep->add_flag("--overwrite", options.overwrite, "replace an existing result");
  add_places(*sweep, options);
  sweep->add_option("--keep", options.keep, "runs: each run's own result file too, in NAME_runs")
      ->check(CLI::IsMember({"runs"}));
  sweep->add_option("--restart", options.restart, "continue an interrupted sweep from its journal (NAME.journal)")
      ->type_name(kFile);
  sweep->add_flag("--so-far", options.so_far, "with --restart: a result of the runs that have ended, and no more runs");
  add_progress(*sweep, options);
  sweep->callback([&] {
    if (options.case_path.empty() && options.restart.empty())
      throw CLI::RequiredError("a case file, or --restart with a journal,");
    require_names_for_so_far(options);
    command = sweep_command;
  });

  CLI::App* eval = app.add_subcommand("eval", "evaluate an expression of a result anywhere");
  eval->add_option("file", options.file, "a result file of gwrm run")->type_name(kFile)->required();
  eval->add_option("--at", options.at, "points: t=0.3,x=0:1:101 (a value, or first:last:count)");
  eval->add_option("--expr", options.expressions, "expression of the unknowns (repeatable)")
      ->required()
      ->allow_extra_args(false);
  eval->add_option("--points", options.points_file,
                   "scattered points: an HDF5 file with a dataset, or a CSV file with a column, for each dimension")
      ->type_name(kFile);
  eval->add_option("-o,--output", options.output, "with --points: an HDF5 file for the values (default: CSV on stdout)")
      ->type_name(kFile);
  eval->add_option("--backend", options.backend, "with --points: cpu (default) or cuda")
      ->check(CLI::IsMember({"cpu", "cuda"}));
  eval->add_flag("--overwrite", options.overwrite, "replace an existing file");
  eval->add_flag("--csv", options.csv, "lines of CSV in place of columns");
  eval->add_flag("--error", options.error, "the estimated error behind each value (of a run with output: {error: on})");
  add_common(*eval, options);
  eval->callback([&] {
    if (options.csv && options.json) throw CLI::ExcludesError("--csv", "--json");
    if (options.csv && !options.output.empty()) throw CLI::ExcludesError("--csv", "-o");
    if (options.points_file.empty() && !options.output.empty()) throw CLI::RequiredError("--points, for -o:");
    if (options.points_file.empty() && !options.backend.empty()) throw CLI::RequiredError("--points, for --backend:");
    command = eval_command;
  });

  CLI::App* exporting = app.add_subcommand(
      "export", "write a result for ParaView, VisIt or a spreadsheet; with --matrix a case's linear system for PETSc");
  exporting->add_option("file", options.file, "a result file of gwrm run; with --matrix a case file (YAML)")
      ->type_name(kFile)
      ->required();
  exporting->add_option("--format", options.format, "xdmf (default), vtk or csv")
      ->check(CLI::IsMember({"xdmf", "vtk", "csv"}));
  exporting->add_option("--at", options.at, "parameters, each at its nearest sample: nu=0.05 (default: the middle)");
  exporting->add_option("-o,--output", options.output, "name of the files, with or without ending")->type_name(kFile);
  exporting->add_flag("--overwrite", options.overwrite, "replace existing files");
  exporting
      ->add_option("--matrix", options.matrix,
                   "the linear system A x = b of a case: petsc or matrixmarket (docs/export.md)")
      ->check(CLI::IsMember({"petsc", "matrixmarket"}));
  exporting->add_option("--set", options.sets, "with --matrix: override a key (repeatable)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  exporting->add_flag("--manufactured", options.manufactured,
                      "with --matrix: change sources, initial and boundary data such that `exact` solves the case");
  add_common(*exporting, options);
  exporting->callback([&, exporting] {
    if (options.matrix.empty()) {
      for (const char* name : {"--set", "--manufactured"})
        if (exporting->count(name) > 0) throw CLI::RequiredError(std::string("--matrix, for ") + name + ":");
      command = export_command;
      return;
    }
    for (const char* name : {"--format", "--at"})
      if (exporting->count(name) > 0) throw CLI::ExcludesError("--matrix", name);
    options.case_path = options.file;
    command = export_matrix_command;
  });

  CLI::App* rerun = app.add_subcommand("rerun", "run the case that is stored in a result file again");
  rerun->add_option("file", options.file, "a result file of gwrm run")->type_name(kFile)->required();
  add_overrides(*rerun, options);
  add_common(*rerun, options);
  rerun
      ->add_option("-o,--output", options.output,
                   "result file (default: NAME_rerun.h5 beside the file); -: the standard output")
      ->type_name(kFile);
  rerun->add_flag("--overwrite", options.overwrite, "replace an existing result file");
  add_progress(*rerun, options);
  rerun->callback([&] {
    refuse_two_outputs(options);
    command = rerun_command;
  });

  CLI::App* diff = app.add_subcommand("diff", "compare two result files: settings, builds, fields, verification");
  diff->add_option("file", options.file, "a result file of gwrm run")->type_name(kFile)->required();
  diff->add_option("other", options.second_file, "another one")->type_name(kFile)->required();
  diff->add_option("--tolerance", options.tolerance, "fields agree within this, relative (default: 1e-12)")
      ->check(CLI::NonNegativeNumber);
  add_common(*diff, options);
  diff->callback([&] { command = diff_command; });

  CLI::App* transform = app.add_subcommand(
      "transform", "arrays of a file to coefficients of a series, or back (docs/spectral-transforms.md)");
  transform->add_option("file", options.file, "an HDF5 file with the array")->type_name(kFile)->required();
  transform->add_option("other", options.second_file, "the file to write")->type_name(kFile)->required();
  transform->add_option("--kind", options.kind, transform_kind_names(", "))
      ->required()
      ->check(CLI::IsMember(transform_kind_list()));
  transform->add_flag("--inverse", options.inverse, "coefficients to values");
  transform->add_option("--dataset", options.dataset, "name of the array; real and imaginary parts: NAME_re, NAME_im")
      ->required();
  transform->add_option(
      "--degree", options.degree,
      "l=1023 (spherical), n=63 (chebyshev), x=15,y=15 (fourier_nonuniform; default of the others: the "
      "highest that the data carry)");
  transform->add_option("--grid", options.grid,
                        "with --inverse: numbers of points, theta=1024,phi=2048 or n=64 (default: the least)");
  transform->add_option("--points", options.points_file,
                        "fourier_nonuniform: the datasets with the coordinates of the points: x,y (angles)");
  transform->add_option("--tolerance", options.tolerance, "fourier_nonuniform: relative error (default: 1e-12)")
      ->check(CLI::Range(1e-14, 1e-1));
  transform->add_flag("--overwrite", options.overwrite, "replace an existing file");
  add_common(*transform, options);
  transform->callback([&] { command = transform_command; });

  CLI::App* plot = app.add_subcommand("plot", "draw a result file, or make a film or a page of it (--help: all kinds)");
  plot->set_help_flag();  // the Python package answers for itself
  plot->prefix_command();
  plot->callback([&, plot] {
    options.plot_arguments = plot->remaining();
    command = plot_command;
  });

  CLI::App* serve = app.add_subcommand("serve", "edit, solve and look at a case in the browser, on this machine alone");
  serve->add_option("case", options.case_path, "the case file (YAML)")->type_name(kFile)->required();
  serve->add_option("--port", options.port, "of 127.0.0.1 (default: any that is free)")->check(CLI::Range(1, 65535));
  serve->add_flag("--browser", options.browser, "open the page in the browser");
  serve->add_option("--threads", options.threads, "CPU threads of a run (default and at most: one for each core)")
      ->check(CLI::Range(1, 4096));
  serve->add_option("--backend", options.backend, "auto, cpu or cuda")->check(CLI::IsMember({"auto", "cpu", "cuda"}));
  serve->callback([&] { command = serve_command; });

  CLI::App* info = app.add_subcommand("info", "this build, its libraries and devices");
  add_common(*info, options);
  info->callback([&] { command = info_command; });

  CLI::App* schema = app.add_subcommand("schema", "JSON Schema of the case file, for editors");
  add_common(*schema, options);
  schema->callback([&] { command = schema_command; });
}

}  // namespace gwrm::cli
