// The keys of a parameter with a distribution: nu: {distribution: normal, mean: 1, deviation: 0.1}.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "case/case.hpp"
#include "case/values.hpp"
#include "core/distribution.hpp"

namespace gwrm::casefile {

// Below "domain.*".
std::vector<KeySpec> distribution_keys();

// Of `entry`, a dimension in the long form; nothing if it has no distribution. CaseError for numbers that are missing
// or make no distribution, and for keys that have no meaning beside it.
std::optional<Distribution> read_distribution(const CaseTree& file, const YamlEntry& entry, AxisKind kind,
                                              const Constants& constants);

// The long form that reads back to the same; empty if the axis has no distribution.
std::string distribution_text(const AxisCase& axis);

}  // namespace gwrm::casefile
