// Complex discrete Fourier transforms of any length on the CPU: how a length is divided, and the factors it takes.
//
// Formula   X_k = sum_j x_j exp(-2 pi i j k / n), k = 0..n-1; nothing is scaled.
// Method    Stockham's form of decimation in frequency, the order stays natural. A pass of radix R on a transform of
//           length L = R m, of which s are interleaved (s L = n):
//             y[q + s (R p + r)] = exp(-2 pi i r p / L) sum_k x[q + s (p + m k)] exp(-2 pi i r k / R),  p < m, q < s.
//           Radices 12, 10, 9, 8, 6, 5, 4, 3, 2, the cheapest of which the product is the length, and the other primes
//           up to 31 by their definition. Lengths with a greater prime factor go through a convolution (Bluestein):
//           with c_j = exp(i pi j^2 / n),
//             X_k = conj(c_k) sum_j (x_j conj(c_j)) c_{k-j},
//           a circular convolution of a length L >= 2n - 1 whose prime factors are 2, 3 and 5.
// Cost      about 4 n log2 n real operations; four to eight times that by convolution.
// Memory    2 n doubles of factors; with a convolution 2 (n + L) and those of its plan.
// Errors    ShapeError for a length below 1. Errors of a transform: about 1e-16 log2 n of its largest value.
// Uses      fourier_lines.hpp runs a plan on several lines at once.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "core/array.hpp"

namespace gwrm {

// Doubles between the planes of real and imaginary parts: planes a power of two apart would share the same cache sets.
inline constexpr Index kPlanePadding = 72;

struct FourierPass {
  Index radix, m, s;
  std::size_t factors;  // of the first factor in the table: [p][r - 1], re and im; none where m = 1
  std::size_t roots;    // of a radix without a butterfly of its own: exp(-2 pi i t / R), t < R, in the same table
};

class FourierPlan {
 public:
  explicit FourierPlan(Index length);

  Index length() const { return length_; }
  // Complex numbers of one line in each of the two buffers that the passes need.
  Index work_length() const { return convolution_ ? convolution_->length() : length_; }
  const std::vector<FourierPass>& passes() const { return passes_; }
  const double* table() const { return table_.data(); }

  // By convolution: its plan (null: not so), the chirp c_j, j < n, and the transform of c, divided by L.
  const FourierPlan* convolution() const { return convolution_.get(); }
  const std::vector<std::complex<double>>& chirp() const { return chirp_; }
  const std::vector<std::complex<double>>& kernel() const { return kernel_; }

 private:
  void add_passes();
  void prepare_convolution();

  Index length_;
  std::vector<FourierPass> passes_;
  std::vector<double> table_;
  std::unique_ptr<FourierPlan> convolution_;
  std::vector<std::complex<double>> chirp_, kernel_;
};

constexpr Index kLargestRadix = 31;  // beyond, a convolution is cheaper

// The least length from `least` on whose prime factors are 2, 3 and 5.
Index smooth_length(Index least);

}  // namespace gwrm
