#include "core/quantities.hpp"

#include <algorithm>

namespace gwrm {
namespace {

std::string text_of(const Quantities::Texts& texts, const std::string& name) {
  const auto found = std::find_if(texts.begin(), texts.end(), [&](const auto& entry) { return entry.first == name; });
  return found == texts.end() ? "" : found->second;
}

}  // namespace

std::string Quantities::unit_of(const std::string& name) const {
  return units.empty() ? "1" : text_of(units, name);
}

std::string Quantities::label_of(const std::string& name) const {
  return text_of(labels, name);
}

}  // namespace gwrm
