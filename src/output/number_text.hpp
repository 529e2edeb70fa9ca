// A text that is a number and nothing else.
#pragma once

#include <optional>
#include <string>

namespace gwrm {

// "0.1", "-3", "1e-5", ".5"; nothing for "pi", "1/3" or "". The nearest double; an overflow is no number.
std::optional<double> number_of_text(const std::string& text);

}  // namespace gwrm
