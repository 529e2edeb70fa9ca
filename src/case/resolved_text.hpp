// The case with every default spelt out, as YAML. Reads back to an equal Case, and resolving that gives the same text:
// numbers are written with the shortest digits that read back the same, texts in double quotes.
#pragma once

#include <string>

#include "case/case.hpp"

namespace gwrm::casefile {

std::string resolve_text(const Case& result);

}  // namespace gwrm::casefile
