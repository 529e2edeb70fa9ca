// How many nodes a window in time has, where the program may choose: the number that takes the least work for the time
// still to come.
//
// The coefficients of level k in t of a window of length h are about (h/rho)^k: with fewer nodes it has to be shorter,
// h(K) = h (0.9 tol/e(K))^(1/K), e(K) the tail of a series that ends at K. Work: windows times K + 1, of all that is
// done at every node. Far from the end many nodes win (docs/numerics.md 2.4); few do where windows are short for
// another reason: the start, the growth from one to the next, the end. On one axis of space, or none, windows cost so
// little beside the rest that this is not worth other factors: the degree stays there.
#pragma once

#include <vector>

#include "problems/time_spectral/tails.hpp"

namespace gwrm {

inline constexpr int kLeastTimeDegree = 4, kMostTimeDegree = 16;

// Per level, the largest coefficient in t of all fields as functions of space, over the size of the field. ignored:
// fields that do not count; empty: all do.
std::vector<double> time_levels(const Window& window, const FieldScales& sizes, const std::vector<bool>& ignored = {});

// levels: of a window of length h. rest: the time from its start on, or from its end. growth: of the length at most.
// Higher degrees than that of `levels` are judged by how fast these fall; that degree stays unless another one is
// clearly better.
int cheapest_time_degree(const std::vector<double>& levels, double h, double tolerance, double rest, double growth);

// The tail of a series that ends at this degree, above that of `levels` as if these went on falling.
double tail_at_degree(const std::vector<double>& levels, int degree);

}  // namespace gwrm
