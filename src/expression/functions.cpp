#include "expression/functions.hpp"

#include <algorithm>
#include <array>

namespace gwrm::expression {
namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, 19> kNames = {"sin",  "cos",  "tan",  "asin", "acos", "atan", "sinh",
                                                     "cosh", "tanh", "exp",  "log",  "sqrt", "abs",  "erf",
                                                     "min",  "max",  "sign", "step", "atan2"};
static_assert(kNames.size() == static_cast<std::size_t>(Function::atan2) + 1);

}  // namespace

std::string_view function_name(Function function) {
  return kNames[static_cast<std::size_t>(function)];
}

std::optional<Function> find_function(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Function>(found - kNames.begin());
}

std::size_t arity(Function function) {
  return function == Function::min || function == Function::max || function == Function::atan2 ? 2 : 1;
}

std::vector<std::string> function_names() {
  return {kNames.begin(), kNames.end()};
}

bool is_reserved(std::string_view name, const std::vector<Axis>& axes) {
  if (find_function(name) || name == "pi" || name == "lap" || name == "integral" || name == "noise") return true;
  return std::any_of(axes.begin(), axes.end(), [&](const Axis& axis) { return name == "d" + axis.name; });
}

bool is_vector_function(std::string_view name) {
  return name == "div" || name == "grad" || name == "curl" || name == "dot" || name == "cross";
}

bool is_complex_function(std::string_view name) {
  return name == "re" || name == "im" || name == "conj" || name == "arg";
}

std::string component_name(const std::string& vector, const std::string& component) {
  return vector + "_" + component;
}

std::vector<std::string> VectorSymbol::components() const {
  if (!is_complex) return axes;
  if (axes.empty()) return {"re", "im"};
  std::vector<std::string> result;
  for (const std::string& axis : axes) {
    result.push_back(component_name(axis, "re"));
    result.push_back(component_name(axis, "im"));
  }
  return result;
}

}  // namespace gwrm::expression
