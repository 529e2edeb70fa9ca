#include <algorithm>

#include "core/vector_clones.hpp"
#include "kernels/linear_algebra/long_vector.hpp"

namespace gwrm::cpu {
namespace {

GWRM_VECTOR_CLONES
double dot_block(const double* x, const double* y, Index n) {
  double sum = 0.0;
#pragma omp simd reduction(+ : sum)
  for (Index i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

GWRM_VECTOR_CLONES
void add_scaled_block(Index n, const double* x, double b, double* y) {
#pragma omp simd
  for (Index i = 0; i < n; ++i) y[i] = x[i] + b * y[i];
}

template <class Work>
void for_blocks(Index n, Work work) {
  const Index n_blocks = (n + kLongVectorBlock - 1) / kLongVectorBlock;
#pragma omp parallel for schedule(static) if (n > kPointsForThreads)
  for (Index block = 0; block < n_blocks; ++block) {
    const Index begin = block * kLongVectorBlock;
    work(block, begin, std::min(kLongVectorBlock, n - begin));
  }
}

}  // namespace

GWRM_VECTOR_CLONES
ResidualSums step_row(Index n, double a, const double* p, const double* q, const double* s, double* x, double* r) {
  double plain = 0.0, scaled = 0.0;
  if (s == nullptr) {
#pragma omp simd reduction(+ : plain)
    for (Index i = 0; i < n; ++i) {
      x[i] += a * p[i];
      const double residual = r[i] - a * q[i];
      r[i] = residual;
      plain += residual * residual;
    }
    return {plain, plain};
  }
#pragma omp simd reduction(+ : plain, scaled)
  for (Index i = 0; i < n; ++i) {
    x[i] += a * p[i];
    const double residual = r[i] - a * q[i];
    r[i] = residual;
    plain += residual * residual;
    scaled += s[i] * residual * residual;
  }
  return {plain, scaled};
}

double dot(Index n, const double* x, const double* y, double* workspace) {
  for_blocks(n,
             [&](Index block, Index begin, Index count) { workspace[block] = dot_block(x + begin, y + begin, count); });
  double sum = 0.0;
  for (Index block = 0; block * kLongVectorBlock < n; ++block) sum += workspace[block];
  return sum;
}

ResidualSums step(Index n, double a, const double* p, const double* q, const double* s, double* x, double* r,
                  double* workspace) {
  for_blocks(n, [&](Index block, Index begin, Index count) {
    const ResidualSums sums =
        step_row(count, a, p + begin, q + begin, s == nullptr ? nullptr : s + begin, x + begin, r + begin);
    workspace[2 * block] = sums.plain;
    workspace[2 * block + 1] = sums.scaled;
  });
  ResidualSums total;
  for (Index block = 0; block * kLongVectorBlock < n; ++block) {
    total.plain += workspace[2 * block];
    total.scaled += workspace[2 * block + 1];
  }
  return total;
}

void add_scaled(Index n, const double* x, double b, double* y) {
  for_blocks(n, [&](Index, Index begin, Index count) { add_scaled_block(count, x + begin, b, y + begin); });
}

}  // namespace gwrm::cpu
