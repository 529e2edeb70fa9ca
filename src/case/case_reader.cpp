#include "case/case_reader.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "case/data_section.hpp"
#include "case/overrides.hpp"
#include "case/quantities_section.hpp"
#include "case/resolved_text.hpp"
#include "case/sections.hpp"
#include "case/shape.hpp"
#include "case/values.hpp"
#include "case/vectors.hpp"

namespace gwrm {

std::string read_case_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw CaseError(path + ": error: this is a directory, expected a case file");
  // A pipe or a terminal would wait for its other end.
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
    throw CaseError(path + ": error: this is not an ordinary file, expected a case file");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw CaseError(path + ": error: cannot open the case file: " + std::strerror(errno));
  // One byte more than allowed is enough to see that the file is too large.
  std::string text(casefile::kMaxFileBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) throw CaseError(path + ": error: cannot read the case file: " + std::strerror(errno));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

Case read_case_text(const CaseFormat& format, const std::string& text, const std::string& name,
                    const std::vector<Override>& overrides) {
  using namespace casefile;
  YamlNode root = parse_yaml(make_source(text, name, false));
  if (root.is_null()) {
    const std::string what = "the case file is empty";
    throw CaseError(name + ":1: error: " + what, {name, 1, 1, what});
  }
  if (root.is_map())
    for (const Override& change : overrides) apply_override(root, change);
  check_shape(root, format.keys());

  const CaseTree file{root, format.keys()};
  Case result;
  result.path = name;
  read_constants(file, result);
  result.schema = file.integer_at("schema", result.constants, result.schema);
  result.module = file.text_at("problem", file.keys.known("problem").default_value);
  result.title = file.text_at("title", result.title);
  const CaseModule& module = format.module(result.module);
  read_domain(file, result);
  module.settle_domain(result.domain);
  read_unknowns(file, result);
  check_vectors_are_solved_for(file, result);
  module.declare_names(file, result);
  read_data(file, result);
  read_definitions(file, result);
  read_conditions(file, result);
  module.read(file, result);
  read_solver(file, result);
  result.verification.tolerance = module.usual_tolerance();
  read_verification(file, result);
  read_output(file, result);
  read_quantities(file, result);
  read_convergence(file, module, result);
  format.load_data(result);
  expand_vectors(file, result);
  result.resolved_text = resolve_text(format, result);
  return result;
}

Case read_case(const CaseFormat& format, const std::string& path, const std::vector<Override>& overrides) {
  return read_case_text(format, read_case_file(path), path, overrides);
}

}  // namespace gwrm
