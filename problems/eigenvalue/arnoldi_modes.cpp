#include "problems/eigenvalue/arnoldi_modes.hpp"

#include <algorithm>

namespace gwrm {
namespace {

constexpr Index kFewestVectors = 20, kMostVectors = 400;
constexpr Index kBetweenLooks = 5;  // products between two looks at the Ritz pairs

}  // namespace

std::vector<Mode> arnoldi_modes(Index size, const ArnoldiProduct& multiply, const AddMode& add, std::size_t wanted,
                                double tolerance, const std::function<bool()>& interrupted) {
  Eigen::VectorXd start = Arnoldi::start_without_structure(size), next;
  if (!multiply(start, next) || !multiply(start = next, next)) return {};  // out of the null space of P'
  Arnoldi arnoldi(next, std::min(size, std::max(kMostVectors, static_cast<Index>(8 * wanted))));
  std::vector<Mode> modes;
  while (!arnoldi.is_full() && modes.size() < wanted) {
    if (interrupted && interrupted()) return {};
    if (!multiply(arnoldi.last(), next)) return {};
    arnoldi.add(next);
    const Index n_products = arnoldi.n_products();
    if (!arnoldi.is_full() && (n_products < kFewestVectors || n_products % kBetweenLooks != 0)) continue;
    modes.clear();
    for (const RitzPair& pair : arnoldi.ritz_pairs()) {
      if (modes.size() == wanted || !(arnoldi.is_invariant() || pair.residual <= tolerance)) break;
      add(pair, arnoldi.vector(pair), modes);
    }
  }
  return modes;
}

}  // namespace gwrm
