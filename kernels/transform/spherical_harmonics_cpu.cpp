#include <omp.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "core/errors.hpp"
#include "core/vector_clones.hpp"
#include "kernels/transform/lane_groups.hpp"
#include "kernels/transform/spherical_harmonics.hpp"

namespace gwrm {

SphericalPlan::SphericalPlan(Index degree, Index n_theta, Index n_phi, Index field_degree)
    : legendre_(degree, n_theta), fourier_(std::max<Index>(n_phi, 1)) {
  if (n_phi < 2 * field_degree + 1)
    throw ShapeError("spherical harmonics of degree " + std::to_string(field_degree) + ": " + std::to_string(n_phi) +
                     " points in phi, at least " + std::to_string(2 * field_degree + 1) + " are needed");
}

namespace cpu {
namespace {

using Complex = std::complex<double>;
constexpr Index kLaneDoubles = AssociatedLegendrePlan::kLanes;  // doubles
static_assert(kLanes == AssociatedLegendrePlan::kLanes);

void check_scalar_call(Index batch, int n_threads) {
  if (batch < 1) throw ShapeError("spherical harmonics: a batch of " + std::to_string(batch) + " fields");
  if (n_threads < 1) throw ShapeError("spherical harmonics: at least one thread");
}

// Buffers of the Fourier transforms: two planes and two to exchange with.
Index plane_size(const SphericalPlan& plan) {
  return plan.fourier().work_length() * kLanes + kPlanePadding;
}
struct Buffers {
  Planes z, scratch;
  Buffers(const SphericalPlan& plan, double* workspace) {
    const Index plane = plane_size(plan);
    double* own = workspace + omp_get_thread_num() * 4 * plane;
    z = {own, own + plane};
    scratch = {own + 2 * plane, own + 3 * plane};
  }
};

// Eight rows from theta = row on, and the eight that mirror them, in one complex transform: Z = north + i south. Lane
// by lane the mirrored rows descend.
struct Rows {
  Index first, count;
};
Rows rows_of(const SphericalPlan& plan, Index group) {
  const Index first = group * kLanes;
  return {first, std::min<Index>(kLanes, plan.legendre().n_pairs() - first)};
}

// Z_m = N_m + i S_m and Z_(n-m) = conj(N_m) + i conj(S_m), N, S = even +- odd. A mode that the grid does not resolve
// falls on the one that has its values.
GWRM_VECTOR_CLONES void set_modes(const SphericalPlan& plan, Index group, const double* values, Planes z) {
  const AssociatedLegendrePlan& legendre = plan.legendre();
  const Index n = plan.n_phi();
  const double factor = 1.0 / std::sqrt(2.0 * std::numbers::pi);
  std::fill_n(z.re, n * kLanes, 0.0);
  std::fill_n(z.im, n * kLanes, 0.0);
  for (Index m = 0; m <= legendre.degree(); ++m) {
    const double* v = values + (m * legendre.n_groups() + group) * AssociatedLegendrePlan::kGroupNumbers;
    double *re = z.re + m % n * kLanes, *im = z.im + m % n * kLanes;
    double *re_back = z.re + (n - m % n) % n * kLanes, *im_back = z.im + (n - m % n) % n * kLanes;
    for (Index i = 0; i < kLanes; ++i) {
      const double north_re = factor * (v[i] + v[2 * kLaneDoubles + i]),
                   south_re = factor * (v[i] - v[2 * kLaneDoubles + i]);
      if (m == 0) {
        re[i] += north_re;
        im[i] += south_re;
        continue;
      }
      const double north_im = factor * (v[kLaneDoubles + i] + v[3 * kLaneDoubles + i]);
      const double south_im = factor * (v[kLaneDoubles + i] - v[3 * kLaneDoubles + i]);
      re[i] += north_re - south_im;
      im[i] += north_im + south_re;
      re_back[i] += north_re + south_im;
      im_back[i] += south_re - north_im;
    }
  }
}

// N_m = (Z_m + conj(Z_(n-m))) / 2, S_m = (Z_m - conj(Z_(n-m))) / 2i; even and odd parts N + S and N - S.
GWRM_VECTOR_CLONES void take_modes(const SphericalPlan& plan, Index group, Planes z, double* values) {
  const AssociatedLegendrePlan& legendre = plan.legendre();
  const Index n = plan.n_phi();
  const double half = 0.5 * std::sqrt(2.0 * std::numbers::pi) / static_cast<double>(n);
  for (Index m = 0; m <= legendre.degree(); ++m) {
    double* v = values + (m * legendre.n_groups() + group) * AssociatedLegendrePlan::kGroupNumbers;
    const double *re = z.re + m % n * kLanes, *im = z.im + m % n * kLanes;
    const double *re_back = z.re + (n - m % n) % n * kLanes, *im_back = z.im + (n - m % n) % n * kLanes;
    for (Index i = 0; i < kLanes; ++i) {
      const double north_re = half * (re[i] + re_back[i]), north_im = m == 0 ? 0.0 : half * (im[i] - im_back[i]);
      const double south_re = half * (im[i] + im_back[i]), south_im = m == 0 ? 0.0 : half * (re_back[i] - re[i]);
      v[i] = north_re + south_re;
      v[kLaneDoubles + i] = north_im + south_im;
      v[2 * kLaneDoubles + i] = north_re - south_re;
      v[3 * kLaneDoubles + i] = north_im - south_im;
    }
  }
}

// Rows of n numbers into interleaved order and back, the mirrored ones one after the other towards the north; a line of
// the cache at a time.
GWRM_VECTOR_CLONES void gather_mirrored(const double* f, Index n, Index n_theta, Rows rows, double* __restrict to) {
  for (Index first = 0; first < n; first += kLanes) {
    const Index end = std::min<Index>(first + kLanes, n);
    for (Index i = 0; i < kLanes; ++i) {
      const double* row = f + (n_theta - 1 - rows.first - (i < rows.count ? i : 0)) * n;
      for (Index j = first; j < end; ++j) to[j * kLanes + i] = row[j];
    }
  }
}
GWRM_VECTOR_CLONES void scatter_mirrored(const double* __restrict from, Index n, Index n_theta, Rows rows, double* f) {
  for (Index first = 0; first < n; first += kLanes) {
    const Index end = std::min<Index>(first + kLanes, n);
    for (Index i = 0; i < rows.count; ++i) {
      double* row = f + (n_theta - 1 - rows.first - i) * n;
      for (Index j = first; j < end; ++j) row[j] = from[j * kLanes + i];
    }
  }
}

struct HarmonicsScratch {
  double *values, *legendre, *fourier;
  HarmonicsScratch(const SphericalPlan& plan, double* workspace, int n_threads)
      : values(workspace),
        legendre(values + plan.legendre().n_values()),
        fourier(legendre + legendre_workspace(plan.legendre(), n_threads)) {}
};

}  // namespace

std::size_t spherical_workspace(const SphericalPlan& plan, int n_threads) {
  return static_cast<std::size_t>(plan.legendre().n_values() + n_threads * 4 * plane_size(plan)) +
         legendre_workspace(plan.legendre(), n_threads);
}

void spherical_synthesis(const SphericalPlan& plan, Index batch, const Complex* a, double* f, double* workspace,
                         int n_threads) {
  check_scalar_call(batch, n_threads);
  const HarmonicsScratch parts(plan, workspace, n_threads);
  const Index n = plan.n_phi();
  for (Index b = 0; b < batch; ++b, a += plan.n_coefficients(), f += plan.n_points()) {
    legendre_synthesis(plan.legendre(), a, parts.values, parts.legendre, n_threads);
#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (Index group = 0; group < plan.legendre().n_groups(); ++group) {
      const Buffers buffers(plan, parts.fourier);
      const Rows rows = rows_of(plan, group);
      set_modes(plan, group, parts.values, buffers.z);
      const Planes y =
          fourier_lines(plan.fourier(), kLanes, buffers.z.exchanged(), buffers.scratch.exchanged()).exchanged();
      scatter_mirrored(y.im, n, plan.n_theta(), rows, f);
      scatter_lines(y.re, 1.0, kLanes, {n}, n, 1, rows.first, static_cast<int>(rows.count), f);
    }
  }
}

void spherical_analysis(const SphericalPlan& plan, Index batch, const double* f, Complex* a, double* workspace,
                        int n_threads) {
  check_scalar_call(batch, n_threads);
  const HarmonicsScratch parts(plan, workspace, n_threads);
  const Index n = plan.n_phi();
  for (Index b = 0; b < batch; ++b, a += plan.n_coefficients(), f += plan.n_points()) {
#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (Index group = 0; group < plan.legendre().n_groups(); ++group) {
      const Buffers buffers(plan, parts.fourier);
      const Rows rows = rows_of(plan, group);
      gather_lines(f, n, 1, rows.first, static_cast<int>(rows.count), kLanes, {n}, buffers.z.re);
      gather_mirrored(f, n, plan.n_theta(), rows, buffers.z.im);
      take_modes(plan, group, fourier_lines(plan.fourier(), kLanes, buffers.z, buffers.scratch), parts.values);
    }
    legendre_analysis(plan.legendre(), parts.values, a, parts.legendre, n_threads);
  }
}

}  // namespace cpu
}  // namespace gwrm
