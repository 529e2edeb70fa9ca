// Kernels of the products through the points by our own Fourier transforms: one dimension of many series after the
// other to the points, the last one together with the product and the way back, the others back in turn.
//
//   forward    (outer, n, inner) complex -> (outer, P, inner) complex: a thread block takes columns side by side
//   product    rows of n complex -> rows of n real: to the points, their products, and back, two rows as one complex
//   backward   (outer, P, inner) real -> (outer, n, inner) real, two neighbouring columns as one complex
//
// All scaling, 1 / (4 P) for every dimension, is done with the products. F is the kind of length, see
// fourier_transform.cuh.
//
// Device only: the plans of the CPU (kernels/product/product_plan.hpp) have no variant fourier.
#pragma once

#include "kernels/product/fourier_spectrum.cuh"

namespace gwrm::cuda {

struct FourierPass {
  FourierLength f;
  const double2* roots;
  int n;            // coefficients
  int inner;        // extent of the dimensions behind this one
  int n_sequences;  // outer x inner
  double scale;     // of the products
  bool wide;        // neighbouring columns are aligned pairs in memory
};

// Two real series as one.
template <typename Real>
struct FactorPair {
  const Real *a, *b;
  __device__ double2 at(long long i) const { return {static_cast<double>(a[i]), static_cast<double>(b[i])}; }
};
struct ComplexSeries {
  const double2* z;
  __device__ double2 at(long long i) const { return z[i]; }
};

// Blocks of (sequences side by side) x (shares of each).
template <class F, class In>
__global__ void __launch_bounds__(kFourierThreads)
    forward_kernel(In x, double2* y, const __grid_constant__ FourierPass p) {
  extern __shared__ double2 fourier_memory[];
  const int length = F::length(p.f), side = static_cast<int>(threadIdx.x), n_side = static_cast<int>(blockDim.x);
  FourierMemory memory(fourier_memory, p.f, n_side);
  const FourierShare share{static_cast<int>(threadIdx.y), static_cast<int>(blockDim.y),
                           side * fourier_line(p.f, n_side)};
  const double2* half_turns = memory.roots + p.f.n_factors;
  admit_successor();
  fetch_roots(memory.roots, p.roots, p.f.n_roots);
  await_copies<0>();
  __syncthreads();
  await_predecessor();
  for (int first = static_cast<int>(blockIdx.x) * n_side; first < p.n_sequences;
       first += static_cast<int>(gridDim.x) * n_side) {
    const int sequence = first + side, outer = sequence / p.inner, within = sequence - outer * p.inner;
    const bool mine = sequence < p.n_sequences;
    const int from = outer * p.n * p.inner + within, to = outer * length * p.inner + within;
    load_spectrum<F::kHalfTrips>(memory.from, share, length, mine ? p.n : 0, half_turns,
                                 [&](int k) { return x.at(from + k * p.inner); });
    __syncthreads();
    F::transform(memory, share, p.f);
    if (mine) for_own<F::kTrips>(share, length, [&](int j) { y[to + j * p.inner] = memory.from[share.start + j]; });
    if (first + static_cast<int>(gridDim.x) * n_side < p.n_sequences) __syncthreads();
  }
}

// Blocks of (shares of a row) x (one row or an even number of them).
template <class F, class In, typename Out>
__global__ void __launch_bounds__(kFourierThreads) product_kernel(In x, Out* y, const __grid_constant__ FourierPass p) {
  extern __shared__ double2 fourier_memory[];
  const int length = F::length(p.f), n_side = static_cast<int>(blockDim.y), side = static_cast<int>(threadIdx.y);
  const int line = fourier_line(p.f, n_side);
  const int n_shares = static_cast<int>(blockDim.x), own = static_cast<int>(threadIdx.x);
  FourierMemory memory(fourier_memory, p.f, n_side);
  const FourierShare of_row{own, n_shares, side * line};
  // The threads of two rows share the pair.
  const FourierShare of_pair =
      n_side == 1 ? of_row : FourierShare{own + side % 2 * n_shares, 2 * n_shares, side / 2 * 2 * line};
  const double2* half_turns = memory.roots + p.f.n_factors;
  admit_successor();
  fetch_roots(memory.roots, p.roots, p.f.n_roots);
  await_copies<0>();
  __syncthreads();
  await_predecessor();
  for (int first = static_cast<int>(blockIdx.x) * n_side; first < p.n_sequences;
       first += static_cast<int>(gridDim.x) * n_side) {
    const int row = first + side, start = row * p.n;
    load_spectrum<F::kHalfTrips>(memory.from, of_row, length, row < p.n_sequences ? p.n : 0, half_turns,
                                 [&](int k) { return x.at(start + k); });
    FourierShare share = of_row;
#pragma unroll 1
    for (int way = 0; way < 2; ++way) {
      __syncthreads();
      F::transform(memory, share, p.f);
      if (way == 1) break;
      share = of_pair;
      for_own<F::kTrips>(share, length, [&](int j) {
        double2* place = memory.from + share.start + j;
        const double2 upper = place[0], lower = n_side == 1 ? double2{0.0, 0.0} : place[line];
        place[0] = {p.scale * (upper.x * upper.y), p.scale * (lower.x * lower.y)};
      });
    }
    const int of_upper = n_side == 1 ? row : first + side / 2 * 2;
    const bool has_lower = n_side > 1 && of_upper + 1 < p.n_sequences;
    Out* upper = y + of_upper * p.n;
    if (of_upper < p.n_sequences)
      store_coefficients<F::kHalfTrips>(memory.from, share, length, p.n, half_turns, [&](int k, double2 c) {
        upper[k] = static_cast<Out>(c.x);
        if (has_lower) upper[p.n + k] = static_cast<Out>(c.y);
      });
    if (first + static_cast<int>(gridDim.x) * n_side < p.n_sequences) __syncthreads();
  }
}

// Blocks of (pairs of columns side by side) x (shares of each).
template <class F, typename Out>
__global__ void __launch_bounds__(kFourierThreads)
    backward_kernel(const double* x, Out* y, const __grid_constant__ FourierPass p) {
  using Pair = std::conditional_t<sizeof(Out) == sizeof(double), double2, float2>;
  extern __shared__ double2 fourier_memory[];
  const int length = F::length(p.f), side = static_cast<int>(threadIdx.x), n_side = static_cast<int>(blockDim.x);
  FourierMemory memory(fourier_memory, p.f, n_side);
  const FourierShare share{static_cast<int>(threadIdx.y), static_cast<int>(blockDim.y),
                           side * fourier_line(p.f, n_side)};
  const double2* half_turns = memory.roots + p.f.n_factors;
  const int n_pairs = (p.n_sequences + 1) / 2;
  admit_successor();
  fetch_roots(memory.roots, p.roots, p.f.n_roots);
  await_predecessor();
  for (int first = static_cast<int>(blockIdx.x) * n_side; first < n_pairs;
       first += static_cast<int>(gridDim.x) * n_side) {
    const int column = 2 * (first + side);
    const bool has_left = column < p.n_sequences, has_right = column + 1 < p.n_sequences;
    int from[2], to[2];
    for (int i = 0; i < 2; ++i) {
      const int outer = (column + i) / p.inner, within = column + i - outer * p.inner;
      from[i] = outer * length * p.inner + within;
      to[i] = outer * p.n * p.inner + within;
    }
    constexpr int kTrips = F::kTrips;
    constexpr int kAtOnce = kTrips > 0 && kTrips < 8 ? kTrips : 4;  // loads on their way together
    for (int start = share.first; start < length; start += kAtOnce * share.step) {
      double2 values[kAtOnce];
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i) {
        const int j = start + i * share.step, at = j * p.inner;
        const bool inside = has_left && j < length;
        if (p.wide) {
          values[i] = inside ? *reinterpret_cast<const double2*>(x + from[0] + at) : double2{0.0, 0.0};
        } else {
          values[i].x = inside ? x[from[0] + at] : 0.0;
          values[i].y = inside && has_right ? x[from[1] + at] : 0.0;
        }
      }
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i) {
        const int j = start + i * share.step;
        if (j < length) memory.from[share.start + j] = values[i];
      }
      if (kTrips > 0 && kTrips <= kAtOnce) break;
    }
    await_copies<0>();
    __syncthreads();
    F::transform(memory, share, p.f);
    if (has_left)
      store_coefficients<F::kHalfTrips>(memory.from, share, length, p.n, half_turns, [&](int k, double2 c) {
        const int at = k * p.inner;
        if (p.wide) {
          using Number = decltype(Pair::x);
          *reinterpret_cast<Pair*>(y + to[0] + at) = Pair{static_cast<Number>(c.x), static_cast<Number>(c.y)};
        } else {
          y[to[0] + at] = static_cast<Out>(c.x);
          if (has_right) y[to[1] + at] = static_cast<Out>(c.y);
        }
      });
    if (first + static_cast<int>(gridDim.x) * n_side < n_pairs) __syncthreads();
  }
}

// The kernels of one kind of length, between the coefficients of Real and the numbers in between.
template <typename Real>
struct FourierKernels {
  void (*first)(FactorPair<Real>, double2*, FourierPass);
  void (*forward)(ComplexSeries, double2*, FourierPass);
  void (*product)(ComplexSeries, double*, FourierPass);
  void (*whole)(FactorPair<Real>, Real*, FourierPass);  // product in one dimension
  void (*backward)(const double*, double*, FourierPass);
  void (*last)(const double*, Real*, FourierPass);

  template <class F>
  static FourierKernels of() {
    return {forward_kernel<F, FactorPair<Real>>,
            forward_kernel<F, ComplexSeries>,
            product_kernel<F, ComplexSeries, double>,
            product_kernel<F, FactorPair<Real>, Real>,
            backward_kernel<F, double>,
            backward_kernel<F, Real>};
  }
};

}  // namespace gwrm::cuda
