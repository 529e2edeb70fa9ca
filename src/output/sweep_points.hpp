// The runs of a sweep as plain data: which keys of a case change, and which values they take.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace gwrm {

// Of a sweep; a range may have so many values, and a file so many points.
inline constexpr std::size_t kMostSweptRuns = 1'000'000;

struct SweptKey {
  std::string key;                  // its path in the case file: "constants.nu"
  std::string name;                 // what the result calls it: "nu"
  std::vector<std::string> values;  // as YAML text
  bool operator==(const SweptKey&) const = default;
};

// A dimension of the result. Keys that change together (points of a list, samples of distributions) have one dimension
// in common, and values of the same number.
struct SweptDimension {
  std::string name;  // that of its key; "point" or "sample" where keys change together
  bool together = false;
  std::vector<SweptKey> keys;  // at least one
  std::size_t size() const { return keys.front().values.size(); }
  bool operator==(const SweptDimension&) const = default;
};

// The product of the dimensions. Runs are numbered from 0, the last dimension fastest.
struct SweepPoints {
  std::vector<SweptDimension> dimensions;

  std::size_t n_runs() const;
  std::vector<std::size_t> extents() const;
  // The keys of a run with their values, in the order of the dimensions.
  std::vector<std::pair<std::string, std::string>> values_of(std::size_t run) const;
  std::string text_of(std::size_t run) const;  // "constants.nu = 0.1, resolution.degree.x = 24"
  bool operator==(const SweepPoints&) const = default;
};

}  // namespace gwrm
