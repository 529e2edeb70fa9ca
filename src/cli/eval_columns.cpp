#include "cli/eval_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace gwrm::cli {
namespace {

bool is_word(const std::string& text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && !is_digit(text.front()) && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
  });
}

}  // namespace

std::vector<std::string> value_names(const std::vector<std::string>& expressions, const std::vector<Axis>& axes,
                                     bool with_errors) {
  std::set<std::string> taken{"point"};  // the dimension of the datasets
  for (const Axis& axis : axes) taken.insert(axis.name);
  std::vector<std::string> names;
  for (const std::string& text : expressions) {
    const bool is_free = taken.count(text) == 0 && taken.count(text + "_error") == 0;
    names.push_back(is_word(text) && is_free ? text : fmt::format("value_{}", names.size() + 1));
    taken.insert(names.back());
    if (with_errors) taken.insert(names.back() + "_error");
  }
  return names;
}

}  // namespace gwrm::cli
