// The language's functions and other fixed words.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expression/expression.hpp"

namespace gwrm::expression {

std::optional<Function> find_function(std::string_view name);
std::size_t arity(Function function);
std::vector<std::string> function_names();

}  // namespace gwrm::expression
