// Text of others (files, command lines) on a terminal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gwrm {

std::string join(const std::vector<std::string>& words, const char* separator);

// Without the control characters by which a terminal is told things: what stands in a file must not move the cursor or
// retitle the window. Those of ASCII become \x1b and the like, DEL and the C1 characters of UTF-8 the replacement
// character, so that JSON stays JSON; line ends and tabs stay.
std::string printable(std::string_view text);

}  // namespace gwrm
