// Distributions of uncertain values, as they are given to `gwrm sweep`: normal(mean, sd), uniform(lower, upper),
// lognormal(mu, sigma), with mu and sigma those of the logarithm, beta(a, b) on [0, 1].
#pragma once

#include <optional>
#include <string>

#include "core/distribution.hpp"

namespace gwrm {

// From "normal(8, 0.1)"; nothing if the text does not begin with one of the names and a parenthesis. CaseError where
// it does and is wrong: sd, sigma, a and b are positive, upper is above lower. `where`: what the message begins with.
std::optional<Distribution> parse_distribution(const std::string& text, const std::string& where);

}  // namespace gwrm
