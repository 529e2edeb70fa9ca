#include "case/case_reader.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "case/overrides.hpp"
#include "case/resolved_text.hpp"
#include "case/sections.hpp"
#include "case/shape.hpp"
#include "case/values.hpp"

namespace gwrm {
namespace {

std::string read_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw CaseError(path + ": error: this is a directory, expected a case file");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw CaseError(path + ": error: cannot open the case file: " + std::strerror(errno));
  // One byte more than allowed is enough to see that the file is too large.
  std::string text(casefile::kMaxFileBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) throw CaseError(path + ": error: cannot read the case file: " + std::strerror(errno));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

}  // namespace

Case read_case_text(const std::string& text, const std::string& name, const std::vector<Override>& overrides) {
  using namespace casefile;
  YamlNode root = parse_yaml(make_source(text, name, false));
  if (root.is_null()) {
    const std::string what = "the case file is empty";
    throw CaseError(name + ":1: error: " + what, {name, 1, 1, what});
  }
  if (root.is_map())
    for (const Override& change : overrides) apply_override(root, change);
  check_shape(root);

  Case result;
  result.path = name;
  read_constants(root, result);
  result.schema = integer_at(root, "schema", result.constants, result.schema);
  result.problem = text_at(root, "problem", result.problem);
  result.title = text_at(root, "title", result.title);
  read_domain(root, result);
  read_unknowns(root, result);
  read_equations(root, result);
  read_initial(root, result);
  read_field_expressions(root, result);
  if (result.problem == "time_spectral") read_resolution(root, result);
  read_solver(root, result);
  read_continuation(root, result);
  if (result.problem == "recurrence_bvp") read_recurrence(root, result);
  if (result.problem == "sbp_sat_poisson") read_sbp_sat(root, result);
  read_verification(root, result);
  read_output(root, result);
  read_convergence(root, result);
  result.resolved_text = resolve_text(result);
  return result;
}

Case read_case(const std::string& path, const std::vector<Override>& overrides) {
  return read_case_text(read_file(path), path, overrides);
}

}  // namespace gwrm
