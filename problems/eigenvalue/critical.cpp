#include "problems/eigenvalue/critical.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gwrm {
namespace {

constexpr double kFirstStep = 0.05, kLargestFactor = 1e4;  // of a search for a bracket, relative
constexpr double kParameterRounding = 1e-14;               // of the parameter, relative
constexpr double kRootOfRounding = 1e-8;                   // of what it is minimised over: the parabola is flat
constexpr int kMostSteps = 100;
const double kGolden = (3.0 - std::sqrt(5.0)) / 2.0;

struct Sample {
  double at = 0.0, value = 0.0;
};

bool differ(const Sample& a, const Sample& b) {
  return std::isfinite(a.value) && std::isfinite(b.value) && (a.value < 0.0) != (b.value < 0.0);
}

// Where f changes its sign, from `start` outwards in growing steps; NaN: nowhere.
double root(const std::function<double(double)>& f, double start) {
  const double scale = start == 0.0 ? 1.0 : std::abs(start);
  Sample a{start, f(start)}, b = a, up = a, down = a;
  if (a.value == 0.0) return start;
  for (double step = kFirstStep; !differ(a, b) && step < kLargestFactor; step *= 2.0) {
    const Sample above{start + step * scale, f(start + step * scale)};
    if (differ(up, above)) a = up, b = above;
    up = above;
    if (differ(a, b)) break;
    const double lower = step < 1.0 ? start - step * scale : start / (1.0 + 2.0 * step);
    const Sample below{lower, f(lower)};
    if (differ(down, below)) a = down, b = below;
    down = below;
  }
  if (!differ(a, b)) return std::numeric_limits<double>::quiet_NaN();
  for (int step = 0; step < kMostSteps && std::abs(b.at - a.at) > kParameterRounding * std::abs(b.at); ++step) {
    const double at = b.at - b.value * (b.at - a.at) / (b.value - a.value);
    const Sample next{at, f(at)};
    if (next.value == 0.0 || !std::isfinite(next.value) || at == a.at || at == b.at) return at;
    if (differ(next, b))
      a = b;
    else
      a.value /= 2.0;  // the end that stays
    b = next;
  }
  return b.at;
}

// The smallest value of f near `start`; nothing where no bracket is found.
std::optional<Sample> minimum(const std::function<double(double)>& f, double start) {
  const double first = kFirstStep * (start == 0.0 ? 1.0 : std::abs(start));
  Sample left{start - first, f(start - first)}, middle{start, f(start)}, right{start + first, f(start + first)};
  double step = first;
  for (int n = 0; n < kMostSteps && !(middle.value <= left.value && middle.value <= right.value); ++n) {
    if (!std::isfinite(left.value + middle.value + right.value)) return {};
    step *= 1.5;
    if (left.value < right.value)
      right = middle, middle = left, left = {left.at - step, f(left.at - step)};
    else
      left = middle, middle = right, right = {right.at + step, f(right.at + step)};
  }
  if (!(middle.value <= left.value && middle.value <= right.value)) return {};
  double before = std::numeric_limits<double>::infinity(), last = before;  // steps
  for (int n = 0; n < kMostSteps && right.at - left.at > kRootOfRounding * std::abs(middle.at); ++n) {
    const double p = (middle.at - left.at) * (middle.value - right.value),
                 q = (middle.at - right.at) * (middle.value - left.value);
    double move = p == q ? 0.0 : -0.5 * ((middle.at - left.at) * p - (middle.at - right.at) * q) / (p - q);
    const bool helps = std::isfinite(move) && move != 0.0 && middle.at + move > left.at &&
                       middle.at + move < right.at && std::abs(move) < 0.5 * before;
    if (!helps)
      move = kGolden * (right.at - middle.at > middle.at - left.at ? right.at - middle.at : left.at - middle.at);
    const double least = 0.3 * kRootOfRounding * std::abs(middle.at);
    if (std::abs(move) < least) move = std::copysign(least, move);
    before = last, last = std::abs(move);
    if (before <= least) break;
    const Sample next{middle.at + move, f(middle.at + move)};
    if (!std::isfinite(next.value)) return {};
    Sample& outer = next.at < middle.at ? left : right;
    Sample& other = next.at < middle.at ? right : left;
    if (next.value <= middle.value)
      other = middle, middle = next;
    else
      outer = next;
  }
  return middle;
}

}  // namespace

CriticalPoint find_critical(const Growth& growth, double parameter, std::optional<double> over,
                            const std::function<bool()>& interrupted) {
  CriticalPoint point{parameter, over.value_or(0.0), {}};
  const auto value_over = [&](double k) {
    if (interrupted && interrupted()) return std::numeric_limits<double>::quiet_NaN();
    const double found = root([&](double p) { return growth(p, k); }, point.parameter);
    if (std::isfinite(found)) point.parameter = found;  // where the next search begins
    return found;
  };
  if (!over) {
    if (!std::isfinite(value_over(0.0)))
      point.failure = fmt::format(
          "the growth does not change its sign between {:g} and {:g} of the parameter: begin "
          "nearer to the critical value",
          parameter / kLargestFactor, parameter * kLargestFactor);
    return point;
  }
  const std::optional<Sample> found = minimum(value_over, *over);
  if (found)
    point.parameter = found->value, point.over = found->at;
  else
    point.failure = "no minimum was found: begin nearer to the critical point";
  return point;
}

}  // namespace gwrm
