#include "api/stored_range.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "output/evaluate.hpp"
#include "problems/continuation/branch_case.hpp"
#include "problems/eigenvalue/eigenvalue_case.hpp"
#include "problems/time_spectral/time_reach.hpp"

namespace gwrm {
namespace {

double slack(const StoredRange& range) {
  return 1e-12 * (range.upper - range.lower);
}

}  // namespace

expression::Symbols symbols_of_answer(const Case& the_case, const Solution& solution) {
  expression::Symbols symbols = the_case.continuation.active() ? branch_symbols(the_case, solution.axes)
                                : eigenvalue_of(the_case) != nullptr
                                    ? mode_symbols(the_case, solution.axes, names_of(the_case, solution))
                                    : the_case.symbols();
  check_symbols(symbols, solution);
  return symbols;
}

bool StoredRange::holds(double z) const {
  return z >= lower - slack(*this) && z <= upper + slack(*this);
}

double StoredRange::clamped(double z) const {
  return std::clamp(z, lower, upper);
}

StoredRange stored_range(const Axis& axis, const Solution& solution) {
  if (!is_windowed(axis.kind)) return {axis.lower, axis.upper};
  return {solution.window_edges.front(), solution.window_edges.back()};
}

std::string outside_text(const Axis& axis, const StoredRange& range, double z) {
  const std::string text = fmt::format("{} = {:g} lies outside [{:g}, {:g}]", axis.name, z, range.lower, range.upper);
  if (z >= range.lower || range.lower <= axis.lower) return text;
  return text +
         "; the windows before were not kept (output: {coefficients: none}): their sampled fields are in the file, and "
         "a run with output: {coefficients: all} keeps them";
}

void check_times(const SourceText& source, const expression::Pool& pool, expression::Expr e, const Solution& solution) {
  const int time = solution.windowed_axis();
  TimeReach reach = time_reach(pool, e, time);
  if (reach.none()) return;
  const Axis& axis = solution.axes[time];
  const StoredRange range = stored_range(axis, solution);
  if (reach.whole) reach.times.insert(reach.times.end(), {axis.lower, axis.upper});
  for (double t : reach.times)
    if (!range.holds(t)) throw_case_error(source, 0, outside_text(axis, range, t));
}

}  // namespace gwrm
