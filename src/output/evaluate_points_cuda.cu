#include "output/device_point_plan.cuh"
//
#include "kernels/device/staging_buffer.cuh"
//
#include <algorithm>
#include <limits>
#include <set>

#include "basis/chebyshev_series.hpp"
#include "core/errors.hpp"
#include "expression/holds_integral.hpp"
#include "output/evaluate_points.hpp"
#include "output/point_cells.hpp"

namespace gwrm::cuda {

using expression::Expr;
using expression::Pool;

namespace {

// At once: 8 MB for each list of numbers on the device, and blocks enough for all its multiprocessors.
constexpr std::size_t kAtOnce = std::size_t{1} << 20;

int n_registers(const Pool& pool, std::span<const Expr> es) {
  const WithoutIntegrals parts = without_integrals(pool, es);
  int most = 0;
  for (Expr node : parts.integrals)
    most = std::max(most, n_registers(pool, std::span<const Expr>(node->args.data(), 1)));
  const expression::Tape tape(parts.pool ? *parts.pool : pool, parts.around);
  std::map<int, int> input_of;
  for (std::size_t i = 0; i < tape.leaves().size(); ++i) input_of[static_cast<int>(i)] = static_cast<int>(i);
  std::vector<expression::PointStep> steps;
  std::vector<int> values;
  std::set<int> known;
  for (int output = 0; output < tape.n_outputs(); ++output) {
    const expression::Tape::Steps own = tape.steps(output);
    for (const expression::PointStep& step : own.steps)
      if (known.insert(step.slot).second) steps.push_back(step);
    values.push_back(own.value);
  }
  std::vector<PointInstruction> program = point_instructions(steps, input_of, values);
  return std::max(most, allocate_registers(program));
}

// Points [first, first + count) of the order, with their blocks [begin, end).
struct Part {
  std::size_t first, count, begin, end;
};
std::vector<Part> parts_of(const SortedPoints& sorted) {
  std::vector<Part> parts;
  for (std::size_t b = 0; b < sorted.blocks.size(); ++b) {
    if (parts.empty() || parts.back().count + static_cast<std::size_t>(kScatteredWarp) > kAtOnce)
      parts.push_back({sorted.blocks[b].first, 0, b, b});
    parts.back().count += sorted.blocks[b].count;
    parts.back().end = b + 1;
  }
  return parts;
}

class PartsOnDevice {
 public:
  PartsOnDevice(const Context& context, const ScatteredPoints& points, const PointCells& cells,
                const SortedPoints& sorted, DevicePool& memory)
      : context_(context),
        points_(points),
        cells_(cells),
        sorted_(sorted),
        memory_(memory),
        staging_(*context.device()) {
    std::vector<double> first;
    for (const auto& axis : points.axes) first.push_back(axis.empty() ? 0.0 : axis[0]);
    first_ = memory.take(first.size());
    context.device()->upload(first_.data(), first.data(), first.size());
  }

  // values[e][p] of the points of a part.
  void evaluate(const DevicePointPlan& plan, const Part& part, std::vector<std::vector<double>>& values) {
    const DevicePoints points = send(part);
    std::vector<DeviceArray> results;
    std::vector<double*> outputs;
    for (std::size_t e = 0; e < values.size(); ++e) {
      results.push_back(memory_.take(part.count));
      outputs.push_back(results.back().data());
    }
    plan.evaluate(points, 0, points.blocks.size(), outputs);
    numbers_.resize(part.count);
    for (std::size_t e = 0; e < values.size(); ++e) {
      staging_.download(numbers_.data(), outputs[e], part.count * sizeof(double));
      scatter_values(sorted_, part.first, numbers_, values[e].data(), context_.n_threads());
    }
  }

 private:
  DevicePoints send(const Part& part) {
    DevicePoints points;
    points.count = static_cast<Index>(part.count);
    coordinates_.clear();
    for (std::size_t axis = 0; axis < points_.axes.size(); ++axis) {
      points.axes.push_back({first_.data() + axis, true, {}});
      const auto& in_use = cells_.axes();
      if (points_.axes[axis].size() == 1 || std::find(in_use.begin(), in_use.end(), axis) == in_use.end()) continue;
      numbers_.resize(part.count);
      gather_values(sorted_, part.first, points_.axes[axis].data(), numbers_, context_.n_threads());
      coordinates_.push_back(memory_.take(part.count));
      staging_.upload(coordinates_.back().data(), numbers_.data(), part.count * sizeof(double));
      points.axes.back() = {coordinates_.back().data(), false, {}};
    }
    for (std::size_t b = part.begin; b < part.end; ++b) {
      const SortedPoints::Block& block = sorted_.blocks[b];
      if (b == part.begin || block.cell != sorted_.blocks[b - 1].cell) {
        const std::size_t p = sorted_.order[block.first];
        DevicePoints::Piece piece{cells_.window_of(p), {}};
        for (std::size_t axis = 0; axis < points_.axes.size(); ++axis)
          piece.coordinates.push_back(cells_.coordinate(axis, p));
        points.pieces.push_back(std::move(piece));
      }
      points.blocks.push_back({static_cast<int>(block.first - part.first), static_cast<int>(block.count),
                               static_cast<int>(points.pieces.size()) - 1});
    }
    constexpr std::size_t kWords = (sizeof(ScatteredPlaces) + sizeof(double) - 1) / sizeof(double);
    blocks_ = memory_.take(points.blocks.size() * kWords);
    auto* const blocks = reinterpret_cast<ScatteredPlaces*>(blocks_.data());
    context_.device()->upload(blocks, points.blocks.data(), points.blocks.size());
    points.blocks_on_device = blocks;
    return points;
  }

  const Context& context_;
  const ScatteredPoints& points_;
  const PointCells& cells_;
  const SortedPoints& sorted_;
  DevicePool& memory_;
  StagingBuffer staging_;
  DeviceArray first_, blocks_;  // the coordinates of the first point; blocks of a part
  std::vector<DeviceArray> coordinates_;
  std::vector<double> numbers_;
};

}  // namespace

std::string why_not_on_device(const Pool& pool, const Solution& solution, std::span<const Expr> es) {
  for (const FieldSolution& field : solution.fields)
    if (field.axes.size() > static_cast<std::size_t>(kScatteredAxes))
      return field.name + " has " + std::to_string(field.axes.size()) + " dimensions, series on the device at most " +
             std::to_string(kScatteredAxes);
  if (!expression::data_in(es).empty()) return "data of files are evaluated on the CPU";
  const WindowBases bases(solution);
  for (std::size_t w = 0; w < solution.subdomains.size(); ++w)
    for (std::size_t axis = 0; axis < solution.axes.size(); ++axis)
      if (chebyshev_series(bases.get(w, axis)) == nullptr)
        return "the basis along " + solution.axes[axis].name + " (" + solution.subdomains[w][axis].basis +
               ") is none of Chebyshev polynomials, which are all that the device sums";
  if (const int n = n_registers(pool, es); n > kPointRegisters)
    return "the expressions need " + std::to_string(n) + " values at a time, the device's interpreter has " +
           std::to_string(kPointRegisters) + ": evaluate fewer of them at once";
  return {};
}

std::vector<std::vector<double>> evaluate_points(const Context& context, const Pool& pool, const Solution& solution,
                                                 std::span<const Expr> es, const ScatteredPoints& points) {
  check_scattered(pool, solution, points);
  std::vector<std::vector<double>> values(es.size(),
                                          std::vector<double>(points.count, std::numeric_limits<double>::quiet_NaN()));
  DevicePool memory;
  const WindowBases bases(solution);
  const DevicePointPlan plan(context, pool, solution, bases, es, memory);
  const PointCells cells(solution, points, used_axes(es), plan.looks_at_other_windows());
  const SortedPoints sorted =
      sort_points(cells, points.count, static_cast<std::size_t>(kScatteredWarp), context.n_threads());
  PartsOnDevice on_device(context, points, cells, sorted, memory);
  for (const Part& part : parts_of(sorted)) on_device.evaluate(plan, part, values);
  return values;
}

}  // namespace gwrm::cuda
