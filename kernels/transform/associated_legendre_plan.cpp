#include <algorithm>
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

std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

// base^exponent = mantissa 2^power, far beyond the range of the type.
struct Scaled {
  long double mantissa = 1.0L;
  Index power = 0;
  void multiply(Scaled other) {
    int shift = 0;
    mantissa = std::frexp(mantissa * other.mantissa, &shift);
    power += other.power + shift;
  }
};
Scaled power_of(long double base, Index exponent) {
  Scaled result, square{base, 0};
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) result.multiply(square);
    square.multiply(square);
  }
  return result;
}

// The recurrence of 32 lanes; stops at the first k where a number reaches `limit`.
GWRM_VECTOR_CLONES Index run_to(const double* slope, const double* constant, const double* z, Index k, Index n,
                                double limit, double* __restrict p, double* __restrict d) {
  for (; k < n; ++k) {
    double largest = 0.0;
    for (int i = 0; i < kLanesOfBlock; ++i) largest = std::max(largest, std::abs(p[i]));
    if (largest >= limit) break;
    for (int i = 0; i < kLanesOfBlock; ++i) {
      d[i] += (slope[k] * z[i] + constant[k]) * p[i];
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
  for (std::vector<double>* table : {&slope_, &polar_, &equatorial_, &scale_}) table->resize(n);
  const std::size_t n_starts = 2 * at(degree_ + 1);
  first_.resize(n_starts * blocks_.size());
  start_.resize(n_starts * 2 * at(n_groups() * kLanes));
  ThreadErrors errors;
#pragma omp parallel for schedule(dynamic)
  for (Index m = 0; m <= degree_; ++m)
    errors.run([&] {
      for (const LegendreParity parity : {LegendreParity::even, LegendreParity::odd}) {
        const Index place = table_place(m, parity), first_degree = m + (parity == LegendreParity::even ? 0 : 1);
        if (n_functions(m, parity) == 0) continue;
        legendre_recurrence(m, first_degree, n_functions(m, parity),
                            {&slope_[at(place)], &polar_[at(place)], &equatorial_[at(place)], &scale_[at(place)]});
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
  const auto near_equator = [&](Index g) { return sine_squared_[at(g * kLanes + kLanes / 2)] > 0.5L; };
  for (Index group = 0; group < n_groups(); ++group) {
    const bool is_near = near_equator(group);
    if (blocks_.empty() || blocks_.back().n_groups == kGroupsOfBlock || blocks_.back().near_equator != is_near)
      blocks_.push_back({group, 0, is_near});
    ++blocks_.back().n_groups;
    add_variable(group, is_near ? cosine_squared_ : sine_squared_);
  }
}

// Rounding z - origin to a unit r of its largest value moves a node by r |z - origin| / sin 2 theta: the origin is 0 or
// the middle of the group, whichever moves them less.
void AssociatedLegendrePlan::add_variable(Index group, const std::vector<long double>& z) {
  const std::size_t begin = at(group * kLanes), end = begin + kLanes;
  const double middle = static_cast<double>(0.5L * (z[begin] + z[end - 1]));
  double from_zero = 0.0, from_middle = 0.0;
  for (std::size_t i = begin; i < end; ++i) {
    const double value = static_cast<double>(z[i]), sine = std::sqrt(value * (1.0 - value));
    if (sine == 0.0) continue;  // the equator, exact from zero
    from_zero = std::max(from_zero, value / sine);
    from_middle = std::max(from_middle, std::abs(value - middle) / sine);
  }
  const bool has_zero = z[begin] == 0.0L || z[end - 1] == 0.0L;
  origin_.push_back(has_zero || from_zero < from_middle ? 0.0 : middle);
  for (std::size_t i = begin; i < end; ++i) variable_.push_back(static_cast<double>(z[i] - origin_.back()));
}

// P_m^m = sqrt(1/2 prod_(i<=m) (2i+1)/(2i)) sin^m, P_(m+1)^m = sqrt(2m+3) x P_m^m. A lane that is 2^-1000 smaller than
// the first of its block has a sin^m that much smaller, and stays negligible: degree_ sin theta >= m is needed to be
// seen.
void AssociatedLegendrePlan::make_starts(Index m, LegendreParity parity) {
  const Index n = n_functions(m, parity);
  const std::size_t place = at(table_place(m, parity));
  long double squared = 0.5L;
  for (Index i = 1; i <= m; ++i) squared *= static_cast<long double>(2 * i + 1) / static_cast<long double>(2 * i);
  if (parity == LegendreParity::odd) squared *= static_cast<long double>(2 * m + 3);
  const long double factor = std::sqrt(squared);
  double* values = start_.data() + start_place(m, parity) * 2 * at(n_groups() * kLanes);
  double* differences = values + n_groups() * kLanes;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    const Index lanes = block.n_groups * kLanes, begin = block.first_group * kLanes;
    Scaled powers[kLanesOfBlock];
    Index largest = powers[0].power - (Index{1} << 40);
    for (Index i = 0; i < lanes; ++i) {
      powers[i] = power_of(sine_squared_[at(begin + i)], m / 2);
      if (m % 2 == 1) powers[i].multiply({std::sqrt(sine_squared_[at(begin + i)]), 0});
      powers[i].multiply({factor, 0});
      largest = std::max(largest, powers[i].power);
    }
    double p[kLanesOfBlock] = {}, d[kLanesOfBlock], z[kLanesOfBlock] = {};
    for (Index i = 0; i < lanes; ++i) {
      const Index shift = powers[i].power - largest;
      p[i] = shift < -1000 ? 0.0 : static_cast<double>(std::ldexp(powers[i].mantissa, static_cast<int>(shift)));
      z[i] = static_cast<double>((block.near_equator ? cosine_squared_ : sine_squared_)[at(begin + i)]);
    }
    std::copy_n(p, kLanesOfBlock, d);  // p_(-1) = 0
    const double* constant = (block.near_equator ? equatorial_ : polar_).data() + place;
    Index k = 0;
    while (k < n && largest < kNegligible) {
      const double limit =
          largest + kStep < kNegligible ? 0x1p400 : std::ldexp(1.0, static_cast<int>(kNegligible - largest));
      k = run_to(slope_.data() + place, constant, z, k, n, limit, p, d);
      if (k == n || limit < 0x1p400) break;
      for (int i = 0; i < kLanesOfBlock; ++i) {
        p[i] *= kScaleDown;
        d[i] *= kScaleDown;
      }
      largest += kStep;
    }
    first_[start_place(m, parity) * blocks_.size() + b] = static_cast<std::int32_t>(k);
    for (Index i = 0; i < lanes && k < n; ++i) {
      values[begin + i] = std::ldexp(p[i], static_cast<int>(largest));
      differences[begin + i] = std::ldexp(d[i], static_cast<int>(largest));
    }
  }
}

}  // namespace gwrm
