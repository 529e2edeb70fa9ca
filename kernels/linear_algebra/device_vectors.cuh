// Long vectors in device memory: sums, and the linear combinations of GMRES and Newton.
//
// Contract: kernels/linear_algebra/gram_schmidt.hpp
//
// A pass of Gram and Schmidt is dots() and subtract(). The caller always makes two of them, where the CPU leaves the
// second one out if the first took little of w away: that decision would have to wait for the host. scale_and_add() and
// what stands below it are loops on the CPU.
//
// Every sum is taken by a fixed number of blocks and then over the blocks in order: the same bits on every run. Sums
// stay on the device where the next kernel wants them, so that an iteration waits for the host once.
// Everything goes to the stream of `handles`; nothing waits. Cost: one pass over the vectors named.
#pragma once

#include <cstddef>
#include <span>

#include "core/device_handles.cuh"

namespace gwrm::cuda {

inline constexpr int kMaxVectors = 96;

// Vectors on the device, by value to the kernels.
struct VectorList {
  const double* vectors[kMaxVectors];
  int count = 0;
  void add(const double* v) { vectors[count++] = v; }
};

// Doubles that the functions below want as `workspace`.
std::size_t sums_workspace();

// sums[i] = v_i . w.
void dots(const DeviceHandles& handles, const VectorList& v, const double* w, std::size_t n, double* workspace,
          double* sums);
// w -= sum_i factors[i] v_i, then *square = w . w; factors on the device.
void subtract(const DeviceHandles& handles, const VectorList& v, const double* factors, double* w, std::size_t n,
              double* workspace, double* square);
// y = x / sqrt(*square).
void normalise(const DeviceHandles& handles, const double* x, const double* square, std::size_t n, double* y);
// y = sum_i factors[i] v_i; factors on the host.
void combine(const DeviceHandles& handles, const VectorList& v, std::span<const double> factors, std::size_t n,
             double* y);
// y = a x + b y. b = 0: y is not read. x and y may be the same.
void scale_and_add(const DeviceHandles& handles, double a, const double* x, double b, double* y, std::size_t n);
// z = x + a y.
void moved(const DeviceHandles& handles, const double* x, double a, const double* y, double* z, std::size_t n);
// y[i, k] += column[i] x[k], i < m, k < n.
void add_outer(const DeviceHandles& handles, const double* column, std::size_t m, const double* x, std::size_t n,
               double* y);
// y[i stride + places[k]] = x[i n + k], i < m, k < n; places on the device, all different, below stride.
void put_at_places(const DeviceHandles& handles, const double* x, std::size_t m, const int* places, std::size_t n,
                   std::size_t stride, double* y);
// *result = max |x_i|, NaN if there is one.
void largest_magnitude(const DeviceHandles& handles, const double* x, std::size_t n, double* workspace, double* result);

}  // namespace gwrm::cuda
