// Names of the user's: identifiers, and never two meanings for one name.
#pragma once

#include <string>
#include <vector>

#include "case/yaml_document.hpp"

namespace gwrm::casefile {

struct NamedThing {
  enum class Kind { axis, constant, unknown, data, definition };
  Kind kind;
  Marked mark;
};

// [A-Za-z_][A-Za-z0-9_]*, else CaseError.
void check_identifier(const Marked& name);

// Each name an identifier, no word of the expression language, no d<axis>, and different from all others. The error is
// at the later of two names and tells the earlier.
void check_names(std::vector<NamedThing> names);

// Where an unknown is complex i, re, im, conj and arg mean what they mean for complex numbers.
void check_names_beside_complex(const std::vector<NamedThing>& names);

// For keys that must be one of `known`: CaseError with the nearest ones. `what` as in "dimension" or "unknown".
void check_known(const Marked& name, const std::vector<std::string>& known, const std::string& what);

}  // namespace gwrm::casefile
