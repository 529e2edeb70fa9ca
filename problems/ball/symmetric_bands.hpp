// Symmetric matrices of up to five diagonals, of which every system along the radius is made.
//
// Pivots    none are exchanged: real ones are positive definite; complex ones are M + z A with M and A positive
//           (semi)definite and Re z > 0, so that their real and imaginary parts are definite and pivots grow by less
//           than three (Higham, Math. Comp. 67 (1998) 1591). Hence the unpivoted solvers of kernels/banded, which
//           make nothing of the symmetry but are batched, prepared once and the same on a GPU.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "core/context.hpp"
#include "kernels/banded/banded_batch.hpp"

namespace gwrm::ball {

// Diagonals d = 0 .. count - 1, entry (k, k + d) at k: those of someone else.
struct SymmetricBands {
  std::array<const std::vector<double>*, 3> diagonals{};
  std::size_t count = 0;

  double entry(std::size_t d, std::size_t k) const { return (*diagonals[d])[k]; }
  std::size_t n() const { return diagonals[0]->size(); }
};

// y += factor A x.
template <class Factor, class Value>
void add_product(const SymmetricBands& a, Factor factor, const Value* x, Value* y) {
  const std::size_t n = a.n();
  for (std::size_t k = 0; k < n; ++k) y[k] += factor * (a.entry(0, k) * x[k]);
  for (std::size_t d = 1; d < a.count; ++d)
    for (std::size_t k = 0; k + d < n; ++k) {
      y[k] += factor * (a.entry(d, k) * x[k + d]);
      y[k + d] += factor * (a.entry(d, k) * x[k]);
    }
}

// Of the matrix with these diagonals, the last one empty where it is tridiagonal; `shape.n` rows.
template <class Number>
std::unique_ptr<BandedPlan<Number>> make_symmetric_plan(const Context& context, const BandedShape& shape,
                                                        const std::array<std::vector<Number>, 3>& diagonals);

}  // namespace gwrm::ball
