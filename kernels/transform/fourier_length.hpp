// Lengths of discrete Fourier transforms that our kernels do in a few steps, and the roots of unity they take.
//
// Formula   a transform of length P = R_1 R_2 ... R_s in s steps (Stockham: the order stays natural), each of P / R_i
//           short transforms; step i multiplies its inputs r = 1 .. R_i - 1, m < N_i = R_1 ... R_(i-1), by
//           exp(2 pi i r m / (N_i R_i)).
// Roots     those factors, [step][r - 1][m], P - R_1 of them; then the half turns e_k = exp(i pi k / (2 P)),
//           k = 0 .. P/2, of the cosine transforms. Angles are reduced in whole numbers.
#pragma once

#include <complex>
#include <vector>

namespace gwrm {

struct FourierLength {
  static constexpr int max_steps = 8;

  int length = 1;
  int n_steps = 0;
  int radix[max_steps] = {};
  unsigned reciprocal[max_steps] = {};  // j / N_i = j * reciprocal / 2^32 for j < P, from the second step on
  int n_factors = 0, n_roots = 1;       // in the table of roots: of the steps, and with the half turns
  int pitch[max_steps] = {};            // of the groups that a step writes, see fourier_pitch
  int line = 1;                         // numbers from one sequence to the next, at least
};

// Step i writes groups of N_i R_i numbers, g * pitch + m + r N_i, neighbouring threads one m after the other and then
// one g: with these gaps between the groups they stay in different banks of shared memory, which is eight numbers wide.
constexpr int fourier_pitch(int done, int radix) {
  return done == 1 ? radix | 1 : done * radix + (8 + done % 8 - done * radix % 8) % 8;
}

constexpr int kLongestFourierLength = 1 << 15;  // reciprocal stays exact

// The length from `least` on, at most kLongestFourierLength, that should take the shortest time.
FourierLength fourier_length(int least);

FourierLength fourier_length(const std::vector<int>& radices);

// The factors of exactly this length; n_steps = 0 if it has prime factors above 5 or more than max_steps factors (and
// is not 1).
FourierLength factors_of(int length);

std::vector<std::complex<double>> fourier_roots(const FourierLength& length);

// exp(2 pi i numerator / denominator)
std::complex<double> root_of_unity(long long numerator, long long denominator);

}  // namespace gwrm
