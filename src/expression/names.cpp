#include "expression/names.hpp"

#include <algorithm>
#include <cctype>

#include "expression/functions.hpp"
#include "expression/parser.hpp"

namespace gwrm::expression {
namespace {

char lowered(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

// Twice the edit distance (insertions, deletions, substitutions, swaps of neighbours); a wrong case counts one half.
// Restricted Damerau-Levenshtein recursion over three rows.
int edit_distance(const std::string& a, const std::string& b) {
  const std::size_t m = b.size();
  std::vector<int> before(m + 1), above(m + 1), row(m + 1);
  for (std::size_t j = 0; j <= m; ++j) above[j] = static_cast<int>(2 * j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(2 * i);
    for (std::size_t j = 1; j <= m; ++j) {
      const int change = a[i - 1] == b[j - 1] ? 0 : lowered(a[i - 1]) == lowered(b[j - 1]) ? 1 : 2;
      row[j] = std::min({above[j] + 2, row[j - 1] + 2, above[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 2);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[m];
}

template <class Items>
std::vector<std::string> names_of(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

std::vector<std::string> derivative_names(const Symbols& symbols) {
  std::vector<std::string> names;
  for (const Axis& axis : symbols.axes) names.push_back("d" + axis.name);
  return names;
}

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// dxx, dtx: what follows the d is made of two or more dimensions.
bool looks_like_higher_derivative(const Symbols& symbols, std::string_view rest, int count = 0) {
  if (rest.empty()) return count >= 2;
  return std::any_of(symbols.axes.begin(), symbols.axes.end(), [&](const Axis& axis) {
    return rest.starts_with(axis.name) &&
           looks_like_higher_derivative(symbols, rest.substr(axis.name.size()), count + 1);
  });
}

std::string what_is_known(const Symbols& symbols) {
  std::string known;
  const auto list = [&known](const std::string& what, const std::vector<std::string>& names) {
    if (!names.empty()) known += (known.empty() ? "" : "; ") + what + ": " + join(names);
  };
  list("unknowns", names_of(symbols.fields));
  std::vector<VectorSymbol> vectors, complex_numbers;
  for (const VectorSymbol& symbol : symbols.vectors)
    (symbol.axes.empty() ? complex_numbers : vectors).push_back(symbol);
  list("vectors", names_of(vectors));
  list("complex unknowns", names_of(complex_numbers));
  list("dimensions", axis_names(symbols));
  list("constants", names_of(symbols.constants));
  list("data", names_of(symbols.data));
  list("definitions", names_of(symbols.definitions));
  return known.empty() ? "only numbers, pi and functions are known here" : "known here are " + known;
}

}  // namespace

std::string join(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

std::vector<std::string> axis_names(const Symbols& symbols) {
  return names_of(symbols.axes);
}

std::vector<std::string> nearest_names(const std::string& name, const std::vector<std::string>& known) {
  constexpr std::size_t kMaxShown = 3;
  std::vector<std::pair<int, std::string>> near;
  for (const std::string& candidate : known) {
    const std::size_t length = std::max(name.size(), candidate.size());
    const int allowed = std::max(2, static_cast<int>(2 * ((length + 1) / 3)));  // one edit for every three characters
    // Two names of which nothing agrees are not near, however short they are.
    const int distance = edit_distance(name, candidate);
    if (distance <= allowed && distance < static_cast<int>(2 * length)) near.emplace_back(distance, candidate);
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (const auto& [distance, candidate] : near)
    if (names.size() < kMaxShown && std::find(names.begin(), names.end(), candidate) == names.end())
      names.push_back(candidate);
  return names;
}

std::string unknown_name_message(const Symbols& symbols, const std::string& name, bool called) {
  if (called && name.size() > 1 && name[0] == 'd' && !symbols.axes.empty()) {
    const std::string rest = name.substr(1);
    if (looks_like_higher_derivative(symbols, rest))
      return "unknown derivative '" + name + "': higher and mixed derivatives are written d" +
             symbols.axes.back().name + "(u, 2) and d" + symbols.axes.front().name + "(d" + symbols.axes.back().name +
             "(u))";
  }

  if (const std::string ours = synonym_text(symbols, name, called); !ours.empty())
    return std::string("unknown ") + (called ? "function" : "name") + " '" + name + "': " + ours;

  std::vector<std::string> candidates = names_of(symbols.fields);
  append(candidates, names_of(symbols.vectors));
  append(candidates, names_of(symbols.definitions));
  append(candidates, names_of(symbols.constants));
  append(candidates, names_of(symbols.data));
  append(candidates, axis_names(symbols));
  append(candidates, derivative_names(symbols));
  append(candidates, function_names());
  append(candidates, {"pi", "lap", "integral", "noise", "delta", "div", "grad", "curl", "dot", "cross"});
  if (symbols.has_complex()) append(candidates, {"i", "re", "im", "conj", "arg"});
  const std::vector<std::string> near = nearest_names(name, candidates);

  std::string message = std::string("unknown ") + (called ? "function" : "name") + " '" + name + "'";
  if (called && name.size() > 1 && name[0] == 'd')
    message += ": the domain has no dimension '" + name.substr(1) + "' (dimensions: " + join(axis_names(symbols)) + ")";
  if (!near.empty()) return message + "; the nearest known names are " + join(near);
  if (called) return message + "; expected one of " + join(function_names()) + ", lap, integral or a derivative";
  return message + "; " + what_is_known(symbols);
}

std::string restriction_hint(const Symbols& symbols, const std::string& name) {
  const int field = symbols.find_field(name);
  const bool is_definition = symbols.find_definition(name) != nullptr;
  if (field < 0 && !is_definition && symbols.find_vector(name) == nullptr) return {};
  std::string message = "'" + name + "' is " + (is_definition ? "a definition" : "an unknown") +
                        ", not a function: write " + name + " alone";
  if (symbols.axes.empty()) return message;
  const std::vector<std::string> dims =
      field < 0 ? axis_names(symbols) : symbols.fields[static_cast<std::size_t>(field)].dims;
  const std::string axis = dims.empty() ? symbols.axes.back().name : dims.back();
  return message + ", or a restriction such as " + name + "(" + axis + "=0)";
}

bool is_curvilinear_name(const std::string& name) {
  return name == "r" || name == "rho" || name == "theta" || name == "phi";
}

std::string write_out_text(const std::string& axis) {
  if (axis != "r" && axis != "rho") return "write the operator out";
  const std::string d = "d" + axis;
  return "write the operator out, as in a cylinder " + d + "(" + axis + "*" + d + "(u))/" + axis + ", in a sphere " +
         d + "(" + axis + "^2*" + d + "(u))/" + axis + "^2";
}

}  // namespace gwrm::expression
