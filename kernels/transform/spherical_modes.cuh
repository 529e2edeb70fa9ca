// Between the values of associated Legendre transforms and the Fourier modes of rows of a grid on the sphere.
//
// Contract: kernels/transform/spherical_harmonics.hpp
//
// Layout    spectrum: n_theta x (n_phi/2 + 1) complex, the halves that transforms of real rows have.
// Method    a block takes a group of eight pairs of rows and kModes modes through shared memory: values come and go by
//           orders, modes by rows. A mode that n_phi points do not resolve falls on the one that has its values: of
//           mode mu and its conjugate at n_phi - mu the half spectrum holds the first, and the sum of both where they
//           are one.
#pragma once

#include "kernels/transform/legendre_view.cuh"

namespace gwrm::spherical {

using legendre::kGroup, legendre::kGroupNumbers;
inline constexpr int kModes = 32;
inline constexpr int kRows = 2 * kGroup;

struct SphereShape {
  long long degree, n_groups, n_pairs, n_theta, n_phi;
  __host__ __device__ long long n_half() const { return n_phi / 2 + 1; }
  __host__ __device__ long long n_values() const { return (degree + 1) * n_groups * kGroupNumbers; }
  // Row `number` of a group: eight northern ones, then their mirrors.
  __host__ __device__ long long pair(long long group, int number) const { return group * kGroup + number % kGroup; }
  __host__ __device__ long long row(long long group, int number) const {
    const long long p = pair(group, number);
    return number < kGroup ? p : n_theta - 1 - p;
  }
};

struct Tile {
  double number[kModes][kGroupNumbers + 1];
};

// F_m at a row from the parts of its pair.
struct Mode {
  double re, im;
};
__device__ inline Mode mode_of(const double* parts, int number) {
  const int i = number % kGroup;
  const double sign = number < kGroup ? 1.0 : -1.0;
  return {parts[i] + sign * parts[2 * kGroup + i], parts[kGroup + i] + sign * parts[3 * kGroup + i]};
}

// spectrum = factor times the modes mu = first_mode.. of a group's rows.
__device__ inline void set_modes(const SphereShape& shape, long long group, long long first_mode, int n_threads,
                                 double factor, const double* values, double* spectrum, Tile& tile) {
  const int thread = static_cast<int>(threadIdx.x);
  const auto parts = [&](long long m) { return values + (m * shape.n_groups + group) * kGroupNumbers; };
  for (int i = thread; i < kModes * kGroupNumbers; i += n_threads) {
    const int j = i / kGroupNumbers;
    tile.number[j][i % kGroupNumbers] = first_mode + j <= shape.degree ? parts(first_mode + j)[i % kGroupNumbers] : 0.0;
  }
  __syncthreads();
  for (int i = thread; i < kModes * kRows; i += n_threads) {
    const int number = i / kModes, j = i % kModes;
    const long long mode = first_mode + j, pair = shape.pair(group, number), row = shape.row(group, number);
    if (mode >= shape.n_half() || pair >= shape.n_pairs || (number >= kGroup && row == pair)) continue;
    Mode sum = mode_of(tile.number[j], number);
    const long long other = shape.n_phi - mode;
    if (other != mode && other <= shape.degree) {
      const Mode conjugate = mode_of(parts(other), number);
      sum.re += mode == 0 ? 2.0 * conjugate.re : conjugate.re;
      sum.im -= conjugate.im;
    }
    if (other == mode) sum.re *= 2.0;
    if (mode == 0 || other == mode) sum.im = 0.0;
    double* to = spectrum + 2 * (row * shape.n_half() + mode);
    to[0] = factor * sum.re;
    to[1] = factor * sum.im;
  }
}

// values = factor times sums and differences of the modes m = first_mode.. of pairs of rows.
__device__ inline void take_modes(const SphereShape& shape, long long group, long long first_mode, int n_threads,
                                  double factor, const double* spectrum, double* values, Tile& tile) {
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < kModes * kRows; i += n_threads) {
    const int number = i / kModes, j = i % kModes;
    const long long m = first_mode + j;
    Mode found{0.0, 0.0};
    if (m <= shape.degree && shape.pair(group, number) < shape.n_pairs) {
      const long long mode = m % shape.n_phi;
      const bool conjugate = mode >= shape.n_half();
      const double* from =
          spectrum + 2 * (shape.row(group, number) * shape.n_half() + (conjugate ? shape.n_phi - mode : mode));
      found = {factor * from[0], m == 0 ? 0.0 : conjugate ? -factor * from[1] : factor * from[1]};
    }
    tile.number[j][2 * number] = found.re;
    tile.number[j][2 * number + 1] = found.im;
  }
  __syncthreads();
  for (int i = thread; i < kModes * kGroupNumbers; i += n_threads) {
    const int j = i / kGroupNumbers, part = i % kGroupNumbers / kGroup, number = i % kGroup;
    if (first_mode + j > shape.degree) continue;
    const double north = tile.number[j][2 * number + part % 2],
                 south = tile.number[j][2 * (number + kGroup) + part % 2];
    values[((first_mode + j) * shape.n_groups + group) * kGroupNumbers + i % kGroupNumbers] =
        part < 2 ? north + south : north - south;
  }
}

}  // namespace gwrm::spherical
