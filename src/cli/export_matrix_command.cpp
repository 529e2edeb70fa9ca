// gwrm export CASE --matrix: the linear system of a case for another program, which `gwrm run --solution` reads back.
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "api/run_steps.hpp"
#include "cli/options.hpp"
#include "cli/written_names.hpp"
#include "core/counted.hpp"
#include "output/linear_system.hpp"

namespace gwrm::cli {
namespace {

// Of the files written: -o without ending, else that of the case's result.
std::string stem(const Options& options, const Case& the_case) {
  const std::filesystem::path path(options.output.empty() ? the_case.output.file : options.output);
  const std::string extension = path.extension().string();
  const bool is_ending = options.output.empty() || extension == ".petsc" || extension == ".mtx";
  return is_ending ? std::filesystem::path(path).replace_extension().string() : path.string();
}

std::string properties(const LinearSystem& system) {
  if (!system.symmetric) return "not symmetric";
  if (system.constants_in_kernel) return "symmetric positive semidefinite with the constants as kernel";
  return system.positive_definite ? "symmetric positive definite" : "symmetric, perhaps indefinite";
}

}  // namespace

ExitStatus export_matrix_command(const Options& options) {
  const Case the_case = load_case(options);
  const SystemFormat format = options.matrix == "petsc" ? SystemFormat::petsc : SystemFormat::matrix_market;
  const std::string name = stem(options, the_case);
  const SystemFiles wanted = system_file_names(name, format);
  check_written_names({wanted.matrix, wanted.right_hand_side, wanted.map}, {options.case_path});
  for (const std::string& file : {wanted.matrix, wanted.right_hand_side, wanted.map})
    try_output_path(file, options.overwrite);
  const auto problem = options.modules->make(the_case);
  refuse_without_system(the_case, *problem);
  const Context context = context_for(problem->summary(), BackendChoice::cpu, options.threads);
  const LinearSystem system = problem->linear_system(context);
  const SystemFiles files = write_linear_system(system, the_case.title, name, format, options.overwrite);
  const std::int64_t n_entries = system.a.row_start.back();
  if (options.json) {
    std::cout << nlohmann::ordered_json{{"exit_status", 0},
                                        {"files", {files.matrix, files.right_hand_side, files.map}},
                                        {"n_unknowns", system.a.n},
                                        {"n_entries", n_entries},
                                        {"symmetric", system.symmetric},
                                        {"positive_definite", system.positive_definite}}
                     .dump(2, ' ', false, nlohmann::json::error_handler_t::replace)
              << "\n";
    return ExitStatus::converged;
  }
  if (options.verbosity == Verbosity::quiet) return ExitStatus::converged;
  std::cout << fmt::format("{}, {} entries, {}\nwrote {}, {}, {}\n", counted(system.a.n, "unknown"), n_entries,
                           properties(system), files.matrix, files.right_hand_side, files.map);
  return ExitStatus::converged;
}

}  // namespace gwrm::cli
