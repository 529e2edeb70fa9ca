#include "problems/recurrence_bvp/bvp_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "core/memory.hpp"
#include "expression/holds_integral.hpp"
#include "problems/finer_grid.hpp"
#include "problems/recurrence_bvp/grid_expression.hpp"
#include "problems/recurrence_bvp/moments_solution.hpp"

namespace gwrm {
namespace {

// Solved in less than a millisecond: narrow data are seen, and there is next to nothing left to extrapolate.
constexpr double kLeastIntervals = 1 << 15;
constexpr Index kFarFiner = 8;  // times the intervals: a jump lies right there
constexpr Index kWindowPoints = Index{1} << 11, kMaxWindows = 64;

// The same problem by moments; CaseError where the grid does not suit it.
Case finer_case(const Case& the_case, Index intervals) {
  auto section = std::make_shared<RecurrenceCase>(section_of<RecurrenceCase>(the_case));
  section->intervals = intervals;
  section->algorithm = RecurrenceAlgorithm::moments;
  Case result = the_case;
  result.section = std::move(section);
  result.exact.clear();
  return result;
}

struct FinerGrid {
  Index intervals = 0;  // 0: none fits
  bool single = false;
};

// The finest that fits, stored in double precision if that does.
FinerGrid choose_grid(const BvpModel& model, bool single_run, std::size_t memory) {
  const auto least = [&](double factor) {
    return std::max(factor, kLeastIntervals / static_cast<double>(model.grid.intervals));
  };
  for (const bool single : {false, true})
    for (double factor : kRefinements) {
      const Index intervals = finer_intervals(model.grid.intervals, least(factor));
      if ((!single || single_run) && recurrence_solver_bytes(intervals + 1, single) <= memory)
        return {intervals, single};
    }
  return {};
}

// Consecutive points of the grid that are compared at one time: the first of each, the last behind.
std::vector<std::pair<Index, Index>> compared_windows(Index n_points) {
  const Index n_windows = std::min(kMaxWindows, (n_points + kWindowPoints - 1) / kWindowPoints);
  const Index length = std::min(kWindowPoints, n_points);
  std::vector<std::pair<Index, Index>> windows;
  for (Index k = 0; k < n_windows; ++k) {
    const Index begin = n_windows == 1 ? 0 : (n_points - length) * k / (n_windows - 1);
    windows.emplace_back(begin, begin + length);
  }
  return windows;
}

// The finer solution at points begin .. end - 1 of the coarser grid.
std::vector<double> interpolated(const GridInterpolation& to_coarse, const GridSolution& fine, Index begin, Index end) {
  const auto width = static_cast<std::size_t>(to_coarse.width());
  std::vector<double> weights(width * static_cast<std::size_t>(end - begin));
  std::vector<Index> first;
  for (Index i = begin; i < end; ++i)
    first.push_back(to_coarse.stencil(i, &weights[width * static_cast<std::size_t>(i - begin)]));
  std::vector<Index> places(static_cast<std::size_t>(first.back() - first.front()) + width);
  std::iota(places.begin(), places.end(), first.front());
  std::vector<double> u(places.size()), result;
  fine.gather(places, u.data());
  for (std::size_t i = 0; i < first.size(); ++i)
    result.push_back(std::inner_product(&weights[width * i], &weights[width * i] + width,
                                        &u[static_cast<std::size_t>(first[i] - first.front())], 0.0));
  return result;
}

FieldError compare(const BvpModel& model, const GridValues& values, Index finer, const GridSolution& fine) {
  const Index n = model.grid.intervals;
  const GridInterpolation to_coarse(finer, n, model.order + 4);
  FieldError error;
  error.field = model.unknown;
  error.at = {model.grid.lower};
  double size = 0.0, own_size = 0.0;
  for (const auto& [begin, end] : compared_windows(n + 1)) {
    std::vector<Index> points(static_cast<std::size_t>(end - begin));
    std::iota(points.begin(), points.end(), begin);
    const std::vector<double> u = values.solution(points), better = interpolated(to_coarse, fine, begin, end);
    for (std::size_t i = 0; i < u.size(); ++i) {
      size = std::max(size, std::abs(better[i]));
      own_size = std::max(own_size, std::abs(u[i]));
      const double difference = std::abs(u[i] - better[i]);
      if (difference <= error.largest) continue;  // not where it is no number
      error.largest = difference;
      error.at = {model.grid.point(points[i])};
    }
  }
  const double ratio = static_cast<double>(finer) / static_cast<double>(n);
  if (error.largest != 0.0) error.largest /= (size > 0.0 ? size : own_size) * share_of_error(ratio, model.order);
  error.at_end = error.largest;
  return error;
}

// A jump of the source lies somewhere between two points for the scheme, wrong by half an interval at most; a finer
// grid may be as wrong by chance. The mean of the source half an interval below and above moves it by as much.
double error_of_jumps(const Context& context, const Case& the_case, const BvpModel& model, const GridValues& values) {
  const bool single = section_of<RecurrenceCase>(the_case).precision == StoragePrecision::single_precision;
  const BoundaryClosure closure(model, section_of<RecurrenceCase>(the_case).reaction_where);
  const MomentsSolution moved = solve_by_moments(context, model, closure, averaged_source(model), single,
                                                 std::numeric_limits<double>::infinity());
  if (moved.values == nullptr) return 0.0;
  double largest = 0.0, size = 0.0;
  for (const auto& [begin, end] : compared_windows(model.grid.n_points())) {
    std::vector<Index> points(static_cast<std::size_t>(end - begin));
    std::iota(points.begin(), points.end(), begin);
    const std::vector<double> u = values.solution(points);
    std::vector<double> other(points.size());
    moved.values->gather(points, other.data());
    for (std::size_t i = 0; i < u.size(); ++i) {
      largest = std::max(largest, std::abs(u[i] - other[i]));
      size = std::max(size, std::abs(other[i]));
    }
  }
  return largest == 0.0 ? 0.0 : largest / size;
}

}  // namespace

BvpEstimate estimate_bvp_error(const Context& context, const Case& the_case, const BvpModel& model,
                               const GridSource& source, const GridValues& values, std::size_t memory,
                               double rounding) {
  const bool single_run = section_of<RecurrenceCase>(the_case).precision == StoragePrecision::single_precision;
  const FinerGrid grid = choose_grid(model, single_run, memory);
  if (grid.intervals == 0)
    return {no_estimate(fmt::format("a finer grid does not fit into memory ({} are left)", format_bytes(memory)))};
  const BvpModel fine = build_bvp_model(finer_case(the_case, grid.intervals));
  const BoundaryClosure closure(fine, section_of<RecurrenceCase>(the_case).reaction_where);
  const GridSource own = source.stored == nullptr ? expression_source(fine, GridExpression::kMaxCalls)
                                                  : interpolated_source(source.stored, grid.intervals, model.order + 4);
  MomentsSolution solution =
      solve_by_moments(context, fine, closure, own, grid.single, the_case.verification.tolerance);
  if (!solution.finite) return {no_finer_solution(model.unknown, "the source is not finite"), grid.intervals};
  if (solution.values == nullptr) return {no_finer_solution(model.unknown, solution.message), grid.intervals};
  ErrorEstimate estimate;
  estimate.status = ErrorEstimate::Status::made;
  FieldError error = compare(model, values, grid.intervals, *solution.values);
  solution.values.reset();
  const bool far_finer = grid.intervals >= kFarFiner * model.grid.intervals;
  if (model.source != nullptr && expression::holds_jump(model.source) && !far_finer)
    error.largest = error.at_end = std::max(error.largest, error_of_jumps(context, the_case, model, values));
  error.rounding = 0.5 * rounding;
  estimate.fields = {std::move(error)};
  return {std::move(estimate), grid.intervals};
}

}  // namespace gwrm
