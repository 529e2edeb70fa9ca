#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <string>

#include "core/errors.hpp"
#include "core/thread_errors.hpp"
#include "core/vector_clones.hpp"
#include "kernels/transform/associated_legendre.hpp"
#include "kernels/transform/gauss_legendre.hpp"
#include "kernels/transform/legendre_recurrence.hpp"

namespace gwrm {
namespace {

constexpr Index kGroupsOfBlock = 4;  // 32 nodes: as many independent recurrences as hide each other's latency
constexpr int kLanesOfBlock = 32;
constexpr int kNegligible = -130;  // powers of two
constexpr int kStep = 400;         // by which numbers that grow are scaled
constexpr double kScaleDown = 0x1p-400;

// The largest that is not above n.
Index power_of_two(Index n) {
  return static_cast<Index>(std::bit_floor(static_cast<std::size_t>(n)));
}

// base^exponent = mantissa 2^power, far beyond the range of the type.
struct ScaledLegendre {
  long double mantissa = 1.0L;
  Index power = 0;
  void multiply(ScaledLegendre other) {
    int shift = 0;
    mantissa = std::frexp(mantissa * other.mantissa, &shift);
    power += other.power + shift;
  }
};
ScaledLegendre power_of(long double base, Index exponent) {
  ScaledLegendre result, square{base, 0};
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) result.multiply(square);
    square.multiply(square);
  }
  return result;
}

// The recurrence of 32 lanes by differences; stops at the first k where a number reaches `limit`.
GWRM_VECTOR_CLONES Index run_to(const ConstLegendreTables& tables, const double* z, const double* origin, Index k,
                                Index n, double limit, double* __restrict p, double* __restrict d) {
  for (; k < n; ++k) {
    double largest = 0.0;
    for (int i = 0; i < kLanesOfBlock; ++i) largest = std::max(largest, std::abs(p[i]));
    if (largest >= limit) break;
    for (int i = 0; i < kLanesOfBlock; ++i) {
      d[i] += (tables.slope[k] * z[i] + tables.difference_constant(k, origin[i])) * p[i];
      p[i] += d[i];
    }
  }
  return k;
}

}  // namespace

AssociatedLegendrePlan::AssociatedLegendrePlan(Index degree, Index n_theta) : degree_(degree), n_theta_(n_theta) {
  if (degree < 0 || degree > kLargestDegree)
    throw ShapeError("associated Legendre functions of degree " + std::to_string(degree) + ": from 0 to " +
                     std::to_string(kLargestDegree));
  if (n_theta < degree + 1)
    throw ShapeError("associated Legendre functions of degree " + std::to_string(degree) + ": " +
                     std::to_string(n_theta) + " points in theta, at least " + std::to_string(degree + 1) +
                     " are needed");
  make_nodes();
  const std::size_t n = at(n_coefficients());
  for (std::vector<double>* table : {&slope_, &polar_, &equatorial_, &scale_}) table->resize(n + kLanes);
  for (std::vector<float>* table : {&slope_rest_, &polar_rest_}) table->resize(n + kLanes);
  const std::size_t n_starts = 2 * at(degree_ + 1);
  ranges_.resize(n_starts * blocks_.size());
  start_.resize(n_starts * 2 * at(n_groups() * kLanes));
  ThreadErrors errors;
#pragma omp parallel for schedule(dynamic)
  for (Index m = 0; m <= degree_; ++m)
    errors.run([&] {
      for (const LegendreParity parity : {LegendreParity::even, LegendreParity::odd}) {
        const Index first_degree = m + (parity == LegendreParity::even ? 0 : 1);
        const std::size_t place = at(table_place(m, parity));
        if (n_functions(m, parity) == 0) continue;
        legendre_recurrence(m, first_degree, n_functions(m, parity),
                            {&slope_[place], &polar_[place], &equatorial_[place], &scale_[place], &slope_rest_[place],
                             &polar_rest_[place]});
        make_starts(m, parity);
      }
    });
  errors.rethrow();
  sine_squared_ = cosine_squared_ = {};
}

void AssociatedLegendrePlan::make_nodes() {
  const GaussHalf half = gauss_legendre_half(n_theta_);
  theta_.resize(at(n_theta_));
  weights_.resize(at(n_theta_));
  for (Index i = 0; i < n_pairs(); ++i) {
    const long double angle = std::atan2(std::sqrt(half.sine_squared[at(i)]), half.cosine[at(i)]);
    theta_[at(i)] = static_cast<double>(angle);
    theta_[at(n_theta_ - 1 - i)] = static_cast<double>(std::numbers::pi_v<long double> - angle);
    weights_[at(i)] = weights_[at(n_theta_ - 1 - i)] = static_cast<double>(half.weight[at(i)]);
  }
  if (n_theta_ % 2 == 1) theta_[at(n_theta_ / 2)] = 0.5 * std::numbers::pi;
  const Index n_lanes = n_groups() * kLanes;
  for (Index i = 0; i < n_lanes; ++i) {
    const Index node = std::min(i, n_pairs() - 1);
    const bool is_middle = 2 * node + 1 == n_theta_;
    cosine_.push_back(static_cast<double>(half.cosine[at(node)]));
    sine_squared_.push_back(half.sine_squared[at(node)]);
    cosine_squared_.push_back(half.cosine[at(node)] * half.cosine[at(node)]);
    lane_weight_.push_back(i != node ? 0.0 : weights_[at(node)] * (is_middle ? 0.5 : 1.0));
  }
  // Nodes of a block take the same form of the recurrence: none is wider than some 15 degrees, if eight nodes are not.
  const Index per_block = std::clamp<Index>(n_groups() / 6, 1, kGroupsOfBlock);
  for (Index group = 0; group < n_groups(); group += blocks_.back().n_groups)
    blocks_.push_back({group, power_of_two(std::min(per_block, n_groups() - group))});
  for (Index group = 0; group < n_groups(); ++group) add_variable(group);
}

// Rounding sin^2 - origin moves a node by |sin^2 - origin| / sin 2 theta units of rounding: the origin is 0, 1 or the
// middle of the group, whichever moves them least.
void AssociatedLegendrePlan::add_variable(Index group) {
  const std::size_t begin = at(group * kLanes), end = begin + kLanes;
  const double middle = static_cast<double>(0.5L * (sine_squared_[begin] + sine_squared_[end - 1]));
  double origin = 0.0, least = INFINITY;
  for (const double candidate : {0.0, 1.0, std::ldexp(std::round(std::ldexp(middle, 28)), -28)}) {
    double move = 0.0;
    for (std::size_t i = begin; i < end; ++i) {
      const double square = static_cast<double>(sine_squared_[i] * cosine_squared_[i]);
      const double distance = std::abs(static_cast<double>(sine_squared_[i]) - candidate);
      move = std::max(move, square == 0.0 ? (candidate == 1.0 ? 0.0 : INFINITY) : distance / std::sqrt(square));
    }
    if (move >= least) continue;
    least = move;
    origin = candidate;
  }
  origin_.push_back(origin);
  for (std::size_t i = begin; i < end; ++i)
    variable_.push_back(
        static_cast<double>(origin > 0.5 ? (1.0L - origin) - cosine_squared_[i] : sine_squared_[i] - origin));
}

// P_m^m = sqrt(1/2 prod_(i<=m) (2i+1)/(2i)) sin^m, P_(m+1)^m = sqrt(2m+3) x P_m^m. A lane that is 2^-1000 smaller than
// the first of its block has a sin^m that much smaller, and stays negligible: degree_ sin theta >= m is needed to be
// seen.
void AssociatedLegendrePlan::make_starts(Index m, LegendreParity parity) {
  const Index n = n_functions(m, parity);
  long double squared = 0.5L;
  for (Index i = 1; i <= m; ++i) squared *= static_cast<long double>(2 * i + 1) / static_cast<long double>(2 * i);
  if (parity == LegendreParity::odd) squared *= static_cast<long double>(2 * m + 3);
  const long double factor = std::sqrt(squared);
  double* values = start_.data() + start_place(m, parity) * 2 * at(n_groups() * kLanes);
  double* differences = values + n_groups() * kLanes;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    const Index lanes = block.n_groups * kLanes, begin = block.first_group * kLanes;
    ScaledLegendre powers[kLanesOfBlock];
    Index largest = powers[0].power - (Index{1} << 40);
    for (Index i = 0; i < lanes; ++i) {
      powers[i] = power_of(sine_squared_[at(begin + i)], m / 2);
      if (m % 2 == 1) powers[i].multiply({std::sqrt(sine_squared_[at(begin + i)]), 0});
      powers[i].multiply({factor, 0});
      largest = std::max(largest, powers[i].power);
    }
    double p[kLanesOfBlock] = {}, d[kLanesOfBlock] = {}, z[kLanesOfBlock] = {}, origin[kLanesOfBlock] = {};
    for (Index i = 0; i < lanes; ++i) {
      const Index shift = powers[i].power - largest;
      p[i] = shift < -1000 ? 0.0 : static_cast<double>(std::ldexp(powers[i].mantissa, static_cast<int>(shift)));
      z[i] = variable_[at(begin + i)];
      origin[i] = origin_[at((begin + i) / kLanes)];
    }
    const ConstLegendreTables tables = this->tables(m, parity);
    Index k = 0;
    while (k < n && largest < kNegligible) {
      const double limit =
          largest + kStep < kNegligible ? 0x1p400 : std::ldexp(1.0, static_cast<int>(kNegligible - largest));
      k = run_to(tables, z, origin, k, n, limit, p, d);
      if (k == n || limit < 0x1p400) break;
      for (int i = 0; i < kLanesOfBlock; ++i) {
        p[i] *= kScaleDown;
        d[i] *= kScaleDown;
      }
      largest += kStep;
    }
    // t falls as k grows, and towards the equator: where it passes 0 and -1 at the last node of the block. Differences
    // where t is near -2 already would amplify rounding by 1 / sin of the angle; sums where it is not yet at the first
    // node do no harm. The first step is a difference or a sum.
    const double sine_squared = static_cast<double>(sine_squared_[at(begin + lanes - 1)]);
    const auto t = [&](Index i) {
      const double value = tables.slope[i] * sine_squared + tables.polar[i];
      return i > 0 ? value + 2.0 : std::copysign(2.0, value + 1.0);
    };
    const auto first_below = [&](Index from, double bound) {
      Index low = from, high = n;
      while (low < high) {
        const Index middle = (low + high) / 2;
        if (t(middle) < bound)
          high = middle;
        else
          low = middle + 1;
      }
      return low;
    };
    const Index differences_end = first_below(k, 0.0), plain_end = first_below(differences_end, -1.0);
    ranges_[start_place(m, parity) * blocks_.size() + b] = {
        static_cast<std::int32_t>(k), static_cast<std::int32_t>(differences_end), static_cast<std::int32_t>(plain_end)};
    for (Index i = 0; i < lanes && k < n; ++i) {
      values[begin + i] = std::ldexp(p[i], static_cast<int>(largest));
      const double difference = differences_end == 0 ? 2.0 * p[i] : d[i];  // p_(-1) = -p_0 or p_0
      differences[begin + i] = std::ldexp(difference, static_cast<int>(largest));
    }
  }
}

}  // namespace gwrm
