#include "cli/transform_kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gwrm::cli {

const std::vector<TransformKind>& transform_kinds() {
  static const std::vector<TransformKind> kinds = {
      {"chebyshev", chebyshev_forward, chebyshev_inverse},
      {"legendre", legendre_forward, legendre_inverse},
      {"jones_worland", jones_worland_forward, jones_worland_inverse},
      {"spherical", spherical_forward, spherical_inverse},
      {"fourier_nonuniform", nonuniform_forward, nonuniform_inverse},
  };
  return kinds;
}

std::vector<std::string> transform_kind_list() {
  std::vector<std::string> names;
  for (const TransformKind& kind : transform_kinds()) names.push_back(kind.name);
  return names;
}

std::string transform_kind_names(const std::string& separator) {
  std::string text;
  for (const TransformKind& kind : transform_kinds()) text += (text.empty() ? "" : separator) + kind.name;
  return text;
}

Index number_of(const std::map<std::string, Index>& numbers, const std::string& name, Index none) {
  const auto found = numbers.find(name);
  return found == numbers.end() ? none : found->second;
}

void check_names(const std::map<std::string, Index>& numbers, const std::vector<std::string>& names,
                 const char* option) {
  for (const auto& [name, number] : numbers) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    std::string known;
    for (const std::string& other : names) known += (known.empty() ? "" : ", ") + other;
    throw CaseError(fmt::format("{}: error: '{}' is none of this kind's names: {}", option, name, known));
  }
}

Array array_of_rank(const TransformRequest& request, const std::string& name, std::size_t rank, const char* what) {
  Array array = read_array(request.path, name);
  if (array.shape.size() < rank)
    throw CaseError(
        fmt::format("{}: error: the dataset {} has {} dimension{}: expected at least {}, the last of them {}",
                    request.path, name, array.shape.size(), array.shape.size() == 1 ? "" : "s", rank, what));
  return array;
}

Batch::Batch(const Shape& shape, std::size_t rank) {
  for (std::size_t d = 0; d + rank < shape.size(); ++d) {
    names.push_back(fmt::format("dim_{}", d));
    scales.push_back({names.back(), {}, static_cast<std::size_t>(shape[d])});
    size *= shape[d];
  }
}

double largest_error(const std::vector<double>& a, const std::vector<double>& b) {
  double error = 0.0, largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    error = std::max(error, std::abs(a[i] - b[i]));
    largest = std::max(largest, std::abs(b[i]));
  }
  return largest > 0.0 ? error / largest : error;
}

}  // namespace gwrm::cli
