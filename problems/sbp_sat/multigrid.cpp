#include "problems/sbp_sat/multigrid.hpp"

#include <algorithm>
#include <cmath>

#include "core/errors.hpp"
#include "core/vector_clones.hpp"
#include "kernels/linear_algebra/long_vector.hpp"
#include "kernels/sbp_sat/multigrid_numbers.hpp"

namespace gwrm::sbp {
namespace {

using multigrid::kSafety;
using multigrid::kSmoothedPart;

constexpr int kDegree = 3;  // of the smoother: 6 iterations of conjugate gradients, 8 with 2

// The largest eigenvalue of D^-1 A by power iteration.
double largest_eigenvalue(const SymmetricOperator& a, const std::vector<double>& inverse_diagonal) {
  const Index n = a.size();
  const int n_steps = multigrid::power_steps(n);
  std::vector<double> v = multigrid::power_start(n), q(at(n)), workspace(long_vector_workspace(n));
  double largest = 0.0;
  for (int step = 0; step < n_steps; ++step) {
    const double before = cpu::dot(n, v.data(), v.data(), workspace.data());
    a.apply(v.data(), q.data());
    for (Index i = 0; i < n; ++i) v[at(i)] = q[at(i)] * inverse_diagonal[at(i)] / std::sqrt(before);
    largest = std::sqrt(cpu::dot(n, v.data(), v.data(), workspace.data()));
  }
  return largest;
}

// r -= q, d = keep d + add D^-1 r, z += d in one pass.
GWRM_VECTOR_CLONES
void chebyshev_update(Index n, double keep, double add, const double* inverse_diagonal, const double* q, double* r,
                      double* d, double* z) {
#pragma omp simd
  for (Index i = 0; i < n; ++i) {
    const double residual = r[i] - q[i];
    const double direction = keep * d[i] + add * inverse_diagonal[i] * residual;
    r[i] = residual;
    d[i] = direction;
    z[i] += direction;
  }
}

// d = add D^-1 r and z += d, or z = d.
GWRM_VECTOR_CLONES
void chebyshev_start(Index n, double add, const double* inverse_diagonal, const double* r, double* d, double* z,
                     bool from_zero) {
#pragma omp simd
  for (Index i = 0; i < n; ++i) {
    d[i] = add * inverse_diagonal[i] * r[i];
    z[i] = from_zero ? d[i] : z[i] + d[i];
  }
}

template <class Work>
void for_parts(Index n, Work work) {
  const Index n_parts = (n + kLongVectorBlock - 1) / kLongVectorBlock;
#pragma omp parallel for schedule(static) if (n > kPointsForThreads)
  for (Index part = 0; part < n_parts; ++part) {
    const Index begin = part * kLongVectorBlock;
    work(begin, std::min(kLongVectorBlock, n - begin));
  }
}

}  // namespace

std::vector<double> inverse_diagonal(const Grid& grid) {
  std::vector<double> values = grid.separable() ? diagonal(separable_operator(grid)) : GridOperator(grid).diagonal();
  for (double& value : values) value = 1.0 / value;
  return values;
}

Multigrid::Multigrid(const Grid& grid) {
  if (!multigrid_applies(grid)) throw ShapeError("multigrid: the number of intervals cannot be halved often enough");
  Grid current = grid;
  while (can_coarsen(current)) {
    Level level;
    level.grid = current;
    level.a = matrix_free_operator(current);
    level.inverse_diagonal = inverse_diagonal(current);
    for (auto* values : {&level.r, &level.z, &level.d, &level.q}) values->resize(at(current.size()));
    current = coarsened(current);
    levels_.push_back(std::move(level));
  }
  coarsest_ = current;
  direct_ = std::make_unique<DirectSolver>(coarsest_);
  coarse_r_.resize(at(current.size()));
  coarse_z_.resize(at(current.size()));
  double coarser = 0.0;
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
    coarser = std::max(coarser, largest_eigenvalue(*level->a, level->inverse_diagonal));
    level->largest = kSafety * coarser;
  }
}

Index Multigrid::size() const {
  return levels_.empty() ? static_cast<Index>(coarse_r_.size()) : levels_.front().grid.size();
}

void Multigrid::apply(const double* r, double* z) const {
  if (levels_.empty()) return direct_->solve(r, z);
  const Level& finest = levels_.front();
  std::copy(r, r + size(), finest.r.begin());
  cycle(0);
  std::copy(finest.z.begin(), finest.z.end(), z);
}

// level.z = the cycle's approximation of A^-1 level.r; level.r becomes the residual.
void Multigrid::cycle(std::size_t number) const {
  const Level& level = levels_[number];
  const bool last = number + 1 == levels_.size();
  const Index n = level.grid.size();
  smooth(level, true);
  std::vector<double>& coarse_r = last ? coarse_r_ : levels_[number + 1].r;
  std::vector<double>& coarse_z = last ? coarse_z_ : levels_[number + 1].z;
  const Grid& coarse = last ? coarsest_ : levels_[number + 1].grid;
  restrict_to(coarse, level.grid, level.r.data(), coarse_r.data());
  if (last)
    direct_->solve(coarse_r.data(), coarse_z.data());
  else
    cycle(number + 1);
  std::fill(level.d.begin(), level.d.end(), 0.0);
  add_interpolated(coarse, level.grid, coarse_z.data(), level.d.data());
  level.a->apply(level.d.data(), level.q.data());
  for_parts(n, [&](Index begin, Index count) {
    chebyshev_update(count, 1.0, 0.0, level.inverse_diagonal.data() + begin, level.q.data() + begin,
                     level.r.data() + begin, level.d.data() + begin, level.z.data() + begin);
  });
  smooth(level, false);
}

// Chebyshev iteration (Saad, Iterative Methods, algorithm 12.1): z and the residual r move along.
void Multigrid::smooth(const Level& level, bool from_zero) const {
  const Index n = level.grid.size();
  const double upper = level.largest, lower = kSmoothedPart * upper;
  const double centre = 0.5 * (upper + lower), radius = 0.5 * (upper - lower), sigma = centre / radius;
  const double* scale = level.inverse_diagonal.data();
  double *r = level.r.data(), *z = level.z.data(), *d = level.d.data(), *q = level.q.data();
  for_parts(n, [&](Index begin, Index count) {
    chebyshev_start(count, 1.0 / centre, scale + begin, r + begin, d + begin, z + begin, from_zero);
  });
  double rho = 1.0 / sigma;
  for (int step = 1; step <= kDegree; ++step) {
    const double next = 1.0 / (2.0 * sigma - rho);
    const bool last = step == kDegree;  // only the residual is left to find, and after the cycle nobody needs it
    if (last && !from_zero) return;
    level.a->apply(d, q);
    for_parts(n, [&](Index begin, Index count) {
      chebyshev_update(count, last ? 0.0 : next * rho, last ? 0.0 : 2.0 * next / radius, scale + begin, q + begin,
                       r + begin, d + begin, z + begin);
    });
    rho = next;
  }
}

}  // namespace gwrm::sbp
