// gwrm transform: an array of a file to coefficients of a series, or back.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/options.hpp"
#include "cli/transform_kinds.hpp"
#include "cli/written_names.hpp"
#include "core/threads.hpp"
#include "output/hdf5_file.hpp"

namespace gwrm::cli {
namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// l=1023 or theta=512,phi=1024
std::map<std::string, Index> numbers(const std::string& text, const char* option, Index least) {
  std::map<std::string, Index> result;
  for (const std::string& part : split(text)) {
    const std::size_t equals = part.find('=');
    const std::string digits = equals == std::string::npos ? "" : part.substr(equals + 1);
    const bool is_number = !digits.empty() && digits.size() <= 9 &&
                           std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (equals == std::string::npos || equals == 0 || !is_number || std::stol(digits) < least)
      throw CaseError(fmt::format("{}: error: '{}': expected NAME=NUMBER, as l=1023, with a whole number of {} or more",
                                  option, part, least));
    result[part.substr(0, equals)] = std::stol(digits);
  }
  return result;
}

}  // namespace

ExitStatus transform_command(const Options& options) {
  check_written_names({options.second_file}, {options.file});
  check_output_path(options.second_file, options.overwrite);
  const auto kind = std::find_if(transform_kinds().begin(), transform_kinds().end(),
                                 [&](const TransformKind& one) { return one.name == options.kind; });
  const TransformRequest request{options.file,
                                 options.dataset,
                                 options.inverse,
                                 numbers(options.degree, "--degree", 0),
                                 numbers(options.grid, "--grid", 1),
                                 split(options.points_file),
                                 options.tolerance,
                                 options.threads > 0 ? options.threads : available_cores()};
  set_loop_threads(request.n_threads);
  TransformResult result;
  try {
    result = options.inverse ? kind->inverse(request) : kind->forward(request);
  } catch (const ShapeError& error) {  // too few points, a degree beyond the limit: what a user can mend
    throw CaseError(fmt::format("{}: error: dataset {}: {}", options.file, options.dataset, error.what()));
  }
  ArrayFile file{fmt::format("{} of {}", options.inverse ? "values" : "coefficients", options.dataset),
                 options.command_line,
                 {{"kind", options.kind}, {"normalisation", result.normalisation}},
                 std::move(result.scales),
                 std::move(result.arrays)};
  write_arrays(options.second_file, file, options.overwrite);
  if (options.json) {
    nlohmann::ordered_json report{{"exit_status", 0},      {"file", options.second_file},
                                  {"kind", options.kind},  {"inverse", options.inverse},
                                  {"error", result.error}, {"error_of", result.error_of}};
    if (result.residual) report["residual"] = *result.residual;
    for (const auto& [dimension, points] : result.points) report["points"][dimension] = points;
    std::cout << report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    return ExitStatus::converged;
  }
  if (options.verbosity == Verbosity::quiet) return ExitStatus::converged;
  std::cout << fmt::format("wrote {}", options.second_file);
  for (const WrittenArray& array : file.arrays) std::cout << " " << array.name;
  std::cout << fmt::format("; {}: {:.2g}", result.error_of, result.error);
  if (result.residual) std::cout << fmt::format("; residual of the data: {:.2g}", *result.residual);
  std::cout << "\n";
  for (const std::string& remark : result.remarks) std::cout << remark << "\n";
  return ExitStatus::converged;
}

}  // namespace gwrm::cli
