// Where a solution is verified: points that the solver did not use, and what integrates over them.
#pragma once

#include <cstddef>
#include <vector>

#include "output/evaluate.hpp"
#include "output/solution.hpp"

namespace gwrm {

// Consecutive windows whose subdomains are the same, with Gauss points of another count than the solver's in every
// subdomain, and quadrature weights. Along a parameter with a distribution they lie where it is likely
// (basis/orthogonal_basis.hpp).
struct CheckGrid {
  std::size_t first_window = 0, end_window = 1;
  GridPoints points;
  std::vector<std::vector<double>> weights;
};

// In the order of the windows. per_mode: points for each mode in space; what the solution lacks, the next modes, goes
// unseen where there are no more points than modes.
std::vector<CheckGrid> make_check_grids(const Solution& solution, int per_mode = 1);

// The same with these coordinates along each axis besides, which count for nothing in integrals.
CheckGrid with_points(CheckGrid grid, const GridPoints& more);

// int v^2 over `axes`, for every point along the axis `kept` (-1: none), summed over all other axes.
std::vector<double> squares_over(const Array& v, const CheckGrid& grid, const std::vector<int>& axes, int kept);

}  // namespace gwrm
