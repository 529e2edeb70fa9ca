#include "kernels/chebyshev_product.hpp"

#include <cmath>

#include "kernels/chebyshev_matrices.hpp"
#include "kernels/primed_series.hpp"
#include "kernels/tensor_transform.hpp"

namespace gwrm::cpu {
namespace {

// Below this many multiply-adds, half a millisecond, waking the threads costs more than it saves on a busy machine.
constexpr double kParallelFromTerms = 5e5;

// Eq. (9), primed: 2 c_k = sum_{i=0..k} a_i b_{k-i} + sum_{i=1..K-k} (a_i b_{i+k} + a_{i+k} b_i).
double twice_coefficient(const double* a, const double* b, Index k, Index K) {
  double sum = 0.0;
#pragma omp simd reduction(+ : sum)
  for (Index i = 0; i <= k; ++i) sum += a[i] * b[k - i];
#pragma omp simd reduction(+ : sum)
  for (Index i = 1; i <= K - k; ++i) sum += a[i] * b[i + k] + a[i + k] * b[i];
  return sum;
}

void product_1d(const Array& a, const Array& b, Array& c) {
  const Index K = a.shape[0] - 1;
#pragma omp parallel for schedule(static, 16) if (direct_product_terms(a.shape) >= kParallelFromTerms)
  for (Index k = 0; k <= K; ++k)
    c.data[static_cast<std::size_t>(k)] = twice_coefficient(a.data.data(), b.data.data(), k, K) / 2.0;
}

// Eq. (10) with its first group, its l = 1 index and its brackets put right. Primed:
//   4 c_kl = sum_{i=0..k}   < a_i , b_{k-i} >_l
//          + sum_{i=1..K-k} ( < a_i , b_{i+k} >_l + < a_{i+k} , b_i >_l )
// where < p , q >_l = sum_{j=0..l} p_j q_{l-j} + sum_{j=1..L-l} (p_j q_{j+l} + p_{j+l} q_j): nine terms in all.
void product_2d(const Array& a, const Array& b, Array& c) {
  const Index K = a.shape[0] - 1, L = a.shape[1] - 1;
  const auto row = [L](const Array& series, Index i) { return series.data.data() + i * (L + 1); };
#pragma omp parallel for collapse(2) schedule(static, 16) if (direct_product_terms(a.shape) >= kParallelFromTerms)
  for (Index k = 0; k <= K; ++k)
    for (Index l = 0; l <= L; ++l) {
      double sum = 0.0;
      for (Index i = 0; i <= k; ++i) sum += twice_coefficient(row(a, i), row(b, k - i), l, L);
      for (Index i = 1; i <= K - k; ++i)
        sum += twice_coefficient(row(a, i), row(b, i + k), l, L) + twice_coefficient(row(a, i + k), row(b, i), l, L);
      c.data[static_cast<std::size_t>(k * (L + 1) + l)] = sum / 4.0;
    }
}

// The same nesting for any number of dimensions: 2^(d - dimension) c_k summed over the dimensions from `dimension` on.
// a and b point to the block that the outer indices have selected; `stride` is the size of one entry of this dimension.
double nested_sum(const Shape& shape, const Index* k, std::size_t dimension, Index stride, const double* a,
                  const double* b) {
  const Index K = shape[dimension] - 1, kd = k[dimension];
  if (dimension + 1 == shape.size()) return twice_coefficient(a, b, kd, K);
  const Index inner = stride / shape[dimension + 1];
  const auto term = [&](Index i, Index j) {
    return nested_sum(shape, k, dimension + 1, inner, a + i * stride, b + j * stride);
  };
  double sum = 0.0;
  for (Index i = 0; i <= kd; ++i) sum += term(i, kd - i);
  for (Index i = 1; i <= K - kd; ++i) sum += term(i, i + kd) + term(i + kd, i);
  return sum;
}

void product_nd(const Array& a, const Array& b, Array& c) {
  const Shape& shape = a.shape;
  const Index stride = a.size() / shape[0];
  const double scale = std::ldexp(1.0, -static_cast<int>(shape.size()));
#pragma omp parallel for schedule(static, 16) if (direct_product_terms(shape) >= kParallelFromTerms)
  for (Index flat = 0; flat < c.size(); ++flat) {
    std::vector<Index> k(shape.size());
    Index rest = flat;
    for (std::size_t d = shape.size(); d-- > 0; rest /= shape[d]) k[d] = rest % shape[d];
    c.data[static_cast<std::size_t>(flat)] =
        scale * nested_sum(shape, k.data(), 0, stride, a.data.data(), b.data.data());
  }
}

}  // namespace

Array chebyshev_product_direct(const Array& a, const Array& b) {
  Array primed_a = a, primed_b = b, c(a.shape);
  scale_first_coefficients(primed_a, 2.0);
  scale_first_coefficients(primed_b, 2.0);
  if (a.shape.empty())
    c.data[0] = a.data[0] * b.data[0];
  else if (a.shape.size() == 1)
    product_1d(primed_a, primed_b, c);
  else if (a.shape.size() == 2)
    product_2d(primed_a, primed_b, c);
  else
    product_nd(primed_a, primed_b, c);
  scale_first_coefficients(c, 0.5);
  return c;
}

Array chebyshev_product_transform(const Array& a, const Array& b) {
  std::vector<Matrix> to_points, to_coefficients;
  for (Index extent : a.shape) {
    to_points.push_back(values_from_coefficients(product_points(extent), extent - 1));
    to_coefficients.push_back(coefficients_from_values(extent - 1, product_points(extent)));
  }
  std::vector<const Matrix*> forward, backward;
  for (std::size_t d = 0; d < a.shape.size(); ++d) {
    forward.push_back(&to_points[d]);
    backward.push_back(&to_coefficients[d]);
  }
  Array values = tensor_transform(a, forward);
  const Array other = tensor_transform(b, forward);
  for (std::size_t i = 0; i < values.data.size(); ++i) values.data[i] *= other.data[i];
  return tensor_transform(values, backward);
}

}  // namespace gwrm::cpu
