// Places in a line of text, as people count them.
#pragma once

#include <cstddef>
#include <string_view>

namespace gwrm {

// Of the character at the byte `offset` of a line in UTF-8: which one it is, counted from 1.
int text_column(std::string_view line, std::size_t offset);

}  // namespace gwrm
