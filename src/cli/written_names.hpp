// The names that a command writes, before it begins: nothing that it reads is written over, and none of them is "-".
#pragma once

#include <string>
#include <vector>

namespace gwrm::cli {

// OutputError. read: names may be empty, and files need not be there.
void check_written_names(const std::vector<std::string>& written, const std::vector<std::string>& read);

}  // namespace gwrm::cli
