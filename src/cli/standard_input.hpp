// A case from the standard input: "-" in place of its file.
#pragma once

#include <string>

#include "cli/options.hpp"

namespace gwrm::cli {

// The text of the case that the command line names. The standard input is read once, whole, however often it is asked
// for. CaseError for what cannot be read.
std::string case_text(const Options& options);

// What messages call it, and where its data files are looked for: the path, "<stdin>" for the standard input.
std::string case_name(const Options& options);

}  // namespace gwrm::cli
