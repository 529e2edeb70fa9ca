// Observed rates of convergence: from errors e_i at sizes N_i to orders, laws and the floor.
//
// algebraic    e ~ C N^-p:          order p = ln(e_i/e_{i+1}) / |ln(N_{i+1}/N_i)|;  with N doubled log2 of the ratio
// exponential  e ~ C exp(-s N):     rate s = ln(e_i/e_{i+1}) / (N_{i+1} - N_i), per unit of N
// Sizes that fall are steps h = 1/N: they have an order and no exponential rate.
//
// Both laws are fitted to ln e by least squares over the levels before the floor - without those that do not resolve
// the solution (e > 0.1), and of five levels and more without the first third, which is not asymptotic yet. The law is
// the one that the deviations from the straight lines make more likely by 4.5 to 1 or more; powers above 15 are no law,
// and leave the exponential one where that fits as well.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace gwrm {

struct LawFit {
  double rate = 0.0;       // p or s; NaN where there is nothing to fit
  double constant = 0.0;   // C
  double deviation = 0.0;  // root mean square of ln e from the line
};

enum class ConvergenceLaw { none, undecided, algebraic, exponential };  // none: nothing to fit, or no fall

struct ObservedRates {
  std::vector<double> orders, rates;  // from level i - 1 to i; NaN at the first
  std::size_t first = 0, end = 0;     // the levels that are fitted: [first, end)
  LawFit algebraic, exponential;
  ConvergenceLaw law = ConvergenceLaw::none;
  // From level `end` on the error does not fall any more: `floor` is its level (NaN: it falls to the last).
  double floor = 0.0;
  bool floor_is_rounding = false;  // else something that is not varied holds it up
};

// Errors are finite and not negative; sizes are positive and strictly monotonic (ShapeError otherwise).
ObservedRates observe_rates(std::span<const double> sizes, std::span<const double> errors);

// "exponential: e ~ 3.1 exp(-0.92 N), a factor of 2.5 per unit of N, levels N = 8 to 24 ...": the law and the evidence.
std::string law_text(const ObservedRates& rates, std::span<const double> sizes, const std::string& size_name);

}  // namespace gwrm
