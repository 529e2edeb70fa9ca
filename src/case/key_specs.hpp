// One line per key: what a table of keys is written in. `fallback` is the default as the file would have it.
#pragma once

#include <string>
#include <vector>

#include "case/key_table.hpp"

namespace gwrm::casefile::keys {

inline constexpr int kMaxItems = std::numeric_limits<int>::max();

KeySpec map(std::string path, std::string description, bool required = false);
KeySpec text(std::string path, std::string description, bool required = false);
KeySpec formula(std::string path, std::string description, bool required = false);
KeySpec choice(std::string path, std::string fallback, std::vector<std::string> choices, std::string description);
KeySpec number(std::string path, std::string description, bool required = false);
KeySpec positive(std::string path, std::string fallback, std::string description);
KeySpec not_negative(std::string path, std::string fallback, std::string description);
KeySpec integer(std::string path, std::string fallback, double least, double most, std::string description);
KeySpec list(std::string path, int least, int most, std::string description, bool required = false);

// A second form for the same key: "a count or a list", "a name or a map".
KeySpec or_list(KeySpec spec, int least, int most);
KeySpec or_map(KeySpec spec);

KeySpec required(KeySpec spec);
// A module's section that stands behind another general section than the last of those that say how to solve.
KeySpec behind(std::string section, KeySpec spec);

}  // namespace gwrm::casefile::keys
