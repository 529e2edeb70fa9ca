// gwrm export: a result file for other programs.
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/options.hpp"
#include "cli/written_names.hpp"
#include "expression/parser.hpp"
#include "output/export.hpp"

namespace gwrm::cli {
namespace {

// --at nu=0.05,a=1
std::vector<std::pair<std::string, double>> parameters(const std::string& text) {
  std::vector<std::pair<std::string, double>> result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos || equals == 0)
      throw_case_error(SourceText::from_argument(text, "--at"), begin, "expected NAME=VALUE, as nu=0.05");
    result.emplace_back(part.substr(0, equals),
                        expression::evaluate_number(SourceText::from_argument(part.substr(equals + 1), "--at"), {}));
    begin = end + 1;
  }
  return result;
}

std::string stem(const Options& options) {
  if (options.output.empty()) return std::filesystem::path(options.file).replace_extension().string();
  const std::filesystem::path path(options.output);
  const std::string extension = path.extension().string();
  const bool is_format = extension == ".xdmf" || extension == ".pvd" || extension == ".csv";
  return is_format ? std::filesystem::path(path).replace_extension().string() : options.output;
}

}  // namespace

ExitStatus export_command(const Options& options) {
  const ExportRequest request{options.file, stem(options), parameters(options.at), options.overwrite};
  check_written_names({options.output, request.stem + ".xdmf", request.stem + ".pvd", request.stem + ".csv",
                       request.stem + "_points.h5"},
                      {options.file});
  const ExportResult result = options.format == "csv"   ? export_csv(request)
                              : options.format == "vtk" ? export_vtk(request)
                                                        : export_xdmf(request);
  for (const std::string& note : result.notes) logger().info("{}", note);
  if (options.json) {
    std::cout << nlohmann::ordered_json{{"exit_status", 0}, {"files", result.files}, {"notes", result.notes}}.dump(
                     2, ' ', false, nlohmann::json::error_handler_t::replace)
              << "\n";
    return ExitStatus::converged;
  }
  if (options.verbosity == Verbosity::quiet) return ExitStatus::converged;
  std::cout << "wrote " << result.files.front();
  if (result.files.size() > 1) std::cout << fmt::format(" and {} more", result.files.size() - 1);
  std::cout << "\n";
  return ExitStatus::converged;
}

}  // namespace gwrm::cli
