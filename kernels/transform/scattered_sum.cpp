#include "kernels/transform/scattered_sum.hpp"

#include <algorithm>
#include <cstring>

#include "core/vector_clones.hpp"

namespace gwrm::cpu {
namespace {

constexpr Index kBlock = kScatteredBlock;
constexpr Index kPoints = 8;  // at once: one register of AVX-512, two of AVX2
constexpr Index kRows = 4;    // sums of the last axis at once: with kPoints 8 of the 16 registers of AVX2

// Always inlined and passed by reference: vectors as arguments have another calling convention in each clone.
struct Points {
#if defined(__GNUC__)
  double __attribute__((vector_size(kPoints * sizeof(double)))) v = {};
#else
  double v[kPoints] = {};
#endif
};

GWRM_INLINE void load(const double* from, Points& f) {
  std::memcpy(&f.v, from, sizeof f.v);
}

GWRM_INLINE void store(const Points& f, double* to) {
  std::memcpy(to, &f.v, sizeof f.v);
}

GWRM_INLINE void add_product(Points& sum, double c, const Points& f) {
#if defined(__GNUC__)
  sum.v += c * f.v;
#else
  for (Index i = 0; i < kPoints; ++i) sum.v[i] += c * f.v[i];
#endif
}

GWRM_INLINE void add_product(Points& sum, const Points& a, const Points& b) {
#if defined(__GNUC__)
  sum.v += a.v * b.v;
#else
  for (Index i = 0; i < kPoints; ++i) sum.v[i] += a.v[i] * b.v[i];
#endif
}

// y[p] = sum_k outer[k, p] (sum_m inner[m, p] c[k, m]), kRows of the sums over m side by side: they hide each other's
// latency and share what is loaded of the inner functions.
GWRM_VECTOR_CLONES void plane(const double* c, const ScatteredAxis& outer, const ScatteredAxis& inner, double* y) {
  for (Index p = 0; p < kBlock; p += kPoints) {
    Points total, f;
    Index k = 0;
    for (; k + kRows <= outer.n; k += kRows) {
      Points sums[kRows];
      const double* const row = c + k * outer.stride;
      for (Index m = 0; m < inner.n; ++m) {
        load(inner.functions + m * kBlock + p, f);
        for (Index j = 0; j < kRows; ++j) add_product(sums[j], row[j * outer.stride + m * inner.stride], f);
      }
      for (Index j = 0; j < kRows; ++j) {
        load(outer.functions + (k + j) * kBlock + p, f);
        add_product(total, f, sums[j]);
      }
    }
    for (; k < outer.n; ++k) {
      Points sum;
      for (Index m = 0; m < inner.n; ++m) {
        load(inner.functions + m * kBlock + p, f);
        add_product(sum, c[k * outer.stride + m * inner.stride], f);
      }
      load(outer.functions + k * kBlock + p, f);
      add_product(total, f, sum);
    }
    store(total, y + p);
  }
}

// All the points side by side in place of rows.
GWRM_VECTOR_CLONES void line(const double* c, const ScatteredAxis& axis, double* y) {
  Points sums[kBlock / kPoints], f;
  for (Index k = 0; k < axis.n; ++k)
    for (Index p = 0; p < kBlock; p += kPoints) {
      load(axis.functions + k * kBlock + p, f);
      add_product(sums[p / kPoints], c[k * axis.stride], f);
    }
  for (Index p = 0; p < kBlock; p += kPoints) store(sums[p / kPoints], y + p);
}

}  // namespace

Index scattered_sum_workspace(std::size_t n_axes) {
  return n_axes > 2 ? static_cast<Index>(n_axes - 2) * kBlock : 0;
}

void scattered_sum(const double* c, std::span<const ScatteredAxis> axes, double* workspace, double* y) {
  if (axes.empty()) {
    std::fill_n(y, kBlock, c[0]);
  } else if (axes.size() == 1) {
    line(c, axes[0], y);
  } else if (axes.size() == 2) {
    plane(c, axes[0], axes[1], y);
  } else {
    std::fill_n(y, kBlock, 0.0);
    for (Index k = 0; k < axes[0].n; ++k) {
      scattered_sum(c + k * axes[0].stride, axes.subspan(1), workspace + kBlock, workspace);
      const double* const f = axes[0].functions + k * kBlock;
      for (Index p = 0; p < kBlock; ++p) y[p] += f[p] * workspace[p];
    }
  }
}

}  // namespace gwrm::cpu
