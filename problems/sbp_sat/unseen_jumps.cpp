#include "problems/sbp_sat/unseen_jumps.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "problems/sbp_sat/block_coefficients.hpp"

namespace gwrm::sbp {
namespace {

constexpr double kSeen = 0.1;

std::vector<double> middles(const std::vector<double>& points) {
  std::vector<double> result;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) result.push_back(0.5 * (points[i] + points[i + 1]));
  return result;
}

// Values at the corners and the middles of the cells of one block; one value stands for a constant.
struct Sampled {
  const std::vector<double>& corners;
  std::vector<double> middles;
};

// Cells whose middle differs from the mean of the corners by more than a tenth of itself or, for what may vanish, of
// `size`.
std::vector<bool> unseen(const Block& block, const Sampled& values, double size) {
  const Index n_slow = block.n_slow - 1, n_fast = block.n_fast - 1;
  std::vector<bool> result(static_cast<std::size_t>(n_slow * n_fast), false);
  for (Index j = 0; j < n_slow; ++j)
    for (Index i = 0; i < n_fast; ++i) {
      const Index corner = j * block.n_fast + i, cell = j * n_fast + i;
      const double middle = coefficient_at(values.middles, cell);
      double mean = 0.0;
      for (Index c : {corner, corner + 1, corner + block.n_fast, corner + block.n_fast + 1})
        mean += 0.25 * coefficient_at(values.corners, c);
      const double scale = size > 0.0 ? size : std::min(std::abs(middle), std::abs(mean));
      result[static_cast<std::size_t>(cell)] = std::abs(middle - mean) > kSeen * scale;
    }
  return result;
}

// The middles' values at the corners of the cells marked: at both lower or both upper ends.
std::vector<double> moved(const Block& block, const Sampled& values, const std::vector<bool>& marked, bool upper) {
  const Index n_slow = block.n_slow - 1, n_fast = block.n_fast - 1;
  std::vector<double> result = values.corners;
  if (result.size() == 1) result.assign(static_cast<std::size_t>(block.size()), values.corners.front());
  for (Index j = 0; j < n_slow; ++j)
    for (Index i = 0; i < n_fast; ++i) {
      const Index cell = j * n_fast + i, corner = (j + (upper ? 1 : 0)) * block.n_fast + i + (upper ? 1 : 0);
      if (marked[static_cast<std::size_t>(cell)])
        result[static_cast<std::size_t>(corner)] = coefficient_at(values.middles, cell);
    }
  return result;
}

// What lies at the middles of one block's cells.
struct Middles {
  BlockCoefficients coefficients;
  std::vector<double> source;
};

Middles middles_of(const Case& the_case, const PoissonModel& model, std::size_t b) {
  const Points cells{middles(model.points[b].slow), middles(model.points[b].fast)};
  Middles result{block_coefficients(the_case, *model.expressions, cells),
                 model.expressions->finite_values(section_of<SbpSatCase>(the_case).source, cells, "the source")};
  for (std::size_t k = 0; k < result.coefficients.jacobian.size(); ++k)
    result.source[k] *= result.coefficients.jacobian[k];
  return result;
}

bool any(const std::vector<bool>& marked) {
  return std::find(marked.begin(), marked.end(), true) != marked.end();
}

}  // namespace

std::vector<PoissonModel> with_jumps_moved(const Case& the_case, const PoissonModel& model) {
  double size = 0.0;  // of the source
  for (double value : model.source) size = std::max(size, std::abs(value));
  std::vector<PoissonModel> result;
  const auto make = [&] {
    while (result.size() < 2) result.push_back(build_poisson_model(the_case));
  };
  for (std::size_t b = 0; b < model.grid.blocks.size(); ++b) {
    const Block& block = model.grid.blocks[b];
    const Middles at_middles = middles_of(the_case, model, b);
    const auto first = model.source.begin() + block.offset;
    const std::vector<double> own_source(first, first + block.size());
    const Sampled slow{block.c.slow, at_middles.coefficients.c.slow},
        fast{block.c.fast, at_middles.coefficients.c.fast}, cross{block.c.cross, at_middles.coefficients.c.cross},
        source{own_source, at_middles.source};
    std::vector<bool> jumps = unseen(block, slow, 0.0);
    const std::vector<bool> along_fast = unseen(block, fast, 0.0), in_source = unseen(block, source, size);
    for (std::size_t k = 0; k < jumps.size(); ++k) jumps[k] = jumps[k] || along_fast[k];
    if (any(jumps)) {
      make();
      for (const bool upper : {false, true}) {
        Coefficients& c = result[upper ? 1 : 0].grid.blocks[b].c;
        c.slow = moved(block, slow, jumps, upper);
        c.fast = moved(block, fast, jumps, upper);
        if (!cross.corners.empty() && !cross.middles.empty()) c.cross = moved(block, cross, jumps, upper);
      }
    }
    if (any(in_source)) {
      make();
      for (const bool upper : {false, true}) {
        const std::vector<double> f = moved(block, source, in_source, upper);
        std::copy(f.begin(), f.end(), result[upper ? 1 : 0].source.begin() + block.offset);
      }
    }
  }
  return result;
}

}  // namespace gwrm::sbp
