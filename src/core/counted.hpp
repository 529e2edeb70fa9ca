// Numbers of things in messages: "1 window", "2 windows". For nouns whose plural only adds an s.
#pragma once

#include <concepts>
#include <string>

namespace gwrm {

template <std::integral Number>
std::string counted(Number n, const std::string& noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

// "1 window is", "2 windows are".
template <std::integral Number>
std::string counted_are(Number n, const std::string& noun) {
  return counted(n, noun) + (n == 1 ? " is" : " are");
}

}  // namespace gwrm
