#include "problems/time_spectral/solution_tails.hpp"

#include <algorithm>
#include <vector>

#include "basis/axis_basis.hpp"
#include "basis/levels.hpp"

namespace gwrm {
namespace {

constexpr int kLevels = 2;

}  // namespace

std::optional<double> tail_of(const Model& model, const Solution& solution, int f, std::size_t d) {
  const FieldSolution& field = solution.fields[static_cast<std::size_t>(f)];
  const auto axis = static_cast<std::size_t>(field.axes[d]);
  std::optional<double> tail;
  for (std::size_t w = 0; w < field.windows.size(); ++w) {
    const ShorterSeries series(field.windows[w], d, solution.subdomains[w][axis],
                               model.fields[static_cast<std::size_t>(f)].n_lower[axis]);
    const auto basis = make_basis(series.description());
    if (basis->degree() < 3) continue;
    const std::vector<double> tails = largest_tails(series.coefficients(), d, *basis, kLevels);
    tail = std::max(tail.value_or(0.0), *std::max_element(tails.begin(), tails.end()));
  }
  return tail;
}

}  // namespace gwrm
