#include "problems/ball/krylov_memory.hpp"

#include <algorithm>

#include "problems/ball/grid_tables.hpp"

namespace gwrm::ball {
namespace {

constexpr double kRoomVectors = 10.0;  // for the arrays between the steps of products
// Beside GMRES's basis: right-hand side, solution, image, direction, correction, rates, the vector after the last; and
// Newton's iterate, residual, step, trial with its residual and simplified correction, sources.
constexpr double kLinearVectors = 7.0, kNewtonVectors = 14.0;

}  // namespace

KrylovMemory::KrylovMemory(const BallSpace& space, const BallTerms& terms, const EvolvingTerms& evolving)
    : vector_size_(to_double(space.degrees().t * space.unknowns().size())), together_(space.degrees().t) {
  Index stage = 0, rows = 0, values = 0;  // of a node
  double kept = 0.0;
  const auto add = [&](const GridProducts& products) {
    if (!products.any()) return;
    const GridSizes sizes(space, products);
    stage = std::max(stage, sizes.stage());
    rows = std::max({rows, sizes.rows(), sizes.results()});
    values = std::max({values, sizes.values(), sizes.rows()});
    kept += to_double(sizes.tables()) + to_double(static_cast<Index>(products.given.size()) * 3 * sizes.n_points());
    if (products.products.front().from == GridProduct::Left::field)
      kept += to_double(space.degrees().t * sizes.values());
  };
  add(terms.products());
  add(evolving.products());
  const double of_node = to_double(stage + rows + values) / vector_size_;
  if (of_node > 0.0) together_ = std::clamp(static_cast<Index>(kRoomVectors / of_node), Index{1}, space.degrees().t);
  others_ = (evolving.any() ? kNewtonVectors : kLinearVectors) + kept / vector_size_ + to_double(together_) * of_node;
  cycle_ = static_cast<int>(
      std::clamp(kMostVectors - others_, static_cast<double>(kFewestCycle), static_cast<double>(kLongestCycle)));
}

}  // namespace gwrm::ball
