// How many iterations GMRES may keep in a window of the sphere, and for how many nodes in time products are formed
// together: so that vectors of GMRES and Newton's method, and fields on points, take no more than kMostVectors vectors
// of a window's unknowns. CPU and device have the same cycle, and so the same iterates but for rounding.
//
// Counted   the basis; kLinearVectors or kNewtonVectors beside it; the arrays between the steps of products
//           (grid_tables.hpp) for nodes_together() nodes; tables, given vectors, and the fields at the present iterate
//           of Newton's method, which take most where there are products of fields.
// Bounds    a cycle of kFewestCycle to kLongestCycle iterations: where the fields on points alone take more than is
// left,
//           the vectors are more than kMostVectors.
#pragma once

#include "problems/ball/ball_terms.hpp"
#include "problems/ball/evolving_terms.hpp"

namespace gwrm::ball {

class KrylovMemory {
 public:
  static constexpr int kMostVectors = 60, kFewestCycle = 12, kLongestCycle = 40;

  KrylovMemory(const BallSpace& space, const BallTerms& terms, const EvolvingTerms& evolving);

  int cycle() const { return cycle_; }
  Index nodes_together() const { return together_; }
  // All that is counted, in vectors and bytes.
  double vectors() const { return others_ + cycle_; }
  double bytes() const { return vectors() * 8.0 * vector_size_; }

 private:
  double vector_size_;  // unknowns of a window
  double others_ = 0.0;
  int cycle_ = kLongestCycle;
  Index together_;
};

}  // namespace gwrm::ball
