#include "problems/time_spectral/graded_subdomains.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "basis/axis_basis.hpp"
#include "basis/levels.hpp"
#include "kernels/transform/tensor_transform.hpp"
#include "problems/time_spectral/tails.hpp"

namespace gwrm {
namespace {

constexpr double kRatio = kGradingRatio;
constexpr double kThird = 1.0 / 3.0;  // toward a jump (sudden_start.hpp)
constexpr int kMostCuts = 2;          // toward one end at a time: the power is an estimate
constexpr int kLowestDegree = 12, kLeastForGrading = 16;
constexpr double kLeastGradingPower = 1.5, kMostPower = 12.0;
// Between the quotient of logarithms of a series of powers (1) and that of a geometric one (2).
constexpr double kPowerLawGrading = 1.5;
constexpr double kOtherEnd = 0.3;   // of the sum at the singular end, at most: else both ends are
constexpr double kSameEdge = 1e-6;  // relative to the cell that is divided

// Largest coefficient of the three levels up to this one, per subdomain.
std::vector<double> sizes_at(const Array& a, int axis, const AxisBasis& basis, int level) {
  return largest_levels(a, at(axis), basis, level + 1 - kTailModes, level + 1);
}

// s of n^-s on one subdomain from its coefficients at n/4, n/2 and n; 0: none.
double power_of(double quarter, double half, double last) {
  if (!(last > 0.0 && half > last && quarter > half)) return 0.0;
  const double first = std::log(quarter / half), second = std::log(half / last);
  const double power = second / std::log(2.0);
  return second < kPowerLawGrading * first && power >= kLeastGradingPower && power <= kMostPower ? power : 0.0;
}

// Largest magnitudes at both ends of a subdomain of what the upper half of its levels adds there.
std::array<double, 2> sums_at_ends(const Array& a, int axis, const AxisBasis& basis, Index subdomain) {
  const Index n = basis.n_per_subdomain(), first = basis.n_below(basis.degree() / 2 + 1);
  const Matrix ends = basis.at_positions(std::array{-1.0, 1.0});
  Index outer = 1, inner = 1;
  for (int d = 0; d < axis; ++d) outer *= a.shape[d];
  for (std::size_t d = at(axis) + 1; d < a.shape.size(); ++d) inner *= a.shape[d];
  std::array<double, 2> largest{};
  for (Index o = 0; o < outer; ++o) {
    const double* const block = a.data.data() + (o * a.shape[axis] + subdomain * n) * inner;
    for (Index i = 0; i < inner; ++i) {
      double lower = 0.0, upper = 0.0;
      for (Index l = first; l < n; ++l) {
        lower += ends(0, l) * block[l * inner + i];
        upper += ends(1, l) * block[l * inner + i];
      }
      largest = {std::max(largest[0], std::abs(lower)), std::max(largest[1], std::abs(upper))};
    }
  }
  return largest;
}

// Whether edges within [edges.front(), edges.back()] come from bisections, and from cuts at sigma or a third of the
// length from one end or from both.
bool is_division(std::span<const double> edges) {
  if (edges.size() < 3) return true;
  const double lower = edges.front(), length = edges.back() - lower;
  const auto edge_at = [&](double share) -> std::size_t {  // 0: none
    for (std::size_t i = 1; i + 1 < edges.size(); ++i)
      if (std::abs(edges[i] - (lower + share * length)) < kSameEdge * length) return i;
    return 0;
  };
  const auto cut = [&](std::size_t i) { return is_division(edges.first(i + 1)) && is_division(edges.subspan(i)); };
  if (const std::size_t middle = edge_at(0.5); middle > 0 && cut(middle)) return true;
  for (const double ratio : {kRatio, kThird}) {
    const std::size_t low = edge_at(ratio), high = edge_at(1.0 - ratio);
    for (const std::size_t i : {low, high})
      if (i > 0 && cut(i)) return true;
    if (low > 0 && high > 0 && is_division(edges.first(low + 1)) && is_division(edges.subspan(low, high - low + 1)) &&
        is_division(edges.subspan(high)))
      return true;
  }
  return false;
}

// m: sigma^(alpha m) brings the tail to half the tolerance.
int n_cuts(double tail, double power, double tolerance) {
  const double alpha = 0.5 * (power - 1.0);
  return std::clamp(static_cast<int>(std::ceil(std::log(2.0 * tail / tolerance) / (-alpha * std::log(kRatio)))), 1,
                    kMostCuts);
}

}  // namespace

EndPowers end_powers(const Array& coefficients, int axis, const AxisDescription& subdomains) {
  const auto basis = make_basis(subdomains);
  const int degree = subdomains.degree;
  if (degree < kLeastForGrading || !basis->can_be_divided()) return {};
  const std::vector<double> quarter = sizes_at(coefficients, axis, *basis, degree / 4),
                            half = sizes_at(coefficients, axis, *basis, degree / 2),
                            last = sizes_at(coefficients, axis, *basis, degree);
  EndPowers powers{};
  for (std::size_t end = 0; end < 2; ++end) {
    const std::size_t p = end == 0 ? 0 : quarter.size() - 1;
    const double power = power_of(quarter[p], half[p], last[p]);
    if (power == 0.0) continue;
    const std::array<double, 2> sums = sums_at_ends(coefficients, axis, *basis, static_cast<Index>(p));
    if (sums[end] > kOtherEnd * sums[1 - end]) powers[end] = power;
  }
  return powers;
}

// C n^-s: n (2 tail / tolerance)^(1/s).
int degree_by_power(int degree, double tail, double power, double tolerance) {
  return static_cast<int>(std::ceil(degree * std::pow(2.0 * tail / tolerance, 1.0 / power)));
}

AxisDescription graded(const AxisDescription& subdomains, const std::vector<double>& tails, const EndPowers& powers,
                       double tolerance, int max_degree) {
  const std::array<double, 2> tail{tails.front(), tails.back()};
  std::array<int, 2> cuts{};
  int degree = subdomains.n_subdomains() == 1 ? kLowestDegree : subdomains.degree, longer = subdomains.degree;
  for (std::size_t end = 0; end < 2; ++end) {
    if (powers[end] == 0.0 || tail[end] <= tolerance) continue;
    cuts[end] = n_cuts(tail[end], powers[end], tolerance);
    // C n^-s is the tail; C rho^-p is to be half the tolerance.
    const double size = std::min(1.0, tail[end] * std::pow(subdomains.degree, powers[end]));
    const double rho = (1.0 + std::sqrt(kRatio)) / (1.0 - std::sqrt(kRatio));
    degree = std::max(degree, static_cast<int>(std::ceil(std::log(2.0 * size / tolerance) / std::log(rho))));
    longer = std::max(longer, degree_by_power(subdomains.degree, tail[end], powers[end], tolerance));
  }
  const Index n_pieces = subdomains.n_subdomains() + cuts[0] + cuts[1];
  if (cuts[0] + cuts[1] == 0 || n_pieces * (degree + 1) >= subdomains.n_subdomains() * (longer + 1)) return subdomains;
  AxisDescription result = subdomains;
  result.degree = std::min(degree, max_degree);
  const std::vector<double>& edges = subdomains.edges;
  const double first = edges[1] - edges[0], last = edges[edges.size() - 1] - edges[edges.size() - 2];
  for (int k = 1; k <= cuts[0]; ++k) result.edges.push_back(edges.front() + std::pow(kRatio, k) * first);
  for (int k = 1; k <= cuts[1]; ++k) result.edges.push_back(edges.back() - std::pow(kRatio, k) * last);
  std::sort(result.edges.begin(), result.edges.end());
  return result;
}

AxisDescription cut_toward(AxisDescription mine, double place, double spacing, double ratio, int most) {
  const double near = 1e-9 * (mine.edges.back() - mine.edges.front());
  const auto is_there = [&](double edge) { return std::abs(edge - place) <= near; };
  while (mine.n_subdomains() < most) {
    // The longest of the subdomains that end there.
    std::size_t longest = mine.edges.size();
    double length = spacing;
    for (std::size_t p = 0; p + 1 < mine.edges.size(); ++p)
      if ((is_there(mine.edges[p]) || is_there(mine.edges[p + 1])) && mine.edges[p + 1] - mine.edges[p] > length) {
        longest = p;
        length = mine.edges[p + 1] - mine.edges[p];
      }
    if (longest == mine.edges.size()) break;
    const double lower = mine.edges[longest], upper = mine.edges[longest + 1];
    const double share = mine.n_subdomains() == 1 ? 0.5 : ratio;
    mine.edges.insert(mine.edges.begin() + static_cast<std::ptrdiff_t>(longest) + 1,
                      is_there(lower) ? lower + share * (upper - lower) : upper - share * (upper - lower));
  }
  return mine;
}

bool are_siblings(const AxisDescription& subdomains, const AxisDescription& original, Index p) {
  std::vector<double> merged = subdomains.edges;
  merged.erase(merged.begin() + p + 1);
  // The original subdomain around the two pieces; none if the edge between them is one of its own.
  const double* const pieces = subdomains.edges.data() + p;
  const double* const cell = original.edges.data() + original.subdomain_of(0.5 * (pieces[0] + pieces[1]));
  const double lower = cell[0], upper = cell[1], same = kSameEdge * (pieces[1] - pieces[0]);
  if (pieces[2] > upper + same) return false;
  const auto within = [&](const std::vector<double>& edges) {
    std::vector<double> inside;
    for (double edge : edges)
      if (edge >= lower - same && edge <= upper + same) inside.push_back(edge);
    return is_division(inside);
  };
  return within(subdomains.edges) && within(merged);
}

}  // namespace gwrm
