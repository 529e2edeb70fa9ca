#include <algorithm>

#include "core/vector_clones.hpp"
#include "kernels/sbp_sat/separable_rows.hpp"

namespace gwrm::cpu {
namespace {

// The sums that one row leaves.
struct RowSums {
  double plain, scaled, curvature;
};

// One row of p = z + beta p and, where x is wanted, of x += alpha_before p_before + alpha p.
template <bool with_s, bool with_x>
GWRM_INLINE void direction_points(const OnePassStep& step, Index n, const double* r, const double* s, double* p,
                                  double* x) {
  const double beta = step.beta, alpha = step.alpha, alpha_before = step.alpha_before;
#pragma omp simd
  for (Index i = 0; i < n; ++i) {
    const double before = p[i], direction = (with_s ? s[i] * r[i] : r[i]) + beta * before;
    p[i] = direction;
    if (with_x) x[i] += alpha_before * before + alpha * direction;
  }
}

GWRM_VECTOR_CLONES
void direction_row(const OnePassStep& step, Index n, const double* r, const double* s, double* p, double* x) {
  if (s == nullptr && x == nullptr)
    direction_points<false, false>(step, n, r, s, p, x);
  else if (s == nullptr)
    direction_points<false, true>(step, n, r, s, p, x);
  else if (x == nullptr)
    direction_points<true, false>(step, n, r, s, p, x);
  else
    direction_points<true, true>(step, n, r, s, p, x);
}

// Row j of r -= alpha A p and, with s, of z = S r.
GWRM_VECTOR_CLONES
TwoSums residual_row(const SeparableOperator& a, double alpha, const RowRing& p, Index j, const double* s, double* r,
                     double* z) {
  if (s == nullptr) {
    const TwoSums sums = for_row(a, p, j, [=](Index i, double, double image) GWRM_LAMBDA_INLINE {
      const double residual = r[i] - alpha * image;
      r[i] = residual;
      return TwoSums{residual * residual, 0.0};
    });
    return {sums.first, sums.first};
  }
  return for_row(a, p, j, [=](Index i, double, double image) GWRM_LAMBDA_INLINE {
    const double residual = r[i] - alpha * image, value = s[i] * residual;
    r[i] = residual;
    z[i] = value;
    return TwoSums{residual * residual, residual * value};
  });
}

// z.A z over row j.
GWRM_VECTOR_CLONES
double scaled_curvature_row(const SeparableOperator& a, const RowRing& rows, Index j) {
  return for_row(a, rows, j, curvature_point).first;
}

GWRM_VECTOR_CLONES
void product_row(const double* s, const double* r, double* z, Index n) {
#pragma omp simd
  for (Index i = 0; i < n; ++i) z[i] = s[i] * r[i];
}

// Rows of u that row j of A u takes.
struct Reach {
  Index first, end;
};

Reach reach_of(const StencilRows& rows, Index j) {
  Index first = 0;
  const auto entries = rows.row(j, first);
  return {first, first + static_cast<Index>(entries.size())};
}

Index ring_rows(const StencilRows& rows) {
  return std::max<Index>(rows.closure_width, 2 * rows.half + 1);
}

// One thread's part: rows begin to end.
class Strip {
 public:
  Strip(const SeparableOperator& a, const OnePassStep& step, const double* s, double* p, double* x, double* r,
        RowSums* sums, double* scratch)
      : a_(a), step_(step), s_(s), p_(p), x_(x), r_(r), sums_(sums), n_(a.fast.n), z_(scratch) {}

  // p of rows begin to end.
  void directions(Index begin, Index end) {
    for (Index j = begin; j < end; ++j)
      direction_row(step_, n_, at_row(r_, j), at_row(s_, j), at_row(p_, j), at_row(x_, j));
  }
  // r of row j, behind p of all rows that it takes.
  void residual(Index j) {
    const TwoSums sums =
        residual_row(a_, step_.alpha, RowRing{p_, a_.slow.n, n_}, j, at_row(s_, j), at_row(r_, j), ring_row(j));
    sums_[j].plain = sums.first;
    sums_[j].scaled = sums.second;
  }
  // z.A z of row j, behind r of all rows that it takes.
  void curvature(Index j) {
    const RowRing z = s_ == nullptr ? RowRing{r_, a_.slow.n, n_} : RowRing{z_, ring_rows(a_.slow), n_};
    sums_[j].curvature = scaled_curvature_row(a_, z, j);
  }
  // The same where other threads have found r: z anew.
  void edge_curvature(Index j) {
    const Reach reach = reach_of(a_.slow, j);
    if (s_ != nullptr)
      for (Index k = reach.first; k < reach.end; ++k) product_row(at_row(s_, k), at_row(r_, k), ring_row(k), n_);
    curvature(j);
  }

 private:
  template <class Value>
  Value* at_row(Value* values, Index j) const {
    return values == nullptr ? nullptr : values + j * n_;
  }
  double* ring_row(Index j) const { return z_ + (j % ring_rows(a_.slow)) * n_; }

  const SeparableOperator& a_;
  const OnePassStep& step_;
  const double* s_;
  double *p_, *x_, *r_;
  RowSums* sums_;
  Index n_;
  double* z_;  // the last rows of z
};

constexpr std::size_t kSums = sizeof(RowSums) / sizeof(double);

}  // namespace

std::size_t one_pass_workspace(const SeparableOperator& a) {
  const auto n_rows = static_cast<std::size_t>(a.slow.n), n = static_cast<std::size_t>(a.fast.n);
  return kSums * n_rows + most_threads() * n * static_cast<std::size_t>(ring_rows(a.slow));
}

OnePassSums separable_one_pass(const SeparableOperator& a, const OnePassStep& step, const double* s, double* p,
                               double* x, double* r, double* workspace) {
  const Index n_rows = a.slow.n, n = a.fast.n, most_reach = std::max(a.slow.half, a.slow.closure_width);
  auto* sums = reinterpret_cast<RowSums*>(workspace);
#pragma omp parallel if (a.size() > kPointsForThreads)
  {
    const Index thread = thread_number(), n_threads = thread_count();
    double* scratch = workspace + static_cast<Index>(kSums) * n_rows + thread * n * ring_rows(a.slow);
    Strip strip(a, step, s, p, x, r, sums, scratch);
    const Index begin = n_rows * thread / n_threads, end = n_rows * (thread + 1) / n_threads;
    // p at the edges of the strip comes first, for its neighbours; all else just before it is used, while the rows are
    // in the cache.
    const Index early_end = std::min(begin + most_reach, end), late_begin = std::max(early_end, end - most_reach);
    strip.directions(begin, early_end);
    strip.directions(late_begin, end);
#pragma omp barrier
    Index with_direction = early_end, with_curvature = begin;
    while (with_curvature < end && reach_of(a.slow, with_curvature).first < begin) ++with_curvature;
    const Index inner_begin = with_curvature;
    for (Index j = begin; j < end; ++j) {
      const Index needed = std::min(reach_of(a.slow, j).end, late_begin);
      if (needed > with_direction) {
        strip.directions(with_direction, needed);
        with_direction = needed;
      }
      strip.residual(j);
      while (with_curvature <= j && reach_of(a.slow, with_curvature).end <= j + 1) strip.curvature(with_curvature++);
    }
#pragma omp barrier
    for (Index j = begin; j < inner_begin; ++j) strip.edge_curvature(j);
    for (Index j = with_curvature; j < end; ++j) strip.edge_curvature(j);
  }
  OnePassSums total;
  for (Index j = 0; j < n_rows; ++j) {
    total.plain += sums[j].plain;
    total.scaled += sums[j].scaled;
    total.curvature += sums[j].curvature;
  }
  return total;
}

}  // namespace gwrm::cpu
