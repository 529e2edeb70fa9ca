#include "problems/eigenvalue/missed_modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gwrm {
namespace {

using Number = std::complex<double>;

constexpr double kSameEigenvalue = 0.01;  // of its size: of one mode on both divisions
constexpr double kImaginaryShown = 1e-6;  // for messages
constexpr std::size_t kMostListed = 4;
constexpr double kFurther = 10.0;  // times the difference of the divisions

Number upper(Number value) {
  return {value.real(), std::abs(value.imag())};
}

// Each of `values` with the nearest of `others`, the nearest pairs first, each taken once. within: the largest
// distance.
std::vector<int> pairs(const std::vector<Number>& values, const std::vector<Number>& others,
                       const std::vector<double>& within) {
  struct Pair {
    double distance;
    std::size_t value, other;
  };
  std::vector<Pair> all;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < others.size(); ++j)
      if (const double distance = std::abs(upper(values[i]) - upper(others[j])); distance <= within[i])
        all.push_back({distance, i, j});
  std::stable_sort(all.begin(), all.end(), [](const Pair& a, const Pair& b) { return a.distance < b.distance; });
  std::vector<int> result(values.size(), -1);
  std::vector<bool> taken(others.size(), false);
  for (const Pair& pair : all) {
    if (result[pair.value] >= 0 || taken[pair.other]) continue;
    result[pair.value] = static_cast<int>(pair.other);
    taken[pair.other] = true;
  }
  return result;
}

}  // namespace

SearchedModes compare_searched(const std::vector<JudgedMode>& modes, const std::vector<Number>& first,
                               const std::vector<Number>& second, const std::function<bool(Number)>& is_among) {
  std::vector<Number> own;
  std::vector<double> near_own, near_first;
  for (const JudgedMode& judged : modes) {
    own.push_back(judged.mode.value);
    near_own.push_back(kSameEigenvalue * judged.size);
  }
  double least = HUGE_VAL;  // size of an eigenvalue 0
  for (const JudgedMode& judged : modes) least = std::min(least, judged.size);
  for (const Number value : first) near_first.push_back(kSameEigenvalue * std::max(std::abs(value), least));
  const std::vector<int> of_own = pairs(own, first, near_own), on_second = pairs(first, second, near_first);
  SearchedModes result;
  for (std::size_t j = 0; j < first.size(); ++j)
    if (on_second[j] >= 0 && is_among(first[j]) &&
        std::find(of_own.begin(), of_own.end(), static_cast<int>(j)) == of_own.end())
      result.missed.push_back(first[j]);
  for (std::size_t k = 0; k < modes.size(); ++k) {
    result.moved.push_back(0.0);
    if (of_own[k] < 0 || on_second[static_cast<std::size_t>(of_own[k])] < 0) continue;
    const Number a = upper(first[static_cast<std::size_t>(of_own[k])]),
                 b = upper(second[static_cast<std::size_t>(on_second[static_cast<std::size_t>(of_own[k])])]);
    const double distance = std::abs(upper(own[k]) - a);
    if (distance > kFurther * std::abs(a - b)) result.moved.back() = distance;
  }
  return result;
}

std::string describe_missed(const std::vector<Number>& missed) {
  std::string text = "near ";
  for (std::size_t i = 0; i < std::min(missed.size(), kMostListed); ++i) {
    text += fmt::format("{}{:.4g}", i == 0 ? "" : ", ", missed[i].real());
    if (std::abs(missed[i].imag()) > kImaginaryShown * std::abs(missed[i]))
      text += fmt::format("{:+.4g}i", missed[i].imag());
  }
  return missed.size() > kMostListed ? text + ", .." : text;
}

}  // namespace gwrm
