// Distributions of uncertain values, as they are given to `gwrm sweep`: normal(mean, sd), uniform(lower, upper),
// lognormal(mu, sigma), with mu and sigma those of the logarithm.
#pragma once

#include <optional>
#include <string>

namespace gwrm {

// x with Phi(x) = p, the inverse of the normal distribution, 0 < p < 1: formula 26.2.23 of M. Abramowitz and I. Stegun,
// Handbook of Mathematical Functions (1964), right to 4.5e-4, and two steps of Halley's method with erfc, to rounding.
double normal_quantile(double p);

class Distribution {
 public:
  enum class Kind { normal, uniform, lognormal };

  // From "normal(8, 0.1)"; nothing if the text does not begin with one of the names and a parenthesis. CaseError where
  // it does and is wrong: sd and sigma are positive, upper is above lower. `where`: what the message begins with.
  static std::optional<Distribution> parse(const std::string& text, const std::string& where);

  Distribution(Kind kind, double first, double second) : kind_(kind), first_(first), second_(second) {}
  // The value with the probability p of smaller ones, 0 < p < 1.
  double quantile(double p) const;

 private:
  Kind kind_;
  double first_, second_;
};

}  // namespace gwrm
