// The number that a check compares with its tolerance, and both as text.
#pragma once

#include <string>

#include "output/report.hpp"

namespace gwrm {

// The value times the margin if the check is judged, the value itself if it is only reported.
double judged_value(const Check& check);

struct JudgedTexts {
  std::string value, allowed;  // "1.3e-06", "1.0e-06"
};

// Both numbers with two digits, or with as many as the comparison needs: the first text, read as a number, is at most
// the second if and only if a judged check passes.
JudgedTexts judged_texts(const Check& check);

}  // namespace gwrm
