#include "problems/sbp_sat/grid_interpolation.hpp"

#include "problems/finer_grid.hpp"

namespace gwrm::sbp {
namespace {

// Rows of an interpolation along one dimension, made once for all lines.
struct Rows {
  Rows(Index from_points, Index to_points, int most)
      : n(to_points), width(GridInterpolation(from_points - 1, to_points - 1, most).width()) {
    const GridInterpolation between(from_points - 1, to_points - 1, most);
    weights.resize(static_cast<std::size_t>(n * width));
    for (Index i = 0; i < n; ++i) first.push_back(between.stencil(i, &weights[static_cast<std::size_t>(i * width)]));
  }
  // Point i of a line whose points lie `step` apart.
  double at(Index i, const double* line, Index step) const {
    const double* const w = &weights[static_cast<std::size_t>(i * width)];
    const double* const values = line + first[static_cast<std::size_t>(i)] * step;
    double sum = 0.0;
    for (Index k = 0; k < width; ++k) sum += w[k] * values[k * step];
    return sum;
  }
  Index n, width;
  std::vector<Index> first;
  std::vector<double> weights;
};

void interpolate_block(const Block& from, const Block& to, const double* values, double* result, int width) {
  const Rows slow(from.n_slow, to.n_slow, width), fast(from.n_fast, to.n_fast, width);
  std::vector<double> lines(static_cast<std::size_t>(from.n_slow * to.n_fast));  // interpolated along fast
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (Index j = 0; j < from.n_slow; ++j)
      for (Index i = 0; i < to.n_fast; ++i)
        lines[static_cast<std::size_t>(j * to.n_fast + i)] = fast.at(i, values + j * from.n_fast, 1);
#pragma omp for schedule(static)
    for (Index j = 0; j < to.n_slow; ++j)
      for (Index i = 0; i < to.n_fast; ++i) result[j * to.n_fast + i] = slow.at(j, lines.data() + i, to.n_fast);
  }
}

}  // namespace

std::vector<double> interpolated(const Grid& from, const Grid& to, const std::vector<double>& values, int width) {
  std::vector<double> result(static_cast<std::size_t>(to.size()));
  for (std::size_t b = 0; b < to.blocks.size(); ++b)
    interpolate_block(from.blocks[b], to.blocks[b], values.data() + from.blocks[b].offset,
                      result.data() + to.blocks[b].offset, width);
  return result;
}

}  // namespace gwrm::sbp
