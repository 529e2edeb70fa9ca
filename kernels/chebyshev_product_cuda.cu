#include "core/device_handles.cuh"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/errors.hpp"
#include "kernels/chebyshev_matrices.hpp"
#include "kernels/chebyshev_product.hpp"
#include "kernels/primed_series.hpp"
#include "kernels/tensor_transform_device.cuh"

namespace gwrm::cuda {
namespace {

struct ProductLaunch {
  // Threads with neighbouring innermost index share their loads of a and read b side by side; small blocks spread the
  // few outputs of a one-dimensional product over more multiprocessors.
  static constexpr int threads_direct = 64;
  static constexpr int threads_pointwise = 256;
};

constexpr int kMaxDimensions = 12;  // 2^12 terms for the smallest product: more is out of reach anyway

struct Extents {
  int count;
  int n[kMaxDimensions];
};

// The pairs (i, j) of one dimension with |i +- j| = k, counted by q: first i + j = k, then i, i + k and i + k, i in
// turn.
__device__ int pair_count(int k, int K) {
  return k + 1 + 2 * (K - k);
}

__device__ void pair(int q, int k, int& i, int& j) {
  if (q <= k) {
    i = q;
    j = k - q;
    return;
  }
  const int r = q - k - 1, near = r / 2 + 1;
  i = r % 2 == 0 ? near : near + k;
  j = r % 2 == 0 ? near + k : near;
}

// One thread per output coefficient, primed series: scale * sum over the pairs of every dimension of a_i b_j. The pairs
// of the outer dimensions are counted by one running number, those of the innermost by plain loops.
__global__ void direct_product_kernel(const double* a, const double* b, double* c, Extents shape, long long size,
                                      double scale) {
  const long long flat = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (flat >= size) return;
  const int inner = shape.count - 1;
  int k[kMaxDimensions];
  long long rest = flat, n_outer = 1;
  for (int d = inner; d >= 0; --d) {
    k[d] = static_cast<int>(rest % shape.n[d]);
    rest /= shape.n[d];
    if (d < inner) n_outer *= pair_count(k[d], shape.n[d] - 1);
  }
  const int l = k[inner], L = shape.n[inner] - 1;
  double sum = 0.0;
  for (long long outer = 0; outer < n_outer; ++outer) {
    long long q = outer, at_a = 0, at_b = 0, stride = L + 1;
    for (int d = inner - 1; d >= 0; --d) {
      const int pairs = pair_count(k[d], shape.n[d] - 1);
      int i, j;
      pair(static_cast<int>(q % pairs), k[d], i, j);
      q /= pairs;
      at_a += i * stride;
      at_b += j * stride;
      stride *= shape.n[d];
    }
    const double* p = a + at_a;
    const double* r = b + at_b;
    double row = 0.0;
    for (int j = 0; j <= l; ++j) row += p[j] * r[l - j];
    for (int j = 1; j <= L - l; ++j) row += p[j] * r[j + l] + p[j + l] * r[j];
    sum += row;
  }
  c[flat] = scale * sum;
}

// values[i] *= values[size + i]: the pointwise product of the two stacked factors.
__global__ void multiply_kernel(double* values, long long size) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < size) values[i] *= values[size + i];
}

unsigned blocks_for(long long size, int threads) {
  return static_cast<unsigned>((size + threads - 1) / threads);
}

}  // namespace

Array chebyshev_product_direct(const Context& context, const Array& a, const Array& b) {
  if (a.shape.size() > kMaxDimensions)
    throw ShapeError("chebyshev_product: at most " + std::to_string(kMaxDimensions) + " dimensions on the device");
  DeviceHandles& handles = *context.device();
  Array primed_a = a, primed_b = b, c(a.shape);
  scale_first_coefficients(primed_a, 2.0);
  scale_first_coefficients(primed_b, 2.0);

  Extents shape{std::max(1, static_cast<int>(a.shape.size())), {1}};  // a number is a series of one coefficient
  std::transform(a.shape.begin(), a.shape.end(), shape.n, [](Index n) { return static_cast<int>(n); });
  const std::size_t size = a.data.size();
  double* device_a = handles.scratch[0].reserve<double>(size);
  double* device_b = handles.scratch[1].reserve<double>(size);
  double* device_c = handles.scratch[2].reserve<double>(size);
  handles.upload(device_a, primed_a.data.data(), size);
  handles.upload(device_b, primed_b.data.data(), size);

  const double scale = std::ldexp(1.0, -static_cast<int>(a.shape.size()));
  constexpr int threads = ProductLaunch::threads_direct;
  direct_product_kernel<<<blocks_for(c.size(), threads), threads, 0, handles.stream>>>(device_a, device_b, device_c,
                                                                                       shape, c.size(), scale);
  GWRM_LAUNCHED(direct_product_kernel);
  handles.download(c.data.data(), device_c, size);
  scale_first_coefficients(c, 0.5);
  return c;
}

Array chebyshev_product_transform(const Context& context, const Array& a, const Array& b) {
  DeviceHandles& handles = *context.device();
  std::vector<Matrix> to_points, to_coefficients;
  for (Index extent : a.shape) {
    to_points.push_back(values_from_coefficients(product_points(extent), extent - 1));
    to_coefficients.push_back(coefficients_from_values(extent - 1, product_points(extent)));
  }
  // Both factors go to the points as one tensor with a leading dimension of two.
  std::vector<const Matrix*> forward{nullptr}, backward;
  Shape stacked{2};
  for (std::size_t d = 0; d < a.shape.size(); ++d) {
    forward.push_back(&to_points[d]);
    backward.push_back(&to_coefficients[d]);
    stacked.push_back(a.shape[d]);
  }
  const std::size_t size = static_cast<std::size_t>(largest_intermediate(stacked, forward));
  double* first = handles.scratch[0].reserve<double>(size);
  double* second = handles.scratch[1].reserve<double>(size);
  double* entries =
      handles.scratch[2].reserve<double>(static_cast<std::size_t>(total_entries(forward) + total_entries(backward)));
  handles.upload(first, a.data.data(), a.data.size());
  handles.upload(first + a.size(), b.data.data(), b.data.size());

  double* values = transform_on_device(handles, first, second, entries, stacked, forward);
  const long long n_values = element_count(stacked) / 2;
  constexpr int threads = ProductLaunch::threads_pointwise;
  multiply_kernel<<<blocks_for(n_values, threads), threads, 0, handles.stream>>>(values, n_values);
  GWRM_LAUNCHED(multiply_kernel);

  Shape shape(stacked.begin() + 1, stacked.end());
  const double* result = transform_on_device(handles, values, values == first ? second : first,
                                             entries + total_entries(forward), shape, backward);
  Array c(a.shape);
  handles.download(c.data.data(), result, c.data.size());
  return c;
}

}  // namespace gwrm::cuda
