// Commands that are the Python package gwrm_post (postprocess/).
#pragma once

#include <string>
#include <vector>

namespace gwrm::cli {

// This process becomes Python and runs gwrm_post with these words, the first of which is the command; the exit status
// is the package's, with the numbers of core/errors.hpp. Its Python is what GWRM_PYTHON names, that of the source tree
// this program was built in or of the prefix that it was installed to, or the first one on the path. Returns only by
// throwing: CaseError where none can be started.
[[noreturn]] void become_python(const std::vector<std::string>& words);

}  // namespace gwrm::cli
