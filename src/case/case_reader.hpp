// YAML text -> Case, validated. The only place that sees yaml-cpp.
//
// Refused, each with file, line, column, the line and a caret, and what to do: a key that is not known (with the
// nearest legal ones), a key written twice, a missing key (reported at its parent's line), a wrong type, a value out of
// range, a reversed or empty interval, a name that clashes (with a function, an axis, a constant, another unknown,
// d<axis>), an equation that YAML has cut at " #", a wrong number of equations, tabs and broken YAML. Numbers may be
// expressions of constants and pi everywhere. Does not parse equations: that needs the symbols (system).
#pragma once

#include <string>
#include <vector>

#include "case/case.hpp"
#include "case/case_format.hpp"

namespace gwrm {

// "resolution.degree.x=32": overrides a key, before validation. Values are YAML, so lists and maps work: "domain.x=[0,
// 2]".
struct Override {
  std::string key;
  std::string value;
  std::string option = "--set";  // where messages say that it comes from
};
Override parse_override(const std::string& argument);  // CaseError if there is no '='

Case read_case(const CaseFormat& format, const std::string& path, const std::vector<Override>& overrides = {});
// The text of a case file; CaseError where there is none that can be read.
std::string read_case_file(const std::string& path);
Case read_case_text(const CaseFormat& format, const std::string& text, const std::string& name,
                    const std::vector<Override>& overrides = {});

// The JSON Schema (draft 2020-12) of the case file. Made from the same table of keys as the reader uses.
std::string case_schema(const CaseFormat& format);

}  // namespace gwrm
