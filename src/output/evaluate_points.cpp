#include "output/evaluate_points.hpp"

#include <algorithm>
#include <limits>

#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "core/thread_errors.hpp"
#include "output/point_cells.hpp"
#include "output/point_plan.hpp"
#include "output/transformed_series.hpp"

namespace gwrm {

void check_scattered(const expression::Pool& pool, const Solution& solution, const ScatteredPoints& points) {
  if (points.axes.size() != solution.axes.size() || pool.symbols().axes.size() != solution.axes.size())
    throw ShapeError("evaluate: points, symbols and solution must have the same axes");
  if (solution.subdomains.size() != solution.n_windows() || solution.subdomains.front().size() != solution.axes.size())
    throw ShapeError("evaluate: the solution lacks the subdomains of its windows and axes");
  for (const auto& axis : points.axes)
    if (axis.size() != 1 && axis.size() != points.count)
      throw ShapeError("evaluate: an axis needs a coordinate for each point, or one for all");
}

std::vector<std::vector<double>> evaluate_points(const expression::Pool& pool, const Solution& solution,
                                                 std::span<const expression::Expr> es, const ScatteredPoints& points,
                                                 int n_threads, ScatteredMethod method) {
  check_scattered(pool, solution, points);
  const PointCells cells(solution, points, used_axes(es), false);
  const SortedPoints sorted =
      sort_points(cells, points.count, static_cast<std::size_t>(cpu::kScatteredBlock), n_threads);
  const std::vector<std::size_t>& order = sorted.order;

  const WindowBases bases(solution);
  const PointPlan plan(pool, solution, bases, es);
  std::vector<std::vector<double>> values(es.size(),
                                          std::vector<double>(points.count, std::numeric_limits<double>::quiet_NaN()));
  // Blocks [begin, end); known[leaf]: a leaf's values from the first point of these on, or none.
  const auto evaluate_blocks = [&](std::size_t begin, std::size_t end, const std::vector<std::vector<double>>& known) {
    ThreadErrors errors;
#pragma omp parallel for schedule(dynamic, 16) num_threads(n_threads)
    for (std::size_t b = begin; b < end; ++b)
      errors.run([&] {
        const SortedPoints::Block& run = sorted.blocks[b];
        PointBlock block{run.count, cells.window_of(order[run.first]), {}};
        block.axes.resize(solution.axes.size());
        for (std::size_t axis = 0; axis < block.axes.size(); ++axis) block.axes[axis].numbers[0] = points.axes[axis][0];
        for (std::size_t axis : cells.axes()) {
          PointBlock::Coordinates& own = block.axes[axis];
          own.is_fixed = points.axes[axis].size() == 1;
          for (std::size_t i = 0; i < run.count; ++i) own.numbers[i] = cells.coordinate(axis, order[run.first + i]);
          own.subdomain = solution.subdomains[block.window][axis].subdomain_of(own.numbers[0]);
        }
        std::vector<const double*> given;
        for (const std::vector<double>& list : known)
          given.push_back(list.empty() ? nullptr : list.data() + (run.first - sorted.blocks[begin].first));
        std::vector<BlockNumbers> own(es.size());
        plan.evaluate(block, own, given);
        for (std::size_t e = 0; e < es.size(); ++e)
          for (std::size_t i = 0; i < run.count; ++i) values[e][order[run.first + i]] = own[e][i];
      });
    errors.rethrow();
  };

  TransformedSeries transformed(solution, bases, plan, points, cells, method);
  const std::size_t n_blocks = sorted.blocks.size();
  std::size_t done = 0;
  for (std::size_t begin = 0, end = 0; transformed.has_any() && begin < n_blocks; begin = end) {
    std::size_t count = 0;  // of one cell, a part at a time
    while (end < n_blocks && sorted.blocks[end].cell == sorted.blocks[begin].cell &&
           count < TransformedSeries::kPartLength)
      count += sorted.blocks[end++].count;
    const auto known = transformed.values(std::span(order).subspan(sorted.blocks[begin].first, count), n_threads);
    if (std::all_of(known.begin(), known.end(), [](const auto& list) { return list.empty(); })) continue;
    evaluate_blocks(done, begin, {});
    evaluate_blocks(begin, end, known);
    done = end;
  }
  evaluate_blocks(done, n_blocks, {});
  return values;
}

std::vector<std::vector<double>> evaluate_points(const Context& context, const expression::Pool& pool,
                                                 const Solution& solution, std::span<const expression::Expr> es,
                                                 const ScatteredPoints& points) {
#if GWRM_HAVE_CUDA
  if (context.backend() == Backend::cuda) {
    const std::string why = cuda::why_not_on_device(pool, solution, es);
    if (why.empty()) return cuda::evaluate_points(context, pool, solution, es, points);
    if (context.device_required()) throw DeviceError("backend cuda: " + why);
  }
#endif
  return evaluate_points(pool, solution, es, points, context.n_threads());
}

}  // namespace gwrm
