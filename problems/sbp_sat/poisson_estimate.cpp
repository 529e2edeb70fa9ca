#include "problems/sbp_sat/poisson_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "core/memory.hpp"
#include "problems/finer_grid.hpp"
#include "problems/sbp_sat/grid_interpolation.hpp"
#include "problems/sbp_sat/unseen_jumps.hpp"

namespace gwrm::sbp {
namespace {

// Solved in a few milliseconds.
constexpr double kLeastPoints = 65.0 * 65.0;
constexpr Index kMaxCoarsest = 2500;  // points that multigrid may leave, on the device too
// The work of a direct solution grows with the third power of the intervals: beyond so many, no more than 1.25 times.
constexpr int kDirectIntervals = 400;
constexpr double kDirectFactor = 1.25;
// |r|_2 beside that of the interpolated solution; what is left is some per cent of the estimate.
constexpr double kFinerShare = 1e-4, kChangeShare = 1e-2;

using Intervals = std::vector<std::vector<int>>;  // as SbpSatCase::intervals

double points(const Intervals& intervals) {
  double n = 1.0;
  for (const std::vector<int>& counts : intervals) {
    double along = 0.0;
    for (int count : counts) along += count + 1.0;
    n *= along;
  }
  return n;
}

Intervals finer(const Intervals& intervals, double factor, Index divisor) {
  Intervals result = intervals;
  for (std::vector<int>& counts : result)
    for (int& count : counts) count = static_cast<int>(finer_intervals(count, factor, divisor));
  return result;
}

int extreme(const Intervals& intervals, bool largest) {
  int result = intervals.front().front();
  for (const std::vector<int>& counts : intervals)
    for (int count : counts) result = largest ? std::max(result, count) : std::min(result, count);
  return result;
}

// The same problem on the finer grid, by the solver that takes the least time.
Case finer_case(const Case& the_case, const Grid& grid, double factor) {
  auto section = std::make_shared<SbpSatCase>(section_of<SbpSatCase>(the_case));
  const Intervals own = section->intervals;
  section->solver = PoissonSolver::automatic;
  section->operator_form = PoissonOperator::automatic;
  section->reduction = ReductionChoice::standard;
  const int most = extreme(own, true);
  const bool direct = grid.separable() && kDirectFactor * most < kMaxDirectPoints;
  if (direct && most > kDirectIntervals) factor = std::min(factor, kDirectFactor);
  section->intervals = finer(own, factor, 1);
  if (!direct) {  // for multigrid
    Index divisor = 1;
    const auto halved = [&] { return points(section->intervals) / static_cast<double>(divisor * divisor); };
    while (halved() > kMaxCoarsest && extreme(section->intervals, false) / (2 * divisor) >= grid.least_intervals())
      divisor *= 2;
    section->intervals = finer(own, factor, divisor);
  }
  Case result = the_case;
  result.section = std::move(section);
  result.output.fields.clear();
  result.exact.clear();
  return result;
}

// The least of all blocks and dimensions, which makes the estimate the largest.
double least_ratio(const Grid& coarse, const Grid& fine) {
  double ratio = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < coarse.blocks.size(); ++b) {
    const Block &from = coarse.blocks[b], &to = fine.blocks[b];
    ratio = std::min({ratio, static_cast<double>(to.n_slow - 1) / static_cast<double>(from.n_slow - 1),
                      static_cast<double>(to.n_fast - 1) / static_cast<double>(from.n_fast - 1)});
  }
  return ratio;
}

double largest_of(const std::vector<double>& values) {
  double largest = 0.0;
  for (double value : values)
    if (!(std::abs(value) <= largest)) largest = std::abs(value);
  return largest;
}

// u - better at the points of the grid; without its mean where u is determined but for a constant.
std::vector<double> difference(const PoissonModel& model, const std::vector<double>& u,
                               const std::vector<double>& better) {
  std::vector<double> result(u.size());
  for (std::size_t k = 0; k < u.size(); ++k) result[k] = u[k] - better[k];
  if (model.pure_neumann) remove_mean(model.grid, result);
  return result;
}

FieldError error_of(const Case& the_case, const PoissonModel& model, const std::vector<double>& u,
                    const std::vector<double>& better, double share) {
  const std::vector<double> e = difference(model, u, better);
  FieldError error;
  error.field = the_case.unknowns.front().name;
  error.at = {model.points.front().slow.front(), model.points.front().fast.front()};
  for (std::size_t b = 0; b < model.grid.blocks.size(); ++b) {
    const Block& block = model.grid.blocks[b];
    for (Index k = 0; k < block.size(); ++k) {
      const double size = std::abs(e[static_cast<std::size_t>(block.offset + k)]);
      if (size <= error.largest) continue;
      error.largest = size;
      error.at = {model.points[b].slow[static_cast<std::size_t>(k / block.n_fast)],
                  model.points[b].fast[static_cast<std::size_t>(k % block.n_fast)]};
    }
  }
  const double size = largest_of(better);
  if (error.largest != 0.0) error.largest /= (size > 0.0 ? size : largest_of(u)) * share;
  error.at_end = error.largest;
  return error;
}

// What a jump inside a block that lies half a cell elsewhere makes of u.
double error_of_jumps(const Context& context, const Case& the_case, const PoissonModel& model,
                      const PoissonAnswer& answer, const RunControl& control) {
  const double size = largest_of(answer.u);
  double largest = 0.0;
  auto section = std::make_shared<SbpSatCase>(section_of<SbpSatCase>(the_case));
  section->solver = PoissonSolver::automatic;
  section->reduction = ReductionChoice::standard;
  Case any_solver = the_case;
  any_solver.section = std::move(section);
  for (const PoissonModel& moved : with_jumps_moved(the_case, model)) {
    const SolverChoice choice = choose_solver(any_solver, moved.grid);
    const PoissonAnswer change = solve_defect(context, any_solver, moved, choice, control, answer.u, kChangeShare);
    const double half = 0.5 * largest_of(change.u) / (size > 0.0 ? size : largest_of(change.u));
    if (change.status == CgStatus::converged && half > largest) largest = half;
  }
  return largest;
}

double rounding_of(const Context& context, const Case& the_case, const PoissonModel& model, const SolverChoice& choice,
                   const PoissonAnswer& answer, double error, const RunControl& control) {
  const std::vector<double> weights = norm_weights(model.grid);
  double square = 0.0;
  for (std::size_t k = 0; k < weights.size(); ++k) square += weights[k] * answer.u[k] * answer.u[k];
  // No bound where the least eigenvalue was not found to be positive.
  const double bound = answer.error_factor > 0.0 ? answer.residual * answer.error_factor / std::sqrt(square)
                                                 : std::numeric_limits<double>::infinity();
  constexpr double kSmall = 0.1;
  if (bound <= kSmall * error || square == 0.0) return square == 0.0 ? 0.0 : bound;
  const PoissonAnswer lack = solve_defect(context, the_case, model, choice, control, answer.u, kChangeShare);
  return lack.status == CgStatus::converged ? largest_of(lack.u) / largest_of(answer.u) : bound;
}

ErrorEstimate estimate_on(const Case& fine_case, const PoissonModel& fine, const Context& context, const Case& the_case,
                          const PoissonModel& model, const SolverChoice& choice, const PoissonAnswer& answer,
                          const RunControl& control) {
  const SolverChoice fine_choice = choose_solver(fine_case, fine.grid);
  const int width = model.grid.order + 4;
  std::vector<double> better = interpolated(model.grid, fine.grid, answer.u, width);
  const PoissonAnswer lack = solve_defect(context, fine_case, fine, fine_choice, control, better, kFinerShare);
  if (lack.status == CgStatus::interrupted) return no_estimate("interrupted");
  if (lack.status == CgStatus::not_finite)
    return no_finer_solution(the_case.unknowns.front().name, "NaN or Inf in the iteration");
  if (lack.status != CgStatus::converged) return no_estimate("the iteration on the finer grid did not converge");
  for (std::size_t k = 0; k < better.size(); ++k) better[k] += lack.u[k];
  better = interpolated(fine.grid, model.grid, better, width);
  ErrorEstimate estimate;
  estimate.status = ErrorEstimate::Status::made;
  const double share = share_of_error(least_ratio(model.grid, fine.grid), model.grid.order);
  FieldError error = error_of(the_case, model, answer.u, better, share);
  error.largest = error.at_end = std::max(error.largest, error_of_jumps(context, the_case, model, answer, control));
  error.rounding = rounding_of(context, the_case, model, choice, answer, error.largest, control);
  estimate.fields = {std::move(error)};
  return estimate;
}

}  // namespace

double memory_of_model(const Grid& grid) {
  return memory_of({PoissonSolver::cg, PoissonOperator::matrix_free, ReductionChoice::standard}, grid);
}

PoissonEstimate estimate_poisson_error(const Context& context, const Case& the_case, const PoissonModel& model,
                                       const SolverChoice& choice, const PoissonAnswer& answer, double memory,
                                       const RunControl& control) {
  RunControl quiet;
  quiet.interrupted = control.interrupted;
  const double least = std::sqrt(kLeastPoints / static_cast<double>(model.grid.size()));
  PoissonEstimate result;
  try {
    for (double factor : kRefinements) {
      const Case fine_case = finer_case(the_case, model.grid, std::max(factor, least));
      result.intervals = section_of<SbpSatCase>(fine_case).intervals;
      const PoissonModel outline = outline_poisson_model(fine_case);
      if (memory_of(choose_solver(fine_case, outline.grid), outline.grid) > memory) continue;
      result.error =
          estimate_on(fine_case, build_poisson_model(fine_case), context, the_case, model, choice, answer, quiet);
      return result;
    }
    result.error = no_estimate(fmt::format("a finer grid does not fit into memory ({} are left)",
                                           format_bytes(static_cast<std::size_t>(std::max(0.0, memory)))));
  } catch (const MemoryError& error) {
    result.error = no_estimate(error.what());
  } catch (const CaseError& error) {
    result.error = no_finer_solution(the_case.unknowns.front().name, error.what());
  } catch (const Error& error) {
    if (error.status() != ExitStatus::not_finite) throw;
    result.error = no_finer_solution(the_case.unknowns.front().name, error.what());
  }
  return result;
}

}  // namespace gwrm::sbp
