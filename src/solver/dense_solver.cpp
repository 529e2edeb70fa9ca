#include "solver/dense_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace gwrm {
namespace {

// The largest entries of a null vector, as the system names them: at most four, none below a tenth of the largest.
template <class Describe>
std::string strongest(const std::vector<double>& weights, Describe describe) {
  std::vector<Index> order(weights.size());
  std::iota(order.begin(), order.end(), 0);
  const std::size_t count = std::min<std::size_t>(4, order.size());
  auto magnitude = [&](Index i) { return std::abs(weights[static_cast<std::size_t>(i)]); };
  std::partial_sort(order.begin(), order.begin() + static_cast<Index>(count), order.end(),
                    [&](Index a, Index b) { return magnitude(a) > magnitude(b); });
  std::string text;
  for (std::size_t i = 0; i < count && magnitude(order[i]) > 0.1 * magnitude(order[0]); ++i)
    text += (i > 0 ? "; " : "") + describe(order[i]);
  return text;
}

}  // namespace

LinearOutcome DenseSolver::linearise(std::span<const double> x, bool) {
  if (factored_ && system_.is_linear()) return {};  // further iterations are then iterative refinement
  ++n_factorisations_;
  factored_ = true;
  return factorisation_outcome(system_.factor_jacobian(x, lu_), [&] { return dependency(); });
}

std::string DenseSolver::dependency() const {
  const Dependency found = lu_.dependency();
  return fmt::format(
      "the Jacobian is singular; equations that depend on each other: {}; unknowns that they leave undetermined: {}",
      strongest(found.row_weights, [&](Index i) { return system_.describe_row(i); }),
      strongest(found.column_weights, [&](Index j) { return system_.describe_unknown(j); }));
}

LinearOutcome DenseSolver::solve(std::span<double> v, const KrylovTolerance&) {
  lu_.solve(v);
  return {};
}

}  // namespace gwrm
