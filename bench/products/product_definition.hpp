// The product by its definition, one coefficient at a time in extended precision: what the implementations are checked
// against. Shares no code with them.
#pragma once

#include <vector>

#include "core/array.hpp"

namespace gwrm {

// How far a result is from the definition, relative to the largest coefficient. NaN in the result gives NaN.
struct ProductError {
  double maximum = 0.0;
  Index n_checked = 0;  // coefficients looked at
};

// c_k = 2^-d sum over all (i, j) and all signs with |i_m +- j_m| = k_m of a_i b_j, of one pair a, b; several results
// can be checked against one evaluation.
class ProductDefinition {
 public:
  // Evaluates all coefficients, or evenly spread ones whose sums have about `max_terms` products in all.
  ProductDefinition(const Shape& shape, const double* a, const double* b, double max_terms);

  template <typename Real>
  ProductError error_of(const Real* c) const;

 private:
  std::vector<Index> places_;
  std::vector<long double> coefficients_;
  long double largest_ = 0.0L;
};

}  // namespace gwrm
