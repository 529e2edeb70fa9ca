// A u = b of a Poisson problem, for other programs.
#include <fmt/format.h>

#include <limits>

#include "core/memory.hpp"
#include "output/linear_system.hpp"
#include "problems/sbp_sat/grid_operator.hpp"
#include "problems/sbp_sat/sbp_sat_poisson.hpp"

namespace gwrm {
namespace {

UnknownAxis points_along(const std::string& name, const std::vector<double>& coordinates) {
  UnknownAxis axis;
  axis.name = name;
  axis.entries = "points";
  axis.coordinates = coordinates;
  axis.n_entries = static_cast<Index>(coordinates.size());
  return axis;
}

}  // namespace

LinearSystem SbpSatPoisson::linear_system(const Context&) const {
  if (!excess_.empty()) throw MemoryError(excess_);
  const sbp::Grid& grid = model_.grid;
  if (grid.size() > std::numeric_limits<std::int32_t>::max())
    throw MemoryError(
        fmt::format("{} unknowns are more than the 32-bit indices of the exported matrix can count: take "
                    "fewer intervals",
                    grid.size()));
  const double needed = sbp::memory_of({PoissonSolver::jacobi_cg, PoissonOperator::csr, {}}, grid);
  if (needed > memory_limit())
    throw MemoryError(
        fmt::format("not enough memory: the matrix of {} unknowns needs {}, there are {}: take fewer "
                    "intervals",
                    grid.size(), format_bytes(static_cast<std::size_t>(needed)),
                    format_bytes(static_cast<std::size_t>(memory_limit()))));
  LinearSystem system;
  system.a = sbp::GridOperator(grid).assemble();
  system.b = sbp::right_hand_side(case_, model_).b;
  system.symmetric = true;
  system.constants_in_kernel = model_.pure_neumann;
  system.positive_definite = !model_.pure_neumann && grid.penalty() > grid.penalty_bound();
  system.rows = fmt::format(
      "-div(C grad {}) = source at every point, times the quadrature weight of the point, and the penalties of the "
      "sides (docs/sbp-sat.md)",
      case_.unknowns.front().name);
  std::string meaning = "values";
  if (model_.expressions->is_mapped())
    meaning += fmt::format(" at x = {}, y = {}", model_.expressions->mapping_text(0).text,
                           model_.expressions->mapping_text(1).text);
  for (std::size_t k = 0; k < grid.blocks.size(); ++k)
    system.unknowns.push_back({case_.unknowns.front().name,
                               meaning,
                               grid.blocks[k].offset,
                               {points_along(case_.domain[0].axis.name, model_.points[k].slow),
                                points_along(case_.domain[1].axis.name, model_.points[k].fast)}});
  return system;
}

}  // namespace gwrm
