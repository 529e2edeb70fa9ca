#include "problems/recurrence_bvp/moments_solution.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace gwrm {

MomentsSolution solve_by_moments(const Context& context, const BvpModel& model, const BoundaryClosure& closure,
                                 const GridSource& source, bool single_precision, double tolerance) {
  EndValues ends;
  const std::array<Index, 6> where = end_points(model.grid);
  const std::vector<double> values = source.at({where.begin(), where.end()});
  std::copy(values.begin(), values.end(), ends.begin());
  std::vector<Index> some;  // for the size of the source
  for (Index i = 0; i <= 1000; ++i)
    some.push_back(static_cast<Index>(static_cast<double>(model.grid.intervals) * static_cast<double>(i) / 1000.0));
  double size = 0.0;
  for (double value : source.at(some)) size = std::max(size, std::abs(value));
  const auto close = [&](const RecurrenceState& totals) { return closure.close(totals, ends, size, tolerance); };
  const auto is_finite = [](const RecurrenceState& totals) {
    return std::isfinite(totals.first.high) && std::isfinite(totals.second.high);
  };

  MomentsSolution result;
  auto solver = make_recurrence_solver(context, closure.op(), source.f, model.grid.n_points(), single_precision);
  const bool by_two_totals = model.conditions.size() == 2 && !closure.op().with_sum;
  if (by_two_totals && close({}).status == ClosureStatus::closed) {
    result.finite = is_finite(solver->solve([&](const RecurrenceState& own) { return close(own).start; }));
  } else {
    const RecurrenceState totals = solver->totals();
    result.finite = is_finite(totals);
    if (!result.finite) return result;
    const Closure closed = close(totals);
    result.status = closed.status;
    result.message = closed.message;
    if (closed.status != ClosureStatus::closed) return result;
    result.shift = closed.shift;
    solver->fill(closed.start, closed.shift);
  }
  if (result.finite) result.values = std::move(solver);
  return result;
}

}  // namespace gwrm
