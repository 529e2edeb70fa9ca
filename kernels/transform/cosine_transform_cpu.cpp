#include <omp.h>

#include <algorithm>
#include <cstdint>

#include "core/buffer.hpp"
#include "core/thread_errors.hpp"
#include "core/thread_scratch.hpp"
#include "kernels/transform/cosine_steps.hpp"
#include "kernels/transform/cosine_transform.hpp"
#include "kernels/transform/lane_groups.hpp"

namespace gwrm::cpu {
namespace {

constexpr Index kCosineWorkForThreads =
    100000;  // numbers, some hundred microseconds: below, waking threads may cost more
// Numbers between the planes, which otherwise lie a power of two apart and take each other's place in the cache.
constexpr Index kNumbersOfPanel = 1 << 16;  // half a megabyte, in the second-level cache
constexpr Index kFewLines = 2;  // up to here one after the other: eight side by side take as long as four alone

// Sine transforms by cosine transforms of the same number (kind I has steps of its own):
//   sin II: (-1)^n x_n -> y backwards; sin III: x backwards -> (-1)^k y_k; sin IV: x backwards -> (-1)^k y_k.
LineOrder order_before(const CosinePlan& plan) {
  const bool sine = plan.is_sine();
  return {plan.length(), sine && plan.number() > 2, sine && plan.number() == 2};
}
LineOrder order_behind(const CosinePlan& plan) {
  const bool sine = plan.is_sine();
  return {plan.length(), sine && plan.number() == 2, sine && plan.number() > 2};
}

// The next address that is a multiple of 64 bytes.
double* aligned(double* address) {
  constexpr std::uintptr_t kBytes = kLanes * sizeof(double);
  return reinterpret_cast<double*>((reinterpret_cast<std::uintptr_t>(address) + kBytes - 1) / kBytes * kBytes);
}

struct CosineScratch : Buffer {};  // each thread's own

// A plan on groups of lines, with the thread's own room for `n_groups` of them.
class LineTransform {
 public:
  LineTransform(const CosinePlan& plan, int n_lanes, CosineScale scale, Index n_groups)
      : plan_(plan), n_lanes_(n_lanes), scale_(scale), distance_(plan.length() * n_lanes + kPlanePadding) {
    const Index plane = plan.fourier().work_length() * n_lanes + kPlanePadding;
    rows_ = aligned(thread_scratch<CosineScratch>().reserve(n_groups * distance_ + 4 * plane + kLanes));
    double* planes = rows_ + n_groups * distance_;
    z_ = {planes, planes + plane};
    scratch_ = {planes + 2 * plane, planes + 3 * plane};
  }

  double* rows(Index group) const { return rows_ + group * distance_; }
  Index distance() const { return distance_; }

  // In place.
  void operator()(double* rows) const {
    const bool third = plan_.number() == 3;  // its Fourier transform goes backwards, its input is coefficients
    if (third) scale_first(rows);
    before_fourier(plan_, n_lanes_, rows, z_);
    const Planes z = third ? fourier_lines(plan_.fourier(), n_lanes_, z_.exchanged(), scratch_.exchanged()).exchanged()
                           : fourier_lines(plan_.fourier(), n_lanes_, z_, scratch_);
    after_fourier(plan_, n_lanes_, z, rows);
    if (plan_.number() == 2) scale_first(rows);
  }

 private:
  void scale_first(double* rows) const {
    if (scale_.first == 1.0) return;
    for (int i = 0; i < n_lanes_; ++i) rows[i] *= scale_.first;
  }

  const CosinePlan& plan_;
  int n_lanes_;
  CosineScale scale_;
  Index distance_;
  double* rows_;
  Planes z_, scratch_;
};

}  // namespace

void cosine_transform(const CosinePlan& plan, const double* x, Index n_in, double* y, Index n_out, Index outer,
                      Index inner, CosineScale scale) {
  check_cosine_transform(plan, n_in, n_out, outer, inner);
  const Index n = plan.length(), n_lines = outer * inner;
  const int n_lanes = n_lines <= kFewLines ? 1 : kLanes;
  const LineOrder before = order_before(plan), behind = order_behind(plan);

  // Pieces of work: panels of columns, or groups of lines where there are few columns.
  const bool in_panels = n_lanes == kLanes && inner >= 2 * kLanes;
  const Index panel = in_panels ? std::clamp<Index>(kNumbersOfPanel / (n * kLanes), 1, inner / kLanes) : 1;
  const Index width = panel * n_lanes, length = in_panels ? inner : n_lines;
  const Index per_outer = (length + width - 1) / width, n_pieces = in_panels ? outer * per_outer : per_outer;

  const bool in_threads = n * n_lines > kCosineWorkForThreads && omp_in_parallel() == 0;
  ThreadErrors errors;
#pragma omp parallel for schedule(static) if (in_threads)
  for (Index t = 0; t < n_pieces; ++t)
    errors.run([&] {
      const LineTransform transform(plan, n_lanes, scale, panel);
      const Index first = t % per_outer * width, line = t / per_outer * length + first;
      const Index count = std::min(width, length - first), n_full = in_panels ? count / kLanes : 0;
      if (n_full > 0) {
        gather_panel(x, n_in, inner, line, n_full, before, transform.rows(0), transform.distance());
        for (Index g = 0; g < n_full; ++g) transform(transform.rows(g));
        scatter_panel(transform.rows(0), transform.distance(), scale.factor, behind, n_out, inner, line, n_full, y);
      }
      if (const Index rest = count - n_full * kLanes; rest > 0) {
        const int lines = static_cast<int>(rest);
        double* rows = transform.rows(0);
        gather_lines(x, n_in, inner, line + n_full * kLanes, lines, n_lanes, before, rows);
        transform(rows);
        scatter_lines(rows, scale.factor, n_lanes, behind, n_out, inner, line + n_full * kLanes, lines, y);
      }
    });
  errors.rethrow();
}

}  // namespace gwrm::cpu
