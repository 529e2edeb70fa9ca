// Cosine transforms of several complex series at once, before and behind the Fourier transforms of
// kernels/transform/fourier_transform.cuh.
//
// A pair of real series is one complex one, z = a + i b. With z' = z, its first coefficient doubled, P points and
// e_k = exp(i pi k / (2 P)) (Makhoul, "A fast cosine transform in one and two dimensions", 1980; points in his order,
// even ones first, which does not matter to a product),
//   to points         2 w = F V, V_k = e_k (z'_k - i z'_{P-k}), z'_k = 0 from the degree on and z'_P = 0
//   to coefficients   c_k = (e_k D_k + conj(e_k) D_{P-k}) / P, D = F w, c_0 half of that
// with F the transform of kernels/transform/fourier_length.hpp, of positive sign both ways. k and P - k are done
// together: e_{P-k} = i conj(e_k).
//
// Device only: the plans of the CPU (kernels/product/product_plan.hpp) have no variant fourier.
#pragma once

#include "kernels/device/asynchronous_copy.cuh"
#include "kernels/transform/fourier_transform.cuh"

namespace gwrm::cuda {

// Roots to shared memory; they are there after the next barrier behind await_copies<0>().
__device__ inline void fetch_roots(double2* shared, const double2* roots, int n_roots) {
  const int n_threads = static_cast<int>(blockDim.x * blockDim.y);
  for (int i = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x); i < n_roots; i += n_threads)
    copy_async<16>(shared + i, roots + i, true);
  close_copies();
}

// V of the n coefficients that value(k), k < n, reads.
template <int trips, class Value>
__device__ void load_spectrum(double2* to, const FourierShare& share, int length, int n, const double2* half_turns,
                              Value value) {
  constexpr int kAtOnce = trips > 0 && trips < 4 ? trips : 4;  // loads on their way together
  to += share.start;
  for (int start = share.first; 2 * start <= length; start += kAtOnce * share.step) {
    double2 near[kAtOnce], far[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const int k = start + i * share.step, mirrored = length - k;
      const bool inside = 2 * k <= length;
      near[i] = inside && k < n ? value(k) : double2{0.0, 0.0};
      far[i] = inside && mirrored < n ? value(mirrored) : double2{0.0, 0.0};
    }
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const int k = start + i * share.step;
      if (2 * k > length) break;
      const double2 e = half_turns[k], p = near[i], q = times_i(far[i]);
      to[k] = k == 0 ? 2.0 * p : times(e, p - q);
      if (k > 0 && 2 * k < length) to[length - k] = times(conjugate(e), p + q);
    }
    if (trips > 0 && trips <= kAtOnce) break;
  }
}

// The coefficients of D: store(k, P c_k) for k < n.
template <int trips, class Store>
__device__ void store_coefficients(const double2* from, const FourierShare& share, int length, int n,
                                   const double2* half_turns, Store store) {
  from += share.start;
  for_own<trips>(share, length / 2 + 1, [&](int k) {
    const double2 e = half_turns[k];
    const double2 p = times(e, from[k]), q = times(conjugate(e), k == 0 ? double2{0.0, 0.0} : from[length - k]);
    if (k < n) store(k, p + q);  // also for k = 0: e_0 = 1
    if (k > 0 && 2 * k < length && length - k < n) store(length - k, times_i(q - p));
  });
}

}  // namespace gwrm::cuda
