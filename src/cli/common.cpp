#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/options.hpp"
#include "cli/standard_input.hpp"
#include "core/last_resort.hpp"
#include "core/printable.hpp"
#include "problems/convergence/manufactured.hpp"

namespace gwrm::cli {
namespace {

int report_failure(const Options& options, ExitStatus status, const std::string& message,
                   const ErrorPlace& place = {}) {
  // A message with a position of its own already says "error:".
  std::fprintf(stderr, message.find(": error: ") == std::string::npos ? "error: %s\n" : "%s\n",
               printable(message).c_str());
  if (options.json) print_json_failure(status, message, place);
  return static_cast<int>(status);
}

}  // namespace

int carry_out(const std::function<ExitStatus(const Options&)>& command, const Options& options) {
  try {
    return static_cast<int>(command(options));
  } catch (const Error& error) {
    return report_failure(options, error.status(), error.what(), error.place());
  } catch (const std::bad_alloc&) {
    return report_failure(options, ExitStatus::resources, kOutOfMemory);
  } catch (const std::exception& error) {
    if (is_want_of_memory(error))
      return report_failure(options, ExitStatus::resources,
                            std::string("not enough memory or threads: ") + error.what());
    return report_failure(options, ExitStatus::internal_error, std::string("internal error: ") + error.what());
  }
}

Case load_case(const Options& options, const std::vector<Override>& more) {
  std::vector<Override> overrides;
  for (const std::string& set : options.sets) overrides.push_back(parse_override(set));
  overrides.insert(overrides.end(), more.begin(), more.end());
  const Case the_case = read_case_text(options.modules->format(), case_text(options), case_name(options), overrides);
  return options.manufactured ? manufactured(*options.modules, the_case) : the_case;
}

BackendChoice backend_choice(const Options& options, const Case& the_case) {
  if (options.backend == "auto") return BackendChoice::automatic;
  if (options.backend == "cpu") return BackendChoice::cpu;
  if (options.backend == "cuda") return BackendChoice::cuda;
  return the_case.backend;
}

void print_json_failure(ExitStatus status, const std::string& message, const ErrorPlace& place) {
  nlohmann::json object = {{"exit_status", static_cast<int>(status)}, {"error", message}};
  if (place.line > 0) {
    object["file"] = place.file;
    object["line"] = place.line;
    object["column"] = place.column;
    object["message"] = place.message;
  }
  // Messages may quote a damaged file: bytes that are no UTF-8 are replaced.
  std::cout << object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
}

}  // namespace gwrm::cli
