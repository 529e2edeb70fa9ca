#include <algorithm>

#include "core/thread_errors.hpp"
#include "core/vector_clones.hpp"
#include "kernels/linear_algebra/long_vector.hpp"
#include "problems/sbp_sat/multigrid.hpp"

namespace gwrm::sbp {
namespace {

// Row J of P^T applied to rows of the fine grid: weights 1/2, 1, 1/2 along both dimensions.
GWRM_VECTOR_CLONES
void restrict_row(const double* fine, Index n_slow, Index n_fast, Index coarse_row, double* row, Index n_coarse,
                  double* sums) {
  const Index j = 2 * coarse_row;
  const double* centre = fine + j * n_fast;
  const double* below = j > 0 ? centre - n_fast : nullptr;
  const double* above = j + 1 < n_slow ? centre + n_fast : nullptr;
  for (Index i = 0; i < n_fast; ++i) sums[i] = centre[i];
  if (below != nullptr)
    for (Index i = 0; i < n_fast; ++i) sums[i] += 0.5 * below[i];
  if (above != nullptr)
    for (Index i = 0; i < n_fast; ++i) sums[i] += 0.5 * above[i];
  row[0] = sums[0] + 0.5 * sums[1];
  for (Index i = 1; i + 1 < n_coarse; ++i) row[i] = sums[2 * i] + 0.5 * (sums[2 * i - 1] + sums[2 * i + 1]);
  row[n_coarse - 1] = sums[n_fast - 1] + 0.5 * sums[n_fast - 2];
}

GWRM_VECTOR_CLONES
void interpolate_row(const double* coarse, Index n_coarse, Index j, double* row, double* line) {
  const double *first = coarse + j / 2 * n_coarse, *second = j % 2 == 0 ? first : first + n_coarse;
  for (Index i = 0; i < n_coarse; ++i) line[i] = 0.5 * (first[i] + second[i]);
  for (Index i = 0; i + 1 < n_coarse; ++i) {
    row[2 * i] += line[i];
    row[2 * i + 1] += 0.5 * (line[i] + line[i + 1]);
  }
  row[2 * n_coarse - 2] += line[n_coarse - 1];
}

}  // namespace

void restrict_to(const Grid& coarse, const Grid& fine, const double* fine_values, double* coarse_values) {
  for (std::size_t b = 0; b < fine.blocks.size(); ++b) {
    const Block &from = fine.blocks[b], &to = coarse.blocks[b];
    ThreadErrors errors;
#pragma omp parallel if (from.size() > kPointsForThreads)
    {
      std::vector<double> sums;
      errors.run([&] { sums.resize(static_cast<std::size_t>(from.n_fast)); });
#pragma omp for schedule(static)
      for (Index j = 0; j < to.n_slow; ++j)
        errors.run([&] {
          restrict_row(fine_values + from.offset, from.n_slow, from.n_fast, j,
                       coarse_values + to.offset + j * to.n_fast, to.n_fast, sums.data());
        });
    }
    errors.rethrow();
  }
}

void add_interpolated(const Grid& coarse, const Grid& fine, const double* coarse_values, double* fine_values) {
  for (std::size_t b = 0; b < fine.blocks.size(); ++b) {
    const Block &to = fine.blocks[b], &from = coarse.blocks[b];
    ThreadErrors errors;
#pragma omp parallel if (to.size() > kPointsForThreads)
    {
      std::vector<double> line;
      errors.run([&] { line.resize(static_cast<std::size_t>(from.n_fast)); });
#pragma omp for schedule(static)
      for (Index j = 0; j < to.n_slow; ++j)
        errors.run([&] {
          interpolate_row(coarse_values + from.offset, from.n_fast, j, fine_values + to.offset + j * to.n_fast,
                          line.data());
        });
    }
    errors.rethrow();
  }
}

}  // namespace gwrm::sbp
