// Transforms between coefficients of associated Legendre functions and values on Gauss nodes, all orders m at once: the
// part along theta of spherical harmonics.
//
// Functions Pbar_l^m(x), 0 <= m <= l <= L, orthonormal on [-1, 1], without the phase (-1)^m of Condon and Shortley.
// Formula   synthesis  F_m(x_i) = sum_l a_lm Pbar_l^m(x_i);   analysis  a_lm = sum_i w_i F_m(x_i) Pbar_l^m(x_i),
//           the sum over the n >= L + 1 nodes x_i = cos(theta_i), weights w_i, of Gauss-Legendre quadrature: analysis
//           undoes synthesis. With the weights as the scalar product of the nodes each is the adjoint of the other.
// Layout    a: complex, order after order, l fastest: a_lm at coefficient_place(m) + l - m.
//           Values: nodes in pairs theta, pi - theta, 8 pairs a group, from the north pole (theta = 0) to the equator.
//           The numbers of order m and group g begin at (m n_groups + g) 32: four times 8 lanes, the parts of F_m that
//           are even and odd in x at the northern node, (even re, even im, odd re, odd im); F_m(theta) = even + odd and
//           F_m(pi - theta) = even - odd. Analysis takes even = F(theta) + F(pi - theta) and odd = F(theta) - F(pi -
//           theta) in these places, x_i = 0 as if it were two nodes (F twice), and gives the quadrature its weights
//           itself. Lanes beyond the last pair are copies of it and count nothing.
// Method    Pbar_(m+2k)^m and Pbar_(m+2k+1)^m / x are polynomials of x^2 times sin^m: with the scales s_k of
//           legendre_recurrence.hpp both follow p_(k+1) = t_k p_k - p_(k-1), t_k = 2 cos of the angle by which they
//           turn in a step. With differences d_k = p_k - p_(k-1) where t > 0, sums d_k = p_k + p_(k-1) where t < -1,
//             d_(k+1) = d_k + (t_k - 2) p_k,  p_(k+1) = p_k + d_(k+1);   d_(k+1) = -d_k + (t_k + 2) p_k,  ..,
//           and as it stands between: the rounding errors of the usual recurrence, amplified by 1 / sin of that angle,
//           do not arise. sin^2 theta counts from the middle of eight nodes, from 0 or from 1, so that its own
//           rounding, a shift of the nodes, is nothing. Functions are computed as they are used, from where they first
//           exceed 2^-130: values below count as zero.
// Cost      5 vector operations for 8 pairs, two degrees, an order and a complex number: about 5/16 L^2 n for both
//           parities; nothing where sin^m is negligible. The plan: about as much as a few transforms.
// Memory    the plan 20 L^2 + 16 L n bytes; the workspace a few columns of L numbers a thread.
// Errors    largest error over largest value: see docs/spectral-transforms.md. ShapeError: L below 0 or above
//           kLargestDegree, fewer than L + 1 nodes (says how many), batch 0. NaN spoils its order, and no more.
// Threads   over orders, which do not meet: the same bits for any number of them.
// Source    two steps at once: Ishioka, J. Meteorol. Soc. Japan 96 (2018) 241; differences: Reinsch's form of
// Clenshaw's
//           recurrence; both families by themselves instead of one divided by x, which loses digits at the equator.
// Device    the same numbers by the same tables (cuda::DeviceLegendre); legendre_steps.cuh says what differs.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/array.hpp"
#include "core/context.hpp"
#include "kernels/transform/legendre_recurrence.hpp"

namespace gwrm {

constexpr Index kLargestDegree = 4095;  // a plan takes about 0.5 GB, and its scales are exact integers up to there

// l = m, m + 2, .. (even in x) or l = m + 1, m + 3, .. (odd in x).
enum class LegendreParity { even, odd };

class AssociatedLegendrePlan {
 public:
  static constexpr int kLanes = 8;
  static constexpr Index kGroupNumbers = 4 * kLanes;

  AssociatedLegendrePlan(Index degree, Index n_theta);

  Index degree() const { return degree_; }
  Index n_theta() const { return n_theta_; }
  Index n_pairs() const { return (n_theta_ + 1) / 2; }
  Index n_groups() const { return (n_pairs() + kLanes - 1) / kLanes; }
  Index n_coefficients() const { return (degree_ + 1) * (degree_ + 2) / 2; }
  Index coefficient_place(Index m) const { return m * (degree_ + 1) - m * (m - 1) / 2; }
  Index n_values() const { return (degree_ + 1) * n_groups() * kGroupNumbers; }

  // All n_theta nodes, theta ascending, and their weights (of dx; the sum is 2).
  const std::vector<double>& theta() const { return theta_; }
  const std::vector<double>& weights() const { return weights_; }

  // How many functions a parity has at an order, and where their numbers begin in the tables.
  Index n_functions(Index m, LegendreParity parity) const {
    return parity == LegendreParity::even ? (degree_ - m) / 2 + 1 : (degree_ - m + 1) / 2;
  }
  Index table_place(Index m, LegendreParity parity) const {
    return coefficient_place(m) + (parity == LegendreParity::even ? 0 : n_functions(m, LegendreParity::even));
  }

  // One, two or four groups that are taken together.
  struct Block {
    Index first_group, n_groups;
  };
  // The functions k of a block: nothing before first, then by differences, as it stands, and by sums up to the last.
  struct Ranges {
    std::int32_t first, differences_end, plain_end;
  };
  const std::vector<Block>& blocks() const { return blocks_; }
  // Where sin^2 theta is counted from, per group; 1 - origin is exact.
  const double* origin() const { return origin_.data(); }
  // Per lane: sin^2 theta - origin, x, and the weight of analysis.
  const double* variable() const { return variable_.data(); }
  const double* cosine() const { return cosine_.data(); }
  const double* lane_weight() const { return lane_weight_.data(); }

  ConstLegendreTables tables(Index m, LegendreParity parity) const {
    const std::size_t place = static_cast<std::size_t>(table_place(m, parity));
    return {slope_.data() + place, polar_.data() + place,      equatorial_.data() + place,
            scale_.data() + place, slope_rest_.data() + place, polar_rest_.data() + place};
  }
  const Ranges& ranges(Index m, LegendreParity parity, std::size_t block) const {
    return ranges_[start_place(m, parity) * blocks_.size() + block];
  }
  // p_k and p_k - p_(k-1) at the first, per lane: values, then differences.
  const double* start(Index m, LegendreParity parity) const {
    return start_.data() + start_place(m, parity) * 2 * static_cast<std::size_t>(n_groups() * kLanes);
  }

 private:
  static std::size_t start_place(Index m, LegendreParity parity) {
    return 2 * static_cast<std::size_t>(m) + (parity == LegendreParity::even ? 0 : 1);
  }
  void make_nodes();
  void add_variable(Index group);
  void make_starts(Index m, LegendreParity parity);

  Index degree_, n_theta_;
  std::vector<double> theta_, weights_;
  std::vector<Block> blocks_;
  std::vector<double> origin_, variable_, cosine_, lane_weight_;
  std::vector<long double> sine_squared_, cosine_squared_;  // per lane, until the plan is made
  std::vector<double> slope_, polar_, equatorial_, scale_;
  std::vector<float> slope_rest_, polar_rest_;
  std::vector<Ranges> ranges_;
  std::vector<double> start_;
};

namespace cpu {

// Doubles of the workspace.
std::size_t legendre_workspace(const AssociatedLegendrePlan& plan, int n_threads);

void legendre_synthesis(const AssociatedLegendrePlan& plan, const std::complex<double>* a, double* values,
                        double* workspace, int n_threads);
void legendre_analysis(const AssociatedLegendrePlan& plan, const double* values, std::complex<double>* a,
                       double* workspace, int n_threads);

}  // namespace cpu

namespace cuda {

// A plan's tables in the memory of the device, about as many bytes as the plan. Making it waits for the device; the
// plan may go afterwards. Transforms of `batch` arrays one after the other, on the context's stream, need no workspace;
// two fields at a time share the functions. ShapeError for a batch below 1.
class DeviceLegendre {
 public:
  DeviceLegendre(const Context& context, const AssociatedLegendrePlan& plan);
  ~DeviceLegendre();

  void synthesis(Index batch, const std::complex<double>* a, double* values) const;
  void analysis(Index batch, const double* values, std::complex<double>* a) const;

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace cuda
}  // namespace gwrm
