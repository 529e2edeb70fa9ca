// Two result files held against each other: settings, builds, reports, fields, verification.
#pragma once

#include <string>
#include <vector>

#include "output/solution_difference.hpp"

namespace gwrm {

// A text or number that differs; empty where a file has none.
struct TextDifference {
  std::string name, a, b;
};

struct FieldComparison {
  std::string field;
  std::string what;  // "samples", "polynomials"; or why they cannot be compared
  bool compared = false;
  FieldDifference difference;  // relative to the second file; 0 where equal to the bit
  bool counts = true;          // false: samples at other points, of unknowns whose polynomials are compared
};

struct RunComparison {
  std::vector<TextDifference> settings;  // keys of the resolved case
  std::vector<TextDifference> builds;    // version, git_revision, build, device
  std::vector<TextDifference> reports;   // status, solver, counts
  std::vector<TextDifference> checks;    // "kind subject": values of the verification
  std::vector<FieldComparison> fields;

  // All fields of either file are in both and, where they count, agree within this, relative to the largest magnitude
  // of each.
  bool agree(double tolerance) const;
  // Other points are no difference where the polynomials behind the samples are compared.
  void leave_samples_to_polynomials();
};

// OutputError if one cannot be read.
RunComparison compare_runs(const std::string& a, const std::string& b);

}  // namespace gwrm
