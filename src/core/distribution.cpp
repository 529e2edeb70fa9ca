#include "core/distribution.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>

namespace gwrm {
namespace {

// The fewest digits that read back the same.
std::string digits(double value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

// The two numbers of "name(1,0.1)".
std::optional<std::array<double, 2>> numbers_of(const std::string& name) {
  const std::size_t open = name.find('('), comma = name.find(',');
  if (open == std::string::npos || comma == std::string::npos || comma < open || name.back() != ')')
    return std::nullopt;
  std::array<double, 2> numbers{};
  const char* const text = name.data();
  const auto whole = [&](std::size_t begin, std::size_t end, double& value) {
    const auto [last, error] = std::from_chars(text + begin, text + end, value);
    return error == std::errc() && last == text + end && std::isfinite(value);
  };
  if (!whole(open + 1, comma, numbers[0]) || !whole(comma + 1, name.size() - 1, numbers[1])) return std::nullopt;
  return numbers;
}

// 1 + d_1/(1 + d_2/(1 + ..)), d_2m = m (b - m) x/((a + 2m - 1)(a + 2m)),
// d_2m+1 = -(a + m)(a + b + m) x/((a + 2m)(a + 2m + 1)); converges fast for x < (a + 1)/(a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300, kEpsilon = std::numeric_limits<double>::epsilon();
  constexpr int kMost = 10000;
  double c = 1.0, d = 1.0 - (a + b) * x / (a + 1.0);
  d = 1.0 / (std::abs(d) < kTiny ? kTiny : d);
  double value = d;
  for (int m = 1; m <= kMost; ++m) {
    const double even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
    double change = 1.0;
    for (const double term : {even, odd}) {
      d = 1.0 + term * d;
      c = 1.0 + term / c;
      d = 1.0 / (std::abs(d) < kTiny ? kTiny : d);
      if (std::abs(c) < kTiny) c = kTiny;
      change = c * d;
      value *= change;
    }
    if (std::abs(change - 1.0) <= kEpsilon) break;
  }
  return value;
}

// Between 0 and 1; by bisection of the smaller side and steps of Newton's method inside the bracket.
double beta_quantile(double a, double b, double p) {
  double lower = 0.0, upper = 1.0, x = a / (a + b);
  const double scale = std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b);
  for (int step = 0; step < 200 && upper - lower > 1e-16 * upper; ++step) {
    const double error = beta_distribution(a, b, x) - p;
    (error < 0.0 ? lower : upper) = x;
    if (error == 0.0) break;
    const double density = std::exp(scale + (a - 1.0) * std::log(x) + (b - 1.0) * std::log1p(-x));
    double next = x - error / density;
    if (!(next > lower && next < upper)) next = 0.5 * (lower + upper);
    if (std::abs(next - x) <= 1e-16 * x) break;
    x = next;
  }
  return x;
}

}  // namespace

double normal_quantile(double p) {
  if (p == 0.5) return 0.0;
  const bool lower = p < 0.5;
  const double tail = lower ? p : 1.0 - p;  // of x < 0, where erfc has all its digits
  const double t = std::sqrt(-2.0 * std::log(tail));
  double x = -(t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
  for (int step = 0; step < 2; ++step) {
    const double error = 0.5 * std::erfc(-x / std::numbers::sqrt2) - tail;
    const double newton = error * std::sqrt(2.0 * std::numbers::pi) * std::exp(0.5 * x * x);
    x -= newton / (1.0 + 0.5 * x * newton);
  }
  return lower ? x : -x;
}

double beta_distribution(double a, double b, double x) {
  if (!(x > 0.0)) return 0.0;
  if (!(x < 1.0)) return 1.0;
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  return x < (a + 1.0) / (a + b + 2.0) ? front * beta_fraction(a, b, x) / a
                                       : 1.0 - front * beta_fraction(b, a, 1.0 - x) / b;
}

double Distribution::quantile(double p) const {
  double s = 0.0;
  switch (kind_) {
    case Kind::normal:
      s = first_ + second_ * normal_quantile(p);
      break;
    case Kind::uniform:
      if (of_logarithm_) return lower_ * std::pow(upper_ / lower_, p);
      return lower_ + (upper_ - lower_) * p;
    case Kind::beta:
      s = lower_ + (upper_ - lower_) * beta_quantile(first_, second_, p);
      break;
  }
  return of_logarithm_ ? std::exp(s) : s;
}

double Distribution::mean() const {
  switch (kind_) {
    case Kind::normal:
      return of_logarithm_ ? std::exp(first_ + 0.5 * second_ * second_) : first_;
    case Kind::uniform:
      return of_logarithm_ ? (upper_ - lower_) / std::log(upper_ / lower_) : 0.5 * (lower_ + upper_);
    case Kind::beta:
      break;
  }
  return lower_ + (upper_ - lower_) * first_ / (first_ + second_);
}

// Log-uniform, with h = log(b/a)/2: ab (sinh(2h)/(2h) - (sinh(h)/h)^2), the root of it.
double Distribution::deviation() const {
  switch (kind_) {
    case Kind::normal:
      return of_logarithm_ ? mean() * std::sqrt(std::expm1(second_ * second_)) : second_;
    case Kind::uniform: {
      if (!of_logarithm_) return (upper_ - lower_) / std::sqrt(12.0);
      const long double h = 0.5L * std::log(static_cast<long double>(upper_) / lower_);
      const long double mean = std::sinh(h) / h, mean_square = std::sinh(2 * h) / (2 * h);
      const long double scale = std::sqrt(static_cast<long double>(lower_)) * std::sqrt(upper_);
      return static_cast<double>(scale * std::sqrt(std::max(0.0L, mean_square - mean * mean)));
    }
    case Kind::beta:
      break;
  }
  const double sum = first_ + second_;
  return (upper_ - lower_) * std::sqrt(first_ * second_ / (sum + 1.0)) / sum;
}

std::string Distribution::name() const {
  switch (kind_) {
    case Kind::normal:
      return of_logarithm_ ? "lognormal" : "normal";
    case Kind::uniform:
      return of_logarithm_ ? "log-uniform" : "uniform";
    case Kind::beta:
      break;
  }
  return "beta";
}

std::string Distribution::text() const {
  const std::string interval = digits(lower_) + ", " + digits(upper_) + ")";
  if (kind_ == Kind::uniform) return name() + "(" + interval;
  const std::string pair = name() + "(" + digits(first_) + ", " + digits(second_);
  return kind_ == Kind::beta ? pair + ", " + interval : pair + ")";
}

std::string Distribution::basis_name() const {
  if (kind_ == Kind::uniform) return kLegendre;
  return std::string(kind_ == Kind::normal ? kHermite : kJacobi) + "(" + digits(first_) + "," + digits(second_) + ")";
}

std::optional<Distribution> Distribution::of_basis(const std::string& name, double lower, double upper, bool log_map) {
  if (name == kLegendre) return Distribution(Kind::uniform, log_map, 0.0, 0.0, lower, upper);
  const std::string family = family_of_basis(name);
  const auto numbers = numbers_of(name);
  if (!numbers) return std::nullopt;
  const auto [first, second] = *numbers;
  if (family == kHermite && second > 0.0) return Distribution(Kind::normal, log_map, first, second);
  if (family == kJacobi && first > 0.0 && second > 0.0 && !log_map) return beta(first, second, lower, upper);
  return std::nullopt;
}

std::string family_of_basis(const std::string& name) {
  return name.substr(0, name.find('('));
}

}  // namespace gwrm
