// The eigenproblem of a line (kernels/line_modes.hpp) as standard symmetric problems: the whole of it, or its even and
// its odd half. What comes before and after the eigenvectors, for LAPACK and cuSOLVER alike.
#pragma once

#include <vector>

#include "kernels/line_modes.hpp"

namespace gwrm {

// S of one half in its basis, divided by LineProblem::unit.
struct LinePart {
  // Entries that may differ from zero, every place at most once.
  struct Entry {
    int row, column;
    double value;
  };
  int size = 0;
  std::vector<Entry> entries;
  // From an eigenvector y (size) to v (n): v[p] = factor[p] y[component[p]].
  std::vector<int> component;
  std::vector<double> factor;
};

struct LineProblem {
  int n = 0;
  double unit = 1.0;            // a power of two: entries of all sizes become moderate without rounding
  std::vector<LinePart> parts;  // one, or even and odd; none of size zero
};

LineProblem line_problem(const StencilRows& a, const std::vector<double>& weights, LineSplit split);

// Eigenvalues ascending; the rows of y (size x size, row-major) become the eigenvectors. By LAPACK.
std::vector<double> solve_by_lapack(const LinePart& part, std::vector<double>& y);

// Eigenvalues of all parts, in units of `problem.unit`, on entry: as line_modes() gives them on return.
void finish_values(const LineProblem& problem, std::vector<double>& values);

}  // namespace gwrm
